//! What happened, in sentences: one for all that belongs to one deed, with what came of it.

use super::chance::{Roll, is_rolled};
use super::fold::{Open, merged};
use super::observed::{Change, News};
use super::speech::{Chosen, change, counted, number};
use super::{Held, Words};
use crate::ask::Eyes;
use crate::game::Told;
use crate::machine::{AnswerKind, Event, Machine};
use crate::observe::Hearing;
use crate::program::*;
use crate::state::State;
use dsl::ir::{DeedId, Domain, Noun, Saying, Ty};
use dsl::source::Span;
use std::collections::BTreeSet;

/// What comes of a deed beyond what is told of itself stands in so many parts; more are not told at once.
const PARTS_MAX: usize = 5;

/// An answer as somebody hears it, and what he sees of what came of it.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Who did it.
    pub seat: u32,
    /// It was the only one.
    pub forced: bool,
    pub(super) said: Said,
    /// What the deed was given.
    pub(super) given: Vec<Chosen>,
    /// The rule that asked.
    pub span: Option<Span>,
    pub(super) news: Vec<(News, Option<Span>)>,
    /// What chance decided.
    chance: Vec<String>,
    /// What came out that all hear, for whom, and the word where it was laid.
    pub(super) rolled: Vec<Roll>,
    /// Points that everybody sees, by seat: how many more.
    points: Vec<i32>,
}

impl Heard {
    /// Only what came of it, when all had answered secretly.
    pub(super) fn without_answer(self) -> Heard {
        Heard {
            forced: false,
            said: Said::Follows,
            given: Vec::new(),
            span: None,
            ..self
        }
    }

    /// Nothing is seen of what came of it.
    pub(super) fn is_empty(&self) -> bool {
        self.news.is_empty()
            && self.chance.is_empty()
            && self.rolled.is_empty()
            && self.points.iter().all(|points| *points == 0)
    }
}

/// What is heard of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// That there was one.
    Hidden,
    /// Not even that; what came of it is seen all the same.
    Nothing,
    /// Nothing is told of it, but of what follows when all have answered secretly.
    Follows,
    /// It begins something.
    Begins(Option<DeedId>, String),
    /// Something was chosen, for a deed if it belongs to one.
    Chooses(Option<DeedId>, Vec<(Chosen, String)>),
    /// Anything else: no more, a step.
    Says(String),
    Declines(String),
    /// What was offered is not done.
    LeavesUndone(String),
}

/// A sentence of the log, and what lies folded below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Of the answers that it tells of: which of those given.
    pub answers: std::ops::Range<usize>,
    /// Who did it.
    pub seat: u32,
    /// All of its answers were the only ones.
    pub forced: bool,
    /// Something was begun, and nothing chosen or done yet.
    pub bare: bool,
    /// Without full stop.
    pub text: String,
    /// What came of it, in short; empty: nothing to be told.
    pub effects: String,
    /// Each thing that came of it, with the rule that did it.
    pub folded: Vec<(String, Option<Span>)>,
    /// Where the rules say it.
    pub span: Option<Span>,
}

impl Sentence {
    /// With what came of it, in short.
    pub fn line(&self) -> String {
        match self.effects.is_empty() {
            true => self.text.clone(),
            false => format!("{} · {}", self.text, self.effects),
        }
    }
}

