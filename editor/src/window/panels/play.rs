//! The play-test: who sits where, what is asked, all answers, and why anything else is not offered.

pub mod advice;
mod under;

use super::doubt::DoubtView;
use crate::window::Command;
use crate::window::theme;
use crate::window::widgets::seed::seed_ui;
use crate::workshop::Workshop;
use crate::workshop::dealer::Waiting;
use crate::workshop::playtest::{
    Eyes, Line, LogLine, Playtest, Question, Reload, StateGroup, Watch,
};
use dsl::source::Span;
use egui::{ComboBox, RichText, Slider, Ui};
use interpreter::bots::{Bot, Opinion};
use interpreter::playout::seat_name;
use std::time::Duration;

/// Longer nobody waits for a bot.
const BOT_SECONDS_MAX: u64 = 600;
/// What takes no longer is not worth a word.
const SHOWN_AFTER: f64 = 0.2;

/// Narrower beside the buttons, the timeline has a line of its own.
const TIMELINE_MIN: f32 = 130.0;
/// A panel less high than this shows seats only when it is asked to.
const ROOMY: f32 = 330.0;

/// What is seen of a game that is played, asked for once for each point of it.
#[derive(Default)]
pub struct Seen {
    /// Which game, and its version.
    at: Option<(usize, u64)>,
    pub question: Question,
    pub log: Vec<LogLine>,
    pub lines: Vec<Line>,
    pub state: Vec<StateGroup>,
    /// By score line, by seat.
    pub scores: Vec<(String, Vec<Option<i32>>)>,
    pub ranks: Vec<u32>,
    /// How the game has ended.
    pub end: Option<String>,
    pub watches: Vec<Watch>,
}

/// What the panel remembers.
#[derive(Default)]
pub struct PlayView {
    pub seen: Seen,
    search: String,
    why_not: bool,
    pub doubt: DoubtView,
    /// For the next game.
    seed: Option<u64>,
    /// What is wrong with the rules, as the game met it.
    pub trouble: Option<String>,
    /// How far the game went when it was loaded, or when the rules changed.
    pub parted: Option<Reload>,
    /// Bots wait while somebody looks back.
    pub bots_wait: bool,
    /// Since when something is waited for, in seconds of the window's clock.
    waiting_since: Option<f64>,
}

impl PlayView {
    /// Looks again, if the game has gone on.
    pub fn refresh(&mut self, shop: &mut Workshop) {
        let Some(playtest) = &mut shop.playtest else {
            self.seen = Seen::default();
            self.doubt = DoubtView::default();
            return;
        };
        let game = std::sync::Arc::as_ptr(playtest.game()) as usize;
        let now = Some((game, playtest.version()));
        if self.seen.at != now {
            self.seen = Seen {
                at: now,
                question: playtest.question(),
                log: playtest.log(),
                lines: playtest.lines(),
                state: playtest.state(""),
                scores: playtest.scores(),
                ranks: playtest.ranks(),
                end: playtest.end(),
                watches: playtest.watches(),
            };
            self.doubt = DoubtView::default();
        }
        if self.why_not {
            self.doubt.ask(shop, &self.search);
        }
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        if let Some(trouble) = &self.trouble {
            let colours = theme::colours(ui.style());
            ui.colored_label(colours.warning, format!("▲ {trouble}"));
        }
        let Some(playtest) = &shop.playtest else {
            match shop.waiting() {
                Some(waiting) => self.waiting_ui(ui, Some(waiting), out),
                None => {
                    ui.weak("A game begins here as soon as the rules are without mistakes.");
                }
            }
            return;
        };
        if ui.available_height() > ROOMY {
            self.seats_ui(ui, shop, playtest, out);
            ui.separator();
        } else {
            // What is asked comes first.
            egui::CollapsingHeader::new("Seats, seed, saved games")
                .show_unindented(ui, |ui| self.seats_ui(ui, shop, playtest, out));
        }
        steps_ui(ui, playtest, out);
        ui.separator();
        under::options_ui(ui, shop, out);
        self.rules_ui(ui, shop, out);
        if let Some(notice) = playtest.notice() {
            ui.label(notice);
        }
        self.waiting_ui(ui, shop.waiting(), out);
        if playtest.is_over() {
            self.end_ui(ui);
            advice::review_ui(ui, shop, playtest, out);
            return;
        }
        if shop.review().is_some() {
            egui::CollapsingHeader::new("Review")
                .show_unindented(ui, |ui| advice::review_ui(ui, shop, playtest, out));
        }
        self.question_ui(ui, shop, playtest, out);
    }

