//! `trackwright print`: cards and boards on sheets of paper, or as pictures for virtual tables.

use super::select::{Chosen, Overlays, Wanted};
use super::simulate::{lowered, show_fault};
use super::{Exit, Failure, Outcome, Shell};
use crate::board::{Area, Board, Cards, Deck, Fonts, Form, Rect, Scene};
use crate::files;
use crate::print::{self, Cut, Page, Size, changed, deck_pictures, pdf};
use dsl::ir::Saying;
use interpreter::game::Session;
use interpreter::stats::written::count;
use interpreter::words::listed;
use interpreter::{Fault, Machine, Program, State};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The board, in `--what`.
const BOARD: &str = "board";
/// The rulebook.
const RULES: &str = "rules";
/// What seats have before them.
const SEATS: &str = "seats";
/// All decks.
const CARDS: &str = "cards";
/// Of the games that are set up to be drawn: what is not the same in all of them is not printed.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;
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
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// Write the cards as pictures for a virtual table, ten in a row, seven rows: FILE-TABLE-1.png and so on
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Size of a sheet (default: a4)
    #[arg(long, value_name = "PAPER")]
    paper: Option<Paper>,
    /// Size of a card: poker (63x88), mini-euro (44x67), square (50x50), WIDTHxHEIGHT in millimetres, or hex:ACROSS for tiles, with
    /// the millimetres between two sides
    #[arg(long, value_name = "SIZE", default_value = "poker", value_parser = card_size, allow_hyphen_values = true)]
    card: Card,
    /// How far the ground of cards goes on beyond their edges, in millimetres, for cuts that are not exact; marks then stand for
    /// each edge (default: 0)
    #[arg(long, value_name = "MM", value_parser = bleed, allow_hyphen_values = true)]
    bleed: Option<f32>,
    /// How wide the board is to be, in millimetres (default: as wide as it is drawn)
    #[arg(long, value_name = "MM", value_parser = side, allow_hyphen_values = true)]
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

impl Args {
    /// What is asked for and would come to nothing.
    fn in_vain(&self) -> Option<Failure> {
        let of_sheets = [
            ("--paper", self.paper.is_some()),
            ("--bleed", self.bleed.is_some()),
            ("--no-backs", self.no_backs),
            ("--board-width", self.board_width.is_some()),
        ];
        let named = of_sheets.iter().find(|(_, given)| *given);
        if let Some((option, _)) = named.filter(|_| self.pdf.is_none()) {
            let message = format!("`{option}` is about sheets of paper, and none are asked for");
            return Some(Failure::call(message, "add `--pdf FILE`, or leave it out"));
        }
        let mut parts = self.what.iter();
        let whole = parts.find(|what| [BOARD, SEATS].contains(&what.as_str()));
        whole.filter(|_| self.changed).map(|part| {
            let message = format!("`--changed` compares cards, and no `{part}`");
            Failure::call(message, "leave one of the two out")
        })
    }

    /// Whether cards alone are asked for.
    fn is_cards(&self) -> bool {
        let board = |what: &String| [BOARD, SEATS].contains(&what.as_str());
        match self.what.is_empty() {
            true => self.changed || self.pdf.is_none(),
            false => !self.what.iter().any(board),
        }
    }
}

/// What cards are cut to.
#[derive(Clone, Copy)]
enum Card {
    Sized(Size),
    /// Hexes that lie as those of the board, with so much between two sides.
    Hex(f32),
}

impl Card {
    fn size(self, board: &Board) -> Size {
        match self {
            Card::Sized(size) => size,
            Card::Hex(across) => {
                let size = board.hex_size(across);
                Size::new(size.width, size.height)
            }
        }
    }
}

fn card_size(text: &str) -> Result<Card, String> {
    match text {
        "poker" => return Ok(Card::Sized(Size::POKER)),
        "mini-euro" => return Ok(Card::Sized(Size::MINI_EURO)),
        "square" => return Ok(Card::Sized(Size::SQUARE)),
        _ => {}
    }
    if let Some(across) = text.strip_prefix("hex:") {
        return side(across).map(Card::Hex);
    }
    with_point(text)?;
    let parts = text.split_once(['x', '×']);
    let sides = parts.and_then(|(width, height)| Some((side(width).ok()?, side(height).ok()?)));
    let (width, height) = sides.ok_or_else(|| {
        format!(
            "write `poker`, `mini-euro`, `square`, a size as `63x88`, or `hex:90`, each side from {} to {} mm",
            SIDE.start(),
            SIDE.end()
        )
    })?;
    Ok(Card::Sized(Size::new(width, height)))
}

/// Numbers as the options want them.
fn with_point(text: &str) -> Result<(), String> {
    match text.contains(',') {
        true => Err(format!("write a point: `{}`", text.replace(',', "."))),
        false => Ok(()),
    }
}

