//! Many games of bots in the background: who wins, by how much, how long it takes, and what an overlay changes.

use super::play::letter;
use super::project::section_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::jobs::{NotSimulated, Progress, Simulated, histogram};
use egui::{ComboBox, DragValue, Ui};
use egui_plot::{Bar, BarChart, Legend, Plot};
use interpreter::bots::Bot;
use interpreter::playout::{Comparison, Report};
use interpreter::stats::{self, Distribution, Estimate};

const GAMES_MAX: u64 = 1_000_000;
/// Bars of a histogram.
const BARS: u32 = 40;
/// Decimals of a share in percent, and of a mean.
const SHARE_DECIMALS: u32 = 2;
const MEAN_DECIMALS: u32 = 3;
const PLOT_HEIGHT: f32 = 190.0;

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
            return;
        };
        match &simulation.result {
            None => progress_ui(ui, simulation.progress()),
            Some(Ok(done)) => {
                egui::ScrollArea::vertical()
                    .auto_shrink(false)
                    .show(ui, |ui| result_ui(ui, done));
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
            let combo = ComboBox::from_id_salt("bots")
                .selected_text(self.bot.name())
                .show_ui(ui, |ui| {
                    for bot in [Bot::Random, Bot::Greedy] {
                        ui.selectable_value(&mut self.bot, bot, bot.name());
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

fn result_ui(ui: &mut Ui, done: &Simulated) {
    let report = &done.report;
    ui.strong(format!(
        "{} games of {} players, seed {}",
        report.games, report.players, report.seed
    ));
    seats_ui(ui, report);
    ui.columns(2, |columns| {
        let base = done.base.as_ref().map(|(base, _)| base);
        section_ui(&mut columns[0], "Scores");
        plot_ui(&mut columns[0], "scores", &scores(report), base.map(scores));
        section_ui(&mut columns[1], "Length in decisions");
        let length = base.map(|base| base.decisions.clone());
        plot_ui(&mut columns[1], "length", &report.decisions, length);
    });
    if let Some((_, comparison)) = &done.base {
        comparison_ui(ui, comparison);
    }
    section_ui(ui, "Where the points come from");
    egui::Grid::new("lines")
        .striped(true)
        .num_columns(2)
        .show(ui, |ui| {
            for (line, name) in report.lines.iter().enumerate() {
                ui.label(name);
                let mut all = Distribution::default();
                for seat in &report.seats {
                    if let Some(scores) = seat.scores.get(line) {
                        all.merge(scores);
                    }
                }
                ui.label(format!("{} on average", shown(all.mean(), MEAN_DECIMALS)));
                ui.end_row();
            }
        });
}

fn seats_ui(ui: &mut Ui, report: &Report) {
    egui::Grid::new("seats")
        .striped(true)
        .spacing([18.0, 4.0])
        .show(ui, |ui| {
            for head in [
                "Seat",
                "Bot",
                "Wins",
                "Mean score",
                "Lowest",
                "Half below",
                "Highest",
            ] {
                ui.weak(head);
            }
            ui.end_row();
            for (seat, one) in report.seats.iter().enumerate() {
                ui.strong(letter(seat as u32));
                ui.label(one.bot.name());
                ui.label(format!(
                    "{} %",
                    shown(stats::share(one.victories, report.games), SHARE_DECIMALS)
                ));
                ui.label(shown(one.total.mean(), MEAN_DECIMALS));
                ui.label(one.total.min().to_string());
                ui.label(one.total.quantile(1, 2).to_string());
                ui.label(one.total.max().to_string());
                ui.end_row();
            }
        });
}

fn comparison_ui(ui: &mut Ui, comparison: &Comparison) {
    section_ui(ui, "What the overlays change");
    egui::Grid::new("comparison")
        .striped(true)
        .spacing([18.0, 4.0])
        .show(ui, |ui| {
            for head in ["", "Without", "With", "Difference"] {
                ui.weak(head);
            }
            ui.end_row();
            for row in &comparison.rows {
                ui.label(&row.what);
                for value in [&row.base, &row.variant] {
                    ui.label(value.map_or_else(String::new, |value| shown(value, row.decimals)));
                }
                let difference = row
                    .difference
                    .map_or_else(String::new, |value| shown(value, row.decimals));
                if row.is_clear() {
                    ui.strong(difference);
                } else {
                    ui.weak(difference)
                        .on_hover_text("Within what chance alone makes");
                }
                ui.end_row();
            }
        });
}

fn scores(report: &Report) -> Distribution {
    let mut all = Distribution::default();
    for seat in &report.seats {
        all.merge(&seat.total);
    }
    all
}

/// A histogram; that of the game without overlays lies beside it.
fn plot_ui(ui: &mut Ui, id: &str, values: &Distribution, base: Option<Distribution>) {
    let colours = theme::colours(ui.style());
    let bars = |values: &Distribution, share: f64| -> Vec<Bar> {
        let all = values.len().max(1) as f64;
        histogram(values, BARS)
            .into_iter()
            .map(|bar| {
                let width = (bar.high - bar.low + 1) as f64;
                let middle = bar.low as f64 + width * share;
                Bar::new(middle, 100.0 * bar.count as f64 / all).width(width * 0.5)
            })
            .collect()
    };
    Plot::new(id)
        .height(PLOT_HEIGHT)
        .allow_scroll(false)
        .legend(Legend::default())
        .y_axis_label("% of games")
        .show(ui, |plot| {
            let own = if base.is_some() { "with overlays" } else { "" };
            plot.bar_chart(BarChart::new(own, bars(values, 0.25)).color(colours.glow));
            if let Some(base) = &base {
                plot.bar_chart(BarChart::new("without", bars(base, 0.75)).color(colours.accent));
            }
        });
}

/// `23.5 ±2.6`: the value and half of the interval in which it lies in 19 of 20 cases; `decimals` of it are behind the point.
fn shown(estimate: Estimate, decimals: u32) -> String {
    let unit = 10_f64.powi(decimals as i32);
    let half = (estimate.high - estimate.low) as f64 / 2.0 / unit;
    format!("{:.1} ±{half:.1}", estimate.value as f64 / unit)
}

fn in_words(why: &NotSimulated) -> String {
    match why {
        NotSimulated::CannotRun(why) => why.clone(),
        NotSimulated::Fault(fault) => fault.fault.message.clone(),
    }
}
