//! What many games came to.

use super::Spec;
use super::close;
use super::endings::End;
use super::figures::Figures;
use super::links::Link;
use super::named::Named;
use super::tally::Tally;
use super::unused::{self, UnusedRows};
use super::uses::UseKind;
use crate::Program;
use crate::bots::Bot;
use crate::coverage::Coverage;
use crate::stats::{Distribution, Estimate, VICTORY_PARTS, luck, rounded, share};
use crate::words::Words;
use dsl::ir::{Domain, RuleSet};
use dsl::source::Span;
use std::time::Duration;

/// Everything but `elapsed` is the same whenever the same games are played.
#[derive(Clone, Debug)]
pub struct Report {
    /// Id of the game.
    pub id: String,
    /// Title of the game, for people.
    pub title: String,
    /// Of the rule set: games of the same rules have the same.
    pub fingerprint: u64,
    /// The overlays in force.
    pub overlays: Vec<String>,
    /// Options with another value than the game declares, and that value.
    pub options: Vec<(String, String)>,
    /// Number of players.
    pub players: u32,
    /// Of which all games follow.
    pub seed: u64,
    /// Who sat on which seat.
    pub bots: Vec<Bot>,
    /// Games played to their end; fewer than `asked` when cancelled.
    pub games: u64,
    /// Games that were asked for.
    pub asked: u64,
    /// Names of the score lines.
    pub lines: Vec<String>,
    /// What people call them.
    pub headings: Vec<String>,
    /// What is counted of each game.
    pub figures: Figures,
    /// What was counted.
    pub tally: Tally,
    /// How often each action, row and option was used.
    pub uses: Vec<Use>,
    /// How games ended.
    pub endings: Vec<Ended>,
    /// Ways to end that the rules know and in which no game ended.
    pub never_ended: Vec<Ended>,
    /// Rows of tables that were in play and that no game used.
    pub unused: Vec<UnusedRows>,
    /// `when`s that never fired, and rule ids of which nothing ever happened.
    pub unfired: Vec<String>,
    /// What is written as a requirement and refused nothing in the games that were looked at closely.
    pub never_refused: Vec<Span>,
    /// What goes with winning by more than luck, the closest first.
    pub linked: Vec<Linked>,
    /// Of so many questions what goes with winning was asked.
    pub links_asked: usize,
    /// How long playing took.
    pub elapsed: Duration,
}

/// A way in which games ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// `wins "four in a row"`; of a `finish` without a name where it stands: `mate: finish now`.
    pub how: String,
    /// As people say it, in the language chosen: `"four in a row"`.
    pub said: String,
    /// Where the first line stands that brings it; none: the flow was through.
    pub span: Option<Span>,
    /// How many games.
    pub games: u64,
}

/// How often something was done in all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What sort of thing.
    pub kind: UseKind,
    /// As the rules call it.
    pub name: String,
    /// What people call it.
    pub said: String,
    /// Where it is declared.
    pub span: Span,
    /// How often it was used in all games together.
    pub count: u64,
}

/// What a seat had more of than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkedWith {
    /// It did something more often.
    Done,
    /// Its answers named something more often.
    Named,
    /// It held more of something at a quarter of the game.
    Early,
}

/// Something that who has more of than the others in the game wins more often, or less often, than who has less.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// What sort of thing was held or led in.
    pub with: LinkedWith,
    /// As the rules call it.
    pub name: String,
    /// What people call it.
    pub said: String,
    /// Games in which seats differed in it, and somebody won.
    pub games: u64,
    /// How often luck alone makes so close a link, corrected for all that was asked.
    pub luck: f64,
    /// Victories of who had more, and of who had less, in hundredths of a percent.
    pub more: Estimate,
    /// How often who has less of it wins.
    pub less: Estimate,
    /// How often both together win, in hundredths of a percent.
    pub even: i64,
}