fn side(text: &str) -> Result<f32, String> {
    with_point(text)?;
    let number = text.trim().trim_end_matches("mm").parse::<f32>().ok();
    number
        .filter(|number| SIDE.contains(number))
        .ok_or_else(|| format!("write millimetres from {} to {}", SIDE.start(), SIDE.end()))
}

fn bleed(text: &str) -> Result<f32, String> {
    with_point(text)?;
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
    if args.pdf.is_none() && args.png.is_none() {
        return Err(Failure::call(
            "it is not said what to write",
            "`--pdf FILE` for sheets of paper, `--png FILE` for pictures of the cards",
        ));
    }
    if let Some(failure) = args.in_vain() {
        return Err(failure);
    }
    if let Some(path) = &args.pdf {
        shell.can_write(path)?;
    }
    let (chosen, players) = args.wanted.choose(shell)?;
    let drawn = Drawn::of(shell, &chosen, players, args.is_cards())?;
    let decks = drawn.decks(args.card);
    let mut job = Job {
        args,
        card: args.card.size(&drawn.board),
        drawn,
        decks: wanted(args, &chosen, decks)?,
        told: Vec::new(),
    };
    if job.decks.is_empty() && job.asks(CARDS) {
        let called = &chosen.game.called;
        job.told
            .push(format!("{CARDS}: the board of {called} shows none"));
    }
    if args.changed {
        job.only_changed(shell, &chosen, players)?;
    }
    let pictures = match &args.png {
        Some(path) => job.pictures(shell, &chosen, path)?,
        None => Vec::new(),
    };
    if let Some(path) = &args.pdf {
        job.sheets(shell, &chosen, path)?;
    }
    for (name, png) in pictures {
        shell.write(Path::new(&name), &png)?;
    }
    job.missing();
    for line in job.told {
        writeln!(shell.out, "{line}")?;
    }
    Ok(Exit::Fine)
}

/// A board with the game set up on it.
struct Drawn {
    board: Board,
    /// Each with other luck.
    states: Vec<State>,
}

impl Drawn {
    /// `cards`: nothing else is wanted, so that a game which cannot be set up yet does as well.
    fn of(shell: &mut Shell, chosen: &Chosen, players: u32, cards: bool) -> Outcome<Drawn> {
        let program: Program = lowered(shell, chosen, players)?;
        let board = super::board::drawn(shell, chosen, &program)?;
        let set_up = |seed: u64| -> Result<State, Fault> {
            let session = Session::new(&chosen.rules, &program, seed)?;
            let tree = session.tree();
            Ok(tree.node(tree.current()).state().clone())
        };
        let states: Result<Vec<State>, Fault> = SEEDS.map(set_up).collect();
        match states {
            Ok(states) => Ok(Drawn { board, states }),
            Err(fault) => {
                show_fault(shell, chosen, &fault)?;
                if !cards {
                    return Err(Failure::Said);
                }
                writeln!(
                    shell.err,
                    "the game cannot be set up: its cards are as they lie before that"
                )?;
                let mut machine = Machine::new(&program);
                machine.begin(*SEEDS.start());
                let mut state = State::new();
                machine.save(&mut state);
                let states = vec![state];
                Ok(Drawn { board, states })
            }
        }
    }

