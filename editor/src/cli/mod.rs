//! The command line, as a function over arguments, surroundings and streams.

mod board;
mod bots;
mod check;
mod compare;
mod count;
mod coverage;
pub mod door;
#[cfg(feature = "window")]
mod edit;
mod find;
mod fmt;
mod gallery;
mod ids;
mod lsp;
mod merge;
mod new;
mod no_game;
mod numbers;
mod paint;
mod play;
mod points;
#[cfg(feature = "window")]
mod print;
mod replay;
mod report;
mod review;
mod rules;
mod select;
mod share;
mod sheet;
mod simulate;
mod sweep;
mod table;
mod tables;
mod test;
mod tournament;
mod train;
mod tune;

use crate::files::{self, FindError, Growing, Library, Places};
use clap::{Parser, Subcommand};
use include_dir::Dir;
use paint::Paint;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What the command line must know of the world around it.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The current folder.
    pub folder: PathBuf,
    /// Where shipped games are unpacked, if there is no games folder.
    pub user_folder: Option<PathBuf>,
    pub executable: Option<PathBuf>,
    /// How the program was started, to be typed again; none: by its name.
    pub called: Option<String>,
    /// The games that came with the program.
    pub shipped: Option<&'static Dir<'static>>,
    pub out_color: bool,
    pub err_color: bool,
    /// Whether somebody watches: progress is shown only then.
    pub out_terminal: bool,
    pub err_terminal: bool,
    /// Threads the machine can run at once.
    pub threads: usize,
    /// Whether there is a display that a window can be opened on.
    pub display: bool,
    /// Listens for Ctrl-C from then on, where that can be: true as soon as it was pressed.
    pub interrupts: Option<fn() -> &'static AtomicBool>,
}

/// Where a command reads and writes.
pub struct Streams<'s> {
    pub input: &'s mut (dyn BufRead + Send),
    pub out: &'s mut (dyn Write + Send),
    pub err: &'s mut (dyn Write + Send),
}

/// How a command ended; the process ends with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Fine = 0,
    /// The rules or the scenarios are at fault.
    AtFault = 1,
    /// The call was wrong.
    WrongCall = 2,
    /// Somebody pressed Ctrl-C: what was done until then has been told.
    Interrupted = 130,
}

/// Why a command did not come to its end.
enum Failure {
    /// The call was wrong: what it is, and what to do.
    Call {
        message: String,
        help: Vec<String>,
        /// The overlay or option that is at fault.
        about: Option<String>,
    },
    /// The rules are at fault, and that has been said.
    Said,
    Io(io::Error),
}

impl Failure {
    fn call(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Call {
            message: message.into(),
            help: vec![help.into()],
            about: None,
        }
    }

    fn about(mut self, chosen: &str) -> Failure {
        if let Failure::Call { about, .. } = &mut self {
            *about = Some(chosen.to_owned());
        }
        self
    }

