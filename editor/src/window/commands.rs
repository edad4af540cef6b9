//! What a person can have done, the keys for it, and the list in which it is found by typing.

use super::dock::{Desk, Pane};
use super::panels::making::Making;
use super::panels::row::Purpose;
use super::theme;
use crate::template::Part;
use crate::workshop::design::Drawing;
use crate::workshop::laboratory::GameOf;
use crate::workshop::places::Place;
use crate::workshop::playtest::Eyes;
use crate::workshop::questions::About;
use crate::workshop::sheet::SheetChange;
use dsl::service::Edit;
use dsl::source::Span;
use egui::{Align2, Context, Key, KeyboardShortcut, Modifiers, RichText, Ui};
use interpreter::bots::Bot;
use interpreter::game::NodeId;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// Something to be done after the frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The shelf of all games.
    Start,
    /// Opens a game, by its folder's name.
    Open(String),
    /// Goes where unsaved work was in the way, saving it first or giving it up.
    Leave {
        save: bool,
    },
    /// Not there after all.
    Stay,
    /// Asks for the name of what is to be begun.
    New(Making),
    /// Begins it, by its title.
    Make(Making, String),
    /// Begins one more file of the game that is open, by what it is and its name.
    MakeFile(Part, String),
    /// Asks for a folder of games, or a game.
    Folder,
    /// Opens a folder of games, or a game.
    OpenFolder(PathBuf),
    /// Puts an overlay before another one in the order of the layers.
    MoveOverlay(String, String),
    /// Gives an option a value in the overlay that is changed.
    Turn(String, String),
    /// Changes a component table.
    Sheet(String, SheetChange),
    /// Asks what stands in a row before it is there.
    AskRow(Purpose),
    /// Asks for a file in which a table is written, or from which it is read.
    AskCsv(String),
    /// Writes a table for spreadsheets into a file.
    WriteCsv(String, PathBuf),
    /// Reads a table in.
    ReadCsv(String, PathBuf),
    /// To a place of the texts that were checked last.
    GoTo(Span),
    /// What could stand at a byte of a document.
    Complete(String, usize),
    /// Sets a cell of the position by hand, as the rules write both.
    Give(String, String),
    /// Asks for the title of a scenario that leads to where the play-test stands.
    MakeScenario,
    /// Makes it, by its title.
    WriteScenario(String),
    Simulate,
    /// Many games, whatever the laboratory is asked else.
    SimulateGames,
    StopSimulation,
    /// Opens a game of the last simulation in the play-test.
    OpenGame(GameOf),
    /// Lays an overlay over the game, or takes it away.
    Toggle(String),
    /// Changes of dials and cells go to this overlay.
    Target(Option<String>),
    /// Opens a file of the game; shows a part of it, in bytes.
    OpenFile(String, Option<Range<usize>>),
    CloseFile(String),
    /// Makes the text of a document this one.
    Type(String, String),
    /// Changes that the language service proposed; the first is what the step is called.
    Edit(String, Vec<Edit>),
    /// Writes at places what is to stand there; the first is what the step is called.
    Replace(String, Vec<Place>),
    /// What can be done about the mistakes of the cursor's line.
    QuickFix,
    /// Asks about the word at a byte of a document.
    Ask(About, String, usize),
    /// Lists where the word at the cursor is used.
    Uses,
    /// Asks for another name for the word at the cursor.
    Rename,
    /// Changes what stands at the cursor in the variant in hand.
    ChangeInVariant,
    /// Changes what stands at a byte of a document in the variant in hand.
    ChangeThere(String, usize),
    /// Looks for something in the text that is looked at; whether it is to be replaced.
    Find(bool),
    FindInAll(bool),
    /// To a line or a declaration.
    GoToLine,
    /// The text that is looked at, in its normal form.
    Format,
    FormatAll,
    /// From a byte of a document to the place that says what stands there.
    GoToDefinition(String, usize),
    /// The same from where the cursor is.
    Definition,
    /// Another game of the play-test: its seed, and who sits where.
    Begin(u64, Vec<Option<Bot>>),
    /// The person's answers in a row, by their numbers.
    Answer(Vec<usize>),
    /// Shows on the board what an answer names, or what lies behind it.
    Mean(Vec<usize>),
    /// Has it found out why things are not offered.
    Doubt,
    /// Have a search say what it thinks of the answers.
    Hint,
    /// Have it found out in which turns the game was lost.
    Review,
    /// Has it found out how the table would stand behind answers, each some in a row.
    ThinkOf(Vec<Vec<usize>>),
    /// Who answers for a seat.
    Seat(u32, Option<Bot>),
    /// So long a bot thinks about an answer; none: as long as it does by itself.
    BotTime(Option<Duration>),
    /// The bot that thinks is to answer.
    HurryBot,
    /// Whose eyes look at the game.
    Look(Eyes),
    /// Has everything said in this language; none: the one of the rules.
    Language(Option<String>),
    BotsGo,
    /// The whole board in the middle.
    FitBoard,
    /// A change made on the board.
    Draw(Drawing),
    /// So many times larger, in hundredths.
    ZoomBoard(u32),
    UndoAnswer,
    /// Back to the last decision of a person.
    UndoTurn,
    RedoAnswer,
    /// To a position of the line that is played.
    Jump(usize),
    /// To any point of any line.
    GoToNode(NodeId),
    /// Gives the line up to a point a name; an empty one takes it away.
    NameLine(NodeId, String),
    ForgetLine(NodeId),
    /// Asks under which name the play-test is saved.
    AskSaveGame,
    SaveGame(String),
    /// Asks which saved game is loaded.
    AskLoadGame,
    LoadGame(PathBuf),
    /// Plays a scenario again, by its place in the list.
    PlayCase(usize),
    /// Shows on the board where a scenario came to.
    ShowCase(usize),
    /// Asks where the results of the simulation are written.
    AskExport,
    /// Writes them, as JSON or CSV, as the ending says.
    Export(String),
    /// Back to the play-test as it was under the older rules.
    OlderRules,
    /// Takes the play-test along to the rules of now.
    NewRules,
    /// Options have the values of the rules again, not those of the game that was loaded.
    OwnOptions,
    Watch(String),
    ForgetWatch(usize),
    /// About the file that was changed outside: take theirs, or keep mine.
    Settle(bool),
    /// Takes up unsaved work that was left behind, by its number.
    Recover(usize),
    /// Forgets it.
    Discard(usize),
    Undo,
    Redo,
    Save,
    /// Closes the window; work that is not saved is kept in the journal.
    Quit,
    Show(Pane),
    Arrange(Desk),
    /// The panels of this desk as they were at first.
    ResetDesk,
    Palette,
    /// The manual, at what the cursor stands on.
    Help,
    /// The manual, at some words.
    HelpOn(String),
    /// Writes an example where the cursor is.
    InsertExample(String),
    /// Five steps for who is here for the first time.
    Tour,
    Shortcuts,
    /// Light to dark and back.
    Theme,
    Larger,
    Smaller,
    NormalSize,
}

