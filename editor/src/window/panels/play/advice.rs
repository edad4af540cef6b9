//! What a search thinks of the answers, and in which turns a game was lost.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::Playtest;
use egui::Ui;
use interpreter::bots::Opinion;
use interpreter::playout::{Review, seat_name};

/// Turns that are listed.
const TURNS_MAX: usize = 8;

/// What stands beside an answer: its worth from 0 to 100 and how often it was tried, then what stood there.
pub fn beside(opinions: &[Option<Opinion>], is_best: bool, at: usize, known: &str) -> String {
    let best = if is_best { "best, " } else { "" };
    let said = match opinions.get(at).copied().flatten() {
        Some(Opinion { tried, worth }) => {
            format!("{best}{:.0} of 100, tried {tried} times", 100.0 * worth)
        }
        None => "not tried".to_owned(),
    };
    match known {
        "" => said,
        known => format!("{known} · {said}"),
    }
}

/// The answer that a search would give.
pub fn best(opinions: &[Option<Opinion>]) -> Option<usize> {
    let known = opinions.iter().enumerate();
    let known = known.filter_map(|(at, opinion)| Some((at, opinion.as_ref()?)));
    let better = |a: &(usize, &Opinion), b: &(usize, &Opinion)| {
        let by_tries = a.1.tried.cmp(&b.1.tried);
        by_tries
            .then(a.1.worth.total_cmp(&b.1.worth))
            .then(b.0.cmp(&a.0))
    };
    known.max_by(better).map(|(at, _)| at)
}

pub fn hint_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    if shop.is_advising() {
        ui.spinner();
        ui.weak("Searching…");
        return;
    }
    let button = ui.button("Hint").on_hover_text(
        "A search says what it thinks of each answer: what came of it where it tried, from 0 to 100. It sees what your seat sees.",
    );
    if button.clicked() {
        out.push(Command::Hint);
    }
}

/// In which turns the game was lost; a click goes there.
pub fn review_ui(ui: &mut Ui, shop: &Workshop, playtest: &Playtest, out: &mut Vec<Command>) {
    if shop.is_reviewing() {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("From the begin of each turn bots play on…");
        });
        return;
    }
    let button = ui.button("Review").on_hover_text(
        "Bots play on from the begin of each turn: in which turns did a seat's chance to win fall most, by mistake or by luck?",
    );
    if button.clicked() {
        out.push(Command::Review);
    }
    match shop.review() {
        None => {}
        Some(Err(why)) => {
            let colours = theme::colours(ui.style());
            ui.colored_label(colours.error, format!("× {why}"));
        }
        Some(Ok(review)) => falls_ui(ui, playtest, review, out),
    }
}

fn falls_ui(ui: &mut Ui, playtest: &Playtest, review: &Review, out: &mut Vec<Command>) {
    let falls = review.falls();
    if falls.is_empty() {
        ui.weak("In no turn a seat's chance to win fell by more than luck.");
    }
    for fall in falls.iter().take(TURNS_MAX) {
        let moment = &review.moments[fall.moment];
        let [before, after] =
            [fall.before, fall.after].map(|part| format!("{:.0} %", 100.0 * part));
        let text = format!(
            "Turn {}, {}: {before} → {after}",
            fall.moment + 1,
            seat_name(fall.seat as usize)
        );
        let known = playtest.tree().line().contains(&moment.at);
        let link = ui.add_enabled(known, egui::Link::new(text));
        if link.on_hover_text("Go to the begin of this turn").clicked() {
            out.push(Command::GoToNode(moment.at));
        }
    }
}