    fn also(mut self, more: impl Into<String>) -> Failure {
        if let Failure::Call { help, .. } = &mut self {
            help.push(more.into());
        }
        self
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

type Outcome<T = Exit> = Result<T, Failure>;

/// Build, check and play-test the rules of board games.
///
/// Without a command, the window is opened; where there is no display, 1,000 games of the default game are played and counted.
#[derive(Parser)]
#[command(name = "trackwright", version, disable_help_subcommand = true, after_help = AFTER_HELP)]
struct Cli {
    /// The folder of the games (default: `games` here or in a folder above)
    #[arg(long = "games", value_name = "DIR")]
    games_folder: Option<PathBuf>,
    /// Without a command: open no window, even where there is a display
    #[arg(long)]
    no_window: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
GAME is the name of a folder in the games folder, or a path to one; OVERLAY the name of one of its expansions or variants.
`--games DIR` stands before the command: `trackwright --games DIR check`.
A file is written whole or not at all, and the folder that it is to lie in is made if there is none, which is told.
Exit code: 0 fine, 1 the rules or scenarios are at fault, 2 the call was wrong, 130 interrupted: what was done until then is told.";

#[derive(Subcommand)]
enum Command {
    /// Say what is wrong with games, in every declared combination of overlays and number of players
    Check(check::Args),
    /// Let bots play many games and count
    Simulate(simulate::Args),
    /// Let bots play under two rule sets, and say what differs by more than luck
    Compare(compare::Args),
    /// Play games with other option values (`--set OPTION=LOW..HIGH..STEP`, one or two of them), and show what becomes of them
    Sweep(sweep::Args),
    /// Look for the option values (`--set OPTION=LOW..HIGH`) that lead to a goal
    Tune(tune::Args),
    /// Put the parts of a simulation together that were played with `--shard`
    Merge(merge::Args),
    /// Write a page of what bots make of each game and expansion, and a table of all of them
    Gallery(gallery::Args),
    /// Look for a game in which something happens
    Find(find::Args),
    /// Let bots play against one another, on every seat alike, and rate them
    Tournament(tournament::Args),
    /// Let bots learn a game by playing it
    Train(train::Args),
    /// Play a game in the terminal, against bots and people at the same keyboard
    Play(play::Args),
    /// Play the scenarios: the worked cases of the rulebook
    Test(test::Args),
    /// Follow a recorded game, show it and say whether it goes as it went
    Replay(replay::Args),
    /// Look back at a recorded game: after which turns its seat would win less often than before
    Review(review::Args),
    /// Show the rules as text: what they are, and what an overlay changes
    Rules(rules::Args),
    /// Let bots play, and show what was never used
    Coverage(coverage::Args),
    /// Count the ways to play on, to a depth
    Count(count::Args),
    /// Draw a position as a picture
    Board(board::Args),
    /// Begin a variant, an expansion or a game
    New(new::Args),
    /// Bring rules files into their normal form
    Fmt(fmt::Args),
    /// Lay cards and boards out on sheets of paper
    #[cfg(feature = "window")]
    Print(print::Args),
    /// Make a page of a recorded game, which a friend opens in a browser
    Share(share::Args),
    /// Write a table for a spreadsheet, or take it over from one
    Table(sheet::Args),
    /// Serve a text editor: mistakes while you type, documentation, completion, renaming
    Lsp(lsp::Args),
    /// Open the window
    #[cfg(feature = "window")]
    Edit(edit::Args),
}

/// A command's surroundings and streams.
struct Shell<'s> {
    context: &'s Context,
    /// `--games`
    games: Option<PathBuf>,
    input: &'s mut (dyn BufRead + Send),
    out: &'s mut (dyn Write + Send),
    err: &'s mut (dyn Write + Send),
}

impl Shell<'_> {
    fn paint(&self) -> Paint {
        Paint {
            on: self.context.out_color,
        }
    }

    /// The place of a path given.
    fn path(&self, given: &Path) -> PathBuf {
        self.context.folder.join(given)
    }

    /// Writes a result to the file that the call named; `-` is the standard output.
    fn write(&mut self, path: &Path, contents: &[u8]) -> Outcome<()> {
        if is_output(path) {
            self.out.write_all(contents)?;
            return Ok(self.out.flush()?);
        }
        self.has_folder(path)?;
        let missing = files::missing_folder(&self.path(path));
        let written = files::write_result(&self.path(path), contents);
        written.map_err(|error| not_writable(path, &error))?;
        self.tell_made(missing)
    }

    /// A slip in a path leaves no folders behind: one is made, not several.
    fn has_folder(&self, path: &Path) -> Outcome<()> {
        let Some(missing) = files::missing_above(&self.path(path)) else {
            return Ok(());
        };
        let shown = files::shown(&missing, &self.context.folder);
        Err(Failure::call(
            format!(
                "`{}` cannot be written: there is no folder `{shown}`",
                path.display()
            ),
            format!(
                "correct the path, or make `{shown}` first: of folders that are not there only the last is made"
            ),
        ))
    }

    /// Says that a folder was made.
    fn tell_made(&mut self, folder: Option<PathBuf>) -> Outcome<()> {
        if let Some(folder) = folder {
            let shown = files::shown(&folder, &self.context.folder);
            writeln!(self.err, "the folder `{shown}` was made")?;
        }
        Ok(())
    }

    /// A result for the file that the call named, put together bit by bit.
    fn growing(&self, path: &Path) -> Outcome<Growing> {
        let to = (!is_output(path)).then(|| self.path(path));
        if to.is_some() {
            self.has_folder(path)?;
        }
        Growing::begin(to.as_deref()).map_err(|error| not_writable(path, &error))
    }

    /// Puts it where it goes.
    fn finish(&mut self, path: &Path, result: Growing) -> Outcome<()> {
        let written = result.finish(&mut *self.out);
        written.map_err(|error| not_writable(path, &error))
    }

    /// Writes a text of a game anew.
    fn rewrite(&self, path: &Path, contents: &[u8]) -> Outcome<()> {
        let written = files::write(&self.path(path), contents);
        written.map_err(|error| {
            let help = "it is a file of the game: make it writable, or copy the game's folder and change the copy";
            Failure::call(why_not_writable(path, &error), help)
        })
    }

    /// Says of a file that the call named if it could not be written.
    fn can_write(&mut self, path: &Path) -> Outcome<()> {
        if is_output(path) {
            return Ok(());
        }
        self.has_folder(path)?;
        let missing = files::missing_folder(&self.path(path));
        files::can_write(&self.path(path)).map_err(|error| not_writable(path, &error))?;
        self.tell_made(missing)
    }

    /// How this program is called; with `--games` if that was given.
    fn command(&self) -> String {
        let name = self.context.called.as_deref().unwrap_or("trackwright");
        match &self.games {
            Some(folder) => format!("{name} --games {}", typed(&folder.to_string_lossy())),
            None => name.to_owned(),
        }
    }

    /// A call of this program, to be copied.
    fn call<S: AsRef<str>>(&self, arguments: &[S]) -> String {
        let words = arguments.iter().map(|word| typed(word.as_ref()));
        std::iter::once(self.command())
            .chain(words)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn library(&self) -> Outcome<Library> {
        let places = Places {
            given: self.games.as_deref(),
            folder: &self.context.folder,
            executable: self.context.executable.as_deref(),
            user_folder: self.context.user_folder.as_deref(),
            shipped: self.context.shipped,
        };
        Library::find(&places).map_err(|error| match error {
            FindError::NoGamesIn(folder) => Failure::call(
                format!("there are no games in `{folder}`"),
                "`--games` names the folder that holds the folders of the games: each of these has a `game.toml`",
            ),
            FindError::Nowhere(why) => {
                Failure::call(format!("there is no games folder here or above, and none could be made: {why}"), "name one with `--games DIR`")
            }
        })
    }
}

/// Whether a file that the call named is the standard output.
fn is_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A word as it is typed into a shell: in quotes where it would be taken for several, or for something else.
fn typed(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn not_writable(path: &Path, error: &io::Error) -> Failure {
    Failure::call(
        why_not_writable(path, error),
        "name another file, in a folder that you may write to",
    )
}

fn why_not_writable(path: &Path, error: &io::Error) -> String {
    let why = files::in_words(error);
    format!("`{}` cannot be written: {why}", path.display())
}

/// The output as long as somebody reads it. Who has seen enough (`| head`) still gets the files that the command writes.
struct WhileRead<'s> {
    out: &'s mut (dyn Write + Send),
    closed: bool,
}

impl<'s> WhileRead<'s> {
    fn new(out: &'s mut (dyn Write + Send)) -> WhileRead<'s> {
        WhileRead { out, closed: false }
    }

    fn unless_closed<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl Write for WhileRead<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.unless_closed(flushed, ())
    }
}

/// Runs one command; `arguments` come without the program's name. The result is the exit code.
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    context: &Context,
    streams: &mut Streams,
) -> u8 {
    let name = std::iter::once(OsString::from("trackwright"));
    let arguments = name.chain(arguments.into_iter().map(Into::into));
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return explain(&error, context, streams) as u8,
    };
    let (mut out, mut err) = (WhileRead::new(streams.out), WhileRead::new(streams.err));
    let mut shell = Shell {
        context,
        games: cli.games_folder,
        input: streams.input,
        out: &mut out,
        err: &mut err,
    };
    let outcome = match cli.command {
        #[cfg(feature = "window")]
        None if context.display && !cli.no_window => edit::run_default(&mut shell),
        None => simulate::run_default(&mut shell),
        Some(Command::Check(args)) => check::run(&mut shell, &args),
        Some(Command::Simulate(args)) => simulate::run(&mut shell, &args),
        Some(Command::Compare(args)) => compare::run(&mut shell, &args),
        Some(Command::Sweep(args)) => sweep::run(&mut shell, &args),
        Some(Command::Tune(args)) => tune::run(&mut shell, &args),
        Some(Command::Merge(args)) => merge::run(&mut shell, &args),
        Some(Command::Gallery(args)) => gallery::run(&mut shell, &args),
        Some(Command::Find(args)) => find::run(&mut shell, &args),
        Some(Command::Tournament(args)) => tournament::run(&mut shell, &args),
        Some(Command::Train(args)) => train::run(&mut shell, &args),
        Some(Command::Rules(args)) => rules::run(&mut shell, &args),
        Some(Command::Coverage(args)) => coverage::run(&mut shell, &args),
        Some(Command::Count(args)) => count::run(&mut shell, &args),
        Some(Command::Board(args)) => board::run(&mut shell, &args),
        Some(Command::New(args)) => new::run(&mut shell, &args),
        Some(Command::Test(args)) => test::run(&mut shell, &args),
        Some(Command::Play(args)) => play::run(&mut shell, &args),
        Some(Command::Replay(args)) => replay::run(&mut shell, &args),
        Some(Command::Review(args)) => review::run(&mut shell, &args),
        Some(Command::Fmt(args)) => fmt::run(&mut shell, &args),
        #[cfg(feature = "window")]
        Some(Command::Print(args)) => print::run(&mut shell, &args),
        Some(Command::Share(args)) => share::run(&mut shell, &args),
        Some(Command::Table(args)) => sheet::run(&mut shell, &args),
        Some(Command::Lsp(args)) => lsp::run(&mut shell, &args),
        #[cfg(feature = "window")]
        Some(Command::Edit(args)) => edit::run(&mut shell, &args),
    };
    let exit = outcome.unwrap_or_else(|failure| tell(&failure, context, streams));
    let _ = streams.out.flush();
    exit as u8
}

