//! `trackwright replay`: a recorded game is followed, shown, and verified.

use super::play::result;
use super::select::{Chosen, Game, Overlays, Wanted};
use super::simulate::{lowered, show_fault};
use super::{Exit, Failure, Outcome, Shell, numbers};
use crate::files;
use dsl::source::FileId;
use interpreter::game::Session;
use interpreter::observe::Observer;
use interpreter::playout::seat_name;
use interpreter::replay::{self, Differs, Ending, Replay, Verdict};
use interpreter::stats::written::count;
use interpreter::{Program, State};
use std::path::{Path, PathBuf};

/// Answers that are offered instead, shown at a difference.
const OFFERED_SHOWN_MAX: usize = 12;

#[derive(clap::Args)]
pub struct Args {
    /// A game written by `save` or by `simulate --keep`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show the game only up to this decision, and how it stands there
    #[arg(long, value_name = "N", value_parser = numbers::decision, allow_negative_numbers = true)]
    until: Option<usize>,
    /// Follow it under these rules instead of its own: name or path of a game
    #[arg(long = "of", value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    overlays: Overlays,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let recorded = read(shell, &args.file)?;
    let chosen = rules_of(shell, args.game.as_ref(), &args.overlays, &recorded)?;
    let players = recorded.players(&chosen)?;
    let recorded = recorded.replay;
    let program = lowered(shell, &chosen, players)?;
    let (verdict, session) = replay::follow(&chosen.rules, &program, &recorded);
    let title = shell.paint().bold(&chosen.title());
    writeln!(
        shell.out,
        "{title}: {players} players, seed {}",
        recorded.seed
    )?;
    if let Some(mut session) = session {
        show(shell, &chosen, &mut session, args.until, players)?;
    }
    tell(shell, &chosen, &verdict)?;
    Ok(if verdict.is_complete() {
        Exit::Fine
    } else {
        Exit::AtFault
    })
}

/// A recorded game and the file it comes from.
pub struct Recorded {
    pub replay: Replay,
    /// Path as shown.
    shown: String,
    text: String,
}

impl Recorded {
    /// What is wrong with a line of the header: told with its place, and with what to do there.
    fn at_line(&self, word: &str, value: &str, failure: Failure) -> Failure {
        let Failure::Call {
            message,
            mut help,
            about,
        } = failure
        else {
            return failure;
        };
        let line = format!("{word} {value}");
        let at = self
            .text
            .lines()
            .position(|one| one.trim_end() == line || one.starts_with(&format!("{line} ")));
        let place = at.map_or_else(String::new, |at| format!(":{}:{}", at + 1, word.len() + 2));
        help.retain(|line| !line.contains("`--"));
        help.push(format!("correct the line `{line}`, or follow the game under other rules with `--of`, `--with` and `--set`"));
        Failure::Call {
            message: format!("`{}{place}`: {message}", self.shown),
            help,
            about,
        }
    }

    /// What is wrong with an overlay or option that the header chooses.
    fn at_choice(&self, failure: Failure) -> Failure {
        let Failure::Call {
            about: Some(about), ..
        } = &failure
        else {
            return failure;
        };
        let replay = &self.replay;
        if let Some((name, value)) = replay.options.iter().find(|(name, _)| name == about) {
            return self.at_line("option", &format!("{name} = {value}"), failure);
        }
        match replay.overlays.iter().find(|overlay| *overlay == about) {
            Some(overlay) => self.at_line("overlay", overlay, failure),
            None => failure,
        }
    }

    /// The rules that the header chooses.
    fn own_rules(
        &self,
        shell: &mut Shell,
        game: Game,
        language: Option<&String>,
    ) -> Outcome<Chosen> {
        own_rules(shell, game, &self.replay, language).map_err(|failure| self.at_choice(failure))
    }

    /// The number of players, if these rules are for so many.
    pub fn players(&self, chosen: &Chosen) -> Outcome<u32> {
        let players = self.replay.players;
        let found = chosen.players(Some(players));
        found.map_err(|failure| self.at_line("players", &players.to_string(), failure))
    }
}

pub fn read(shell: &Shell, file: &Path) -> Outcome<Recorded> {
    let shown = files::shown(file, &shell.context.folder);
    let text = files::read_text(&shell.path(file))
        .map_err(|(message, help)| Failure::call(format!("`{shown}`: {message}"), help))?;
    match replay::parse(&text) {
        Ok(replay) => Ok(Recorded {
            replay,
            shown,
            text,
        }),
        Err(why) => Err(Failure::call(
            format!("`{shown}` {}", why.said("recorded game")),
            why.help("record one with `save FILE` in `trackwright play`, or with `trackwright simulate GAME --keep FILE`"),
        )),
    }
}

