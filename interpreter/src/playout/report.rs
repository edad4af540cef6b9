//! What many games came to.

use super::Spec;
use super::compare::Comparison;
use super::named::Named;
use super::tally::Tally;
use super::unused::{self, UnusedRows};
use crate::Program;
use crate::bots::Bot;
use crate::coverage::Coverage;
use crate::json::{Json, csv_field, decimal};
use crate::program::{Op, ProcKind};
use crate::stats::{Distribution, Estimate, VICTORY_PARTS, rounded, share};
use crate::words::Words;
use dsl::ir::{ActionId, DeedId, EndingId, EndingKind, RuleSet};
use dsl::source::Span;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Everything but `elapsed` is the same whenever the same games are played.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub id: String,
    pub title: String,
    pub fingerprint: u64,
    /// The overlays in force.
    pub overlays: Vec<String>,
    /// Options with another value than the game declares, and that value.
    pub options: Vec<(String, String)>,
    pub players: u32,
    pub seed: u64,
    pub bots: Vec<Bot>,
    /// Games played to their end; fewer than `asked` when cancelled.
    pub games: u64,
    pub asked: u64,
    /// Names of the score lines.
    pub lines: Vec<String>,
    /// What people call them.
    pub headings: Vec<String>,
    pub seats: Vec<SeatReport>,
    /// Passes of the step `turn`, if the rules have one.
    pub turns: Option<Distribution>,
    /// Answers given, those that were the only ones included.
    pub answers: Distribution,
    pub uses: Vec<Use>,
    /// How games ended, where that is written, and how many.
    pub endings: Vec<(String, Option<Span>, u64)>,
    /// Games that nobody won: drawn, or lost by all.
    pub unwon: u64,
    /// Rows of tables that were in play and that no game used.
    pub unused: Vec<UnusedRows>,
    /// `when`s that never fired, and rule ids of which nothing ever happened.
    pub unfired: Vec<String>,
    pub coverage: Coverage,
    /// How often answers named each element.
    pub named: Named,
    pub elapsed: Duration,
}

/// What one seat came to in all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatReport {
    pub bot: Bot,
    /// In [`crate::stats::VICTORY_PARTS`]; a shared victory counts in parts.
    pub victories: u64,
    pub total: Distribution,
    /// One for each of [`Report::lines`].
    pub scores: Vec<Distribution>,
}

/// What is counted as used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    /// An action was done, however it came about.
    Action,
    /// An item of a menu was chosen.
    Item,
}

/// How often something was done in all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub kind: UseKind,
    pub name: String,
    /// What people call it.
    pub said: String,
    pub span: Span,
    pub count: u64,
}

impl Report {
    /// What people call a line of the score.
    pub fn heading<'r>(&'r self, line: &'r str) -> &'r str {
        let mut lines = self.lines.iter().zip(&self.headings);
        let found = lines.find(|(name, _)| *name == line);
        found.map_or(line, |(_, heading)| heading)
    }

    pub(super) fn new(
        rules: &RuleSet,
        program: &Program,
        spec: &Spec,
        tally: Tally,
        elapsed: Duration,
    ) -> Report {
        let seats = tally
            .seats
            .into_iter()
            .enumerate()
            .map(|(seat, tally)| SeatReport {
                bot: spec.bot(seat as u32),
                victories: tally.victories,
                total: tally.total,
                scores: tally.lines,
            });
        Report {
            id: rules.id.clone(),
            title: rules.title.clone(),
            fingerprint: rules.fingerprint(),
            overlays: rules.overlays().map(|layer| layer.id.clone()).collect(),
            options: Words::new(rules, program).options_changed(),
            players: program.players,
            seed: spec.seed,
            bots: (0..program.players).map(|seat| spec.bot(seat)).collect(),
            games: tally.games,
            asked: spec.games,
            lines: rules.scores.iter().map(|line| line.name.clone()).collect(),
            headings: rules
                .speech
                .scores
                .iter()
                .map(|noun| noun.heading().to_owned())
                .collect(),
            seats: seats.collect(),
            turns: (!tally.turns.is_empty()).then_some(tally.turns),
            answers: tally.answers,
            uses: uses(rules, program, &tally.coverage),
            endings: endings(rules, program, &tally.endings),
            unwon: tally.unwon,
            unused: tally.rows.unused(&Words::new(rules, program), &tally.named),
            unfired: unused::unfired(rules, program, &tally.coverage),
            coverage: tally.coverage,
            named: tally.named,
            elapsed,
        }
    }

