//! A recorded game as one page for a browser: the board step by step, and what happened in sentences.
//!
//! The page needs nothing from outside, and forbids itself to ask for it. Of a seat's view it holds what that seat sees, no more.

mod frames;
mod told;

use crate::board::{Board, Palette, svg};
use crate::escape::escaped;
use crate::workshop::playtest::{Eyes, LogLine, Playable, Playtest};
use dsl::assembly::ENGLISH;
use dsl::ir::Saying;
use dsl::source::Span;
use frames::Frames;
use interpreter::observe::Observer;
use interpreter::words::Words;
use serde_json::{Value, json};
use std::sync::Arc;
use told::{scores_table, steps_list};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What is told beside the game itself.
pub struct About<'a> {
    /// `Harbour Lines with 40 wagons`
    pub title: &'a str,
    /// Of the seats.
    pub names: &'a [String],
    /// Why it does not go on, if the rules fail where it stands; without full stop.
    pub stops: Option<&'a str>,
    /// The rules as a part of a page, to which its lines lead.
    pub rules: &'a str,
    /// Where in it a place of the texts is told, and what each rule is called.
    pub links: &'a dyn Fn(Span) -> Vec<(String, String)>,
}

/// The page of a game up to where it stands, as its eyes see it. `board`: how it is drawn, if it is.
pub fn page(playtest: &mut Playtest, board: Option<&Board>, about: &About) -> String {
    let (data, steps) = data(playtest, board, about);
    let data = data.to_string();
    // No end of a script, whatever names there are.
    let data = data.replace('<', "\\u003c");
    let title = escaped(about.title);
    let head = escaped(&head(playtest, about));
    let end = escaped(&end(playtest, about).unwrap_or_default());
    let words = playtest.game().words();
    let language = words.rules.speech.language.as_deref();
    let list = steps_list(&words, &steps);
    let scores = steps
        .last()
        .map_or_else(String::new, |step| scores_table(about.names, &step.scores));
    let parts = [
        ("rules", about.rules),
        ("style", STYLE),
        ("script", SCRIPT),
        ("title", &title),
        ("about", &head),
        ("end", &end),
        ("steps", &list),
        ("scores", &scores),
        ("data", &data),
        ("language", language.unwrap_or(ENGLISH)),
    ];
    let mut page = String::with_capacity(data.len() + PAGE.len() + SCRIPT.len());
    let mut rest = PAGE;
    while let Some((before, behind)) = rest.split_once("{{")
        && let Some((hole, after)) = behind.split_once("}}")
    {
        page.push_str(before);
        let mut sayings = Saying::ALL.iter();
        match (
            parts.iter().find(|(name, _)| *name == hole),
            sayings.find(|saying| saying.text() == hole),
        ) {
            (Some((_, text)), _) => page.push_str(text),
            (None, Some(saying)) => page.push_str(&escaped(&words.say(*saying, &[]))),
            (None, None) => {}
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// A step: what was said, and how many answers were behind it.
struct Step {
    line: Option<LogLine>,
    position: usize,
}

/// A step as the page tells it.
#[derive(Default)]
pub(super) struct ToldStep {
    /// What was said, and what it changed; the end behind the last one.
    pub said: String,
    /// What came of it.
    pub came: Vec<String>,
    /// The answers as they were written, where all is open.
    pub answers: Vec<String>,
    /// Where in the rules it is told, and what each of them is called.
    pub rules: Vec<(String, String)>,
    /// Each line of the scores, with what each seat has in it.
    pub scores: Vec<(String, Vec<Option<i32>>)>,
}

/// Who plays, with which options, and who looks.
fn head(playtest: &Playtest, about: &About) -> String {
    let words = playtest.game().words();
    let bots = playtest.tree().bots.iter().map(Option::as_ref);
    let seats = about.names.iter().zip(bots.chain(std::iter::repeat(None)));
    let seats = seats.map(|(name, bot)| match bot {
        Some(bot) => format!("{name} ({})", bot.recorded()),
        None => name.clone(),
    });
    let seats: Vec<String> = seats.collect();
    let seats = words.say(Saying::Players, &[("seats", &seats.join(", "))]);
    let seen = match playtest.eyes() {
        Eyes::All => words.say(Saying::AllOpen, &[]),
        Eyes::Seat(seat) => words.say(Saying::SeenBy, &[("who", &words.seat(seat as i32))]),
        Eyes::Nobody => words.say(Saying::SeenByNobody, &[]),
    };
    let options = words.options_changed();
    let options = options
        .iter()
        .map(|(name, value)| format!(" {name} = {value}."));
    format!("{seats} {seen}{}", options.collect::<String>())
}

/// How it ended, or why it does not go on; none as long as it does.
fn end(playtest: &mut Playtest, about: &About) -> Option<String> {
    let words = playtest.game().words();
    let stops = about
        .stops
        .map(|why| words.say(Saying::CannotGoOn, &[("why", why)]));
    stops.or_else(|| playtest.end())
}

/// What the script shows step by step, and the steps as the page tells them.
fn data(playtest: &mut Playtest, board: Option<&Board>, about: &About) -> (Value, Vec<ToldStep>) {
    let eyes = playtest.eyes();
    let game: Arc<Playable> = playtest.game().clone();
    let observer = Observer::new(&game.program);
    let words = game.words();
    let last = playtest.tree().position();
    let path = playtest.tree().line()[..=last].to_vec();
    let (mut pictures, mut stands) = (Frames::default(), Frames::default());
    let mut told: Vec<ToldStep> = Vec::new();
    let mut before = 0;
    for step in steps(playtest, &path) {
        playtest.jump(step.position);
        let shown = step.line.as_ref().and_then(|line| line.shown.clone());
        let (state, over) = match shown {
            Some(shown) => (shown, false),
            None => (Arc::new(playtest.position().clone()), playtest.is_over()),
        };
        if let Some(board) = board {
            let scene = board.scene(&state, eyes.into());
            let picture = svg(&scene, about.title, &Palette::light());
            pictures.add(picture.lines());
        }
        let seen = observer.seen_by(&state, eyes.into());
        let stand = words.observed(&seen);
        stands.add(stand.iter().map(String::as_str));
        let mut one = told_step(&words, step.line, told.is_empty(), about);
        one.scores = playtest.scores_of(&state, over);
        one.scores
            .retain(|(_, values)| values.iter().any(Option::is_some));
        if one.scores.len() > 1 {
            let totals = totals(&one.scores);
            one.scores.push((words.say(Saying::Total, &[]), totals));
        }
        // As the answers are written: what others answer may be hidden.
        if eyes == Eyes::All {
            let answers = path[before..=step.position].iter().skip(1);
            let answers = answers.filter_map(|id| playtest.tree().node(*id).answer());
            let names = answers.map(|(seat, text)| {
                let name = about.names.get(seat as usize);
                format!("{}: {text}", name.map_or("?", String::as_str))
            });
            one.answers = names.collect();
        }
        before = step.position;
        told.push(one);
    }
    playtest.jump(last);
    if let (Some(last), Some(end)) = (told.last_mut(), end(playtest, about)) {
        let before = if last.said.is_empty() { "" } else { " — " };
        last.said = format!("{}{before}{end}", last.said);
    }
    let scores: Vec<_> = told.iter().map(|step| &step.scores).collect();
    // With the holes that the page fills itself.
    let saying = |saying: Saying| words.rules.speech.saying(saying);
    let data = json!({
        "seats": about.names,
        "words": {
            "of": saying(Saying::StepOf),
            "play": saying(Saying::Play),
            "pause": saying(Saying::Pause),
        },
        "scores": scores,
        "boards": pictures.told(),
        "stands": stands.told(),
    });
    (data, told)
}

/// A step without its scores and answers.
fn told_step(words: &Words<'_>, line: Option<LogLine>, first: bool, about: &About) -> ToldStep {
    let mut one = ToldStep::default();
    let Some(line) = line else {
        if first {
            one.said = words.say(Saying::GameBegins, &[]);
        }
        return one;
    };
    one.said = match line.effects.as_str() {
        "" => line.text,
        effects => format!("{} · {effects}", line.text),
    };
    let spans = line.span.into_iter();
    let spans = spans.chain(line.folded.iter().filter_map(|(_, span)| *span));
    for link in spans.flat_map(about.links) {
        if !one.rules.contains(&link) {
            one.rules.push(link);
        }
    }
    one.came = line.folded.into_iter().map(|(text, _)| text).collect();
    one
}

/// The beginning, and a step for each sentence. What is told late, when a secret is over, is shown where it is told.
fn steps(playtest: &mut Playtest, path: &[interpreter::game::NodeId]) -> Vec<Step> {
    let mut steps = vec![Step {
        line: None,
        position: 0,
    }];
    let mut position = 0;
    for line in playtest.log() {
        let own = path.iter().position(|id| *id == line.node);
        position = own.map_or(position, |own| own.max(position));
        steps.push(Step {
            line: Some(line),
            position,
        });
    }
    // What came behind the last sentence.
    if position + 1 < path.len() {
        steps.push(Step {
            line: None,
            position: path.len() - 1,
        });
    }
    steps
}

/// What each seat has in all lines together, as far as all of them are seen.
fn totals(scores: &[(String, Vec<Option<i32>>)]) -> Vec<Option<i32>> {
    let seats = scores.first().map_or(0, |(_, values)| values.len());
    let of = |seat: usize| {
        let mut values = scores
            .iter()
            .map(|(_, values)| values.get(seat).copied().flatten());
        values.try_fold(0_i32, |sum, value| Some(sum.saturating_add(value?)))
    };
    (0..seats).map(of).collect()
}