impl Report {
    /// Of games that were counted.
    pub fn new(rules: &RuleSet, program: &Program, spec: &Spec, tally: Tally) -> Report {
        let figures = Figures::new(rules, program);
        let words = Words::new(rules, program);
        let count = |at: usize| tally.figures.get(at).map_or(0, |all| all.sum() as u64);
        let uses = figures.deeds.iter().enumerate().map(|(at, deed)| Use {
            kind: deed.kind,
            name: deed.name.clone(),
            said: deed.said.clone(),
            span: deed.span,
            count: count(figures.done(at)),
        });
        let uses = uses.collect();
        let ends = figures.ends.iter().enumerate();
        let ends = ends.map(|(at, end)| (end, count(figures.ending(at)) / VICTORY_PARTS));
        let (came, never): (Vec<_>, Vec<_>) = ends.partition(|(_, games)| *games > 0);
        let ended = |(end, games): (&End, u64)| Ended {
            how: end.how.clone(),
            said: end.said.clone(),
            span: end.span,
            games,
        };
        let endings = came.into_iter().map(ended).collect();
        let never = never.into_iter().filter(|(end, _)| end.span.is_some());
        let never_ended = never.map(ended).collect();
        let (linked, links_asked) = linked(&words, &figures, &tally);
        Report {
            id: rules.id.clone(),
            title: rules.title.clone(),
            fingerprint: rules.fingerprint(),
            overlays: rules.overlays().map(|layer| layer.id.clone()).collect(),
            options: words.options_changed(),
            players: program.players,
            seed: spec.seed,
            bots: spec.seated(program.players),
            games: tally.games,
            asked: spec.games,
            lines: rules.scores.iter().map(|line| line.name.clone()).collect(),
            headings: rules
                .speech
                .scores
                .iter()
                .map(|noun| noun.heading().to_owned())
                .collect(),
            uses,
            endings,
            never_ended,
            unused: tally.rows.clone().unused(&words, &tally.named),
            unfired: unused::unfired(rules, program, &tally.coverage),
            never_refused: tally
                .coverage
                .requirements(program)
                .into_iter()
                .filter(|one| one.refused == 0)
                .map(|one| one.span)
                .collect(),
            linked,
            links_asked,
            figures,
            tally,
            elapsed: Duration::ZERO,
        }
    }

    /// What people call a line of the score.
    pub fn heading<'r>(&'r self, line: &'r str) -> &'r str {
        let mut lines = self.lines.iter().zip(&self.headings);
        let found = lines.find(|(name, _)| *name == line);
        found.map_or(line, |(_, heading)| heading)
    }

    /// Every game asked for was played to its end.
    pub fn is_complete(&self) -> bool {
        self.games == self.asked
    }

    /// How often statements ran and requirements refused.
    pub fn coverage(&self) -> &Coverage {
        &self.tally.coverage
    }

    /// How often answers named each element.
    pub fn named(&self) -> &Named {
        &self.tally.named
    }

    /// What the games came to in a figure, by its place in [`Figures::all`].
    pub fn of(&self, figure: usize) -> &Distribution {
        &self.tally.figures[figure]
    }

    /// The mean of a figure with its interval, in the decimals of its unit.
    pub fn mean(&self, figure: usize) -> Estimate {
        self.figures.all[figure].unit.mean(self.of(figure))
    }

    /// Victories of a seat in [`VICTORY_PARTS`]; a shared victory counts in parts.
    pub fn victories(&self, seat: usize) -> u64 {
        self.of(self.figures.wins(seat)).sum().max(0) as u64
    }

    /// Victories of a seat in hundredths of a percent.
    pub fn wins(&self, seat: usize) -> Estimate {
        self.mean(self.figures.wins(seat))
    }

    /// Games that a seat won, alone or with others.
    pub fn games_won(&self, seat: usize) -> u64 {
        (1..=self.figures.players as u64)
            .map(|winners| self.won_among(seat, winners))
            .sum()
    }

    /// Games that a seat won as one of so many.
    pub(super) fn won_among(&self, seat: usize, winners: u64) -> u64 {
        let part = (VICTORY_PARTS / winners) as i64;
        self.of(self.figures.wins(seat)).times(part)
    }

    /// How often a seat won, alone or with others, in hundredths of a percent.
    pub fn among_winners(&self, seat: usize) -> Estimate {
        share(self.games_won(seat) * VICTORY_PARTS, self.games)
    }

    /// Whether most who won did so together with others, as teams do: parts of a victory then tell little.
    pub fn is_shared(&self) -> bool {
        let seats = 0..self.figures.players;
        let alone: u64 = seats.clone().map(|seat| self.won_among(seat, 1)).sum();
        let all: u64 = seats.map(|seat| self.games_won(seat)).sum();
        all > 2 * alone
    }

    /// Points of a seat; none without a score.
    pub fn score(&self, seat: usize) -> Option<&Distribution> {
        Some(self.of(self.figures.score(seat)?))
    }

