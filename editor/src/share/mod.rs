//! A recorded game as one page for a browser: the board step by step, and what happened in sentences.
//!
//! The page needs nothing from outside, and forbids itself to ask for it. Of a seat's view it holds what that seat sees, no more.

mod frames;

use crate::board::{Board, Palette, svg};
use crate::escape::escaped;
use crate::workshop::playtest::{Eyes, LogLine, Playable, Playtest};
use dsl::assembly::ENGLISH;
use dsl::ir::Saying;
use dsl::source::Span;
use frames::Frames;
use interpreter::observe::Observer;
use serde_json::{Value, json};
use std::sync::Arc;

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
    let data = data(playtest, board, about).to_string();
    // No end of a script, whatever names there are.
    let data = data.replace('<', "\\u003c");
    let title = escaped(about.title);
    let words = playtest.game().words();
    let language = words.rules.speech.language.as_deref();
    let parts = [
        ("rules", about.rules),
        ("style", STYLE),
        ("script", SCRIPT),
        ("title", &title),
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

fn data(playtest: &mut Playtest, board: Option<&Board>, about: &About) -> Value {
    let eyes = playtest.eyes();
    let game: Arc<Playable> = playtest.game().clone();
    let observer = Observer::new(&game.program);
    let words = game.words();
    let last = playtest.tree().position();
    let path = playtest.tree().line()[..=last].to_vec();
    let (mut pictures, mut stands) = (Frames::default(), Frames::default());
    let mut told = Vec::new();
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
        let mut scores = playtest.scores_of(&state, over);
        scores.retain(|(_, values)| values.iter().any(Option::is_some));
        if scores.len() > 1 {
            scores.push((words.say(Saying::Total, &[]), totals(&scores)));
        }
        let scores = scores.iter();
        let scores: Vec<Value> = scores.map(|(name, values)| json!([name, values])).collect();
        let mut one = json!({ "at": step.position, "scores": scores });
        if let Some(line) = step.line {
            one["said"] = json!(line.text);
            one["effects"] = json!(line.effects);
            let folded = line.folded.iter().map(|(text, _)| text);
            one["came"] = json!(folded.collect::<Vec<_>>());
            let spans = line.span.into_iter();
            let spans = spans.chain(line.folded.iter().filter_map(|(_, span)| *span));
            let mut rules: Vec<(String, String)> = Vec::new();
            for link in spans.flat_map(about.links) {
                if !rules.contains(&link) {
                    rules.push(link);
                }
            }
            one["rules"] = json!(rules);
        }
        // As the answers are written: what others answer may be hidden.
        if eyes == Eyes::All {
            let answers = path[before..=step.position].iter().skip(1);
            let answers = answers.filter_map(|id| playtest.tree().node(*id).answer());
            let names = answers.map(|(seat, text)| {
                let name = about.names.get(seat as usize);
                format!("{}: {text}", name.map_or("?", String::as_str))
            });
            one["answers"] = json!(names.collect::<Vec<_>>());
        }
        before = step.position;
        told.push(one);
    }
    playtest.jump(last);
    let stops = about
        .stops
        .map(|why| words.say(Saying::CannotGoOn, &[("why", why)]));
    let end = stops.or_else(|| playtest.end());
    let seats = words.say(Saying::Players, &[("seats", &about.names.join(", "))]);
    let seen = match eyes {
        Eyes::All => words.say(Saying::AllOpen, &[]),
        Eyes::Seat(seat) => words.say(Saying::SeenBy, &[("who", &words.seat(seat as i32))]),
        Eyes::Nobody => words.say(Saying::SeenByNobody, &[]),
    };
    // With the holes that the page fills itself.
    let saying = |saying: Saying| words.rules.speech.saying(saying);
    json!({
        "title": about.title,
        "seats": about.names,
        "about": format!("{seats} {seen}"),
        "words": {
            "begins": saying(Saying::GameBegins),
            "rule": saying(Saying::RuleNamed),
            "of": saying(Saying::StepOf),
            "play": saying(Saying::Play),
            "pause": saying(Saying::Pause),
        },
        "end": end,
        "steps": told,
        "boards": pictures.told(),
        "stands": stands.told(),
    })
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