    fn decks(&self, card: Card) -> Vec<Deck> {
        let cards = Cards {
            size: print::units(card.size(&self.board)),
            hex: matches!(card, Card::Hex(_)),
            least: print::LEAST * print::UNITS,
        };
        let first = self.states.first();
        first.map_or_else(Vec::new, |state| self.board.decks(state, cards))
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
    let cards = args.what.iter().any(|what| what == CARDS);
    let others = args.what.iter().any(|what| what != CARDS);
    if decks.is_empty() && (cards && !others || args.changed) {
        return Err(Failure::call(
            format!("the board of {} shows no cards", chosen.game.called),
            format!("`--what {BOARD}` prints the board"),
        ));
    }
    let all = args.what.is_empty() || cards;
    let decks = decks.into_iter();
    Ok(decks
        .filter(|deck| all || args.what.contains(&deck.table))
        .collect())
}

struct Job<'a> {
    args: &'a Args,
    card: Size,
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
        let drawn = Drawn::of(shell, &base, players, true)?;
        let before = drawn.decks(self.args.card);
        let mut decks = Vec::new();
        for deck in &self.decks {
            let same = |other: &&Deck| (&other.table, &other.back) == (&deck.table, &deck.back);
            let known = before.iter().find(same);
            let (rest, change) = changed(known, deck);
            let table = &deck.title();
            if change.printed.is_empty() {
                self.told.push(format!("{table}: no card looks otherwise"));
            } else {
                self.told
                    .push(format!("{table}: {}", amounts(&change.printed)));
            }
            if !change.out.is_empty() {
                self.told
                    .push(format!("{table}: take out {}", amounts(&change.out)));
            }
            if change.unused > 0 {
                self.told.push(format!(
                    "{table}: {} not printed, which lie nowhere when the game begins",
                    count(change.unused as usize, "new card")
                ));
            }
            if !rest.faces.is_empty() {
                decks.push(rest);
            }
        }
        self.decks = decks;
        Ok(())
    }

    /// Says on which cards something is missing, and what to do.
    fn missing(&mut self) {
        let fonts = Fonts::default();
        for deck in &self.decks {
            let cut = deck.faces.iter().filter(|face| !face.cut.is_empty());
            let cut: Vec<String> = cut
                .map(|face| format!("{} (`{}`)", face.name, face.cut.join("`, `")))
                .collect();
            let boxed = boxed(deck, &fonts);
            if !boxed.is_empty() {
                self.told.push(format!(
                    "{}: boxes stand for letters that no font here has, on {}: {}; give such cards a `picture`, or write it in other letters",
                    deck.title(),
                    count(boxed.len(), "card"),
                    shortened(&boxed)
                ));
            }
            if !cut.is_empty() {
                self.told.push(format!(
                    "{}: the text of {} does not fit in letters of {} mm and is cut off: {}; choose larger cards with `--card`, or write less",
                    deck.title(),
                    count(cut.len(), "card"),
                    print::LEAST,
                    cut.join(", ")
                ));
            }
        }
    }

    fn asks(&self, what: &str) -> bool {
        self.args.what.iter().any(|one| one == what)
    }

    fn sheets(&mut self, shell: &mut Shell, chosen: &Chosen, path: &Path) -> Outcome<()> {
        let args = self.args;
        let paper = match args.paper {
            Some(Paper::Letter) => Size::LETTER,
            Some(Paper::A4) | None => Size::A4,
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
                card: self.card,
                bleed: args.bleed.unwrap_or_default(),
            };
            let own = print::cards(deck, cut, paper, !args.no_backs).map_err(wrong)?;
            let copies: u32 = deck.faces.iter().map(|face| face.copies).sum();
            let (cards, sheets) = (count(copies as usize, "card"), count(own.len(), "sheet"));
            self.told
                .push(format!("{}: {cards} on {sheets}", deck.title()));
            pages.extend(own);
        }
        let sheet = chosen.rules.speech.saying(Saying::Sheet);
        let scene = self.drawn.board.on_paper(&self.drawn.states, print::LEAST);
        let areas = self.areas(&scene);
        for part in [BOARD, SEATS] {
            let seat = part == SEATS;
            if self.asks(part) && !areas.iter().any(|area| area.seat.is_some() == seat) {
                self.told.push(format!(
                    "{part}: there is nothing to print: what is drawn there is no more than what lies there in a game"
                ));
            }
        }
        for area in areas {
            let title = match area.title.is_empty() {
                true => chosen.title(),
                false => area.title.clone(),
            };
            let own = print::board(&scene, area.rect, (&title, sheet), args.board_width, paper);
            let (own, width) = own.map_err(wrong)?;
            if own.is_empty() {
                self.told.push(format!(
                    "{title}: there is nothing to print: nothing lies there when the game begins"
                ));
                continue;
            }
            let sheets = count(own.len(), "sheet");
            let less = match args.board_width {
                Some(_) => String::new(),
                None => smaller(area.rect, paper, own.len()),
            };
            self.told
                .push(format!("{title}: {width:.0} mm wide, on {sheets}{less}"));
            self.told.extend(print::boxes(&own, &title));
            if area.seat.is_none() {
                self.told
                    .extend(fitting(chosen, args, &scene, (area, width)));
            }
            pages.extend(own);
        }
        if self.asks(RULES) {
            let own = super::rules::sheets(shell, chosen, paper);
            self.told
                .push(format!("rules: {}", count(own.len(), "sheet")));
            self.told.extend(print::boxes(&own, "rules"));
            pages.extend(own);
        }
        if pages.is_empty() && args.changed {
            let title = chosen.title();
            self.told.push(format!(
                "{title}: there is nothing to print, and nothing has been written"
            ));
            return Ok(());
        }
        if pages.is_empty() {
            return Err(self.nothing(chosen));
        }
        shell.write(path, &pdf(&pages, &chosen.title()))?;
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

    /// Why there is nothing to print.
    fn nothing(&self, chosen: &Chosen) -> Failure {
        let called = &chosen.game.called;
        let message = match self.args.what.is_empty() {
            true => format!("{called} shows neither cards nor a board"),
            false => format!("{called} shows nothing of `{}`", self.args.what.join(",")),
        };
        let failure = Failure::call(message, format!("`--what {RULES}` prints its rulebook"));
        let reasons = self.told.iter().cloned();
        let failure = reasons.fold(failure, Failure::also);
        match self.drawn.decks(self.args.card).is_empty() {
            true => failure,
            false => failure.also(format!("`--what {CARDS}` prints its cards")),
        }
    }

    /// The pictures under their names; none is written if one cannot be.
    fn pictures(
        &mut self,
        shell: &mut Shell,
        chosen: &Chosen,
        path: &Path,
    ) -> Outcome<Vec<(String, Vec<u8>)>> {
        let others = [BOARD, SEATS, RULES];
        let other = self
            .args
            .what
            .iter()
            .find(|what| others.contains(&what.as_str()));
        if let Some(other) = other.filter(|_| self.args.pdf.is_none()) {
            let message = format!("`--png` draws cards, not `{other}`");
            let help = match other.as_str() {
                BOARD | SEATS => {
                    "`--pdf FILE` prints it, and `trackwright board GAME --svg FILE` draws it"
                }
                _ => "`--pdf FILE` prints it",
            };
            return Err(Failure::call(message, help));
        }
        if self.decks.is_empty() && self.args.pdf.is_none() && !self.args.changed {
            return Err(self.nothing(chosen));
        }
        let stem = path.with_extension("");
        let mut all = Vec::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for deck in &self.decks {
            let wrong = |why: String| Failure::call(why, "choose another size of cards");
            let pictures = deck_pictures(deck, self.card).map_err(wrong)?;
            for picture in pictures {
                let number = numbers.entry(&deck.table).or_default();
                *number += 1;
                let name = format!("{}-{}-{number}.png", stem.display(), deck.table);
                shell.can_write(Path::new(&name))?;
                self.told.push(format!(
                    "{name}: {} of `{}`, {} in a row, {} rows, the back is the last",
                    count(picture.cards, "card"),
                    deck.title(),
                    picture.columns,
                    picture.rows
                ));
                all.push((name, picture.png));
            }
        }
        Ok(all)
    }
}