/// What the list of keys leaves free of the window's height.
const SHORTCUTS_EDGE: f32 = 120.0;

/// A command that has a name.
struct Named {
    name: String,
    keys: Option<KeyboardShortcut>,
    command: Command,
}

const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);

/// All that the list offers, in its order.
fn named() -> Vec<Named> {
    let keys = |modifiers, key| Some(KeyboardShortcut::new(modifiers, key));
    let mut list = vec![
        (
            "Find a command",
            keys(COMMAND_SHIFT, Key::P),
            Command::Palette,
        ),
        ("Help", keys(Modifiers::NONE, Key::F1), Command::Help),
        (
            "List of shortcuts",
            keys(Modifiers::SHIFT, Key::F1),
            Command::Shortcuts,
        ),
        ("A tour of the window", None, Command::Tour),
        ("Save", keys(COMMAND, Key::S), Command::Save),
        ("Undo", keys(COMMAND, Key::Z), Command::Undo),
        ("Redo", keys(COMMAND_SHIFT, Key::Z), Command::Redo),
        (
            "Play: undo turn",
            keys(Modifiers::ALT, Key::Z),
            Command::UndoTurn,
        ),
        (
            "Play: undo answer",
            keys(Modifiers::ALT, Key::ArrowLeft),
            Command::UndoAnswer,
        ),
        (
            "Play: redo",
            keys(Modifiers::ALT, Key::ArrowRight),
            Command::RedoAnswer,
        ),
        (
            "Fit the board",
            keys(Modifiers::ALT, Key::F),
            Command::FitBoard,
        ),
        (
            "Board: larger",
            keys(Modifiers::ALT, Key::Plus),
            Command::ZoomBoard(125),
        ),
        (
            "Board: smaller",
            keys(Modifiers::ALT, Key::Minus),
            Command::ZoomBoard(80),
        ),
        ("Make a scenario from here", None, Command::MakeScenario),
        (
            "Play: save the game",
            keys(Modifiers::ALT, Key::S),
            Command::AskSaveGame,
        ),
        (
            "Play: load a game",
            keys(Modifiers::ALT, Key::O),
            Command::AskLoadGame,
        ),
        (
            "Simulate",
            keys(Modifiers::NONE, Key::F5),
            Command::Simulate,
        ),
        (
            "Go to definition",
            keys(Modifiers::NONE, Key::F12),
            Command::Definition,
        ),
        (
            "Go to line or declaration…",
            keys(COMMAND, Key::G),
            Command::GoToLine,
        ),
        ("Find uses", keys(Modifiers::SHIFT, Key::F12), Command::Uses),
        (
            "Rename everywhere…",
            keys(Modifiers::SHIFT, Key::F6),
            Command::Rename,
        ),
        ("Quick fixes", keys(COMMAND, Key::Period), Command::QuickFix),
        (
            "Change this in my variant",
            keys(Modifiers::ALT, Key::V),
            Command::ChangeInVariant,
        ),
        (
            "Find in this file",
            keys(COMMAND, Key::F),
            Command::Find(false),
        ),
        (
            "Replace in this file",
            keys(COMMAND, Key::H),
            Command::Find(true),
        ),
        (
            "Find in all files",
            keys(COMMAND_SHIFT, Key::F),
            Command::FindInAll(false),
        ),
        (
            "Replace in all files",
            keys(COMMAND_SHIFT, Key::H),
            Command::FindInAll(true),
        ),
        ("Format this file", keys(ALT_SHIFT, Key::F), Command::Format),
        ("Format all files", None, Command::FormatAll),
        (
            "New variant…",
            keys(COMMAND, Key::N),
            Command::New(Making::Variant),
        ),
        ("New expansion…", None, Command::New(Making::Expansion)),
        ("New game…", None, Command::New(Making::Game)),
        ("New file…", None, Command::New(Making::File)),
        (
            "Open a folder…",
            keys(COMMAND_SHIFT, Key::O),
            Command::Folder,
        ),
        ("Close the window", keys(COMMAND, Key::Q), Command::Quit),
        ("All games", keys(COMMAND, Key::O), Command::Start),
        ("Light or dark", keys(COMMAND_SHIFT, Key::L), Command::Theme),
        ("Larger", keys(COMMAND, Key::Plus), Command::Larger),
        ("Smaller", keys(COMMAND, Key::Minus), Command::Smaller),
        ("Normal size", keys(COMMAND, Key::Num0), Command::NormalSize),
        ("Put the panels back", None, Command::ResetDesk),
    ]
    .into_iter()
    .map(|(name, keys, command)| Named {
        name: name.to_owned(),
        keys,
        command,
    })
    .collect::<Vec<_>>();
    let desk_keys = [Key::F2, Key::F3, Key::F4];
    list.extend(
        Desk::ALL
            .into_iter()
            .zip(desk_keys)
            .map(|(desk, key)| Named {
                name: format!("Desk: {}", desk.title()),
                keys: keys(Modifiers::NONE, key),
                command: Command::Arrange(desk),
            }),
    );
    list.extend(Pane::ALL.into_iter().map(|pane| Named {
        name: format!("Show {}", pane.title()),
        keys: pane_key(pane).map(|key| KeyboardShortcut::new(Modifiers::ALT, key)),
        command: Command::Show(pane),
    }));
    list
}

