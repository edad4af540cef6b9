//! `trackwright print`: cards and boards on sheets of paper, or as pictures for virtual tables.

use super::select::{Chosen, Overlays, Wanted};
use super::simulate::{lowered, show_fault};
use super::{Exit, Failure, Outcome, Shell};
use crate::board::{Area, Board, Deck, Scene};
use crate::files;
use crate::print::{self, Cut, Page, Size, changed, deck_pictures, pdf};
use interpreter::ask::Eyes;
use interpreter::game::Session;
use interpreter::stats::written::count;
use interpreter::words::listed;
use interpreter::{Program, State};
use std::path::{Path, PathBuf};

/// The board, in `--what`.
const BOARD: &str = "board";
/// The rulebook.
const RULES: &str = "rules";
/// What seats have before them.
const SEATS: &str = "seats";
/// All decks.
const CARDS: &str = "cards";
/// Of the game that is set up to be drawn.
const SEED: u64 = 1;
/// Millimetres that a side of a card or board may have.
const SIDE: std::ops::RangeInclusive<f32> = 5.0..=5_000.0;
/// Millimetres beyond its edges.
const BLEED: std::ops::RangeInclusive<f32> = 0.0..=10.0;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// What is printed: `board`, `seats` (what players have before them), `cards` (all of them), `rules` (the rulebook, with what
    /// overlays change), or names of tables (default: cards,board; with `--changed` cards)
    #[arg(long, value_name = "PART,…", value_delimiter = ',')]
    what: Vec<String>,
    /// Write sheets of paper into this file
    #[arg(long, value_name = "FILE", required_unless_present = "png")]
    pdf: Option<PathBuf>,
    /// Write the cards as pictures for a virtual table, ten in a row, seven rows: FILE-TABLE-1.png and so on
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Size of a sheet
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    paper: Paper,
    /// Size of a card: poker (63x88), mini-euro (44x67), square (50x50), or WIDTHxHEIGHT in millimetres
    #[arg(long, value_name = "SIZE", default_value = "poker", value_parser = card_size)]
    card: Size,
    /// How far the ground of cards goes on beyond their edges, in millimetres, for cuts that are not exact; marks then stand for
    /// each edge
    #[arg(long, value_name = "MM", value_parser = bleed, default_value = "0")]
    bleed: f32,
    /// How wide the board is to be, in millimetres (default: as wide as it is drawn)
    #[arg(long, value_name = "MM", value_parser = side)]
    board_width: Option<f32>,
    /// Sheets for the other sides of cards are left out
    #[arg(long)]
    no_backs: bool,
    /// Only cards that the overlays change or add, for a game that is printed already
    #[arg(long)]
    changed: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Paper {
    A4,
    Letter,
}

fn card_size(text: &str) -> Result<Size, String> {
    match text {
        "poker" => return Ok(Size::POKER),
        "mini-euro" => return Ok(Size::MINI_EURO),
        "square" => return Ok(Size::SQUARE),
        _ => {}
    }
    let parts = text.split_once(['x', '×']);
    let sides = parts.and_then(|(width, height)| Some((side(width).ok()?, side(height).ok()?)));
    let (width, height) =
        sides.ok_or("write `poker`, `mini-euro`, `square`, or a size as `63x88`")?;
    Ok(Size::new(width, height))
}

fn side(text: &str) -> Result<f32, String> {
    let number = text.trim().trim_end_matches("mm").parse::<f32>().ok();
    number
        .filter(|number| SIDE.contains(number))
        .ok_or_else(|| format!("write millimetres from {} to {}", SIDE.start(), SIDE.end()))
}