    /// Every game asked for was played to its end.
    pub fn is_complete(&self) -> bool {
        self.games == self.asked
    }

    /// Victories of a seat in hundredths of a percent.
    pub fn wins(&self, seat: usize) -> Estimate {
        share(self.seats[seat].victories, self.games)
    }

    /// Games that nobody won, in hundredths of a percent.
    pub fn unwon(&self) -> Estimate {
        share(self.unwon * VICTORY_PARTS, self.games)
    }

    /// Turns of all players in all games.
    fn player_turns(&self) -> i128 {
        self.turns.as_ref().map_or(0, Distribution::sum)
    }

    /// How often something is done in a turn, in ten-thousandths; none without turns.
    pub fn per_turn(&self, of: &Use) -> Option<i64> {
        let turns = self.player_turns();
        (turns > 0).then(|| rounded(i128::from(of.count) * 10_000, turns) as i64)
    }

    /// How fast they were played.
    pub fn games_per_second(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        (u128::from(self.games) * 1_000_000 / micros) as u64
    }

    /// The deterministic content with the time apart, in `timing`; what overlays change, if it was compared, in `differences`.
    pub fn to_json(&self, compared: Option<&Comparison>) -> String {
        let mut json = Json::new();
        json.object(|o| {
            self.write_content(o);
            if let Some(compared) = compared {
                o.key("differences");
                compared.write_json(o);
            }
            o.key("timing").object(|t| {
                t.key("seconds").decimal(self.elapsed.as_millis() as i64, 3);
                t.key("games_per_second").number(self.games_per_second());
            });
        });
        json.finish()
    }

    /// Without the time: equal texts mean equal play.
    pub fn content_json(&self) -> String {
        let mut json = Json::new();
        json.object(|o| self.write_content(o));
        json.finish()
    }

    fn write_content(&self, o: &mut Json) {
        o.key("game").string(&self.id);
        o.key("title").string(&self.title);
        o.key("fingerprint")
            .string(&format!("{:016x}", self.fingerprint));
        o.key("overlays")
            .array(|a| self.overlays.iter().for_each(|id| a.string(id)));
        o.key("options").object(|options| {
            for (name, value) in &self.options {
                options.key(name).string(value);
            }
        });
        o.key("players").number(self.players);
        o.key("seed").number(self.seed);
        o.key("games").number(self.games);
        o.key("games_asked").number(self.asked);
        o.key("seats")
            .array(|a| (0..self.seats.len()).for_each(|seat| self.write_seat(a, seat)));
        if let Some(turns) = &self.turns {
            o.key("turns");
            write_distribution(o, turns);
        }
        o.key("answers");
        write_distribution(o, &self.answers);
        o.key("uses").array(|a| {
            for one in &self.uses {
                a.object(|u| {
                    u.key("kind").string(one.kind.name());
                    u.key("name").string(&one.name);
                    u.key("count").number(one.count);
                    if let Some(per_turn) = self.per_turn(one) {
                        u.key("per_turn").decimal(per_turn, 4);
                    }
                });
            }
        });
        o.key("endings").array(|a| {
            for (how, _, games) in &self.endings {
                a.object(|e| {
                    e.key("how").string(how);
                    e.key("games").number(*games);
                });
            }
        });
        o.key("nobody_wins_percent").decimal(self.unwon().value, 2);
        o.key("never_used").array(|a| {
            for one in &self.unused {
                a.object(|u| {
                    u.key("table").string(&one.table);
                    u.key("of").number(one.of as u64);
                    u.key("rows")
                        .array(|rows| one.rows.iter().for_each(|row| rows.string(row)));
                });
            }
        });
        o.key("never_fired")
            .array(|a| self.unfired.iter().for_each(|name| a.string(name)));
    }