/// Help and version go out, wrong calls go to the error stream.
fn explain(error: &clap::Error, context: &Context, streams: &mut Streams) -> Exit {
    let text = error.render();
    let shown = |color| {
        if color {
            text.ansi().to_string()
        } else {
            text.to_string()
        }
    };
    if error.use_stderr() {
        let _ = write!(streams.err, "{}", shown(context.err_color));
        Exit::WrongCall
    } else {
        let _ = write!(streams.out, "{}", shown(context.out_color));
        Exit::Fine
    }
}

fn tell(failure: &Failure, context: &Context, streams: &mut Streams) -> Exit {
    match failure {
        Failure::Said => Exit::AtFault,
        Failure::Io(error) => {
            let paint = Paint {
                on: context.err_color,
            };
            let _ = writeln!(
                streams.err,
                "{} {}",
                paint.red("error:"),
                crate::files::in_words(error)
            );
            Exit::WrongCall
        }
        Failure::Call { message, help, .. } => {
            let paint = Paint {
                on: context.err_color,
            };
            let _ = writeln!(streams.err, "{} {message}", paint.red("error:"));
            for line in help {
                let _ = writeln!(streams.err, "  {} {line}", paint.cyan("help:"));
            }
            Exit::WrongCall
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        super::Cli::command().debug_assert();
    }
}