fn bleed(text: &str) -> Result<f32, String> {
    let number = text.trim().trim_end_matches("mm").parse::<f32>().ok();
    number
        .filter(|number| BLEED.contains(number))
        .ok_or_else(|| {
            format!(
                "write millimetres from {} to {}",
                BLEED.start(),
                BLEED.end()
            )
        })
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    for path in [&args.pdf, &args.png].into_iter().flatten() {
        shell.can_write(path)?;
    }
    let (chosen, players) = args.wanted.choose(shell)?;
    let drawn = Drawn::of(shell, &chosen, players)?;
    let decks = drawn.board.decks(&drawn.state, print::units(args.card));
    let mut job = Job {
        args,
        drawn,
        decks: wanted(args, &chosen, decks)?,
        told: Vec::new(),
    };
    if args.changed {
        job.only_changed(shell, &chosen, players)?;
    }
    if let Some(path) = &args.pdf {
        job.sheets(shell, &chosen, path)?;
    }
    if let Some(path) = &args.png {
        job.pictures(shell, path)?;
    }
    for line in job.told {
        writeln!(shell.out, "{line}")?;
    }
    Ok(Exit::Fine)
}

/// A board with the game set up on it.
struct Drawn {
    board: Board,
    state: State,
}

impl Drawn {
    fn of(shell: &mut Shell, chosen: &Chosen, players: u32) -> Outcome<Drawn> {
        let program: Program = lowered(shell, chosen, players)?;
        let board = super::board::drawn(shell, chosen, &program)?;
        let state = match Session::new(&chosen.rules, &program, SEED) {
            Ok(session) => {
                let tree = session.tree();
                tree.node(tree.current()).state().clone()
            }
            Err(fault) => {
                show_fault(shell, chosen, &fault)?;
                return Err(Failure::Said);
            }
        };
        Ok(Drawn { board, state })
    }
}

/// The decks that are asked for.
fn wanted(args: &Args, chosen: &Chosen, decks: Vec<Deck>) -> Outcome<Vec<Deck>> {
    let names: Vec<String> = decks.iter().map(|deck| deck.table.clone()).collect();
    let words = [BOARD, SEATS, CARDS, RULES];
    let unknown = args
        .what
        .iter()
        .find(|what| !words.contains(&what.as_str()) && !names.contains(what));
    if let Some(unknown) = unknown {
        let tables = chosen.rules.tables.iter();
        let known = tables.map(|table| &table.name).any(|name| name == unknown);
        let message = match known {
            true => format!(
                "the board of {} shows no cards of `{unknown}`",
                chosen.game.called
            ),
            false => format!("there is nothing to print that is called `{unknown}`"),
        };
        let mut all = words.map(str::to_owned).to_vec();
        all.extend(names);
        let help = format!("`--what` takes {}", listed(&all, "and"));
        return Err(Failure::call(message, help));
    }
    let all = args.what.is_empty() || args.what.iter().any(|what| what == CARDS);
    let chosen = decks.into_iter();
    Ok(chosen
        .filter(|deck| all || args.what.contains(&deck.table))
        .collect())
}

struct Job<'a> {
    args: &'a Args,
    drawn: Drawn,
    decks: Vec<Deck>,
    /// What is said when all is written.
    told: Vec<String>,
}

