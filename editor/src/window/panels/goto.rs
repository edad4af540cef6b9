//! To a line of the text, or to a declaration of any text, by typing.

use crate::window::commands::matches;
use crate::window::{Command, Pane, theme};
use crate::workshop::Workshop;
use dsl::service::{self, Kind, Language};
use egui::{Context, Id, Key, Modal, Modifiers, RichText, TextEdit, Ui, vec2};
use std::ops::Range;

/// Declarations that are listed at once.
const LISTED_MAX: usize = 200;
const WIDTH: f32 = 560.0;

/// The question, open or not.
#[derive(Default)]
pub struct GoTo(Option<Asked>);

struct Asked {
    /// The text that is looked at, for a line of it.
    shown: Option<String>,
    typed: String,
    fresh: bool,
    chosen: usize,
    declared: Vec<Declared>,
}

/// A declaration of any text.
struct Declared {
    label: String,
    file: String,
    range: Range<usize>,
}

impl GoTo {
    pub fn open(&mut self, shop: &Workshop, shown: Option<String>) {
        self.0 = Some(Asked {
            shown,
            typed: String::new(),
            fresh: true,
            chosen: 0,
            declared: declared(shop),
        });
    }

    pub fn show_ui(&mut self, ctx: &Context, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(mut asked) = self.0.take() else {
            return;
        };
        let mut place = None;
        let modal = Modal::new(Id::unique("go to")).show(ctx, |ui| {
            ui.set_width(WIDTH);
            place = asked.inside_ui(ui, shop);
        });
        if let Some((file, range)) = place {
            out.push(Command::OpenFile(file, Some(range)));
            out.push(Command::Show(Pane::Rules));
        } else if !modal.should_close() {
            self.0 = Some(asked);
        }
    }
}

impl Asked {
    /// Where to go.
    fn inside_ui(&mut self, ui: &mut Ui, shop: &Workshop) -> Option<(String, Range<usize>)> {
        let (down, up, enter) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            (
                pressed(Key::ArrowDown),
                pressed(Key::ArrowUp),
                pressed(Key::Enter),
            )
        });
        let label = ui.label(RichText::new("Go to").text_style(theme::section()));
        let field = TextEdit::singleline(&mut self.typed)
            .hint_text("A line's number, or a part of a name")
            .desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        if std::mem::take(&mut self.fresh) {
            field.request_focus();
        }
        if field.changed() {
            self.chosen = 0;
        }
        if let Ok(line) = self.typed.trim().parse::<usize>() {
            return self.line_ui(ui, shop, line, enter);
        }
        let fits = self.declared.iter();
        let fits = fits.filter(|one| matches(&one.label, &self.typed));
        let mut fits: Vec<&Declared> = fits.collect();
        let typed = self.typed.trim();
        // `player.wagons` is what is meant by `wagons`, before all that only mentions it.
        let own = |label: &str| {
            let head = label.split([':', ' ', '(', '[']).next().unwrap_or_default();
            head.rsplit('.').next() == Some(typed)
        };
        fits.sort_by_key(|one| {
            let label = one.label.as_str();
            (label != typed, !own(label), !label.contains(typed))
        });
        fits.truncate(LISTED_MAX);
        self.chosen = (self.chosen + usize::from(down))
            .saturating_sub(usize::from(up))
            .min(fits.len().saturating_sub(1));
        let mut picked = fits.get(self.chosen).filter(|_| enter);
        egui::ScrollArea::vertical()
            .max_height(360.0)
            .show(ui, |ui| {
                for (at, one) in fits.iter().enumerate() {
                    let file = one.file.rsplit('/').next().unwrap_or(&one.file);
                    let row = egui::Button::selectable(at == self.chosen, one.label.as_str())
                        .right_text(RichText::new(file).small().weak())
                        .truncate()
                        .min_size(vec2(ui.available_width(), theme::ROW));
                    let row = ui.add(row).on_hover_text(&one.file);
                    if at == self.chosen && (down || up) {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() {
                        picked = Some(one);
                    }
                }
                if fits.is_empty() {
                    ui.weak("No declaration has these letters in this order.");
                }
            });
        picked.map(|one| (one.file.clone(), one.range.clone()))
    }

    fn line_ui(
        &self,
        ui: &mut Ui,
        shop: &Workshop,
        line: usize,
        enter: bool,
    ) -> Option<(String, Range<usize>)> {
        let name = self.shown.as_ref()?;
        let text = shop
            .documents()
            .iter()
            .find(|one| one.name == *name)?
            .text();
        let last = text.lines().count().max(1);
        let go = ui.button(format!("Line {} of {last}", line.clamp(1, last)));
        let before = text.split_inclusive('\n').take(line.clamp(1, last) - 1);
        let at = before.map(str::len).sum();
        (enter || go.clicked()).then(|| (name.clone(), at..at))
    }
}

fn declared(shop: &Workshop) -> Vec<Declared> {
    let Some(sources) = shop.sources() else {
        return Vec::new();
    };
    let files = shop.own_files().into_iter();
    let files = files.filter(|name| Language::of(name) == Language::Rules);
    let ids = files.filter_map(|name| sources.find(name));
    ids.flat_map(|id| {
        let file = &sources.file(id).path;
        let items = service::outline(sources, id).into_iter();
        let items = items.filter(|item| item.kind != Kind::Broken);
        items.map(move |item| Declared {
            label: item.name,
            file: file.clone(),
            range: item.name_span.start as usize..item.name_span.end as usize,
        })
    })
    .collect()
}
