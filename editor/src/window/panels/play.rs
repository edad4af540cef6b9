//! The play-test: who sits where, what is asked, all answers, and why anything else is not offered.

use crate::window::theme;
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Eyes, LogLine, NotOffered, Playtest, Question, StateGroup, Watch};
use dsl::source::Span;
use egui::{ComboBox, RichText, Slider, Ui};
use interpreter::bots::Bot;

/// What is seen of a game that is played, asked for once for each point of it.
#[derive(Default)]
pub struct Seen {
    /// Which game, and its version.
    at: Option<(usize, u64)>,
    pub question: Question,
    /// Asked for when it is looked at.
    pub not_offered: Option<Vec<NotOffered>>,
    pub log: Vec<LogLine>,
    pub state: Vec<StateGroup>,
    pub score_lines: Vec<String>,
    /// By seat, by line.
    pub scores: Vec<Vec<i32>>,
    pub ranks: Vec<u32>,
    pub watches: Vec<Watch>,
}

/// What the panel remembers.
#[derive(Default)]
pub struct PlayView {
    pub seen: Seen,
    search: String,
    why_not: bool,
    /// For the next game.
    seed: Option<u64>,
    /// What is wrong with the rules, as the game met it.
    pub trouble: Option<String>,
    /// Bots wait while somebody looks back.
    pub bots_wait: bool,
}

impl PlayView {
    /// Looks again, if the game has gone on.
    pub fn refresh(&mut self, shop: &mut Workshop) {
        let Some(playtest) = &mut shop.playtest else {
            self.seen = Seen::default();
            return;
        };
        let game = std::sync::Arc::as_ptr(playtest.game()) as usize;
        let now = Some((game, playtest.version()));
        if self.seen.at != now {
            let (score_lines, scores) = playtest.scores();
            self.seen = Seen {
                at: now,
                question: playtest.question(),
                not_offered: None,
                log: playtest.log(),
                state: playtest.state(""),
                score_lines,
                scores,
                ranks: playtest.ranks(),
                watches: playtest.watches(),
            };
        }
        if self.why_not && self.seen.not_offered.is_none() {
            self.seen.not_offered = Some(playtest.not_offered());
        }
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        if let Some(trouble) = &self.trouble {
            let colours = theme::colours(ui.style());
            ui.colored_label(colours.warning, format!("▲ {trouble}"));
        }
        let Some(playtest) = &shop.playtest else {
            ui.weak("A game begins here as soon as the rules are without mistakes.");
            return;
        };
        self.seats_ui(ui, playtest, out);
        ui.separator();
        steps_ui(ui, playtest, out);
        ui.separator();
        if let Some(notice) = playtest.notice() {
            ui.label(notice);
        }
        if playtest.is_over() {
            self.end_ui(ui);
            return;
        }
        self.question_ui(ui, playtest, out);
    }

