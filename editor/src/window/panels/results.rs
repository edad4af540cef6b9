//! What came of many games: who wins and by how much, where the points come from, how long it takes, what is done; beside the
//! same games under other rules.

use super::project::section_ui;
use crate::window::{Command, theme};
use crate::workshop::laboratory::GameOf;
use egui::{Grid, RichText, Ui};
use egui_plot::{Bar, BarChart, Legend, Plot};
use interpreter::playout::seat_name;
use interpreter::playout::{Change, Compared, Report, Use};
use interpreter::stats::{self, Distribution, Estimate};

/// Bars of a histogram.
const BARS: u32 = 40;
/// Decimals of a share in percent, and of a mean.
const SHARE_DECIMALS: u32 = 2;
const MEAN_DECIMALS: u32 = 3;
/// Of how often something is done in a turn.
const RATE_DECIMALS: u32 = 4;
const PLOT_HEIGHT: f32 = 190.0;
/// Longest bar of a breakdown.
const BAR_WIDTH: f32 = 120.0;

/// What is shown.
pub struct Results<'r> {
    pub report: &'r Report,
    /// More of it is still to come.
    pub running: bool,
    /// Beside other rules, with what people call them and these.
    pub beside: Option<(&'r Compared, [String; 2])>,
}

pub fn results_ui(ui: &mut Ui, results: &Results<'_>, out: &mut Vec<Command>) {
    let report = results.report;
    let beside = results.beside.as_ref();
    let base = beside.map(|(compared, names)| (&compared.first, names));
    ui.horizontal_wrapped(|ui| {
        let what = format!(
            "{} games of {} players, seed {}",
            report.games, report.players, report.seed
        );
        // Not shown outright: pictures of the panel must not depend on the clock.
        ui.strong(what)
            .on_hover_text(format!("{} games a second", report.games_per_second()));
        if !report.is_complete() {
            let so_far = if results.running {
                "so far"
            } else {
                "stopped early"
            };
            ui.weak(format!("{so_far}, of {} asked for", report.asked));
        }
    });
    ui.weak("± and brackets: within these, 19 times out of 20. ● marks a difference that chance alone hardly makes.");
    if let Some((compared, names)) = beside {
        section_ui(ui, "What the overlays change");
        changes_ui(ui, compared, names, results.running);
    }
    section_ui(ui, "What was found");
    findings_ui(ui, report);
    section_ui(ui, "Seats");
    seats_ui(ui, report);
    ui.columns(2, |columns| {
        section_ui(&mut columns[0], "Scores");
        let scores = base.map(|(base, names)| (base.all_scores(), names));
        let clicked = plot_ui(&mut columns[0], "scores", &report.all_scores(), scores);
        let figures = &report.figures;
        let seats = (0..report.players as usize).filter_map(|seat| figures.score(seat));
        open_bar(seats.collect(), clicked, out);
        section_ui(&mut columns[1], "Length in answers");
        let length = base.map(|(base, names)| (base.answers().clone(), names));
        let clicked = plot_ui(&mut columns[1], "length", report.answers(), length);
        open_bar(vec![figures.answers()], clicked, out);
    });
    extremes_ui(ui, report, out);
    section_ui(ui, "Where the points come from");
    breakdown_ui(ui, report);
    section_ui(ui, "What is done");
    uses_ui(ui, base, report, out);
    section_ui(ui, "How games end");
    endings_ui(ui, base, report);
}

// -------------------------------------------------------------------------------------------------- seats

fn seats_ui(ui: &mut Ui, report: &Report) {
    let mut heads = vec!["Seat", "Bot", "Wins", ""];
    let shared = report.is_shared();
    if shared {
        heads.push("Alone or with others");
    }
    heads.extend(["Mean score", "Lowest", "¼", "Half", "¾", "Highest"]);
    table_ui(ui, "seats", &heads, |ui| {
        for (seat, bot) in report.bots.iter().enumerate() {
            ui.strong(seat_name(seat));
            ui.label(bot.name());
            let wins = report.wins(seat);
            ui.label(format!("{} %", fixed(wins.value, SHARE_DECIMALS)));
            ui.weak(interval(wins, SHARE_DECIMALS));
            if shared {
                let among = report.among_winners(seat);
                ui.label(format!("{} %", fixed(among.value, SHARE_DECIMALS)));
            }
            let none = Distribution::default();
            let total = report.score(seat).unwrap_or(&none);
            ui.label(shown(total.mean(), MEAN_DECIMALS));
            let [low, half, high] = [1, 2, 3].map(|part| total.quantile(part, 4));
            for value in [total.min(), low, half, high, total.max()] {
                ui.label(value.to_string());
            }
            ui.end_row();
        }
    });
}

/// Every figure that went differently in some game, with what chance makes of it. As long as games are still played nothing is
/// called different: who looks again and again finds what luck has made once.
fn changes_ui(ui: &mut Ui, compared: &Compared, [first, second]: &[String; 2], running: bool) {
    if running {
        ui.weak("The same games are played on both sides. What differs is said when all are over.");
    }
    for finding in compared
        .findings()
        .iter()
        .filter(|_| !running && compared.sure().is_empty())
    {
        ui.label(finding);
    }
    let heads = ["", first, second, "Difference", "By luck", ""];
    egui::ScrollArea::horizontal().show(ui, |ui| {
        table_ui(ui, "changes", &heads, |ui| {
            for change in compared.told() {
                change_ui(ui, change, running);
            }
        });
    });
}

