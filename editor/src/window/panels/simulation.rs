//! The laboratory: many games of bots in the background, and what is asked of them.

use super::results::{Results, results_ui};
use super::trials;
use crate::values::values;
use crate::window::widgets::seed::seed_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::laboratory::beside::{self, Overlays};
use crate::workshop::laboratory::{
    GameOf, NotSimulated, Order, Progress, Simulated, Simulation, Trial,
};
use crate::workshop::playtest::Playtest;
use dsl::ir::{GameOption, RuleSet, Ty, Value};
use egui::{ComboBox, DragValue, TextEdit, Ui};
use interpreter::bots::Bot;
use interpreter::playout::seat_name;

const GAMES_MAX: u64 = 1_000_000;
const SECONDS_MAX: u64 = 3_600;
/// Values of an option that are tried at once.
const VALUES_MAX: i64 = 50;
/// Of a range that nobody has given: so many values to either side.
const NEAR: i64 = 5;

/// What is wanted to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Games,
    Sweep,
    Find,
    Train,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Games, Kind::Sweep, Kind::Find, Kind::Train];

    fn name(self) -> &'static str {
        match self {
            Kind::Games => "Many games",
            Kind::Sweep => "Values of an option",
            Kind::Find => "A game in which",
            Kind::Train => "Learning",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Kind::Games => "Let bots play many games, to see what a rule does.",
            Kind::Sweep => {
                "The same games at each of several values of an option: what becomes of them?"
            }
            Kind::Find => {
                "Look through many games for one in which something happens, and see it in the play-test."
            }
            Kind::Train => {
                "Bots play one another and learn what tells who wins. They take seats then, here and in the play-test."
            }
        }
    }

    fn button(self) -> &'static str {
        match self {
            Kind::Games => "Simulate",
            Kind::Sweep => "Sweep",
            Kind::Find => "Look for it",
            Kind::Train => "Train",
        }
    }
}

/// What the games are played beside: nothing, or these overlays.
type Beside = Option<Overlays>;

/// An option and the values it is tried with.
#[derive(Clone, Debug, Default)]
struct Dial {
    option: String,
    low: i64,
    high: i64,
    step: i64,
}

/// What the panel remembers.
pub struct SimulationView {
    kind: Kind,
    games: u64,
    seed: u64,
    /// Of the seats; nobody has chosen for those that lack.
    bots: Vec<Bot>,
    /// None: as many as usual.
    players: Option<u32>,
    /// None: as usual, beside what lies below the overlays.
    beside: Option<Beside>,
    /// The games are played again when the rules have changed.
    keeps_up: bool,
    dial: Dial,
    condition: String,
    seconds: u64,
    /// What is drawn of the values of an option.
    figure: Option<usize>,
}

impl Default for SimulationView {
    fn default() -> SimulationView {
        SimulationView {
            kind: Kind::Games,
            games: 1_000,
            seed: 1,
            bots: Vec::new(),
            players: None,
            beside: None,
            keeps_up: false,
            dial: Dial::default(),
            condition: String::new(),
            seconds: 60,
            figure: None,
        }
    }
}

impl SimulationView {
    /// What is to be done, as it is said in the panel.
    ///
    /// # Errors
    /// What is missing, in a sentence.
    pub fn order(&self, shop: &Workshop, threads: usize) -> Result<Order, String> {
        let good = shop.good().cloned();
        let rules = good.ok_or("the rules have to be without mistakes first")?;
        let players = self.players(shop);
        let trial = match self.kind {
            Kind::Games => Trial::Games {
                beside: self.beside(shop, &shop.besides()),
            },
            Kind::Sweep => {
                let option = rules.rules().and_then(|rules| self.option(rules));
                let (rules, option) = rules.rules().zip(option).ok_or("choose an option first")?;
                Trial::Sweep {
                    values: self.dial.values(rules, option),
                    option: option.name.clone(),
                }
            }
            Kind::Find if self.condition.trim().is_empty() => {
                return Err("say first what is to happen: `A.score - B.score > 60`".into());
            }
            Kind::Find => Trial::Find {
                condition: self.condition.trim().to_owned(),
            },
            Kind::Train => Trial::Train {
                seconds: self.seconds,
                file: shop.lesson_file(players).ok_or("no game is open")?,
            },
        };
        Ok(Order {
            players,
            games: self.games,
            seed: self.seed,
            bots: self.seated(players),
            threads,
            trial,
            rules,
        })
    }

    /// What is chosen of what there is now; else, where something is laid on, what lies below it.
    fn beside(&self, shop: &Workshop, sides: &[Overlays]) -> Beside {
        match &self.beside {
            Some(None) => None,
            Some(Some(side)) if sides.contains(side) => Some(side.clone()),
            _ => sides.first().filter(|_| !shop.stack().is_empty()).cloned(),
        }
    }