impl Job<'_> {
    /// Leaves the cards that lie in the game already.
    fn only_changed(&mut self, shell: &mut Shell, chosen: &Chosen, players: u32) -> Outcome<()> {
        if chosen.selection.overlays.is_empty() && chosen.selection.options.is_empty() {
            return Err(Failure::call(
                "`--changed` has nothing to compare",
                "add `--with OVERLAY` or `--set OPTION=VALUE`",
            ));
        }
        let plain = Overlays {
            language: chosen.selection.language.clone(),
            ..Overlays::default()
        };
        let base = chosen.game.clone().choose(shell, &plain)?;
        let players = base
            .players(Some(players))
            .or_else(|_| base.players(None))?;
        let drawn = Drawn::of(shell, &base, players)?;
        let before = drawn
            .board
            .decks(&drawn.state, print::units(self.args.card));
        let mut decks = Vec::new();
        for deck in &self.decks {
            let known = before.iter().find(|other| other.table == deck.table);
            let (rest, change) = changed(known, deck);
            let table = &deck.table;
            self.told.push(match change.printed.is_empty() {
                true => format!("{table}: no card is another one"),
                false => format!("{table}: {}", change.printed.join(", ")),
            });
            if !change.out.is_empty() {
                let out = change
                    .out
                    .iter()
                    .map(|(name, number)| format!("{number}× {name}"));
                let out: Vec<String> = out.collect();
                self.told
                    .push(format!("{table}: take out {}", out.join(", ")));
            }
            if !rest.faces.is_empty() {
                decks.push(rest);
            }
        }
        self.decks = decks;
        Ok(())
    }

    fn asks(&self, what: &str) -> bool {
        self.args.what.iter().any(|one| one == what)
    }

    fn sheets(&mut self, shell: &mut Shell, chosen: &Chosen, path: &Path) -> Outcome<()> {
        let args = self.args;
        let paper = match args.paper {
            Paper::A4 => Size::A4,
            Paper::Letter => Size::LETTER,
        };
        let wrong = |why: String| {
            Failure::call(
                why,
                "choose another size, or print fewer parts with `--what`",
            )
        };
        let mut pages: Vec<Page> = Vec::new();
        for deck in &self.decks {
            let cut = Cut {
                card: args.card,
                bleed: args.bleed,
            };
            let own = print::cards(deck, cut, paper, !args.no_backs).map_err(wrong)?;
            let copies: u32 = deck.faces.iter().map(|face| face.copies).sum();
            let (cards, sheets) = (count(copies as usize, "card"), count(own.len(), "sheet"));
            self.told
                .push(format!("{}: {cards} on {sheets}", deck.table));
            pages.extend(own);
        }
        let scene = self.drawn.board.scene(&self.drawn.state, Eyes::Of(None));
        for area in self.areas(&scene) {
            let width = args.board_width.unwrap_or(area.rect.width);
            let title = match area.title.is_empty() {
                true => chosen.title(),
                false => area.title.clone(),
            };
            let own = print::board(&scene, area.rect, &title, width, paper).map_err(wrong)?;
            let sheets = count(own.len(), "sheet");
            self.told
                .push(format!("{title}: {width:.0} mm wide, on {sheets}"));
            pages.extend(own);
        }
        if self.asks(RULES) {
            let own = super::rules::sheets(shell, chosen, paper);
            self.told
                .push(format!("rules: {}", count(own.len(), "sheet")));
            pages.extend(own);
        }
        if pages.is_empty() {
            return Err(Failure::call(
                "there is nothing to print",
                "`--what` says what is printed; without `--changed` all of it is",
            ));
        }
        shell.write(path, &pdf(&pages, paper, &chosen.title()))?;
        let shown = files::shown(path, &shell.context.folder);
        self.told
            .push(format!("{}: {shown}", count(pages.len(), "sheet")));
        Ok(())
    }

    /// The parts of the board that are asked for: the largest of those that are nobody's, and those of seats.
    fn areas<'s>(&self, scene: &'s Scene) -> Vec<&'s Area> {
        let size = |area: &&Area| (area.rect.width * area.rect.height) as u64;
        let common = scene.areas.iter().filter(|area| area.seat.is_none());
        let mut areas: Vec<&Area> = Vec::new();
        // Boards are not compared.
        let usual = self.args.what.is_empty() && !self.args.changed;
        if usual || self.asks(BOARD) {
            areas.extend(common.max_by_key(size));
        }
        if self.asks(SEATS) {
            areas.extend(scene.areas.iter().filter(|area| area.seat.is_some()));
        }
        areas
    }

    fn pictures(&mut self, shell: &mut Shell, path: &Path) -> Outcome<()> {
        let stem = path.with_extension("");
        for deck in &self.decks {
            let wrong = |why: String| Failure::call(why, "choose another size of cards");
            let pictures = deck_pictures(deck, self.args.card).map_err(wrong)?;
            for (at, picture) in pictures.iter().enumerate() {
                let name = format!("{}-{}-{}.png", stem.display(), deck.table, at + 1);
                shell.write(Path::new(&name), &picture.png)?;
                self.told.push(format!(
                    "{name}: {} of `{}`, {} in a row, {} rows, the back is the last",
                    count(picture.cards, "card"),
                    deck.table,
                    picture.columns,
                    picture.rows
                ));
            }
        }
        Ok(())
    }
}