    /// Points of a seat from a line of the score; none without that.
    pub fn line(&self, seat: usize, line: usize) -> Option<&Distribution> {
        (line < self.figures.lines).then(|| self.of(self.figures.line(seat, line)))
    }

    /// Points of all seats together.
    pub fn all_scores(&self) -> Distribution {
        let mut all = Distribution::default();
        let seats = (0..self.figures.players).filter_map(|seat| self.score(seat));
        seats.for_each(|seat| all.merge(seat));
        all
    }

    /// Points of all seats from a line of the score.
    pub fn all_of_line(&self, line: usize) -> Distribution {
        let mut all = Distribution::default();
        let seats = (0..self.figures.players).filter_map(|seat| self.line(seat, line));
        seats.for_each(|seat| all.merge(seat));
        all
    }

    /// Passes of the step `turn` in a game, if the rules have one.
    pub fn turns(&self) -> Option<&Distribution> {
        let turns = self.of(self.figures.turns()?);
        (!turns.is_empty()).then_some(turns)
    }

    /// Answers in a game, those that were the only ones included.
    pub fn answers(&self) -> &Distribution {
        self.of(self.figures.answers())
    }

    /// Games that nobody won: drawn, or lost by all.
    pub fn unwon(&self) -> u64 {
        self.of(self.figures.nobody()).sum() as u64 / VICTORY_PARTS
    }

    /// Games that were broken off after [`crate::bounds::PLAYOUT_ANSWERS_MAX`] answers.
    pub fn endless(&self) -> u64 {
        self.of(self.figures.endless()).sum() as u64 / VICTORY_PARTS
    }

    /// How often something is done in a turn, in ten-thousandths; none without turns.
    pub fn per_turn(&self, of: &Use) -> Option<i64> {
        let turns = self.turns().map_or(0, Distribution::sum);
        (turns > 0).then(|| rounded(i128::from(of.count) * 10_000, turns) as i64)
    }

    /// The number of the closest game and of the most one-sided one, with the points between the first two; where nobody scores,
    /// of the shortest and of the longest, with their answers.
    pub fn extremes(&self) -> Option<[(u64, i64); 2]> {
        let (least, greatest) = self.tally.least.zip(self.tally.greatest)?;
        Some([least, greatest].map(|(value, game)| (game, value)))
    }

    /// How fast they were played.
    pub fn games_per_second(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        (u128::from(self.games) * 1_000_000 / micros) as u64
    }
}

/// What goes with winning by more than luck, and how much was asked for.
fn linked(words: &Words<'_>, figures: &Figures, tally: &Tally) -> (Vec<Linked>, usize) {
    let deeds = figures.deeds.iter().zip(&tally.done);
    let deeds = deeds.map(|(deed, link)| {
        let names = (deed.name.clone(), deed.said.clone());
        (LinkedWith::Done, names, link)
    });
    // Which actions were chosen is known better from what was done.
    let elements = tally.named.links();
    let elements = elements.filter(|(domain, ..)| *domain != Domain::Action);
    let elements = elements.map(|(domain, word, link)| {
        let names = (words.element(domain, word), words.called(domain, word));
        (LinkedWith::Named, names, link)
    });
    let holdings = close::holdings(words.rules, words.program).into_iter();
    let early = holdings.zip(&tally.early).map(|(holding, link)| {
        let names = (holding.name.clone(), holding.said);
        (LinkedWith::Early, names, link)
    });
    let asked: Vec<(LinkedWith, (String, String), &Link)> = deeds
        .chain(elements)
        .chain(early)
        .filter(|(.., link)| link.games > 0)
        .collect();
    let each: Vec<f64> = asked.iter().map(|(.., link)| link.luck()).collect();
    let corrected = luck::holm(&each);
    let count = asked.len();
    let sure = asked.into_iter().zip(corrected);
    let sure = sure.filter(|(_, luck)| *luck < luck::LEVEL);
    let mut linked: Vec<Linked> = sure
        .map(|((with, (name, said), link), luck)| Linked {
            with,
            name,
            said,
            games: link.games,
            luck,
            more: share(link.more.1, link.more.0),
            less: share(link.less.1, link.less.0),
            even: share(link.more.1 + link.less.1, link.more.0 + link.less.0).value,
        })
        .collect();
    linked.sort_by_key(|one| std::cmp::Reverse((one.more.value - one.less.value).abs()));
    // What always goes together is one thing.
    let what = |one: &Linked| (one.with, one.games, one.more, one.less);
    linked.dedup_by(|one, before| what(one) == what(before));
    (linked, count)
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
