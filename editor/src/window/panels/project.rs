//! The game that is open: what lies over it, its files, and all other games.

use super::making::Making;
use super::start::recents_ui;
use crate::window::theme;
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::project::HitKind;
use dsl::assembly::OverlayInfo;
use egui::{RichText, Ui};

/// What the panel remembers.
#[derive(Default)]
pub struct ProjectView {
    search: String,
}

impl ProjectView {
    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let field = egui::TextEdit::singleline(&mut self.search)
            .hint_text("Search overlays, files and games")
            .desired_width(f32::INFINITY);
        ui.add(field);
        let wanted = self.search.trim().to_lowercase();
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                let fits = |names: &[&str]| {
                    wanted.is_empty()
                        || names
                            .iter()
                            .any(|name| name.to_lowercase().contains(&wanted))
                };
                layers_ui(ui, shop, out);
                overlays_ui(ui, shop, true, &fits, out);
                overlays_ui(ui, shop, false, &fits, out);
                files_ui(ui, shop, &fits, out);
                games_ui(ui, shop, &wanted, out);
            });
    }
}

/// A heading within a panel.
pub fn section_ui(ui: &mut Ui, title: &str) {
    ui.add_space(theme::GAP / 2.0);
    ui.label(RichText::new(title).text_style(theme::section()));
}

/// The active overlays in the order they lie on the game, the last one on top.
fn layers_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    let active = |one: &&OverlayInfo| shop.stack().contains(&one.id);
    let layers: Vec<&OverlayInfo> = shop.overlays().iter().filter(active).collect();
    if layers.len() < 2 {
        return;
    }
    section_ui(ui, "Layers");
    ui.weak("A later one lies on top: its lines meet what the earlier ones left.");
    for (at, layer) in layers.iter().enumerate() {
        ui.horizontal(|ui| {
            let above = at.checked_sub(1).map(|above| layers[above]);
            let below = layers.get(at + 1).copied();
            let up = above.map(|above| (above, *layer));
            move_ui(ui, up, &format!("Move {} up", layer.title), "▲", out);
            let down = below.map(|below| (*layer, below));
            move_ui(ui, down, &format!("Move {} down", layer.title), "▼", out);
            ui.label(format!("{}. {}", at + 1, layer.title));
        });
    }
}

/// Lets two neighbours change places, the first and the one behind it.
fn move_ui(
    ui: &mut Ui,
    pair: Option<(&OverlayInfo, &OverlayInfo)>,
    name: &str,
    sign: &str,
    out: &mut Vec<Command>,
) {
    let builds = pair.filter(|(first, second)| {
        second.needs.contains(&first.id) || second.after.contains(&first.id)
    });
    let may = pair.is_some() && builds.is_none();
    let button = ui.add_enabled(may, egui::Button::new(sign).small());
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, may, name));
    if let Some((first, second)) = builds {
        let why = format!("“{}” was made to lie on “{}”", second.title, first.title);
        button.on_disabled_hover_text(why);
    } else if let Some((first, second)) = pair
        && button.on_hover_text(name).clicked()
    {
        let (id, before) = (second.id.clone(), first.id.clone());
        out.push(Command::MoveOverlay(id, before));
    }
}

fn overlays_ui(
    ui: &mut Ui,
    shop: &Workshop,
    expansions: bool,
    fits: &dyn Fn(&[&str]) -> bool,
    out: &mut Vec<Command>,
) {
    let (title, making) = match expansions {
        true => ("Expansions", Making::Expansion),
        false => ("Variants", Making::Variant),
    };
    let shown: Vec<&OverlayInfo> = shop
        .overlays()
        .iter()
        .filter(|overlay| overlay.expansion == expansions && fits(&[&overlay.id, &overlay.title]))
        .collect();
    ui.horizontal(|ui| {
        section_ui(ui, title);
        let name = match expansions {
            true => "New expansion…",
            false => "New variant…",
        };
        if ui.button(name).clicked() {
            out.push(Command::New(making));
        }
    });
    for overlay in shown {
        overlay_ui(ui, shop, overlay, out);
    }
    if !expansions && shop.overlays().iter().all(|overlay| overlay.expansion) {
        ui.weak("None yet. A variant is one file with only what it changes.");
    }
}

fn overlay_ui(ui: &mut Ui, shop: &Workshop, overlay: &OverlayInfo, out: &mut Vec<Command>) {
    let active = shop.stack().contains(&overlay.id);
    let obstacle = if active {
        None
    } else {
        shop.obstacle(&overlay.id)
    };
    ui.horizontal(|ui| {
        let mut on = active;
        let label = RichText::new(&overlay.title);
        let check = ui.add_enabled(obstacle.is_none(), egui::Checkbox::new(&mut on, label));
        if check.changed() {
            out.push(Command::Toggle(overlay.id.clone()));
        }
        if let Some(why) = &obstacle {
            check.on_disabled_hover_text(why);
        }
        if active {
            let chosen = shop.target() == Some(&overlay.id);
            let button = ui.selectable_label(chosen, "change");
            if button
                .on_hover_text("Changes of dials and cells are written into this one")
                .clicked()
            {
                let target = (!chosen).then(|| overlay.id.clone());
                out.push(Command::Target(target));
            }
        }
    });
    if let Some(why) = obstacle {
        ui.indent(&overlay.id, |ui| ui.small(why));
    }
}

fn files_ui(ui: &mut Ui, shop: &Workshop, fits: &dyn Fn(&[&str]) -> bool, out: &mut Vec<Command>) {
    section_ui(ui, "Files");
    let paths = shop.own_files().into_iter();
    let paths = paths.filter(|path| fits(&[path]));
    let mut folder = "";
    for path in paths {
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        if above != folder {
            ui.weak(above);
            folder = above;
        }
        let document = shop
            .documents()
            .iter()
            .find(|document| document.name == path);
        let dirty = document.is_some_and(|document| document.is_dirty());
        let label = if dirty {
            format!("{name} •")
        } else {
            name.to_owned()
        };
        let button = egui::Button::selectable(false, label).truncate();
        if ui.add(button).on_hover_text(path).clicked() {
            out.push(Command::OpenFile(path.to_owned(), None));
            out.push(Command::Show(Pane::Rules));
        }
    }
}

/// Other games: those that were opened last, those that fit what is searched.
fn games_ui(ui: &mut Ui, shop: &Workshop, wanted: &str, out: &mut Vec<Command>) {
    section_ui(ui, "Other games");
    if wanted.is_empty() {
        recents_ui(ui, shop, out);
    } else {
        let open = shop.game().map(|game| game.id.as_str());
        let hits = shop.project.search(wanted).into_iter();
        let hits = hits.filter(|hit| Some(hit.game.as_str()) != open);
        for hit in hits.filter(|hit| matches!(hit.kind, HitKind::Game | HitKind::Overlay(_))) {
            let link = ui.link(&hit.title);
            if link.on_hover_text(&hit.game).clicked() {
                out.push(Command::Open(hit.game));
            }
        }
    }
    ui.horizontal_wrapped(|ui| {
        for (name, command) in [
            ("All games", Command::Start),
            ("New game…", Command::New(Making::Game)),
            ("Open a folder…", Command::Folder),
        ] {
            if ui.button(name).clicked() {
                out.push(command);
            }
        }
    });
}
