//! Every colour, size and distance of the window.

use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Shadow,
    Stroke, Style, TextStyle, Theme, Vec2, Visuals, vec2,
};

/// Distance between a panel's edge and what is in it.
pub const MARGIN: i8 = 10;
/// Distance between the window's edge and what is on the first page.
pub const PAGE_MARGIN: i8 = 24;
/// Between parts of a panel.
pub const GAP: f32 = 12.0;
/// Corners of cards, buttons and fields.
pub const CORNER: u8 = 5;
/// Width of a card of the start page.
pub const CARD_WIDTH: f32 = 280.0;
/// Width of the text in dialogs and empty panels.
pub const TEXT_WIDTH: f32 = 420.0;
/// Width of the scale of a legend.
pub const SCALE_WIDTH: f32 = 160.0;
/// Height of a row of a table or list.
pub const ROW: f32 = 24.0;

/// Colours by what they mean.
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    /// Text.
    pub ink: Color32,
    /// Text of less weight.
    pub muted: Color32,
    /// What panels lie on.
    pub paper: Color32,
    /// Fields, cards, the text editor: what lies on the paper.
    pub card: Color32,
    /// Thin lines between things.
    pub line: Color32,
    /// Buttons at rest.
    pub button: Color32,
    /// What is chosen, what can be followed.
    pub accent: Color32,
    /// Behind what is chosen.
    pub chosen: Color32,
    /// What can be answered, what is meant just now.
    pub glow: Color32,
    pub error: Color32,
    pub warning: Color32,
    pub fine: Color32,
    /// Behind lines that are new.
    pub added: Color32,
    /// Behind lines that are gone.
    pub removed: Color32,
    /// Behind words that were looked for.
    pub found: Color32,
    /// Highlighting of rules.
    pub code: Code,
}

/// Colours of words in a text of rules; never the only mark of anything.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    pub keyword: Color32,
    pub name: Color32,
    pub number: Color32,
    pub text: Color32,
    pub comment: Color32,
    pub doc: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const LIGHT: Colours = Colours {
    ink: hex(0x22_25_2b),
    muted: hex(0x62_68_70),
    paper: hex(0xf4_f1_ea),
    card: hex(0xfd_fc_f9),
    line: hex(0xd8_d2_c6),
    button: hex(0xe7_e2_d7),
    accent: hex(0x1a_5f_7a),
    chosen: hex(0xcf_e3_ea),
    glow: hex(0xc2_18_7a),
    error: hex(0xb3_26_1e),
    warning: hex(0x95_5d_00),
    fine: hex(0x22_73_4d),
    added: hex(0xdc_ee_df),
    removed: hex(0xf6_dd_d9),
    found: hex(0xf6_e4_a8),
    code: Code {
        keyword: hex(0x8a_3b_12),
        name: hex(0x1a_5f_7a),
        number: hex(0x6b_3f_a0),
        text: hex(0x22_73_4d),
        comment: hex(0x77_7c_83),
        doc: hex(0x4f_66_59),
    },
};

const DARK: Colours = Colours {
    ink: hex(0xe6_e4_df),
    muted: hex(0x9a_a0_a8),
    paper: hex(0x1f_22_27),
    card: hex(0x17_1a_1e),
    line: hex(0x3a_3f_47),
    button: hex(0x30_35_3c),
    accent: hex(0x6c_bd_d8),
    chosen: hex(0x25_4a_58),
    glow: hex(0xff_7a_c4),
    error: hex(0xff_8a_7d),
    warning: hex(0xf0_b9_55),
    fine: hex(0x78_cc_9d),
    added: hex(0x20_3a_2b),
    removed: hex(0x45_27_26),
    found: hex(0x5c_4d_1c),
    code: Code {
        keyword: hex(0xf0_a5_72),
        name: hex(0x7f_c8_e0),
        number: hex(0xc3_a3_ee),
        text: hex(0x93_d0_a8),
        comment: hex(0x80_87_90),
        doc: hex(0x9f_b5_a7),
    },
};

/// The colours in use.
pub fn colours(style: &Style) -> &'static Colours {
    if style.visuals.dark_mode {
        &DARK
    } else {
        &LIGHT
    }
}

/// Style of the largest headings.
pub fn title() -> TextStyle {
    TextStyle::Name("title".into())
}