/// A figure on both sides, and how they differ; a mark where that is more than luck.
fn change_ui(ui: &mut Ui, change: &Change, running: bool) {
    let decimals = change.figure.unit.decimals();
    ui.label(&change.figure.label);
    for value in [change.first, change.second] {
        ui.label(value.map_or_else(|| "–".to_owned(), |value| shown(value, decimals)));
    }
    let difference = change.difference.map(|one| shown(one, decimals));
    let difference = difference.unwrap_or_default();
    if running {
        ui.label(difference);
    } else if change.is_sure() {
        let colours = theme::colours(ui.style());
        let text = RichText::new(format!("● {difference}"));
        ui.label(text.strong().color(colours.accent));
        ui.label(change.luck_in_words());
        ui.label(change.verdict());
    } else {
        ui.weak(difference)
            .on_hover_text("Within what chance alone makes");
        ui.weak(change.luck_in_words());
        ui.weak(change.verdict());
    }
    ui.end_row();
}

/// What the command line and the files say, too.
fn findings_ui(ui: &mut Ui, report: &Report) {
    for finding in report.findings() {
        ui.horizontal_wrapped(|ui| match finding.stands_out {
            true => {
                let colours = theme::colours(ui.style());
                ui.colored_label(colours.accent, "●");
                ui.strong(&finding.text);
            }
            false => {
                ui.label(&finding.text);
            }
        });
    }
}

// -------------------------------------------------------------------------------------------------- points

fn breakdown_ui(ui: &mut Ui, report: &Report) {
    let lines = report.headings.iter().enumerate();
    let means = lines.map(|(at, heading)| (heading, report.all_of_line(at).mean()));
    let means: Vec<_> = means.collect();
    let most = means.iter().map(|(_, mean)| mean.value.abs());
    let most = most.max().unwrap_or(1).max(1);
    table_ui(ui, "points", &["Score line", "Mean of a seat", ""], |ui| {
        for (heading, mean) in &means {
            ui.label(*heading);
            ui.label(shown(*mean, MEAN_DECIMALS));
            bar_ui(ui, mean.value as f32 / most as f32);
            ui.end_row();
        }
    });
}

/// A bar for a share from -1 to 1; what is less than nothing is only framed.
fn bar_ui(ui: &mut Ui, share: f32) {
    let colours = theme::colours(ui.style());
    let height = ui.text_style_height(&egui::TextStyle::Body) * 0.7;
    let size = egui::vec2(BAR_WIDTH, height);
    let (_, place) = ui.allocate_space(size);
    let width = (BAR_WIDTH * share.abs()).max(1.0);
    let bar = egui::Rect::from_min_size(place.min, egui::vec2(width, height));
    let fill = if share < 0.0 {
        colours.card
    } else {
        colours.accent
    };
    let edge = egui::Stroke::new(1.0, colours.accent);
    ui.painter()
        .rect(bar, 0.0, fill, edge, egui::StrokeKind::Inside);
}

// -------------------------------------------------------------------------------------------------- actions and endings

/// How often something is done in a game, in thousandths.
fn per_game(report: &Report, one: &Use) -> i64 {
    stats::rounded(
        i128::from(one.count) * 1_000,
        i128::from(report.games.max(1)),
    ) as i64
}

/// Other rules, and what people call them and these.
type Base<'r> = Option<(&'r Report, &'r [String; 2])>;

fn uses_ui(ui: &mut Ui, base: Base<'_>, report: &Report, out: &mut Vec<Command>) {
    let mut uses: Vec<&Use> = report.uses.iter().collect();
    uses.sort_by_key(|one| std::cmp::Reverse(one.count));
    let other = base.map(|(_, [first, _])| format!("{first}: a game"));
    let mut heads = vec!["", "A game", "A turn"];
    heads.extend(other.iter().flat_map(|other| [other.as_str(), "A turn"]));
    table_ui(ui, "uses", &heads, |ui| {
        for one in uses {
            if ui.link(&one.said).on_hover_text(&one.name).clicked() {
                out.push(Command::GoTo(one.span));
            }
            rates_ui(ui, report, Some(one));
            if let Some((base, _)) = base {
                let same = |other: &&Use| other.kind == one.kind && other.name == one.name;
                rates_ui(ui, base, base.uses.iter().find(same));
            }
            ui.end_row();
        }
    });
}

fn rates_ui(ui: &mut Ui, report: &Report, of: Option<&Use>) {
    let Some(of) = of else {
        ui.weak("–");
        ui.weak("–");
        return;
    };
    ui.label(fixed(per_game(report, of), MEAN_DECIMALS));
    let turn = report.per_turn(of);
    ui.label(turn.map_or_else(|| "–".to_owned(), |rate| fixed(rate, RATE_DECIMALS)));
}