/// Which size tiles have that lie on the hexes of a board of this width, where others are printed.
fn fitting(chosen: &Chosen, args: &Args, scene: &Scene, board: (&Area, f32)) -> Option<String> {
    let (area, width) = board;
    let tile = chosen.rules.tiling.as_ref()?.tile?;
    let mut hexes = scene.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Polygon(points) if points.len() == 6 => Some(shape.bounds()),
        _ => None,
    });
    let hex = hexes.find(|hex| area.rect.contains(hex.centre()))?;
    let across = hex.width.min(hex.height) * width / area.rect.width.max(1.0);
    if !SIDE.contains(&across.round()) {
        return Some(format!(
            "hexes of this board are {across:.1} mm across: no tiles are printed that lie on them"
        ));
    }
    let name = &chosen.rules.tables[tile.index()].name;
    (!matches!(args.card, Card::Hex(_))).then(|| {
        format!(
            "hexes of this board are {across:.0} mm across: `--what {name} --card hex:{across:.0}` prints tiles that lie on them"
        )
    })
}

/// Cards with letters that cannot be drawn: their rows, with the columns where they stand and the letters.
fn boxed(deck: &Deck, fonts: &Fonts) -> Vec<String> {
    let faces = deck.faces.iter().filter_map(|face| {
        let lines = face.lines.iter().filter_map(|(column, text)| {
            let letters: String = fonts.lacking(text).iter().collect();
            (!letters.is_empty()).then(|| format!("`{column}`: {letters}"))
        });
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| format!("{} ({})", face.row, lines.join(", ")))
    });
    faces.collect()
}

/// The first few of many.
fn shortened(all: &[String]) -> String {
    const SHOWN: usize = 12;
    match all.len().saturating_sub(SHOWN) {
        0 => all.join(", "),
        more => format!("{} and {more} more", all[..SHOWN].join(", ")),
    }
}

/// With which widths a board that nobody gave one lies on fewer sheets.
fn smaller(part: Rect, paper: Size, sheets: usize) -> String {
    let [one, four] = [1, 2].map(|side| print::widest(part, paper, side));
    match sheets {
        0 | 1 => String::new(),
        2..=4 => format!("; `--board-width {one}` puts it on 1"),
        _ => format!("; `--board-width {one}` puts it on 1, {four} on 4"),
    }
}

/// `2× a, b`
fn amounts(all: &[(String, u32)]) -> String {
    let each = all.iter().map(|(name, number)| match number {
        1 => name.clone(),
        number => format!("{number}× {name}"),
    });
    let total: u32 = all.iter().map(|(_, number)| number).sum();
    let each: Vec<String> = each.collect();
    format!("{}: {}", count(total as usize, "card"), each.join(", "))
}