/// Style of headings within a panel.
pub fn section() -> TextStyle {
    TextStyle::Name("section".into())
}

/// The name of the font that has signs alone.
const SIGNS: &str = "signs";

/// Sets the fonts and both themes.
pub fn install(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let signs = FontData::from_static(include_bytes!("fonts/signs.ttf"));
    fonts.font_data.insert(SIGNS.to_owned(), signs.into());
    // Arrows and signs of games that the fonts of texts do not have: suits, dice, pieces of chess.
    for (family, more) in [
        (FontFamily::Proportional, &["Hack", SIGNS][..]),
        (FontFamily::Monospace, &[SIGNS]),
    ] {
        if let Some(family) = fonts.families.get_mut(&family) {
            family.extend(more.iter().map(|font| (*font).to_owned()));
        }
    }
    ctx.set_fonts(fonts);
    ctx.set_style_of(Theme::Light, style(&LIGHT, Visuals::light()));
    ctx.set_style_of(Theme::Dark, style(&DARK, Visuals::dark()));
}

fn style(colours: &Colours, visuals: Visuals) -> Style {
    let mut style = Style {
        visuals: dressed(colours, visuals),
        ..Style::default()
    };
    let proportional = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, proportional(12.0)),
        (TextStyle::Body, proportional(14.0)),
        (TextStyle::Button, proportional(14.0)),
        (TextStyle::Heading, proportional(19.0)),
        (section(), proportional(16.0)),
        (title(), proportional(30.0)),
        (
            TextStyle::Monospace,
            FontId::new(13.0, FontFamily::Monospace),
        ),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 6.0);
    spacing.button_padding = vec2(9.0, 4.0);
    spacing.interact_size = Vec2::new(34.0, ROW);
    spacing.window_margin = Margin::same(14);
    spacing.menu_margin = Margin::same(6);
    spacing.tooltip_width = TEXT_WIDTH;
    spacing.combo_width = 120.0;
    style.interaction.selectable_labels = false;
    style
}

fn dressed(colours: &Colours, mut visuals: Visuals) -> Visuals {
    let corner = CornerRadius::same(CORNER);
    let thin = |colour| Stroke::new(1.0, colour);
    let widgets = &mut visuals.widgets;
    for (state, fill, edge, text) in [
        (
            &mut widgets.noninteractive,
            colours.paper,
            colours.line,
            colours.ink,
        ),
        (
            &mut widgets.inactive,
            colours.button,
            Color32::TRANSPARENT,
            colours.ink,
        ),
        (
            &mut widgets.hovered,
            colours.chosen,
            colours.accent,
            colours.ink,
        ),
        (
            &mut widgets.active,
            colours.chosen,
            colours.accent,
            colours.ink,
        ),
        (&mut widgets.open, colours.button, colours.line, colours.ink),
    ] {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = thin(edge);
        state.fg_stroke = thin(text);
        state.corner_radius = corner;
        state.expansion = 0.0;
    }
    visuals.selection.bg_fill = colours.chosen;
    visuals.selection.stroke = thin(colours.ink);
    visuals.hyperlink_color = colours.accent;
    visuals.weak_text_color = Some(colours.muted);
    visuals.panel_fill = colours.paper;
    visuals.window_fill = colours.paper;
    visuals.window_stroke = thin(colours.line);
    visuals.window_corner_radius = CornerRadius::same(2 * CORNER);
    visuals.menu_corner_radius = corner;
    visuals.extreme_bg_color = colours.card;
    visuals.faint_bg_color = colours.card;
    visuals.code_bg_color = colours.button;
    visuals.error_fg_color = colours.error;
    visuals.warn_fg_color = colours.warning;
    visuals.popup_shadow = shadow(colours, 8);
    visuals.window_shadow = shadow(colours, 18);
    visuals.slider_trailing_fill = true;
    visuals.indent_has_left_vline = false;
    // A caret that blinks has the whole window drawn twice a second.
    visuals.text_cursor.blink = false;
    visuals
}

fn shadow(colours: &Colours, blur: u8) -> Shadow {
    Shadow {
        offset: [0, 2],
        blur,
        spread: 0,
        color: colours.ink.gamma_multiply(0.22),
    }
}