    fn write_seat(&self, a: &mut Json, seat: usize) {
        let report = &self.seats[seat];
        let wins = self.wins(seat);
        a.object(|s| {
            s.key("seat").string(&seat_name(seat));
            s.key("bot").string(report.bot.name());
            s.key("wins_percent").decimal(wins.value, 2);
            s.key("wins_low").decimal(wins.low, 2);
            s.key("wins_high").decimal(wins.high, 2);
            s.key("score");
            write_distribution(s, &report.total);
            s.key("lines").object(|l| {
                for (name, scores) in self.lines.iter().zip(&report.scores) {
                    l.key(name);
                    write_distribution(l, scores);
                }
            });
        });
    }

    /// One row for each thing measured, and three for each that was compared.
    pub fn to_csv(&self, compared: Option<&Comparison>) -> String {
        let mut text = "what,name,seat,count,mean,low,high,min,q1,median,q3,max\n".to_owned();
        for (name, value) in &self.options {
            let option = csv_field(&format!("{name} = {value}"));
            let _ = writeln!(text, "option,{option},,,,,,,,,,");
        }
        for (seat, report) in self.seats.iter().enumerate() {
            let name = seat_name(seat);
            let wins = self.wins(seat);
            let [value, low, high] = [wins.value, wins.low, wins.high].map(|v| decimal(v, 2));
            let _ = writeln!(
                text,
                "wins_percent,,{name},{},{value},{low},{high},,,,,",
                self.games
            );
            csv_row(&mut text, "score", "total", &name, &report.total);
            for (line, scores) in self.lines.iter().zip(&report.scores) {
                csv_row(&mut text, "score", line, &name, scores);
            }
        }
        if let Some(turns) = &self.turns {
            csv_row(&mut text, "turns", "", "", turns);
        }
        csv_row(&mut text, "answers", "", "", &self.answers);
        for one in &self.uses {
            let per_turn = self
                .per_turn(one)
                .map(|v| decimal(v, 4))
                .unwrap_or_default();
            let name = csv_field(&one.name);
            let _ = writeln!(
                text,
                "{},{name},,{},{per_turn},,,,,,,",
                one.kind.name(),
                one.count
            );
        }
        let [value, low, high] = {
            let unwon = self.unwon();
            [unwon.value, unwon.low, unwon.high].map(|v| decimal(v, 2))
        };
        let _ = writeln!(
            text,
            "nobody_wins_percent,,,{},{value},{low},{high},,,,,",
            self.games
        );
        for (how, _, games) in &self.endings {
            let _ = writeln!(text, "ending,{},,{games},,,,,,,,", csv_field(how));
        }
        if let Some(compared) = compared {
            compared.write_csv(&mut text);
        }
        text
    }
}

impl UseKind {
    pub fn name(self) -> &'static str {
        match self {
            UseKind::Action => "action",
            UseKind::Item => "item",
        }
    }
}

/// A, B, C, …
pub fn seat_name(seat: usize) -> String {
    u8::try_from(seat)
        .ok()
        .filter(|seat| *seat < 26)
        .map_or_else(
            || (seat + 1).to_string(),
            |seat| char::from(b'A' + seat).to_string(),
        )
}

fn write_distribution(o: &mut Json, d: &Distribution) {
    let mean = d.mean();
    o.object(|o| {
        o.key("mean").decimal(mean.value, 3);
        o.key("mean_low").decimal(mean.low, 3);
        o.key("mean_high").decimal(mean.high, 3);
        o.key("min").number(d.min());
        o.key("q1").number(d.quantile(1, 4));
        o.key("median").number(d.quantile(1, 2));
        o.key("q3").number(d.quantile(3, 4));
        o.key("max").number(d.max());
    });
}

fn csv_row(text: &mut String, what: &str, name: &str, seat: &str, d: &Distribution) {
    let mean = d.mean();
    let [value, low, high] = [mean.value, mean.low, mean.high].map(|v| decimal(v, 3));
    let (q1, median, q3) = (d.quantile(1, 4), d.quantile(1, 2), d.quantile(3, 4));
    let (name, count, min, max) = (csv_field(name), d.len(), d.min(), d.max());
    let _ = writeln!(
        text,
        "{what},{name},{seat},{count},{value},{low},{high},{min},{q1},{median},{q3},{max}"
    );
}