    /// Many games are wanted, not one of the other trials.
    pub fn want_games(&mut self) {
        self.kind = Kind::Games;
    }

    /// As many as somebody has said; else as many as play-test it.
    fn players(&self, shop: &Workshop) -> u32 {
        let (least, most) = limits(shop);
        let played = shop.playtest.as_ref().map(Playtest::players);
        self.players.or(played).unwrap_or(most).clamp(least, most)
    }

    /// The bots of so many seats.
    fn seated(&self, players: u32) -> Vec<Bot> {
        let chosen = self.bots.iter().cloned();
        let all = chosen.chain(std::iter::repeat(Bot::Random));
        all.take(players as usize).collect()
    }

    fn option<'r>(&self, rules: &'r RuleSet) -> Option<&'r GameOption> {
        let mut options = rules.options.iter();
        options.find(|option| option.name == self.dial.option)
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        self.order_ui(ui, shop, out);
        ui.separator();
        let simulation = shop.simulation.as_ref();
        let Some(simulation) = simulation.filter(|one| kind_of(one.order()) == self.kind) else {
            ui.label(self.kind.about());
            if self.kind == Kind::Games {
                ui.weak("With overlays laid on, the same games are played without them, or with others, and both lie side by side.");
            }
            return;
        };
        let rules = shop.good().filter(|_| shop.is_current());
        let changed = rules.is_some_and(|rules| rules.version != simulation.order().rules.version);
        if self.kind == Kind::Games && self.keeps_up && changed {
            out.push(Command::Simulate);
        }
        if simulation.is_running() {
            progress_ui(ui, simulation.progress());
        }
        match &simulation.result {
            None => {}
            Some(Ok(done)) => {
                egui::ScrollArea::vertical()
                    .auto_shrink(false)
                    .show(ui, |ui| self.done_ui(ui, simulation, done, out));
            }
            Some(Err(why)) => wrong_ui(ui, why, out),
        }
    }

    fn done_ui(
        &mut self,
        ui: &mut Ui,
        simulation: &Simulation,
        done: &Simulated,
        out: &mut Vec<Command>,
    ) {
        match done {
            Simulated::Alone(_) | Simulated::Beside(_) => {
                let Some(report) = done.report() else { return };
                let results = Results {
                    report,
                    running: simulation.is_running(),
                    beside: done
                        .compared()
                        .map(|compared| (compared, sides(simulation.order()))),
                };
                results_ui(ui, &results, out);
            }
            Simulated::Swept { option, reports } => {
                let rules = simulation.order().rules.rules();
                let label = rules.and_then(|rules| label_of(rules, option));
                let label = label.unwrap_or(option);
                trials::swept_ui(ui, label, reports, &mut self.figure);
            }
            Simulated::Found(looked) => trials::found_ui(ui, looked, simulation.order(), out),
            Simulated::Taught(taught) => trials::taught_ui(ui, taught),
        }
    }

    fn order_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let running = shop.simulation.as_ref().is_some_and(Simulation::is_running);
        let rules = shop.good().and_then(|good| good.rules());
        ui.horizontal_wrapped(|ui| {
            for kind in Kind::ALL {
                let tab = ui.selectable_value(&mut self.kind, kind, kind.name());
                tab.on_hover_text(kind.about());
            }
            ui.separator();
            if running {
                if ui.button("Stop").clicked() {
                    out.push(Command::StopSimulation);
                }
            } else if ui.button(self.kind.button()).clicked() {
                out.push(Command::Simulate);
            }
            let result = shop.simulation.as_ref().and_then(|one| one.result.as_ref());
            let done = matches!(
                result,
                Some(Ok(Simulated::Alone(_)
                    | Simulated::Beside(_)
                    | Simulated::Swept { .. }))
            );
            let export = ui.add_enabled(done && !running, egui::Button::new("Export…"));
            if export.on_hover_text("As JSON or CSV").clicked() {
                out.push(Command::AskExport);
            }
        });
        self.numbers_ui(ui, shop, rules);
        match self.kind {
            Kind::Games => {}
            Kind::Sweep => self.dial_ui(ui, rules),
            Kind::Find => self.condition_ui(ui, out),
            Kind::Train => {
                for broken in &shop.broken_models {
                    let colours = theme::colours(ui.style());
                    ui.colored_label(colours.warning, format!("▲ {broken}"));
                }
            }
        }
    }

    fn numbers_ui(&mut self, ui: &mut Ui, shop: &Workshop, rules: Option<&RuleSet>) {
        let (least, most) = limits(shop);
        let mut players = self.players(shop);
        ui.horizontal_wrapped(|ui| {
            if self.kind == Kind::Train {
                number_ui(ui, "Seconds", &mut self.seconds, 1..=SECONDS_MAX);
            } else {
                number_ui(ui, "Games", &mut self.games, 1..=GAMES_MAX);
            }
            let label = ui.label("Players");
            let field = ui.add(DragValue::new(&mut players).range(least..=most));
            if field.labelled_by(label.id).changed() {
                self.players = Some(players);
            }
            seed_ui(ui, &mut self.seed);
            if self.kind == Kind::Games {
                self.beside_ui(ui, shop);
                let keeps_up = ui.checkbox(&mut self.keeps_up, "Again after each change");
                keeps_up.on_hover_text(
                    "As soon as changed rules are without mistakes, the games are played with them",
                );
            }
        });
        if self.kind != Kind::Train {
            let known = rules.map_or_else(|| Bot::ALL.to_vec(), |rules| shop.bots(rules));
            self.bots_ui(ui, players, &known);
        }
    }

    /// With which overlays the same games are played, too.
    fn beside_ui(&mut self, ui: &mut Ui, shop: &Workshop) {
        let sides = shop.besides();
        let manifest = shop.good().and_then(|good| good.manifest());
        let Some(manifest) = manifest.filter(|_| !sides.is_empty()) else {
            return;
        };
        let name = |side: &Beside| match side {
            None => "nothing".to_owned(),
            Some(side) => {
                let title = beside::title(manifest, side);
                title.unwrap_or_else(|| "the game without overlays".to_owned())
            }
        };
        let before = self.beside(shop, &sides);
        let mut chosen = before.clone();
        let label = ui.label("Beside");
        let combo = ComboBox::from_id_salt("beside")
            .selected_text(name(&chosen))
            .show_ui(ui, |ui| {
                for side in std::iter::once(None).chain(sides.into_iter().map(Some)) {
                    let text = name(&side);
                    ui.selectable_value(&mut chosen, side, text);
                }
            });
        combo.response.labelled_by(label.id);
        if chosen != before {
            self.beside = Some(chosen);
        }
    }

    /// Who sits on each seat.
    fn bots_ui(&mut self, ui: &mut Ui, players: u32, known: &[Bot]) {
        let mut seated = self.seated(players);
        ui.horizontal_wrapped(|ui| {
            for (seat, bot) in seated.iter_mut().enumerate() {
                ui.label(seat_name(seat));
                let before = bot.clone();
                let combo = ComboBox::from_id_salt(("bot", seat))
                    .selected_text(bot.to_string())
                    .show_ui(ui, |ui| {
                        for other in known {
                            ui.selectable_value(bot, other.clone(), other.to_string());
                        }
                    });
                let name = format!("Bot of {}", seat_name(seat));
                combo
                    .response
                    .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
                if *bot != before {
                    self.bots.resize(self.bots.len().max(seat + 1), Bot::Random);
                    self.bots[seat] = bot.clone();
                }
            }
            let Some(first) = seated.first() else { return };
            let alike = seated.iter().all(|bot| bot == first);
            let all = ui.add_enabled(!alike, egui::Button::new("All as A"));
            if all.clicked() {
                self.bots = vec![first.clone(); seated.len()];
            }
        });
    }

    fn dial_ui(&mut self, ui: &mut Ui, rules: Option<&RuleSet>) {
        let Some(rules) = rules else { return };
        if rules.options.is_empty() {
            ui.weak("These rules have no options: `option wagons_each: 20..60 = 45` declares one.");
            return;
        }
        ui.horizontal_wrapped(|ui| {
            let shown = label_of(rules, &self.dial.option).unwrap_or("choose an option");
            let mut chosen = self.dial.option.clone();
            let combo = ComboBox::from_id_salt("option")
                .selected_text(shown)
                .show_ui(ui, |ui| {
                    for option in &rules.options {
                        let text = label_of(rules, &option.name).unwrap_or(&option.name);
                        ui.selectable_value(&mut chosen, option.name.clone(), text);
                    }
                });
            combo
                .response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Option"));
            if chosen != self.dial.option {
                self.dial.option = chosen;
                if let Some(option) = self.option(rules) {
                    self.dial = Dial::near(option);
                }
            }
            let Some(option) = self.option(rules) else {
                return;
            };
            let Ty::Int { low, high } = option.ty else {
                ui.weak(self.dial.values(rules, option).join(", "));
                return;
            };
            let range = low.unwrap_or(i64::MIN)..=high.unwrap_or(i64::MAX);
            let dial = &mut self.dial;
            number_ui(ui, "From", &mut dial.low, range.clone());
            number_ui(ui, "To", &mut dial.high, dial.low..=*range.end());
            number_ui(ui, "Step", &mut dial.step, 1..=i64::MAX);
            dial.step = dial
                .step
                .max(dial.high.saturating_sub(dial.low) / VALUES_MAX);
        });
    }

    fn condition_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            let label = ui.label("Happens");
            let field = TextEdit::singleline(&mut self.condition)
                .hint_text("A.score - B.score > 60")
                .desired_width(f32::INFINITY);
            let field = ui.add(field).labelled_by(label.id);
            let entered = ui.input(|input| input.key_pressed(egui::Key::Enter));
            if field.lost_focus() && entered {
                out.push(Command::Simulate);
            }
        });
    }
}

