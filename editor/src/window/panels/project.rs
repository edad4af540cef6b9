//! The game that is open: what lies over it, its files, and all other games.

use super::making::Making;
use super::start::recents_ui;
use crate::window::theme;
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::project::HitKind;
use dsl::assembly::OverlayInfo;
use egui::{Atom, AtomExt as _, Label, RichText, Ui};

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
        let wanted = Wanted(&wanted);
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                layers_ui(ui, shop, out);
                overlays_ui(ui, shop, true, wanted, out);
                overlays_ui(ui, shop, false, wanted, out);
                files_ui(ui, shop, wanted, out);
                replays_ui(ui, shop, wanted, out);
                games_ui(ui, shop, wanted, out);
            });
    }
}

/// What is searched for, in small letters; empty: everything.
#[derive(Clone, Copy)]
struct Wanted<'a>(&'a str);

impl Wanted<'_> {
    fn fits(self, name: &str) -> bool {
        name.to_lowercase().contains(self.0)
    }

    /// A part of the panel that can be folded; what is searched for is shown unfolded.
    fn part_ui(self, ui: &mut Ui, title: &str, count: usize, inside: impl FnOnce(&mut Ui)) {
        let name = RichText::new(format!("{title} ({count})")).text_style(theme::section());
        egui::CollapsingHeader::new(name)
            .id_salt(title)
            .default_open(true)
            .open((!self.0.is_empty()).then_some(true))
            .show_unindented(ui, inside);
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
    if layers.is_empty() {
        return;
    }
    section_ui(ui, "On the game");
    if layers.len() > 1 {
        ui.weak("A later one lies on top: its lines meet what the earlier ones left.");
    }
    for (at, layer) in layers.iter().enumerate() {
        ui.horizontal(|ui| {
            if layers.len() > 1 {
                let above = at.checked_sub(1).map(|above| layers[above]);
                let below = layers.get(at + 1).copied();
                let up = above.map(|above| (above, *layer));
                move_ui(ui, up, &format!("Move {} up", layer.title), "▲", out);
                let down = below.map(|below| (*layer, below));
                move_ui(ui, down, &format!("Move {} down", layer.title), "▼", out);
            }
            let mut on = true;
            let title = Atom::from(layer.title.as_str()).atom_shrink(true);
            if ui.checkbox(&mut on, title).changed() {
                out.push(Command::Toggle(layer.id.clone()));
            }
            let chosen = shop.target() == Some(&layer.id);
            let button = ui.selectable_label(chosen, "change");
            if button
                .on_hover_text("Changes of dials and cells are written into this one")
                .clicked()
            {
                let target = (!chosen).then(|| layer.id.clone());
                out.push(Command::Target(target));
            }
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

/// The overlays that are not active.
fn overlays_ui(
    ui: &mut Ui,
    shop: &Workshop,
    expansions: bool,
    wanted: Wanted,
    out: &mut Vec<Command>,
) {
    let (title, name, making) = match expansions {
        true => ("Expansions", "New expansion…", Making::Expansion),
        false => ("Variants", "New variant…", Making::Variant),
    };
    let of_kind = shop.overlays().iter();
    let of_kind = of_kind.filter(|overlay| overlay.expansion == expansions);
    let shown: Vec<&OverlayInfo> = of_kind
        .filter(|overlay| !shop.stack().contains(&overlay.id))
        .filter(|overlay| wanted.fits(&overlay.id) || wanted.fits(&overlay.title))
        .collect();
    // Those that were worked on here come first.
    let mut shown = shown;
    let own = shop.own_overlays();
    shown.sort_by_key(|overlay| {
        let at = own.iter().position(|id| *id == overlay.id);
        at.unwrap_or(usize::MAX)
    });
    wanted.part_ui(ui, title, shown.len(), |ui| {
        for overlay in shown {
            overlay_ui(ui, shop, overlay, out);
        }
        if ui.button(name).clicked() {
            out.push(Command::New(making));
        }
    });
}

fn overlay_ui(ui: &mut Ui, shop: &Workshop, overlay: &OverlayInfo, out: &mut Vec<Command>) {
    let obstacle = shop.obstacle(&overlay.id);
    let mut on = false;
    let title = Atom::from(overlay.title.as_str()).atom_shrink(true);
    let check = ui.add_enabled(obstacle.is_none(), egui::Checkbox::new(&mut on, title));
    if check.changed() {
        out.push(Command::Toggle(overlay.id.clone()));
    }
    if let Some(why) = obstacle {
        ui.indent(&overlay.id, |ui| ui.small(why));
    }
}

fn files_ui(ui: &mut Ui, shop: &Workshop, wanted: Wanted, out: &mut Vec<Command>) {
    let paths = shop.own_files().into_iter();
    let paths: Vec<&str> = paths.filter(|path| wanted.fits(path)).collect();
    wanted.part_ui(ui, "Files", paths.len(), |ui| {
        let mut folder = "";
        for path in paths {
            let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
            if above != folder {
                ui.add(Label::new(RichText::new(above).weak()).truncate());
                folder = above;
            }
            let mut documents = shop.documents().iter();
            let document = documents.find(|document| document.name == path);
            let dirty = document.is_some_and(|document| document.is_dirty());
            let label = if dirty {
                format!("{name} •")
            } else {
                name.to_owned()
            };
            if row_ui(ui, &label, path) {
                out.push(Command::OpenFile(path.to_owned(), None));
                out.push(Command::Show(Pane::Rules));
            }
        }
        if ui.button("New file…").clicked() {
            out.push(Command::New(Making::File));
        }
    });
}

/// Recorded games: a click plays them again, under the rules of now.
fn replays_ui(ui: &mut Ui, shop: &Workshop, wanted: Wanted, out: &mut Vec<Command>) {
    let replays = shop.game().map_or(&[][..], |game| &game.replays);
    let named = replays.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        (name, path)
    });
    let named: Vec<_> = named.filter(|(name, _)| wanted.fits(name)).collect();
    wanted.part_ui(ui, "Recorded games", named.len(), |ui| {
        for (name, path) in &named {
            if row_ui(ui, name, &path.display().to_string()) {
                out.push(Command::LoadGame((*path).clone()));
                out.push(Command::Show(Pane::Play));
            }
        }
        if replays.is_empty() {
            ui.weak("None yet: “Save…” in the play-test keeps one.");
        }
    });
}

fn row_ui(ui: &mut Ui, label: &str, hint: &str) -> bool {
    let row = egui::Button::selectable(false, label).truncate();
    ui.add(row).on_hover_text(hint).clicked()
}

/// Other games: those that were opened last, those that fit what is searched.
fn games_ui(ui: &mut Ui, shop: &Workshop, wanted: Wanted, out: &mut Vec<Command>) {
    section_ui(ui, "Other games");
    if wanted.0.is_empty() {
        recents_ui(ui, shop, out);
    } else {
        let open = shop.game().map(|game| game.id.as_str());
        let hits = shop.project.search(wanted.0).into_iter();
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