    /// What is waited for, if that takes a while.
    fn waiting_ui(&mut self, ui: &mut Ui, waiting: Option<Waiting>, out: &mut Vec<Command>) {
        let Some(waiting) = waiting else {
            self.waiting_since = None;
            return;
        };
        let now = ui.input(|input| input.time);
        let since = *self.waiting_since.get_or_insert(now);
        if now - since < SHOWN_AFTER {
            let left = Duration::from_secs_f64(SHOWN_AFTER);
            ui.ctx().request_repaint_after(left);
            return;
        }
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak(match waiting {
                Waiting::SettingUp => "The game is being set up…",
                Waiting::Answering => "Looking for what can be answered next…",
                Waiting::ForBot => "The bot is thinking…",
                Waiting::Reloading => "The game is played again under the changed rules…",
                Waiting::Loading => "The saved game is being played…",
                Waiting::MakingScenario => "The scenario is being tried…",
            });
            if waiting == Waiting::ForBot && ui.button("Answer now").clicked() {
                out.push(Command::HurryBot);
            }
        });
    }

    fn seats_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        playtest: &Playtest,
        out: &mut Vec<Command>,
    ) {
        ui.horizontal_wrapped(|ui| {
            let all = shop.bots(playtest.game().rules());
            for (seat, bot) in playtest.bots().iter().enumerate() {
                seat_ui(ui, (seat, bot.as_ref()), &all, out);
            }
            if playtest.bots().iter().any(Option::is_some) {
                bot_time_ui(ui, shop, out);
            }
        });
        ui.horizontal_wrapped(|ui| {
            let mut seed = self.seed.unwrap_or_else(|| playtest.seed());
            if seed_ui(ui, &mut seed).changed() {
                self.seed = Some(seed);
            }
            let mut players = playtest.bots().len();
            let (least, most) = playtest.game().rules().players;
            let label = ui.label("Players");
            let range = least as usize..=most as usize;
            let field = egui::DragValue::new(&mut players).range(range);
            let field = ui.add(field.update_while_editing(false));
            let more = field.labelled_by(label.id).changed();
            if ui.button("New game").clicked() || more {
                let mut bots = playtest.bots().to_vec();
                bots.resize(players, Some(Bot::Random));
                out.push(Command::Begin(seed, bots));
            }
            if ui
                .button("Save…")
                .on_hover_text("Keep this game in a file")
                .clicked()
            {
                out.push(Command::AskSaveGame);
            }
            if ui
                .button("Load…")
                .on_hover_text("Go on with a game that was kept")
                .clicked()
            {
                out.push(Command::AskLoadGame);
            }
            eyes_ui(ui, playtest, out);
            language_ui(ui, shop, out);
        });
    }

    fn question_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        playtest: &Playtest,
        out: &mut Vec<Command>,
    ) {
        let question = &self.seen.question;
        let Some(seat) = question.seat else { return };
        ui.horizontal_wrapped(|ui| {
            let who = RichText::new(format!("{}:", seat_name(seat as usize))).strong();
            ui.label(who.text_style(theme::section()));
            ui.label(RichText::new(&question.text).text_style(theme::section()));
            if let Some(span) = question.span {
                place_ui(ui, playtest, span, out);
            }
        });
        if question.bot.is_some() && ui.button("Let the bots go on").clicked() {
            out.push(Command::BotsGo);
        }
        if question.unheard {
            let look = format!("Look as {}", seat_name(seat as usize));
            if ui.button(look).clicked() {
                out.push(Command::Look(Eyes::Seat(seat)));
            }
            return;
        }
        ui.horizontal(|ui| {
            let offered = format!("Offered ({})", question.answers.len());
            if ui.selectable_label(!self.why_not, offered).clicked() {
                self.why_not = false;
            }
            if ui.selectable_label(self.why_not, "Why not?").clicked() {
                self.why_not = true;
            }
            if question.bot.is_none() {
                advice::hint_ui(ui, shop, out);
            }
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text(match self.why_not {
                    true => "What is missing? Search it, or write it: claim(x)",
                    false => "Search answers",
                })
                .desired_width(f32::INFINITY);
            ui.add(field);
        });
        if self.why_not {
            self.doubt.show_ui(ui, playtest, &self.search, out);
        } else {
            self.answers_ui(ui, shop.hint(), out);
        }
    }

    fn answers_ui(&self, ui: &mut Ui, hint: Option<&[Option<Opinion>]>, out: &mut Vec<Command>) {
        let wanted = self.search.to_lowercase();
        let answers = &self.seen.question.answers;
        let found: Vec<usize> = (0..answers.len())
            .filter(|at| {
                let answer = &answers[*at];
                let texts = [&answer.said, &answer.details, &answer.text];
                texts
                    .iter()
                    .any(|text| text.to_lowercase().contains(&wanted))
            })
            .collect();
        if found.is_empty() {
            ui.weak(
                "No answer has these letters. “Why not?” says what stands in the way of others.",
            );
        }
        let best = hint.and_then(advice::best);
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW,
            found.len(),
            |ui, rows| {
                for at in &found[rows] {
                    let answer = &answers[*at];
                    let mut button = egui::Button::new(&answer.said)
                        .truncate()
                        .min_size(egui::vec2(ui.available_width(), theme::ROW));
                    let beside = match (answer.perhaps, answer.details.as_str()) {
                        (false, details) => details.to_owned(),
                        (true, "") => "perhaps".to_owned(),
                        (true, details) => format!("{details}, perhaps"),
                    };
                    let beside = match hint {
                        Some(opinions) => advice::beside(opinions, best == Some(*at), *at, &beside),
                        None => beside,
                    };
                    if !beside.is_empty() {
                        button = button.right_text(RichText::new(beside).weak());
                    }
                    let told = match answer.doc.as_str() {
                        "" => answer.text.clone(),
                        doc => format!("{doc}\n{}", answer.text),
                    };
                    let row = ui.add(button).on_hover_text(told);
                    // Its name is what it says; what one must know of it stands beside.
                    row.widget_info(|| {
                        egui::WidgetInfo::labeled(egui::Role::Button, true, &answer.said)
                    });
                    if row.hovered() {
                        out.push(Command::Mean(vec![*at]));
                    }
                    if row.clicked() {
                        out.push(Command::Answer(vec![*at]));
                    }
                }
            },
        );
    }

    fn end_ui(&self, ui: &mut Ui) {
        ui.label(RichText::new("The game is over").text_style(theme::section()));
        if let Some(end) = &self.seen.end {
            ui.label(RichText::new(end).text_style(theme::section()).strong());
        }
        self.scores_ui(ui);
    }

    /// Who is where and with how much, and below that the scores of all seats, line by line. A line in which nobody has scored
    /// when the game is over says nothing.
    pub fn scores_ui(&self, ui: &mut Ui) {
        let over = !self.seen.ranks.is_empty();
        egui::Grid::new("scores").striped(true).show(ui, |ui| {
            ui.label("");
            let seats = self.seen.scores.iter().map(|(_, seats)| seats.len());
            for seat in 0..seats.chain([self.seen.ranks.len()]).max().unwrap_or(0) {
                ui.strong(seat_name(seat));
            }
            ui.end_row();
            if over {
                ui.strong("rank");
                for rank in &self.seen.ranks {
                    ui.strong(rank.to_string());
                }
                ui.end_row();
            }
            if self.seen.scores.len() > 1 {
                ui.strong("total");
                for total in self.totals() {
                    ui.strong(total.map_or_else(|| "?".to_owned(), |total| total.to_string()));
                }
                ui.end_row();
            }
            for (name, seats) in &self.seen.scores {
                if over && seats.iter().all(|score| *score == Some(0)) {
                    continue;
                }
                ui.label(name);
                for score in seats {
                    ui.label(score.map_or_else(|| "?".to_owned(), |score| score.to_string()));
                }
                ui.end_row();
            }
        });
    }
}