fn pane_key(pane: Pane) -> Option<Key> {
    Some(match pane {
        Pane::Project => Key::Num1,
        Pane::Rules => Key::Num2,
        Pane::Components => Key::Num3,
        Pane::Board => Key::Num4,
        Pane::Play => Key::Num5,
        Pane::Log => Key::Num6,
        Pane::State => Key::Num7,
        Pane::Variant => Key::Num8,
        Pane::Scenarios => Key::Num9,
        Pane::Problems => Key::Num0,
        Pane::Simulation => Key::Period,
        Pane::Help => Key::H,
        Pane::Find => return None,
    })
}

/// The commands whose keys were pressed in this frame.
pub fn pressed(ctx: &Context) -> Vec<Command> {
    // The longer combination first, so that it is not taken for the shorter one.
    let mut list: Vec<(KeyboardShortcut, Command)> = named()
        .into_iter()
        .filter_map(|named| Some((named.keys?, named.command)))
        .collect();
    list.sort_by_key(|(keys, _)| !keys.modifiers.shift);
    ctx.input_mut(|input| {
        let pressed = list
            .into_iter()
            .filter(|(keys, _)| input.consume_shortcut(keys));
        let pressed: Vec<(KeyboardShortcut, Command)> = pressed.collect();
        // With Alt held a key also comes as the letter that it writes.
        if pressed.iter().any(|(keys, _)| keys.modifiers.alt) {
            input
                .events
                .retain(|event| !matches!(event, egui::Event::Text(_)));
        }
        pressed.into_iter().map(|(_, command)| command).collect()
    })
}

