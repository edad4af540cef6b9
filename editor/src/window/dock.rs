//! Where the panels lie: three desks, each a tree of tabs and splits that a person may rearrange, remembered.

use super::theme;
use egui::{Id, Style, Ui, UiBuilder, Visuals, WidgetText};
use egui_tiles::{Behavior, Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pane {
    Project,
    Rules,
    Components,
    Board,
    Play,
    Log,
    State,
    Variant,
    Scenarios,
    Problems,
    Find,
    Simulation,
    Help,
}

impl Pane {
    /// In the order of the list of commands.
    pub const ALL: [Pane; 13] = [
        Pane::Project,
        Pane::Rules,
        Pane::Components,
        Pane::Board,
        Pane::Play,
        Pane::Log,
        Pane::State,
        Pane::Variant,
        Pane::Scenarios,
        Pane::Problems,
        Pane::Find,
        Pane::Simulation,
        Pane::Help,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Pane::Project => "Project",
            Pane::Rules => "Rules",
            Pane::Components => "Components",
            Pane::Board => "Board",
            Pane::Play => "Play-test",
            Pane::Log => "Log",
            Pane::State => "State",
            Pane::Variant => "Variant",
            Pane::Scenarios => "Scenarios",
            Pane::Problems => "Problems",
            Pane::Find => "Find",
            Pane::Simulation => "Simulation",
            Pane::Help => "Help",
        }
    }
}

/// An arrangement of all panels for one kind of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Desk {
    Write,
    #[default]
    Play,
    Measure,
}

impl Desk {
    pub const ALL: [Desk; 3] = [Desk::Write, Desk::Play, Desk::Measure];

    pub fn title(self) -> &'static str {
        match self {
            Desk::Write => "Write",
            Desk::Play => "Play",
            Desk::Measure => "Measure",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Desk::Write => "desk-write",
            Desk::Play => "desk-play",
            Desk::Measure => "desk-measure",
        }
    }
}

/// The desks and the one that is looked at.
#[derive(Clone, Serialize, Deserialize)]
pub struct Dock {
    pub desk: Desk,
    trees: [Tree<Pane>; 3],
}

impl Default for Dock {
    fn default() -> Dock {
        Dock {
            desk: Desk::default(),
            trees: Desk::ALL.map(arranged),
        }
    }
}

impl Dock {
    /// Whether every desk holds every panel: not so after an update that brought new ones.
    pub fn is_whole(&self) -> bool {
        let whole = |tree: &Tree<Pane>| {
            Pane::ALL
                .iter()
                .all(|pane| tree.tiles.find_pane(pane).is_some())
        };
        self.trees.iter().all(whole)
    }

    /// All panels of this desk as they were at first.
    pub fn reset(&mut self) {
        *self.tree() = arranged(self.desk);
    }

    /// Brings a panel to the front.
    pub fn show(&mut self, pane: Pane) {
        self.tree()
            .make_active(|_, tile| matches!(tile, Tile::Pane(other) if *other == pane));
    }

    /// Whether a panel is to be seen on the current desk.
    pub fn is_shown(&self, pane: Pane) -> bool {
        let tree = &self.trees[self.desk as usize];
        let shown = tree.active_tiles();
        shown
            .iter()
            .any(|id| tree.tiles.get_pane(id) == Some(&pane))
    }

    fn tree(&mut self) -> &mut Tree<Pane> {
        &mut self.trees[self.desk as usize]
    }

    /// Draws the desk; `pane_ui` draws what is in a panel.
    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        title: &dyn Fn(Pane) -> String,
        pane_ui: &mut dyn FnMut(&mut Ui, Pane),
    ) {
        let mut panes = Panes { title, pane_ui };
        self.tree().ui(&mut panes, ui);
    }
}

/// How the tree draws its tabs and what is in them.
struct Panes<'a> {
    title: &'a dyn Fn(Pane) -> String,
    pane_ui: &'a mut dyn FnMut(&mut Ui, Pane),
}