    fn seats_ui(&mut self, ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            for (seat, bot) in playtest.bots().iter().enumerate() {
                seat_ui(ui, seat, *bot, out);
            }
        });
        ui.horizontal_wrapped(|ui| {
            let mut seed = self.seed.unwrap_or_else(|| playtest.seed());
            let label = ui.label("Seed");
            let field = ui.add(egui::DragValue::new(&mut seed));
            if field.labelled_by(label.id).changed() {
                self.seed = Some(seed);
            }
            let mut players = playtest.bots().len();
            let (least, most) = playtest.game().rules().players;
            let label = ui.label("Players");
            let range = least as usize..=most as usize;
            let field = ui.add(egui::DragValue::new(&mut players).range(range));
            let more = field.labelled_by(label.id).changed();
            if ui.button("New game").clicked() || more {
                let mut bots = playtest.bots().to_vec();
                bots.resize(players, Some(Bot::Random));
                out.push(Command::Begin(seed, bots));
            }
            eyes_ui(ui, playtest, out);
        });
    }

    fn question_ui(&mut self, ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
        let question = &self.seen.question;
        let Some(seat) = question.seat else { return };
        ui.horizontal_wrapped(|ui| {
            let who = RichText::new(format!("{}:", letter(seat))).strong();
            ui.label(who.text_style(theme::section()));
            ui.label(RichText::new(&question.text).text_style(theme::section()));
            if let Some(span) = question.span {
                place_ui(ui, playtest, span, out);
            }
        });
        if question.bot.is_some() && ui.button("Let the bots go on").clicked() {
            out.push(Command::BotsGo);
        }
        ui.horizontal(|ui| {
            let offered = format!("Offered ({})", question.answers.len());
            if ui.selectable_label(!self.why_not, offered).clicked() {
                self.why_not = false;
            }
            if ui.selectable_label(self.why_not, "Why not?").clicked() {
                self.why_not = true;
            }
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text("Search answers")
                .desired_width(f32::INFINITY);
            ui.add(field);
        });
        if self.why_not {
            self.why_not_ui(ui, playtest, out);
        } else {
            self.answers_ui(ui, out);
        }
    }

    fn answers_ui(&self, ui: &mut Ui, out: &mut Vec<Command>) {
        let wanted = self.search.to_lowercase();
        let answers = &self.seen.question.answers;
        let found: Vec<usize> = (0..answers.len())
            .filter(|at| answers[*at].text.to_lowercase().contains(&wanted))
            .collect();
        if found.is_empty() {
            ui.weak(
                "No answer has these letters. “Why not?” says what stands in the way of others.",
            );
        }
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW,
            found.len(),
            |ui, rows| {
                for at in &found[rows] {
                    let answer = &answers[*at];
                    let mut button = egui::Button::new(&answer.text)
                        .truncate()
                        .min_size(egui::vec2(ui.available_width(), theme::ROW));
                    if answer.perhaps {
                        button = button.right_text(RichText::new("perhaps").weak());
                    }
                    let row = ui.add(button);
                    if row.hovered() {
                        out.push(Command::Mean(Some(*at)));
                    }
                    if row.clicked() {
                        out.push(Command::Answer(*at));
                    }
                }
            },
        );
    }

    fn why_not_ui(&self, ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
        let wanted = self.search.to_lowercase();
        let refused = self.seen.not_offered.as_deref().unwrap_or_default();
        let found: Vec<&NotOffered> = refused
            .iter()
            .filter(|one| one.text.to_lowercase().contains(&wanted))
            .collect();
        if found.is_empty() {
            ui.weak("Nothing within reach is kept from being offered here.");
        }
        let height = 2.0 * ui.text_style_height(&egui::TextStyle::Body) + 8.0;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            height,
            found.len(),
            |ui, rows| {
                for one in &found[rows] {
                    ui.add(egui::Label::new(RichText::new(&one.text).strong()).truncate());
                    ui.horizontal(|ui| {
                        let Some(reason) = one.reasons.first() else {
                            return;
                        };
                        place_ui(ui, playtest, reason.span, out);
                        let all: Vec<String> = one
                            .reasons
                            .iter()
                            .map(|one| playtest.in_full(one))
                            .collect();
                        ui.add(egui::Label::new(&reason.sentence).truncate())
                            .on_hover_text(all.join("\n"));
                    });
                }
            },
        );
    }

    fn end_ui(&self, ui: &mut Ui) {
        ui.label(RichText::new("The game is over").text_style(theme::section()));
        self.scores_ui(ui);
    }

    /// The scores of all seats, line by line.
    pub fn scores_ui(&self, ui: &mut Ui) {
        egui::Grid::new("scores").striped(true).show(ui, |ui| {
            ui.label("");
            for seat in 0..self.seen.scores.len() {
                ui.strong(letter(seat as u32));
            }
            ui.end_row();
            for (line, name) in self.seen.score_lines.iter().enumerate() {
                ui.label(name);
                for seat in &self.seen.scores {
                    ui.label(seat.get(line).map_or_else(String::new, i32::to_string));
                }
                ui.end_row();
            }
            if !self.seen.ranks.is_empty() {
                ui.strong("rank");
                for rank in &self.seen.ranks {
                    ui.strong(rank.to_string());
                }
                ui.end_row();
            }
        });
    }
}

/// A, B, C, …
pub fn letter(seat: u32) -> String {
    char::from_u32('A' as u32 + seat).map_or_else(|| seat.to_string(), String::from)
}

fn seat_ui(ui: &mut Ui, seat: usize, bot: Option<Bot>, out: &mut Vec<Command>) {
    let name = |bot: Option<Bot>| match bot {
        None => "person",
        Some(Bot::Random) => "random bot",
        Some(Bot::Greedy) => "greedy bot",
    };
    let who = letter(seat as u32);
    let mut chosen = bot;
    let combo = ComboBox::from_id_salt(("seat", seat))
        .selected_text(format!("{who}: {}", name(bot)))
        .show_ui(ui, |ui| {
            for other in [None, Some(Bot::Random), Some(Bot::Greedy)] {
                ui.selectable_value(&mut chosen, other, name(other));
            }
        });
    combo.response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Seat {who}"))
    });
    if chosen != bot {
        out.push(Command::Seat(seat as u32, chosen));
    }
}

fn eyes_ui(ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
    let name = |eyes: Eyes| match eyes {
        Eyes::All => "all open".to_owned(),
        Eyes::Seat(seat) => format!("as {}", letter(seat)),
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

/// Undo, redo, and a slider over the whole game.
fn steps_ui(ui: &mut Ui, playtest: &Playtest, out: &mut Vec<Command>) {
    let tree = playtest.tree();
    let (mut at, last) = (tree.position(), tree.line().len() - 1);
    ui.horizontal(|ui| {
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
        ui.spacing_mut().slider_width = (ui.available_width() - 70.0).max(60.0);
        let slider = ui.add(Slider::new(&mut at, 0..=last.max(1)).trailing_fill(true));
        slider.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Answer"));
        if slider.changed() {
            out.push(Command::Jump(at.min(last)));
        }
    });
}

/// A link to a rule.
pub fn place_ui(ui: &mut Ui, playtest: &Playtest, span: Span, out: &mut Vec<Command>) {
    let sources = &playtest.game().checked.sources;
    if span.file.0 as usize >= sources.ids().count() {
        return;
    }
    let (line, _) = sources.line_column(span);
    let path = &sources.file(span.file).path;
    let short = path.rsplit('/').next().unwrap_or(path);
    let link = ui.link(RichText::new(format!("{short}:{line}")).small());
    if link.clicked() {
        let range = span.start as usize..span.end as usize;
        out.push(Command::OpenFile(path.clone(), Some(range)));
        out.push(Command::Show(Pane::Rules));
    }
}