/// The list of commands, open or not.
#[derive(Default)]
pub struct Palette {
    open: bool,
    fresh: bool,
    typed: String,
    chosen: usize,
}

impl Palette {
    pub fn open(&mut self) {
        *self = Palette {
            open: true,
            fresh: true,
            ..Palette::default()
        };
    }

    pub fn show_ui(&mut self, ctx: &Context, out: &mut Vec<Command>) {
        if !self.open {
            return;
        }
        let found: Vec<Named> = named()
            .into_iter()
            .filter(|named| matches(&named.name, &self.typed))
            .collect();
        let (down, up, enter, escape) = ctx.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            (
                pressed(Key::ArrowDown),
                pressed(Key::ArrowUp),
                pressed(Key::Enter),
                pressed(Key::Escape),
            )
        });
        let last = found.len().saturating_sub(1);
        self.chosen = (self.chosen + usize::from(down))
            .saturating_sub(usize::from(up))
            .min(last);
        let mut picked = found.get(self.chosen).filter(|_| enter);
        let modal = egui::Modal::new(egui::Id::unique("commands")).show(ctx, |ui| {
            ui.set_width(theme::TEXT_WIDTH);
            let field = egui::TextEdit::singleline(&mut self.typed)
                .hint_text("Find a command")
                .desired_width(f32::INFINITY);
            let field = ui.add(field);
            if self.fresh {
                field.request_focus();
                self.fresh = false;
            }
            if field.changed() {
                self.chosen = 0;
            }
            egui::ScrollArea::vertical()
                .max_height(360.0)
                .show(ui, |ui| {
                    for (at, named) in found.iter().enumerate() {
                        let row = row_ui(ui, named, at == self.chosen);
                        if at == self.chosen && (down || up) {
                            row.scroll_to_me(None);
                        }
                        if row.clicked() {
                            picked = Some(named);
                        }
                    }
                    if found.is_empty() {
                        ui.weak("No command has these letters in this order.");
                    }
                });
        });
        if let Some(named) = picked {
            out.push(named.command.clone());
        }
        self.open = picked.is_none() && !escape && !modal.should_close();
    }
}

/// A command with its name and keys, in a menu.
pub fn item_ui(ui: &mut Ui, command: Command, out: &mut Vec<Command>) {
    let Some(named) = named().into_iter().find(|named| named.command == command) else {
        return;
    };
    if row_ui(ui, &named, false).clicked() {
        out.push(command);
    }
}

fn row_ui(ui: &mut Ui, named: &Named, chosen: bool) -> egui::Response {
    let keys = named
        .keys
        .map_or_else(String::new, |keys| ui.ctx().format_shortcut(&keys));
    let button = egui::Button::selectable(chosen, named.name.as_str())
        .right_text(RichText::new(keys).weak())
        .min_size(egui::vec2(ui.available_width(), theme::ROW));
    ui.add(button)
}

/// All letters typed, in this order.
pub fn matches(name: &str, typed: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let typed = typed.chars().filter(|letter| !letter.is_whitespace());
    typed
        .flat_map(char::to_lowercase)
        .all(|wanted| letters.any(|letter| letter == wanted))
}

/// The list of all keys; false when it is closed.
pub fn shortcuts_ui(ctx: &Context) -> bool {
    let mut open = true;
    let list: Vec<(String, String)> = named()
        .into_iter()
        .filter_map(|named| Some((named.name, ctx.format_shortcut(&named.keys?))))
        .collect();
    egui::Window::new("Shortcuts")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            let room = ctx.content_rect().height() - SHORTCUTS_EDGE;
            egui::ScrollArea::vertical()
                .max_height(room)
                .show(ui, |ui| keys_ui(ui, &list));
        });
    open && !ctx.input(|input| input.key_pressed(Key::Escape))
}

/// Two columns of commands with their keys: down the first, then down the second.
fn keys_ui(ui: &mut Ui, list: &[(String, String)]) {
    let half = list.len().div_ceil(2);
    egui::Grid::new("keys")
        .num_columns(4)
        .spacing([32.0, 6.0])
        .show(ui, |ui| {
            for row in 0..half {
                for (name, keys) in list.iter().skip(row).step_by(half) {
                    ui.label(name);
                    ui.weak(keys);
                }
                ui.end_row();
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_have_the_same_keys_or_name() {
        let list = named();
        for (at, one) in list.iter().enumerate() {
            for other in &list[..at] {
                assert_ne!(one.name, other.name);
                assert!(
                    one.keys.is_none() || one.keys != other.keys,
                    "{} and {}",
                    one.name,
                    other.name
                );
            }
        }
    }
}