/// The rules it was played with, unless others are named.
pub fn rules_of(
    shell: &mut Shell,
    other: Option<&String>,
    overlays: &Overlays,
    recorded: &Recorded,
) -> Outcome<Chosen> {
    let game = match other {
        Some(other) => Game::open(shell, other)?,
        None => {
            let own = &recorded.replay.game;
            Game::open(shell, own).map_err(|failure| recorded.at_line("game", own, failure))?
        }
    };
    if other.is_some() || !overlays.with.is_empty() || !overlays.set.is_empty() {
        return game.choose(shell, overlays);
    }
    recorded.own_rules(shell, game, overlays.language.as_ref())
}

/// The file named by `FILE:N`, and after how many decisions; none: all.
pub fn file_and_number(at: &str) -> (&str, Option<usize>) {
    match at.rsplit_once(':') {
        // More than can be counted is more than there are.
        Some((file, number)) if number.chars().all(|c| c.is_ascii_digit()) => {
            (file, Some(number.parse().unwrap_or(usize::MAX)))
        }
        _ => (at, None),
    }
}

/// Where a recorded game stands after so many decisions, `FILE:N`, with the rules it was played with or those that are named.
pub fn position(
    shell: &mut Shell,
    wanted: &Wanted,
    at: &str,
    game: &str,
) -> Outcome<(Chosen, Program, State)> {
    let (file, until) = file_and_number(at);
    let recorded = read(shell, Path::new(file))?;
    let other = Some(&wanted.game).filter(|_| recorded.replay.game != game);
    let chosen = rules_of(shell, other, &wanted.overlays, &recorded)?;
    let players = recorded.players(&chosen)?;
    let program = lowered(shell, &chosen, players)?;
    let (_, session) = replay::follow(&chosen.rules, &program, &recorded.replay);
    let Some(session) = session else {
        return Err(Failure::call(
            format!("`{file}` cannot be set up under these rules"),
            "`trackwright replay FILE` says where it stops",
        ));
    };
    let path = session.tree().path(session.tree().current());
    let all = path.len() - 1;
    let Some(node) = path.get(until.unwrap_or(all)) else {
        return Err(Failure::call(
            format!("`{file}` has {}", count(all, "answer")),
            format!("write `{file}:N` with N from 0 to {all}"),
        ));
    };
    let state = session.tree().node(*node).state().clone();
    drop(session);
    Ok((chosen, program, state))
}

fn own_rules(
    shell: &mut Shell,
    game: Game,
    recorded: &Replay,
    language: Option<&String>,
) -> Outcome<Chosen> {
    let said = Overlays {
        language: language.cloned(),
        ..Overlays::default()
    };
    let with = game.overlays_of(recorded);
    let plain = game.choose(
        shell,
        &Overlays {
            with,
            ..said.clone()
        },
    )?;
    // Only what the rules do not say already: overlays set options too.
    let differs = |(name, value): &&(String, String)| {
        !plain.rules.options.iter().any(|option| {
            option.name == *name && crate::values::shown(&plain.rules, &option.value) == *value
        })
    };
    let set: Vec<String> = recorded
        .options
        .iter()
        .filter(differs)
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if set.is_empty() {
        return Ok(plain);
    }
    let with = plain.selection.overlays.clone();
    let overlays = Overlays { with, set, ..said };
    plain.game.choose(shell, &overlays)
}