/// How games ended, in the order of the rules; lines that give an end the same name count together.
fn endings(
    rules: &RuleSet,
    program: &Program,
    counted: &BTreeMap<Option<EndingId>, u64>,
) -> Vec<(String, Option<Span>, u64)> {
    let mut found: Vec<(String, Option<Span>, u64)> = Vec::new();
    let lines = counted
        .iter()
        .filter_map(|(ending, games)| Some(((*ending)?, *games)));
    for (ending, games) in lines {
        let span = rules.endings[ending.index()].span;
        let how = ending_in_words(rules, program, ending);
        let named = rules.endings[ending.index()].name.is_some();
        match found.iter_mut().find(|known| named && known.0 == how) {
            Some(known) => known.2 += games,
            None => found.push((how, Some(span), games)),
        }
    }
    let through = counted
        .get(&None)
        .map(|games| ("end of the flow".to_owned(), None, *games));
    found.extend(through);
    found
}

/// `wins "four in a row"`; of a `finish` without a name where it stands: `mate: finish now`.
fn ending_in_words(rules: &RuleSet, program: &Program, ending: EndingId) -> String {
    let written = &rules.endings[ending.index()];
    let code = &program.endings[ending.index()];
    let what = match written.kind {
        EndingKind::Wins | EndingKind::WinsAlone => "wins",
        EndingKind::Loses => "loses",
        EndingKind::Draw => "draw",
        EndingKind::Finish => "finish",
    };
    if let Some(name) = written.name {
        return format!("{what} \"{}\"", rules.text(name));
    }
    let label = |label: u32| rules.labels.get(label as usize).map_or("?", |l| &l.name);
    let how = match program.code[code.pc as usize] {
        Op::Finish { label: at, .. } => format!("finish after {}", label(at.0)),
        _ => "finish now".to_owned(),
    };
    match named_around(program, code.pc as usize, &label) {
        Some(name) => format!("{name}: {how}"),
        None => how,
    }
}

/// The innermost step or body with a name that an instruction stands in.
fn named_around<'p>(
    program: &'p Program,
    pc: usize,
    label: &dyn Fn(u32) -> &'p str,
) -> Option<&'p str> {
    let place = *program.op_spans.get(pc)?;
    let bodies = program.procs.iter().filter(|proc| {
        let named = matches!(
            proc.kind,
            ProcKind::Action(_) | ProcKind::When | ProcKind::Flow
        );
        named && proc.entry as usize <= pc
    });
    let body = bodies.max_by_key(|proc| proc.entry)?;
    let steps = program.code[body.entry as usize..pc].iter();
    let steps = steps.zip(&program.op_spans[body.entry as usize..pc]);
    let around = steps.filter_map(|(op, span)| match op {
        Op::EnterStep { label, .. } if span.file == place.file => {
            (span.start <= place.start && place.end <= span.end).then_some((*label, *span))
        }
        _ => None,
    });
    match around.min_by_key(|(_, span)| span.end - span.start) {
        Some((step, _)) => Some(label(step.0)),
        None => (body.kind != ProcKind::Flow).then_some(body.name.as_str()),
    }
}

/// Actions by how often their body began, menu items by how often they were chosen.
fn uses(rules: &RuleSet, program: &Program, coverage: &Coverage) -> Vec<Use> {
    let called = |deed: Option<DeedId>, name: &str| {
        let deed = deed.and_then(|deed| rules.speech.deeds.get(deed.index()));
        deed.map_or(name, |deed| deed.name.as_str()).to_owned()
    };
    let actions = rules
        .actions
        .iter()
        .zip(&program.action_procs)
        .zip(0..)
        .map(|((action, proc), at)| Use {
            kind: UseKind::Action,
            name: action.name.clone(),
            said: called(Some(DeedId::of(ActionId(at))), &action.name),
            span: action.span,
            count: coverage.of_body(*proc),
        });
    let items = program
        .menus
        .iter()
        .flat_map(|menu| &menu.items)
        .zip(coverage.items())
        .map(|(item, count)| Use {
            kind: UseKind::Item,
            name: item.name.clone(),
            said: called(rules.speech.begun.get(&item.span).copied(), &item.name),
            span: item.span,
            count: *count,
        });
    actions.chain(items).collect()
}