fn endings_ui(ui: &mut Ui, base: Base<'_>, report: &Report) {
    let share = |report: &Report, games: u64| {
        let part = stats::rounded(i128::from(games) * 10_000, i128::from(report.games.max(1)));
        format!("{} %", fixed(part as i64, SHARE_DECIMALS))
    };
    let heads = match base {
        Some((_, [first, second])) => vec!["", second, first],
        None => vec!["", ""],
    };
    table_ui(ui, "endings", &heads, |ui| {
        for end in &report.endings {
            ui.label(&end.said);
            ui.label(share(report, end.games));
            if let Some((base, _)) = base {
                let known = base.endings.iter().find(|other| other.how == end.how);
                ui.label(share(base, known.map_or(0, |known| known.games)));
            }
            ui.end_row();
        }
    });
}

// -------------------------------------------------------------------------------------------------- single games

/// Opens a game of the bar that was clicked.
fn open_bar(figures: Vec<usize>, clicked: Option<(i64, i64)>, out: &mut Vec<Command>) {
    if let Some((low, high)) = clicked {
        out.push(Command::OpenGame(GameOf::Figure { figures, low, high }));
    }
}

/// The games at both ends; a click opens one.
fn extremes_ui(ui: &mut Ui, report: &Report, out: &mut Vec<Command>) {
    let Some([least, greatest]) = report.extremes() else {
        return;
    };
    let (names, unit) = match report.figures.margin() {
        Some(_) => (
            ["The closest game", "The most one-sided game"],
            "points between the first two",
        ),
        None => (["The shortest game", "The longest game"], "answers"),
    };
    ui.horizontal_wrapped(|ui| {
        for (name, (game, value)) in names.into_iter().zip([least, greatest]) {
            let link = ui.link(format!("{name}: {value} {unit}"));
            if link.on_hover_text("Opens it in the play-test").clicked() {
                out.push(Command::OpenGame(GameOf::Number(game)));
            }
        }
    });
}

// -------------------------------------------------------------------------------------------------- pieces

pub(super) fn table_ui(ui: &mut Ui, id: &str, heads: &[&str], rows: impl FnOnce(&mut Ui)) {
    Grid::new(id)
        .striped(true)
        .spacing([18.0, 4.0])
        .show(ui, |ui| {
            for head in heads {
                ui.weak(*head);
            }
            ui.end_row();
            rows(ui);
        });
}

/// A histogram; that of other rules lies beside it, by the names of both. What lies in the bar that was clicked.
fn plot_ui(
    ui: &mut Ui,
    id: &str,
    values: &Distribution,
    base: Option<(Distribution, &[String; 2])>,
) -> Option<(i64, i64)> {
    let colours = theme::colours(ui.style());
    let bars = |values: &Distribution, share: f64| -> Vec<Bar> {
        let all = values.len().max(1) as f64;
        values
            .bars(BARS)
            .into_iter()
            .map(|bar| {
                let width = (bar.high - bar.low + 1) as f64;
                let middle = bar.low as f64 + width * share;
                Bar::new(middle, 100.0 * bar.count as f64 / all).width(width * 0.5)
            })
            .collect()
    };
    let answer = Plot::new(id)
        .height(PLOT_HEIGHT)
        .allow_scroll(false)
        .legend(Legend::default())
        .y_axis_label("% of games")
        .show(ui, |plot| {
            let own = base.as_ref().map_or("", |(_, [_, second])| second.as_str());
            plot.bar_chart(BarChart::new(own, bars(values, 0.25)).color(colours.glow));
            if let Some((base, [first, _])) = &base {
                plot.bar_chart(BarChart::new(first, bars(base, 0.75)).color(colours.accent));
            }
        });
    let response = answer
        .response
        .on_hover_text("A click on a bar opens a game of it");
    let clicked = response.clicked().then(|| response.interact_pointer_pos());
    let at = answer.transform.value_from_position(clicked??).x.round() as i64;
    let mut bars = values.bars(BARS).into_iter();
    let bar = bars.find(|bar| (bar.low..=bar.high).contains(&at))?;
    (bar.count > 0).then_some((bar.low, bar.high))
}

/// `23.5 ±2.6`: the value and half of the interval in which it lies in 19 of 20 cases; `decimals` of it are behind the point.
pub(super) fn shown(estimate: Estimate, decimals: u32) -> String {
    let half = (estimate.high - estimate.low) / 2;
    format!(
        "{} ±{}",
        fixed(estimate.value, decimals),
        fixed(half, decimals)
    )
}

/// `(20.9 to 26.1)`
fn interval(estimate: Estimate, decimals: u32) -> String {
    let [low, high] = [estimate.low, estimate.high].map(|value| fixed(value, decimals));
    format!("({low} to {high})")
}

/// A number with so many decimals, shown with one; with two where they say more.
pub(super) fn fixed(value: i64, decimals: u32) -> String {
    let number = value as f64 / 10_f64.powi(decimals as i32);
    match number.abs() < 10.0 && number != 0.0 {
        true => format!("{number:.2}"),
        false => format!("{number:.1}"),
    }
}