impl Words<'_> {
    /// An answer as somebody hears it: all of it, that there was one, or nothing. Where he does not know what else could be
    /// answered, an only answer sounds like any other.
    pub fn heard(&self, told: &Told<'_>, hearing: Hearing, news: Vec<News>) -> Heard {
        let forced = told.forced && hearing.offer;
        let said = match (hearing.answer, forced) {
            (true, _) => match self.said_with(told) {
                Said::Begins(Some(deed), _) | Said::Chooses(Some(deed), _)
                    if self.speech().deeds[deed.index()].silent =>
                {
                    Said::Nothing
                }
                said => said,
            },
            (false, true) => Said::Nothing,
            (false, false) => Said::Hidden,
        };
        let given = match &said {
            Said::Begins(Some(deed), _) | Said::Chooses(Some(deed), _) => {
                self.given_told(told, *deed, hearing)
            }
            _ => Vec::new(),
        };
        let place = |news: &News| {
            told.events.iter().rposition(
                |event| matches!(event, Event::Write { word, .. } if news.words.contains(word)),
            )
        };
        let mut placed: Vec<(Option<usize>, News)> =
            news.into_iter().map(|one| (place(&one), one)).collect();
        placed.sort_by_key(|(at, _)| at.unwrap_or(usize::MAX));
        let news = placed.into_iter().map(|(at, news)| {
            let event = at.and_then(|at| told.events.get(at));
            (news, event.and_then(|event| self.event_span(event)))
        });
        let mut chance: Vec<String> = told
            .events
            .iter()
            .filter_map(|event| self.chance(event))
            .collect();
        chance.dedup();
        let rolled = (0..told.events.len()).filter_map(|at| self.rolled(&told.events[at..]));
        let rolled = rolled.collect();
        let pc = told.asked;
        Heard {
            seat: told.seat,
            forced,
            said,
            given,
            span: self.program.op_spans.get(pc).copied(),
            news: news.collect(),
            chance,
            rolled,
            points: Vec::new(),
        }
    }

    /// With the points that it brought everybody, as somebody sees them.
    pub fn with_points(&self, mut heard: Heard, told: &Told<'_>, eyes: Eyes) -> Heard {
        let [before, after] = [told.before, told.after].map(|state| self.points(state, eyes));
        heard.points = before
            .iter()
            .zip(&after)
            .map(|(before, after)| after.saturating_sub(*before))
            .collect();
        heard
    }

    /// Points of each seat that can be seen during the game.
    fn points(&self, state: &State, eyes: Eyes) -> Vec<i32> {
        let lines = &self.rules.scores;
        if lines.iter().all(|line| line.at_end) {
            return Vec::new();
        }
        let mut machine = Machine::new(self.program);
        machine.restore(state);
        let seats = 0..self.program.players;
        let points = seats.map(|seat| {
            let scores = machine.scores_seen(seat, eyes).into_iter();
            let scores = scores.zip(lines).filter(|(_, line)| !line.at_end);
            scores.filter_map(|(score, _)| score).sum()
        });
        points.collect()
    }

    fn said_with(&self, told: &Told<'_>) -> Said {
        let answer = told.answer;
        let parts = (answer.kind, answer.value, answer.words.as_slice());
        let text = self.answer_at(told.asked, parts);
        let pc = told.before.words()[header::PC] as usize;
        match answer.kind {
            AnswerKind::Element | AnswerKind::Part | AnswerKind::Together => {
                let span = self.choice_of(told.asked).map(|choice| choice.span);
                // What others answer in its midst they have not done.
                let own = span.filter(|span| !self.speech().asked_others.contains(span));
                let deed = own.and_then(|span| self.speech().asked.get(&span).copied());
                let chosen = self.chosen_at(told.asked, parts);
                match chosen.as_slice() {
                    [] => Said::Says(text),
                    [one] => Said::Chooses(deed, vec![(one.clone(), text)]),
                    several => {
                        let each = several.iter().map(|one| {
                            let text = self.in_words(&one.ty, &one.held);
                            (one.clone(), text)
                        });
                        Said::Chooses(deed, each.collect())
                    }
                }
            }
            AnswerKind::Item | AnswerKind::Anytime => {
                Said::Begins(self.deed_at(told.asked, answer.kind, answer.value), text)
            }
            AnswerKind::Yes => match self.begun(pc) {
                Some(deed) => {
                    let text = self.speech().deeds[deed.index()].name.clone();
                    Said::Begins(Some(deed), text)
                }
                None => {
                    let mut machine = Machine::new(self.program);
                    machine.restore(told.before);
                    let effect = self.effect_run_called(&machine);
                    Said::Begins(None, effect.unwrap_or(text))
                }
            },
            AnswerKind::Entry => Said::Begins(self.entry_deed(&answer.words), text),
            // Where nothing that has a name could be done, nothing is told.
            AnswerKind::Done if told.forced && self.declines_nothing(pc) => Said::Nothing,
            AnswerKind::Done => match self.left_undone(pc) {
                Some(deed) => Said::LeavesUndone(deed.to_owned()),
                None => Said::Declines(self.decline(pc)),
            },
            AnswerKind::Go => Said::Nothing,
            AnswerKind::Step => Said::Says(text),
        }
    }

    /// The action of an agenda's entry that is not given all it needs: what is chosen for it is told with it.
    fn entry_deed(&self, words: &[i32]) -> Option<DeedId> {
        let [proc, given, args @ ..] = words else {
            return None;
        };
        let proc = self.program.procs.get(*proc as usize)?;
        match proc.kind {
            ProcKind::Action(action) => {
                let known = self.given_args(action, *given, args).len();
                let params = self.rules.actions[action.index()].params.len();
                (*given == 0 || known < params).then(|| DeedId::of(action))
            }
            ProcKind::Effect
            | ProcKind::When
            | ProcKind::Flow
            | ProcKind::Formula
            | ProcKind::Inline => None,
        }
    }

    // ---------------------------------------------------------------------------------------------- sentences

    /// The answers heard one after the other, told in sentences: what belongs to one deed is one.
    pub fn sentences(&self, heard: &[Heard]) -> Vec<Sentence> {
        let mut all: Vec<Sentence> = Vec::new();
        let mut open: Option<Open> = None;
        for (at, one) in heard.iter().enumerate() {
            let goes_on = open.as_mut().is_some_and(|open| open.take(one));
            if !goes_on {
                all.extend(open.take().map(|open| self.close(open, heard)));
                open = Some(Open::begin(at, one));
            }
            if let Some(open) = &mut open {
                open.answers.end = at + 1;
            }
        }
        all.extend(open.map(|open| self.close(open, heard)));
        all.retain(|sentence| !sentence.text.is_empty());
        all
    }

    fn close(&self, open: Open, heard: &[Heard]) -> Sentence {
        let own = &heard[open.answers.clone()];
        let who = self.seat(open.seat as i32);
        let forced = own.iter().all(|one| one.forced);
        let text = self.told(&open, &who);
        let mentions = self.mentions(&open);
        let merged = merged(own);
        let all: Vec<(&News, Option<Span>)> =
            merged.iter().map(|(news, span)| (news, *span)).collect();
        let unsaid = all
            .iter()
            .filter(|(news, _)| !mentions.say(news, &merged) && !is_rolled(own, news));
        let unsaid: BTreeSet<u32> = unsaid.map(|(news, _)| news.words.start).collect();
        // What came to a place and went from there is told whole or not at all.
        let new = all.iter().copied();
        let mut new: Vec<_> = new
            .filter(|(news, _)| unsaid.contains(&news.words.start))
            .collect();
        if new.len() > PARTS_MAX {
            // What counts is not cut away.
            new.sort_by_key(|(news, _)| !news.counts_for_player());
        }
        let actor = (!open.follows).then_some(open.seat);
        let (mut effects, last_own) = self.effects(new, own, actor);
        let details = self.news_texts(&all, None);
        let mut folded: Vec<(String, Option<Span>)> = Vec::new();
        let chance = own.iter().flat_map(|one| &one.chance);
        let chance = chance.map(|text| (text.clone(), None));
        for line in chance.chain(details) {
            if !folded.contains(&line) {
                folded.push(line);
            }
        }
        let points = self.points_texts(own, actor, &merged);
        folded.extend(points.iter().map(|(_, text)| (text.clone(), None)));
        for (seat, text) in points {
            match Some(seat) == actor {
                true => effects.insert(last_own, text),
                false => effects.push(text),
            }
        }
        let text = match forced && !text.is_empty() {
            true => self.say(Saying::OnlyAnswer, &[("sentence", &text)]),
            false => text,
        };
        let text = match open.follows && !effects.is_empty() {
            true => self.say(Saying::Follows, &[]),
            false => text,
        };
        // What is seen of what is not heard is told without a sentence of its own.
        let (text, effects) = match (text.is_empty(), effects.is_empty()) {
            (true, false) => {
                let what = effects.join(", ");
                let text = self.say(Saying::OfOwner, &[("owner", &who), ("what", &what)]);
                (text, String::new())
            }
            _ => (text, effects.join(", ")),
        };
        let bare = open.chosen.is_empty() && open.steps.is_empty() && open.undone.is_none();
        let bare = bare && !open.hidden && !open.follows && folded.is_empty();
        Sentence {
            answers: open.answers,
            seat: open.seat,
            forced,
            bare,
            text,
            effects,
            folded,
            span: open.span,
        }
    }

    /// What came of it in short, and how much of that, from the first on, is the actor's own.
    fn effects(
        &self,
        new: Vec<(&News, Option<Span>)>,
        own: &[Heard],
        actor: Option<u32>,
    ) -> (Vec<String>, usize) {
        // First what is the actor's own: behind the name of another it would be read as his.
        let own_first = |(news, _): &(&News, Option<Span>)| match news.owner {
            Some((domain, word)) => {
                domain == Domain::Player && actor.is_some() && u32::try_from(word).ok() == actor
            }
            None => true,
        };
        let (mine, others): (Vec<_>, Vec<_>) = new.into_iter().partition(own_first);
        let [mut mine, mut others] = [mine, others].map(|news| {
            let mut texts = texts(self.news_texts(&news, actor));
            texts.dedup();
            texts
        });
        let rolls = self.rolls(own);
        let room = PARTS_MAX.saturating_sub(rolls.len());
        let is_cut = mine.len() + others.len() > room;
        if is_cut {
            mine.truncate(room.saturating_sub(1));
            others.truncate(room.saturating_sub(1 + mine.len()));
        }
        let (rolled, of_others): (Vec<_>, Vec<_>) = rolls
            .into_iter()
            .partition(|(seat, _)| actor.is_some() && u32::try_from(*seat).ok() == actor);
        let mut effects: Vec<String> = rolled.into_iter().map(|(_, what)| what).collect();
        effects.extend(mine);
        let last_own = effects.len();
        effects.extend(of_others.into_iter().map(|(seat, what)| {
            let owner = self.seat(seat);
            self.say(Saying::OfOwner, &[("owner", &owner), ("what", &what)])
        }));
        effects.extend(others);
        if is_cut {
            effects.push("…".to_owned());
        }
        (effects, last_own)
    }

    /// What somebody did, in a sentence.
    fn told(&self, open: &Open, who: &str) -> String {
        if open.hidden {
            return self.say(Saying::HasChosen, &[("who", who)]);
        }
        if let Some(deed) = &open.undone {
            return self.say(Saying::DoesNot, &[("who", who), ("deed", deed)]);
        }
        let chosen = open.chosen.iter().map(|one| &one.0);
        let values: Vec<Chosen> = open.given.iter().chain(chosen).cloned().collect();
        let deed = open.deed.map(|deed| &self.speech().deeds[deed.index()]);
        let tells = deed.and_then(|deed| deed.tells.as_ref());
        let told = tells.and_then(|phrase| self.phrase_so_far(phrase, &values));
        let is_told = |chosen: &Chosen| {
            told.is_some()
                && tells.is_some_and(|phrase| phrase.holes().any(|hole| hole == chosen.name))
        };
        // What the sentence has no hole for stands behind it; a mere number says nothing there.
        let is_number = |chosen: &Chosen| matches!(chosen.ty.required(), Ty::Int { .. });
        let rest = open
            .chosen
            .iter()
            .filter(|(chosen, _)| !(is_told(chosen) || tells.is_some() && is_number(chosen)));
        let rest = rest.map(|(_, text)| text.clone());
        let mut rest: Vec<String> = rest.chain(open.steps.iter().cloned()).collect();
        // A tile that lies as what it is.
        rest.dedup();
        match (told, open.begins.is_empty()) {
            (Some(told), _) => {
                let sentence = format!("{who} {told}");
                match rest.is_empty() {
                    true => sentence,
                    false => format!("{sentence}: {}", rest.join(", ")),
                }
            }
            (None, begun) => {
                let deed = deed.filter(|deed| begun && !deed.silent);
                let deed = deed.map(|deed| deed.name.clone());
                let begins: Vec<String> = open.begins.iter().cloned().chain(deed).collect();
                let parts = [begins.join(", "), rest.join(", ")];
                let parts: Vec<String> =
                    parts.into_iter().filter(|part| !part.is_empty()).collect();
                match parts.is_empty() {
                    true => String::new(),
                    false => {
                        let deed = parts.join(" ");
                        self.say(Saying::Does, &[("who", who), ("deed", &deed)])
                    }
                }
            }
        }
    }

    /// All that is new, what came to or went from one place together; with the rule that did it.
    fn news_texts(
        &self,
        all: &[(&News, Option<Span>)],
        actor: Option<u32>,
    ) -> Vec<(String, Option<Span>)> {
        let mut told: Vec<(String, Option<Span>)> = Vec::new();
        let mut before: Option<&News> = None;
        for (news, span) in all {
            let Some(text) = self.news_text(news, actor) else {
                continue;
            };
            match (before.map(|before| (before, &before.change)), &news.change) {
                (
                    Some((known, Change::Pieces { place: there, .. })),
                    Change::Pieces { by, piece, place },
                ) if known.owner == news.owner && there == place => {
                    if let Some((last, _)) = told.last_mut() {
                        last.push(' ');
                        last.push_str(&pieces(*by, piece));
                    }
                }
                (_, Change::Pieces { .. } | Change::Number { .. } | Change::Other(_)) => {
                    told.push((text, *span))
                }
            }
            before = Some(news);
        }
        told
    }

    /// `+2 coins`; whose, if that is not the one who acts.
    fn news_text(&self, news: &News, actor: Option<u32>) -> Option<String> {
        let what = match &news.change {
            Change::Number { old, new, noun } if old == new => {
                let _ = noun;
                return None;
            }
            Change::Number { old, new, noun } => {
                match news.owner.is_some_and(|owner| owner.0 == Domain::Player) {
                    true => change(i64::from(*new) - i64::from(*old), noun),
                    false => {
                        let (old, new) = (number(i64::from(*old)), number(i64::from(*new)));
                        self.say(
                            Saying::Changes,
                            &[("what", noun.heading()), ("old", &old), ("new", &new)],
                        )
                    }
                }
            }
            Change::Pieces { by: 0, .. } => return None,
            Change::Pieces { by, piece, place } => format!("{place} {}", pieces(*by, piece)),
            Change::Other(text) => text.clone(),
        };
        Some(match news.owner {
            Some((Domain::Player, seat))
                if actor.is_some() && actor == u32::try_from(seat).ok() =>
            {
                what
            }
            Some((domain, word)) => {
                let owner = self.called(domain, word);
                self.say(Saying::OfOwner, &[("owner", &owner), ("what", &what)])
            }
            None => what,
        })
    }

    /// The points that it brought, where no number that has changed says the same.
    fn points_texts(
        &self,
        own: &[Heard],
        actor: Option<u32>,
        merged: &[(News, Option<Span>)],
    ) -> Vec<(u32, String)> {
        let saying = self.say(Saying::Points, &[]);
        let (one, many) = saying.split_once('|').unwrap_or((&saying, &saying));
        let noun = Noun {
            one: one.to_owned(),
            many: many.to_owned(),
            counted: true,
        };
        let seats = 0..self.program.players;
        let told = seats.filter_map(|seat| {
            let by: i32 = own
                .iter()
                .filter_map(|one| one.points.get(seat as usize))
                .sum();
            let what = change(i64::from(by), &noun);
            let is_told = merged.iter().any(|(news, _)| match &news.change {
                Change::Number { old, new, noun: of } => {
                    news.owner == Some((Domain::Player, seat as i32))
                        && new.saturating_sub(*old) == by
                        && of.one == noun.one
                }
                Change::Pieces { .. } | Change::Other(_) => false,
            });
            let text = || match Some(seat) == actor {
                true => what,
                false => {
                    let owner = self.seat(seat as i32);
                    self.say(Saying::OfOwner, &[("owner", &owner), ("what", &what)])
                }
            };
            (by != 0 && !is_told).then(|| (seat, text()))
        });
        told.collect()
    }
}

/// Without the rules that did it.
fn texts(told: Vec<(String, Option<Span>)>) -> Vec<String> {
    told.into_iter().map(|(text, _)| text).collect()
}

/// `+red`, `−2 blue`, `+5 +5`
fn pieces(by: i32, piece: &str) -> String {
    let sign = if by < 0 { "−" } else { "+" };
    if by.abs() == 1 {
        return format!("{sign}{piece}");
    }
    let each = counted(by.saturating_abs(), piece.to_owned()).into_iter();
    let each: Vec<String> = each.map(|one| format!("{sign}{one}")).collect();
    each.join(" ")
}

impl Words<'_> {
    /// A value of a cell as it is held, in words.
    pub fn held_in_words(&self, slot: Slot, held: &Held) -> String {
        self.in_words(&self.rules.cells[slot.at()].ty, held)
    }
}
