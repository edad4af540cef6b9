//! Many games of bots in the background: what is asked for, how far they are, and what came of them.

use super::results::results_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::jobs::{NotSimulated, Progress};
use egui::{ComboBox, DragValue, Ui};
use interpreter::bots::Bot;

const GAMES_MAX: u64 = 1_000_000;

/// What the panel remembers.
pub struct SimulationView {
    pub games: u64,
    pub seed: u64,
    pub bot: Bot,
    /// None: as many as usual.
    pub players: Option<u32>,
    pub beside_base: bool,
}

impl Default for SimulationView {
    fn default() -> SimulationView {
        SimulationView {
            games: 1_000,
            seed: 1,
            bot: Bot::Random,
            players: None,
            beside_base: true,
        }
    }
}

impl SimulationView {
    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        self.order_ui(ui, shop, out);
        ui.separator();
        let Some(simulation) = &shop.simulation else {
            ui.label("Let bots play many games, to see what a rule does.");
            ui.weak("With overlays laid on, the same games are played without them, and both lie side by side.");
            return;
        };
        match &simulation.result {
            None => progress_ui(ui, simulation.progress()),
            Some(Ok(done)) => {
                egui::ScrollArea::vertical()
                    .auto_shrink(false)
                    .show(ui, |ui| results_ui(ui, done, out));
            }
            Some(Err(why)) => {
                let colours = theme::colours(ui.style());
                ui.colored_label(colours.error, format!("× {}", in_words(why)));
            }
        }
    }

    fn order_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let rules = shop.good().and_then(|good| good.rules());
        let (least, most) = rules.map_or((2, 2), |rules| rules.players);
        let running = shop.simulation.as_ref().is_some_and(|one| one.is_running());
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Games");
            ui.add(
                DragValue::new(&mut self.games)
                    .range(1..=GAMES_MAX)
                    .speed(10),
            )
            .labelled_by(label.id);
            let mut players = self.players.unwrap_or(4).clamp(least, most);
            let label = ui.label("Players");
            let field = ui.add(DragValue::new(&mut players).range(least..=most));
            if field.labelled_by(label.id).changed() {
                self.players = Some(players);
            }
            let label = ui.label("Seed");
            ui.add(DragValue::new(&mut self.seed)).labelled_by(label.id);
            let bots = rules.map_or_else(|| Bot::ALL.to_vec(), Bot::all_of);
            let combo = ComboBox::from_id_salt("bots")
                .selected_text(self.bot.to_string())
                .show_ui(ui, |ui| {
                    for bot in bots {
                        let name = bot.to_string();
                        ui.selectable_value(&mut self.bot, bot, name);
                    }
                });
            combo
                .response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Bots"));
            let overlaid = !shop.stack().is_empty();
            ui.add_enabled(
                overlaid,
                egui::Checkbox::new(&mut self.beside_base, "Beside the game without overlays"),
            );
            if running {
                if ui.button("Stop").clicked() {
                    out.push(Command::StopSimulation);
                }
            } else if ui.button("Simulate").clicked() {
                out.push(Command::Simulate);
            }
            let done = matches!(
                shop.simulation.as_ref().map(|one| &one.result),
                Some(Some(Ok(_)))
            );
            let export = ui.add_enabled(done, egui::Button::new("Export…"));
            if export.on_hover_text("As JSON or CSV").clicked() {
                out.push(Command::AskExport);
            }
        });
    }
}

fn progress_ui(ui: &mut Ui, progress: Progress) {
    let share = progress.done as f32 / progress.asked.max(1) as f32;
    let left = progress.left.map_or_else(String::new, |left| {
        format!(", about {} s left", left.as_secs() + 1)
    });
    let text = format!("{} of {} games{left}", progress.done, progress.asked);
    ui.add(egui::ProgressBar::new(share).text(text));
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(100));
}

fn in_words(why: &NotSimulated) -> String {
    match why {
        NotSimulated::CannotRun(why) => why.clone(),
        NotSimulated::Fault(fault) => fault.fault.message.clone(),
    }
}