impl PlayView {
    /// What all lines of a seat's score come to; none if some of it is not seen.
    fn totals(&self) -> Vec<Option<i32>> {
        let seats = self.seen.scores.first().map_or(0, |(_, seats)| seats.len());
        let total = |seat: usize| {
            let lines = self.seen.scores.iter();
            lines.map(|(_, seats)| *seats.get(seat)?).sum()
        };
        (0..seats).map(total).collect()
    }
}

fn seat_ui(ui: &mut Ui, (seat, bot): (usize, Option<&Bot>), all: &[Bot], out: &mut Vec<Command>) {
    let name = |bot: Option<&Bot>| match bot {
        None => "person".to_owned(),
        Some(bot) => format!("{bot} bot"),
    };
    let who = seat_name(seat);
    let mut chosen = bot.cloned();
    let combo = ComboBox::from_id_salt(("seat", seat))
        .selected_text(format!("{who}: {}", name(bot)))
        .show_ui(ui, |ui| {
            for other in std::iter::once(None).chain(all.iter().cloned().map(Some)) {
                let named = name(other.as_ref());
                ui.selectable_value(&mut chosen, other, named);
            }
        });
    combo.response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Seat {who}"))
    });
    if chosen.as_ref() != bot {
        out.push(Command::Seat(seat as u32, chosen));
    }
}

/// How long bots think about an answer.
fn bot_time_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    let mut seconds = shop.bot_time().map_or(0, |time| time.as_secs());
    let label = ui.label("Bots think");
    let field = egui::DragValue::new(&mut seconds)
        .range(0..=BOT_SECONDS_MAX)
        .custom_formatter(|seconds, _| match seconds {
            0.0 => "as they do".to_owned(),
            seconds => format!("{seconds} s"),
        });
    let field = ui.add(field).labelled_by(label.id).on_hover_text(
        "Seconds for each answer; 0: as long as they do by themselves. With a time, a search tries as many ways as it can, others break off: \
         such a game does not come out the same again. In simulations it does not hold.",
    );
    if field.changed() {
        let time = Duration::from_secs(seconds);
        out.push(Command::BotTime((seconds > 0).then_some(time)));
    }
}

