//! The game that is open: what lies over it, its files, and all other games.

use crate::window::theme;
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
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
            .hint_text("Search overlays and files")
            .desired_width(f32::INFINITY);
        ui.add(field);
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                let fits = |names: &[&str]| {
                    let wanted = self.search.trim().to_lowercase();
                    wanted.is_empty()
                        || names
                            .iter()
                            .any(|name| name.to_lowercase().contains(&wanted))
                };
                overlays_ui(ui, shop, "Expansions", true, &fits, out);
                overlays_ui(ui, shop, "Variants", false, &fits, out);
                files_ui(ui, shop, &fits, out);
            });
    }
}

/// A heading within a panel.
pub fn section_ui(ui: &mut Ui, title: &str) {
    ui.add_space(theme::GAP / 2.0);
    ui.label(RichText::new(title).text_style(theme::section()));
}

fn overlays_ui(
    ui: &mut Ui,
    shop: &Workshop,
    title: &str,
    expansions: bool,
    fits: &dyn Fn(&[&str]) -> bool,
    out: &mut Vec<Command>,
) {
    let shown: Vec<&OverlayInfo> = shop
        .overlays()
        .iter()
        .filter(|overlay| overlay.expansion == expansions && fits(&[&overlay.id, &overlay.title]))
        .collect();
    if expansions && shown.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        section_ui(ui, title);
        if !expansions && ui.button("New variant…").clicked() {
            out.push(Command::NewVariant);
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
        if let Some(why) = obstacle {
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
}

fn files_ui(ui: &mut Ui, shop: &Workshop, fits: &dyn Fn(&[&str]) -> bool, out: &mut Vec<Command>) {
    let (Some(sources), Some(game)) = (shop.sources(), shop.game()) else {
        return;
    };
    section_ui(ui, "Files");
    let own = |path: &&str| {
        let folder = path.split('/').next();
        let mine = folder == Some(game.id.as_str()) || folder == game.extends.as_deref();
        mine && fits(&[path])
    };
    let mut paths: Vec<&str> = sources.paths().filter(own).collect();
    paths.sort_unstable();
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
