//! What came of trials of the laboratory: values of an option, games in which something happens, what bots have learnt.

use super::project::section_ui;
use super::results::{fixed, shown, table_ui};
use crate::window::{Command, theme};
use crate::workshop::laboratory::{GameOf, Order, Taught, Trial};
use egui::{ComboBox, Ui};
use egui_plot::{Line, Plot, PlotPoints, Points};
use interpreter::playout::{LESSON_ANSWERS_MAX, Looked, Report, seat_name};
use interpreter::stats::written::{count, grouped};
use std::sync::Arc;

const PLOT_HEIGHT: f32 = 240.0;
const POINT: f32 = 4.0;
/// Things that counted most are named.
const NAMED_MAX: usize = 12;

/// What became of the games at each value.
pub fn swept_ui(
    ui: &mut Ui,
    option: &str,
    reports: &[(String, Arc<Report>)],
    chosen: &mut Option<usize>,
) {
    let Some((_, first)) = reports.first() else {
        return;
    };
    ui.weak(format!(
        "{} games of {} players at each value, with the same luck, seed {}. ±: within this, 19 times out of 20.",
        first.games, first.players, first.seed
    ));
    let figures = &first.figures.all;
    let usual = first.figures.usual();
    let figure = chosen.filter(|at| *at < figures.len());
    let mut figure = figure.or(usual.first().copied()).unwrap_or_default();
    let combo = ComboBox::from_id_salt("figure")
        .selected_text(&figures[figure].label)
        .show_ui(ui, |ui| {
            for (at, one) in figures.iter().enumerate() {
                ui.selectable_value(&mut figure, at, &one.label);
            }
        });
    combo
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Figure"));
    *chosen = Some(figure);
    curve_ui(ui, option, reports, figure);
    let mut heads = vec![option];
    let columns: Vec<usize> = usual.iter().copied().filter(|at| *at != figure).collect();
    let columns: Vec<usize> = std::iter::once(figure).chain(columns).collect();
    heads.extend(columns.iter().map(|at| figures[*at].label.as_str()));
    egui::ScrollArea::horizontal().show(ui, |ui| {
        table_ui(ui, "swept", &heads, |ui| {
            for (value, report) in reports {
                ui.strong(value);
                for at in &columns {
                    let decimals = figures[*at].unit.decimals();
                    ui.label(shown(report.mean(*at), decimals));
                }
                ui.end_row();
            }
        });
    });
}

/// A figure over the values, each with the interval it lies in.
fn curve_ui(ui: &mut Ui, option: &str, reports: &[(String, Arc<Report>)], figure: usize) {
    let colours = theme::colours(ui.style());
    let places = reports.iter().enumerate().map(|(at, (value, report))| {
        let place = value.parse().unwrap_or(at as f64);
        let mean = report.mean(figure);
        let decimals = report.figures.all[figure].unit.decimals();
        let scale = 10_f64.powi(decimals as i32);
        let [value, low, high] = [mean.value, mean.low, mean.high].map(|one| one as f64 / scale);
        (place, value, low, high)
    });
    let places: Vec<_> = places.collect();
    let label = reports
        .first()
        .map_or("", |(_, report)| report.figures.all[figure].label.as_str());
    Plot::new("swept")
        .height(PLOT_HEIGHT)
        .allow_scroll(false)
        .x_axis_label(option)
        .y_axis_label(label)
        .show(ui, |plot| {
            let means = || -> Vec<[f64; 2]> {
                places.iter().map(|(x, value, _, _)| [*x, *value]).collect()
            };
            for (x, _, low, high) in &places {
                let reach = PlotPoints::from(vec![[*x, *low], [*x, *high]]);
                plot.line(Line::new("", reach).color(colours.glow).width(3.0));
            }
            let line = Line::new(label, PlotPoints::from(means()));
            plot.line(line.color(colours.accent));
            let points = Points::new(label, PlotPoints::from(means()));
            plot.points(points.color(colours.accent).radius(POINT));
        });
}

/// The games in which it happened; a click opens one there.
pub fn found_ui(ui: &mut Ui, looked: &Looked, order: &Order, out: &mut Vec<Command>) {
    let Trial::Find { condition } = &order.trial else {
        return;
    };
    let games = count(looked.games as usize, "game");
    let times = match looked.found.len() {
        0 => "in none".to_owned(),
        some => format!("in {some}"),
    };
    ui.strong(format!("{condition}: {times} of {games}"));
    if looked.found.is_empty() {
        ui.weak("More games, other bots or another seed may come to it.");
        return;
    }
    ui.weak("A click shows the game in the play-test, where it first happened.");
    table_ui(ui, "found", &["Game", "After answers", "Scores"], |ui| {
        for found in &looked.found {
            let name = format!("Game {}", grouped(found.game + 1));
            if ui.link(name).clicked() {
                out.push(Command::OpenGame(GameOf::Seed {
                    seed: found.seed,
                    answers: Some(found.answers).filter(|_| !found.over),
                }));
            }
            let end = if found.over { ", at its end" } else { "" };
            ui.label(format!("{}{end}", found.answers));
            let scores = found.scores.iter().enumerate();
            let scores: Vec<String> = scores
                .map(|(seat, score)| format!("{} {score}", seat_name(seat)))
                .collect();
            ui.label(scores.join(", "));
            ui.end_row();
        }
    });
}

/// What was learnt, and where it lies.
pub fn taught_ui(ui: &mut Ui, taught: &Taught) {
    let colours = theme::colours(ui.style());
    let model = &taught.model;
    ui.strong(format!(
        "{} of {} players taught what {} count for",
        count(model.games as usize, "game"),
        model.rules.players,
        count(model.features.len(), "thing"),
    ));
    ui.label(format!(
        "“learnt:{0}” and “search:1000:{0}” can take seats now, here and in the play-test.",
        model.name
    ));
    match &taught.file {
        Ok(file) => {
            ui.weak(format!("Written to {file}"));
        }
        Err(why) => {
            ui.colored_label(
                colours.warning,
                format!("▲ {why}; it is known until the window is closed"),
            );
        }
    }
    if taught.endless > 0 {
        ui.weak(format!(
            "{} had not ended after {} answers and taught nothing",
            count(taught.endless as usize, "game"),
            grouped(u64::from(LESSON_ANSWERS_MAX)),
        ));
    }
    if model.features.is_empty() {
        ui.weak("Nothing that can be counted for a seat tells how these games end: whoever plays by this plays at random.");
        return;
    }
    section_ui(ui, "What tells how a game ends");
    let heads = ["", "At the begin", "In the middle", "At the end"];
    let mut features: Vec<_> = model.features.iter().collect();
    let weight = |weights: &[i64]| weights.iter().map(|one| one.abs()).sum::<i64>();
    features.sort_by_key(|one| std::cmp::Reverse(weight(&one.place)));
    table_ui(ui, "learnt", &heads, |ui| {
        for feature in features.into_iter().take(NAMED_MAX) {
            ui.label(&feature.name);
            for part in feature.place {
                ui.label(fixed(part, 4));
            }
            ui.end_row();
        }
    });
    ui.weak("So much a better place (from 0, the last, to 1, the first) goes with having more of it, in spreads.");
}