fn eyes_ui(ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
    let name = |eyes: Eyes| match eyes {
        Eyes::All => "all open".to_owned(),
        Eyes::Seat(seat) => format!("as {}", seat_name(seat as usize)),
        Eyes::Nobody => "as nobody".to_owned(),
    };
    let mut chosen = playtest.eyes();
    let seats = (0..playtest.players()).map(Eyes::Seat);
    let combo = ComboBox::from_id_salt("eyes")
        .selected_text(name(chosen))
        .show_ui(ui, |ui| {
            for eyes in [Eyes::All, Eyes::Nobody].into_iter().chain(seats) {
                ui.selectable_value(&mut chosen, eyes, name(eyes));
            }
        });
    combo
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Look as"));
    if chosen != playtest.eyes() {
        out.push(Command::Look(chosen));
    }
}

/// In which language everything is said, if the game has words in others.
fn language_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    let others = shop.languages();
    if others.is_empty() {
        return;
    }
    let own = dsl::assembly::ENGLISH;
    let mut chosen = shop.language().unwrap_or(own).to_owned();
    let combo = ComboBox::from_id_salt("language")
        .selected_text(&chosen)
        .show_ui(ui, |ui| {
            for language in [own].into_iter().chain(others.iter().map(String::as_str)) {
                ui.selectable_value(&mut chosen, language.to_owned(), language);
            }
        });
    combo
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Language"));
    if chosen != shop.language().unwrap_or(own) {
        out.push(Command::Language((chosen != own).then_some(chosen)));
    }
}

/// Undo, redo, and a slider over the whole game.
fn steps_ui(ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
    let tree = playtest.tree();
    let (mut at, last) = (tree.position(), tree.line().len() - 1);
    ui.horizontal_wrapped(|ui| {
        if ui
            .add_enabled(at > 0, egui::Button::new("Undo turn"))
            .clicked()
        {
            out.push(Command::UndoTurn);
        }
        if ui
            .add_enabled(at > 0, egui::Button::new("Undo answer"))
            .clicked()
        {
            out.push(Command::UndoAnswer);
        }
        if ui
            .add_enabled(at < last, egui::Button::new("Redo"))
            .clicked()
        {
            out.push(Command::RedoAnswer);
        }
        if ui.available_size_before_wrap().x < TIMELINE_MIN {
            ui.end_row();
        }
        ui.spacing_mut().slider_width = ui.available_size_before_wrap().x - 70.0;
        let slider = ui.add(Slider::new(&mut at, 0..=last.max(1)).trailing_fill(true));
        slider.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Answer"));
        if slider.changed() {
            out.push(Command::Jump(at.min(last)));
        }
    });
}

/// A link to a rule, by its place.
pub fn place_ui(ui: &mut Ui, playtest: &Playtest, span: Span, out: &mut Vec<Command>) {
    let place = place(playtest, span);
    link_ui(ui, &place, (playtest, span), out);
}

/// A link to a rule, in little room.
pub fn rule_ui(ui: &mut Ui, playtest: &Playtest, span: Span, out: &mut Vec<Command>) {
    link_ui(ui, "§", (playtest, span), out);
}

fn link_ui(ui: &mut Ui, text: &str, (playtest, span): (&Playtest, Span), out: &mut Vec<Command>) {
    let Some(command) = open(playtest, span) else {
        return;
    };
    let place = place(playtest, span);
    let link = ui.link(RichText::new(text).small());
    link.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, &place));
    if link.on_hover_text(place).clicked() {
        out.push(command);
    }
}

/// `play.rules:12`
fn place(playtest: &Playtest, span: Span) -> String {
    let sources = &playtest.game().checked.sources;
    if !is_known(playtest, span) {
        return String::new();
    }
    let (line, _) = sources.line_column(span);
    let path = &sources.file(span.file).path;
    format!("{}:{line}", path.rsplit('/').next().unwrap_or(path))
}

fn is_known(playtest: &Playtest, span: Span) -> bool {
    let sources = &playtest.game().checked.sources;
    (span.file.0 as usize) < sources.ids().count()
}

/// Goes to a place of the texts that are played; none if it is in none of them.
pub fn open(playtest: &Playtest, span: Span) -> Option<Command> {
    let sources = &playtest.game().checked.sources;
    is_known(playtest, span).then(|| {
        let range = span.start as usize..span.end as usize;
        Command::OpenFile(sources.file(span.file).path.clone(), Some(range))
    })
}