impl Dial {
    /// The values around the one that an option has.
    fn near(option: &GameOption) -> Dial {
        let (mut low, mut high) = (0, 0);
        if let (
            Ty::Int {
                low: least,
                high: most,
            },
            Value::Int(now),
        ) = (&option.ty, &option.value)
        {
            let now = i64::from(*now);
            low = (now - NEAR).max(least.unwrap_or(i64::MIN));
            high = (now + NEAR).min(most.unwrap_or(i64::MAX));
        }
        Dial {
            option: option.name.clone(),
            low,
            high,
            step: 1,
        }
    }

    fn values(&self, rules: &RuleSet, option: &GameOption) -> Vec<String> {
        match option.ty {
            Ty::Int { .. } => {
                let step = usize::try_from(self.step.max(1)).unwrap_or(1);
                let numbers = (self.low..=self.high).step_by(step);
                numbers.map(|number| number.to_string()).collect()
            }
            _ => values(rules, &option.ty),
        }
    }
}

/// For how few and how many players the game is.
fn limits(shop: &Workshop) -> (u32, u32) {
    let rules = shop.good().and_then(|good| good.rules());
    rules.map_or((2, 2), |rules| rules.players)
}

/// What people call an option.
fn label_of<'r>(rules: &'r RuleSet, name: &str) -> Option<&'r str> {
    let at = rules.options.iter().position(|option| option.name == name);
    Some(rules.speech.options.get(at?)?.as_str())
}