/// Follows a game that is kept among the texts of a game, and tells of it only if it does not go to its end as it went.
/// Whether it does.
pub fn holds(shell: &mut Shell, game: &Game, file: FileId) -> Outcome<bool> {
    let text = game.loaded.sources.text(file);
    let replay = match replay::parse(text) {
        Ok(replay) => replay,
        Err(why) => {
            writeln!(shell.out, "  it {}", why.said("recorded game"))?;
            return Ok(false);
        }
    };
    let path = &game.loaded.paths[file.0 as usize];
    let recorded = Recorded {
        replay,
        shown: files::shown(path, &shell.context.folder),
        text: text.to_owned(),
    };
    let chosen = recorded.own_rules(shell, game.clone(), None);
    let chosen = chosen.and_then(|chosen| Ok((recorded.players(&chosen)?, chosen)));
    let (players, chosen) = match chosen {
        Ok(chosen) => chosen,
        Err(Failure::Call { message, help, .. }) => {
            writeln!(shell.out, "  {message}")?;
            for line in help {
                writeln!(shell.out, "  help: {line}")?;
            }
            return Ok(false);
        }
        Err(failure) => return Err(failure),
    };
    let program = lowered(shell, &chosen, players)?;
    let verdict = replay::verify(&chosen.rules, &program, &recorded.replay);
    match verdict.ending {
        Ending::Complete { over: true } => return Ok(true),
        Ending::Complete { over: false } => {
            writeln!(shell.out, "The recording stops before the game is over.")?;
        }
        _ => tell(shell, &chosen, &verdict)?,
    }
    Ok(false)
}

/// What happened, each sentence with the number of the decision behind which it stood; up to a decision also how the game stands there.
fn show(
    shell: &mut Shell,
    chosen: &Chosen,
    session: &mut Session,
    until: Option<usize>,
    players: u32,
) -> Outcome<()> {
    let path = session.tree().path(session.tree().current());
    let last = until.unwrap_or(usize::MAX).min(path.len() - 1);
    for (number, told) in session.words().story(session.tree(), &path[..=last]) {
        writeln!(shell.out, "{number:>5}  {}", told.line())?;
    }
    if until.is_some() && session.jump(last).is_ok() {
        writeln!(shell.out, "\nHow it stands after decision {last}:")?;
        let mut state = State::new();
        session.machine().save(&mut state);
        let observer = Observer::new(session.words().program);
        for line in session.words().observed(&observer.reveal(&state)) {
            writeln!(shell.out, "  {line}")?;
        }
        if let Some(seat) = session.seat() {
            let words = *session.words();
            let question = words.question(session.machine_mut());
            writeln!(
                shell.out,
                "{} is asked: {question}",
                seat_name(seat as usize)
            )?;
        }
    } else if session.is_over() {
        writeln!(shell.out)?;
        for line in result(chosen, session.machine_mut(), players).lines() {
            writeln!(shell.out, "{line}")?;
        }
    }
    writeln!(shell.out)?;
    Ok(())
}

/// Says in what the rules are other ones.
pub fn tell_differs(shell: &mut Shell, differs: &Differs) -> Outcome<()> {
    let text = format!(
        "The rules are not those it was played with: {}.",
        differs.said()
    );
    Ok(writeln!(shell.out, "{}", shell.paint().yellow(&text))?)
}

/// Whether the game goes as it went.
pub fn tell(shell: &mut Shell, chosen: &Chosen, verdict: &Verdict) -> Outcome<()> {
    let paint = shell.paint();
    if let Some(differs) = &verdict.differs {
        tell_differs(shell, differs)?;
    }
    let lines = count(verdict.followed, "line");
    match &verdict.ending {
        Ending::Complete { over } => {
            let end = if *over {
                "to its end"
            } else {
                "as far as it was recorded"
            };
            writeln!(
                shell.out,
                "{} {lines} {end}.",
                paint.green("The game goes as it went:")
            )?;
        }
        Ending::Unfit { logged, now } => {
            writeln!(
                shell.out,
                "{}\n  then  {logged}\n  now   {now}",
                paint.red("It cannot be followed under these rules:")
            )?;
        }
        Ending::Diverged(divergence) => {
            writeln!(
                shell.out,
                "{} after {lines}, at line {} of the file:",
                paint.red("The game goes another way"),
                divergence.line
            )?;
            writeln!(
                shell.out,
                "  then  {}\n  now   {}",
                divergence.logged, divergence.now
            )?;
            if !divergence.offered.is_empty() {
                let some: Vec<&str> = divergence
                    .offered
                    .iter()
                    .take(OFFERED_SHOWN_MAX)
                    .map(String::as_str)
                    .collect();
                let more = if divergence.offered.len() > some.len() {
                    ", …"
                } else {
                    ""
                };
                writeln!(shell.out, "  offered: {}{more}", some.join(", "))?;
            }
        }
        Ending::Fault { line, fault } => {
            writeln!(
                shell.out,
                "{} after {lines}, at line {line} of the file:",
                paint.red("The rules cannot go on")
            )?;
            show_fault(shell, chosen, fault)?;
        }
    }
    Ok(())
}