impl Behavior<Pane> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> egui_tiles::UiResponse {
        egui::Frame::new()
            .inner_margin(theme::MARGIN)
            .show(ui, |ui| {
                // What is held or typed into stays the same thing, whatever comes and goes in other panels.
                let own = UiBuilder::new().scope_id(Id::unique(*pane));
                ui.scope_builder(own, |ui| (self.pane_ui)(ui, *pane));
                ui.take_available_space();
            });
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        (self.title)(*pane).into()
    }

    fn tab_bar_height(&self, _: &Style) -> f32 {
        theme::ROW + 4.0
    }

    fn gap_width(&self, _: &Style) -> f32 {
        3.0
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> egui::Color32 {
        visuals.widgets.inactive.bg_fill
    }

    fn tab_title_spacing(&self, _: &Visuals) -> f32 {
        10.0
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..Default::default()
        }
    }
}

/// The first arrangement of a desk.
fn arranged(desk: Desk) -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let root = match desk {
        Desk::Write => {
            let texts = tabs(&mut tiles, &[Pane::Rules, Pane::Components, Pane::Board]);
            let results = tabs(
                &mut tiles,
                &[
                    Pane::Problems,
                    Pane::Find,
                    Pane::Scenarios,
                    Pane::Simulation,
                ],
            );
            let middle = split(
                &mut tiles,
                LinearDir::Vertical,
                &[(texts, 0.72), (results, 0.28)],
            );
            let project = tabs(&mut tiles, &[Pane::Project]);
            let side = tabs(
                &mut tiles,
                &[
                    Pane::Variant,
                    Pane::Play,
                    Pane::Log,
                    Pane::State,
                    Pane::Help,
                ],
            );
            let parts = [(project, 0.18), (middle, 0.54), (side, 0.28)];
            split(&mut tiles, LinearDir::Horizontal, &parts)
        }
        Desk::Play => {
            let board = tabs(&mut tiles, &[Pane::Board, Pane::Rules, Pane::Components]);
            let play = tabs(&mut tiles, &[Pane::Play, Pane::Variant, Pane::Project]);
            let log = tabs(
                &mut tiles,
                &[
                    Pane::Log,
                    Pane::State,
                    Pane::Problems,
                    Pane::Scenarios,
                    Pane::Find,
                    Pane::Simulation,
                    Pane::Help,
                ],
            );
            let side = split(&mut tiles, LinearDir::Vertical, &[(play, 0.6), (log, 0.4)]);
            split(
                &mut tiles,
                LinearDir::Horizontal,
                &[(board, 0.66), (side, 0.34)],
            )
        }
        Desk::Measure => {
            let results = tabs(
                &mut tiles,
                &[
                    Pane::Simulation,
                    Pane::Scenarios,
                    Pane::Problems,
                    Pane::Find,
                ],
            );
            let side = tabs(&mut tiles, &[Pane::Variant, Pane::Project]);
            let texts = tabs(
                &mut tiles,
                &[
                    Pane::Rules,
                    Pane::Components,
                    Pane::Board,
                    Pane::Play,
                    Pane::Log,
                    Pane::State,
                    Pane::Help,
                ],
            );
            let right = split(
                &mut tiles,
                LinearDir::Vertical,
                &[(side, 0.5), (texts, 0.5)],
            );
            split(
                &mut tiles,
                LinearDir::Horizontal,
                &[(results, 0.62), (right, 0.38)],
            )
        }
    };
    Tree::new(Id::unique(desk.name()), root, tiles)
}

fn tabs(tiles: &mut Tiles<Pane>, panes: &[Pane]) -> TileId {
    let children = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
    tiles.insert_container(Container::Tabs(Tabs::new(children)))
}

fn split(tiles: &mut Tiles<Pane>, dir: LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|(tile, _)| *tile).collect());
    for (tile, share) in parts {
        linear.shares.set_share(*tile, *share);
    }
    tiles.insert_container(Container::Linear(linear))
}