/// What people call both sides of a comparison.
fn sides(order: &Order) -> [String; 2] {
    let own = order.rules.selection.overlays.as_slice();
    let manifest = order.rules.manifest();
    match &order.trial {
        Trial::Games {
            beside: Some(other),
        } if !other.is_empty() => [other, own].map(|side| {
            let title = manifest.and_then(|manifest| beside::title(manifest, side));
            title.unwrap_or_else(|| "Without".to_owned())
        }),
        _ => ["Without", "With"].map(str::to_owned),
    }
}

fn kind_of(order: &Order) -> Kind {
    match order.trial {
        Trial::Games { .. } => Kind::Games,
        Trial::Sweep { .. } => Kind::Sweep,
        Trial::Find { .. } => Kind::Find,
        Trial::Train { .. } => Kind::Train,
    }
}

fn number_ui<N: egui::emath::Numeric>(
    ui: &mut Ui,
    name: &str,
    number: &mut N,
    range: std::ops::RangeInclusive<N>,
) {
    let label = ui.label(name);
    let field = ui.add(DragValue::new(number).range(range));
    field.labelled_by(label.id);
}

fn progress_ui(ui: &mut Ui, progress: Progress) {
    let left = progress.left.map_or_else(String::new, |left| {
        format!(", about {} s left", left.as_secs() + 1)
    });
    let (share, text) = match progress.asked {
        Some(asked) => (
            progress.done as f32 / asked.max(1) as f32,
            format!("{} of {asked} games{left}", progress.done),
        ),
        None => {
            let whole = progress.elapsed + progress.left.unwrap_or_default();
            (
                progress.elapsed.as_secs_f32() / whole.as_secs_f32().max(1.0),
                format!("{} games{left}", progress.done),
            )
        }
    };
    ui.add(egui::ProgressBar::new(share).text(text));
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(100));
}

/// Why there is nothing to show; a game in which the rules fail can be looked at.
fn wrong_ui(ui: &mut Ui, why: &NotSimulated, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    match why {
        NotSimulated::CannotRun(why) => {
            ui.colored_label(colours.error, format!("× {why}"));
        }
        NotSimulated::Fault(fault) => {
            let said = format!("× in game {}: {}", fault.game + 1, fault.fault.message);
            ui.colored_label(colours.error, said);
            ui.horizontal(|ui| {
                if ui.button("See this game").clicked() {
                    let seed = fault.seed;
                    out.push(Command::OpenGame(GameOf::Seed {
                        seed,
                        answers: None,
                    }));
                }
                if ui.button("Show the rule").clicked() {
                    out.push(Command::GoTo(fault.fault.span));
                }
            });
        }
    }
}
