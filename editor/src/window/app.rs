//! One frame: hear the news, show the panels, then run the commands they returned.

use super::commands::{self, Command, Palette};
use super::dock::{Dock, Pane};
use super::panels::board::BoardView;
use super::panels::components::ComponentsView;
use super::panels::dialog::{self, Conflict};
use super::panels::exhibit::Exhibit;
use super::panels::find::FindView;
use super::panels::folder::FolderDialog;
use super::panels::goto::GoTo;
use super::panels::help::HelpView;
use super::panels::keep::KeepDialog;
use super::panels::lines::LinesView;
use super::panels::making::MakingDialog;
use super::panels::play::PlayView;
use super::panels::problems::{self, ProblemsView};
use super::panels::project::ProjectView;
use super::panels::rename::RenameDialog;
use super::panels::row::RowDialog;
use super::panels::rules::{self, RulesView};
use super::panels::scenarios::ScenariosView;
use super::panels::simulation::SimulationView;
use super::panels::state::StateView;
use super::panels::tour::Tour;
use super::panels::variant::VariantView;
use super::panels::{bars, log, start};
use super::{Opening, run, theme};
use crate::workshop::journal::Journal;
use crate::workshop::playtest::{Playtest, Reload};
use crate::workshop::worker::Waker;
use crate::workshop::{LOOK_EVERY, News, Workshop};
use egui::{Context, Ui};
use interpreter::bots::Bot;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The window's state: what is looked at. What is worked on is the workshop's.
pub struct Window {
    pub(super) shop: Workshop,
    pub(super) threads: usize,
    pub(super) dock: Dock,
    pub(super) views: Views,
    pub(super) tour: Tour,
    /// Of games that were left, by their ids.
    parked: BTreeMap<String, Views>,
    pub(super) notice: Option<Notice>,
    /// Known to the threads of the workshop, which ask for a frame when they have news.
    screen: Arc<OnceLock<Context>>,
    /// Unsaved work was given up: the window may close.
    pub(super) may_close: bool,
}

/// What the panels remember.
#[derive(Default)]
pub(super) struct Views {
    pub project: ProjectView,
    pub rules: RulesView,
    pub play: PlayView,
    pub state: StateView,
    pub board: BoardView,
    pub exhibit: Exhibit,
    pub variant: VariantView,
    pub components: ComponentsView,
    pub scenarios: ScenariosView,
    pub problems: ProblemsView,
    pub simulation: SimulationView,
    pub find: FindView,
    pub rename: RenameDialog,
    pub goto: GoTo,
    pub help: HelpView,
    pub making: MakingDialog,
    pub folder: FolderDialog,
    pub lines: LinesView,
    pub keep: KeepDialog,
    pub row: RowDialog,
    pub conflict: Option<Conflict>,
    /// Where a person wanted to go, leaving work that is not saved.
    pub leaving: Option<Command>,
    /// The answers that are pointed at: what comes behind them is meant too.
    pub meant: Vec<usize>,
    pub palette: Palette,
    pub shortcuts: bool,
}

impl Views {
    /// As they are left: what waits for an answer does not.
    fn left(mut self) -> Views {
        self.leaving = None;
        self.conflict = None;
        self.palette = Palette::default();
        self
    }
}

/// A sentence for the person, until the next one.
pub(super) struct Notice {
    pub text: String,
    pub is_error: bool,
}

impl Window {
    /// `dock`: where the panels lay when the window was closed.
    pub fn new(opening: Opening, dock: Option<Dock>) -> Window {
        let screen: Arc<OnceLock<Context>> = Arc::default();
        let known = screen.clone();
        let waker: Waker = Arc::new(move || {
            if let Some(ctx) = known.get() {
                ctx.request_repaint();
            }
        });
        let mut window = Window {
            shop: Workshop::new(opening.library, waker),
            threads: opening.threads,
            dock: dock.filter(Dock::is_whole).unwrap_or_default(),
            views: Views::default(),
            tour: Tour::default(),
            parked: BTreeMap::new(),
            notice: None,
            screen,
            may_close: false,
        };
        if let Some(folder) = &opening.user_folder {
            if let Err(why) = window.shop.remember_in(folder) {
                window.complain(format!("unsaved work cannot be kept: {why}"));
            }
            if window.shop.is_first_time() {
                window.tour.begin();
            }
        }
        if let Some(game) = opening.game.or_else(|| window.shop.last_game()) {
            window.run(Command::Open(game));
        }
        window
    }

    /// Keeps how the panels of the game look that is left.
    pub(super) fn park(&mut self) {
        if let Some(game) = self.shop.game() {
            let views = std::mem::take(&mut self.views).left();
            self.parked.insert(game.id.clone(), views);
        }
    }

    /// The panels of the game that is open now, as they were left.
    pub(super) fn unpark(&mut self) {
        let known = self
            .shop
            .game()
            .and_then(|game| self.parked.remove(&game.id));
        self.views = known.unwrap_or_default();
    }

    /// Remembers how the work stands, before the window goes.
    pub fn remember(&mut self) {
        if self.shop.game().is_some() {
            self.shop.remember();
        }
    }

    /// How the panels lie now.
    pub fn dock(&self) -> &Dock {
        &self.dock
    }

    /// What is worked on.
    pub fn workshop(&self) -> &Workshop {
        &self.shop
    }

    /// The answers that a person can give now, as they are shown.
    pub fn offered(&self) -> impl Iterator<Item = &str> {
        let answers = self.views.play.seen.question.answers.iter();
        answers.map(|answer| answer.said.as_str())
    }

    /// Whether background work is going on.
    pub fn is_busy(&self) -> bool {
        if self.shop.game().is_none() {
            return self.shop.is_painting();
        }
        self.shop.is_checking()
            || self.shop.is_playing_cases()
            || self.shop.waiting().is_some()
            || self.shop.is_doubting()
            || self.shop.is_scouting()
            || self.shop.is_foreseeing()
            || self
                .shop
                .simulation
                .as_ref()
                .is_some_and(|one| one.is_running())
            || self.shop.is_asking()
            || self.bot_is_asked()
    }

    /// Draws the window, then does what was asked for.
    pub fn frame_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let _ = self.screen.set(ctx.clone());
        self.hear_news(&ctx);
        self.hold_back(&ctx);
        let mut out = commands::pressed(&ctx);
        self.panels_ui(ui, &mut out);
        self.views.palette.show_ui(&ctx, &mut out);
        self.views.making.show_ui(&ctx, &mut out);
        self.views.folder.show_ui(&ctx, &mut out);
        self.views.rename.show_ui(&ctx, &self.shop, &mut out);
        self.views.goto.show_ui(&ctx, &self.shop, &mut out);
        self.views.keep.show_ui(&ctx, &self.shop, &mut out);
        self.views.row.show_ui(&ctx, &mut out);
        if let Some(conflict) = &mut self.views.conflict {
            dialog::conflict_ui(&ctx, &self.shop, conflict, &mut out);
        }
        if self.views.leaving.is_some() {
            dialog::leaving_ui(&ctx, &self.shop, &mut out);
        }
        if self.views.shortcuts {
            self.views.shortcuts = commands::shortcuts_ui(&ctx);
        }
        let in_game = self.shop.game().is_some();
        self.tour.show_ui(&ctx, in_game, &mut out);
        let moment = |shop: &Workshop| shop.playtest.as_ref().map(Playtest::moment);
        let (shown, asked) = (std::mem::take(&mut self.views.meant), moment(&self.shop));
        for command in out {
            if !run::screen(&ctx, &command) {
                self.run(command);
            }
        }
        // What was pointed at is no answer to what is asked next.
        if moment(&self.shop) != asked {
            self.views.meant.clear();
        }
        if self.views.meant != shown {
            ctx.request_repaint();
        }
    }

    /// A window with unsaved work asks before it closes.
    fn hold_back(&mut self, ctx: &Context) {
        let closes = ctx.input(|input| input.viewport().close_requested());
        if closes && !self.may_close && self.shop.is_dirty() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.views.leaving = Some(Command::Quit);
        }
    }

    pub(super) fn close(&mut self) {
        self.may_close = true;
        if let Some(ctx) = self.screen.get() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn hear_news(&mut self, ctx: &Context) {
        let mut news = self.shop.poll();
        if self.shop.game().is_none() {
            self.shop.paint_shelf();
        }
        self.play_on();
        self.views.play.refresh(&mut self.shop);
        self.views.board.refresh(&mut self.shop);
        self.views.variant.refresh(&self.shop);
        if self.dock.is_shown(Pane::Components) && self.views.components.wants(&self.shop) {
            let sheets = self.shop.sheets();
            self.views.components.take(&self.shop, sheets);
        }
        news.extend(self.shop.look_if_due(Instant::now()));
        // The journal writes in a frame too: what is not saved must not wait for the next key.
        let open = self.shop.game().is_some();
        let behind = self.shop.journal.as_ref().is_some_and(Journal::is_behind);
        if open && (!self.shop.is_watched() || behind) || self.shop.has_to_remember() {
            ctx.request_repaint_after(LOOK_EVERY);
        }
        for news in news {
            match news {
                News::Answered(answer) => self.answered(&answer),
                News::Unwatched(why) => self.say(format!(
                    "Files that other programs change are looked at each second: {why}"
                )),
                News::Checked => {
                    // Perhaps a game can be set up now.
                    if self.shop.playtest.is_none() {
                        self.views.play.trouble = None;
                    }
                }
                News::Cases | News::Simulated => {}
                News::CannotPlay(why) => {
                    self.views.play.trouble = Some(why);
                    self.views.play.bots_wait = true;
                }
                News::Reloaded(reload) => self.went_on(reload),
                News::Loaded(reload) => {
                    if reload == Reload::Whole {
                        self.say("The game is loaded: it goes as it went");
                    }
                    self.views.play.bots_wait = true;
                    self.went_on(reload);
                }
                News::Resumed { whole } => {
                    if !whole {
                        self.say("The play-test goes on as far as these rules let it");
                    }
                    self.views.play.bots_wait = true;
                }
                News::NotGiven(why) => self.complain(why),
                News::NotLoaded(why) => {
                    self.complain(format!("the game could not be loaded: {why}"))
                }
                News::WhyNot(why) => {
                    self.views.board.take_why(&why);
                    self.views.play.doubt.take(why);
                }
                News::ScenarioMade { title, file } => match file {
                    Ok(file) => {
                        self.say(format!("“{title}” is written into {file}"));
                        self.views.scenarios.look_for(title);
                        self.dock.show(Pane::Scenarios);
                    }
                    Err(why) => self.complain(why),
                },
                News::Reread(name) => {
                    self.say(format!("`{name}` was changed outside and read again"))
                }
                News::Conflict { name, theirs } => {
                    self.views.conflict = Some(Conflict {
                        name,
                        theirs,
                        both: false,
                    });
                }
                News::Unreadable { name, why } => {
                    self.complain(format!("`{name}` cannot be read any more: {why}"))
                }
            }
        }
    }

    fn panels_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        let Window {
            shop,
            dock,
            views,
            notice,
            ..
        } = self;
        egui::Panel::top("top").show(ui, |ui| bars::top_ui(ui, shop, dock.desk, out));
        if shop.game().is_none() {
            let page = egui::Frame::new()
                .fill(ui.visuals().panel_fill)
                .inner_margin(theme::PAGE_MARGIN);
            egui::CentralPanel::default()
                .frame(page)
                .show(ui, |ui| start::start_ui(ui, shop, out));
            return;
        }
        let counted = problems::counted(&shop.problems());
        egui::Panel::bottom("status").show(ui, |ui| {
            bars::status_ui(ui, shop, counted, notice.as_ref(), out)
        });
        let paper = egui::Frame::new().fill(ui.visuals().panel_fill);
        egui::CentralPanel::default().frame(paper).show(ui, |ui| {
            let changes = views.variant.count();
            let title = |pane: Pane| match (pane, counted) {
                (Pane::Variant, _) if changes > 0 => format!("{} ({changes})", pane.title()),
                (Pane::Problems, (0, 0)) => pane.title().to_owned(),
                (Pane::Problems, (errors, warnings)) => {
                    format!("{} ({})", pane.title(), errors + warnings)
                }
                _ => pane.title().to_owned(),
            };
            dock.show_ui(ui, &title, &mut |ui, pane| match pane {
                Pane::Project => views.project.show_ui(ui, shop, out),
                Pane::Play => views.play.show_ui(ui, shop, out),
                Pane::Log => log::log_ui(ui, shop, &views.play, &mut views.lines, out),
                Pane::State => views.state.show_ui(ui, shop, &views.play, out),
                Pane::Rules => views.rules.show_ui(ui, shop, out),
                Pane::Problems => views.problems.show_ui(ui, shop, out),
                Pane::Find => views.find.show_ui(ui, shop, out),
                Pane::Variant => views.variant.show_ui(ui, shop, out),
                Pane::Components => views.components.show_ui(ui, shop, out),
                Pane::Scenarios => views.scenarios.show_ui(ui, shop, out),
                Pane::Simulation => views.simulation.show_ui(ui, shop, out),
                Pane::Help => views.help.show_ui(ui, out),
                Pane::Board if views.exhibit.is_open() => views.exhibit.show_ui(ui),
                Pane::Board => views.board.show_ui(ui, shop, &views.meant, out),
            });
        });
    }

    /// Begins a game as soon as there are rules for one, and lets one bot answer.
    fn play_on(&mut self) {
        if self.shop.playtest.is_none()
            && self.views.play.trouble.is_none()
            && self.shop.waiting().is_none()
            && let Some(good) = self.shop.good()
        {
            let (least, most) = good.rules().map_or((2, 2), |rules| rules.players);
            let players = 3.clamp(least, most);
            let bots = (0..players).map(|seat| (seat > 0).then_some(Bot::Random));
            self.begin(1, bots.collect());
        }
        if self.views.play.bots_wait {
            return;
        }
        if self.bot_is_asked() {
            self.shop.let_bot_answer();
        }
    }

    /// A game that was loaded or taken along to other rules may not go as far as it went.
    fn went_on(&mut self, reload: Reload) {
        if let Some(text) = reload.in_words() {
            self.complain(text);
            // Nobody plays on before the person has seen it.
            self.views.play.bots_wait = true;
        }
        self.views.play.trouble = None;
        self.views.play.parted = Some(reload);
    }

    fn bot_is_asked(&self) -> bool {
        let playtest = self.shop.playtest.as_ref();
        playtest.is_some_and(|game| game.bot_asked().is_some()) && !self.views.play.bots_wait
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: false,
        });
    }

    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: true,
        });
    }

    /// Goes to the place that says what stands at a byte.
    pub(super) fn go_to_definition(&mut self, name: &str, at: usize) {
        let found = self
            .shop
            .checked()
            .and_then(|checked| rules::definition(checked, name, at));
        match found {
            Some((name, range)) => self.run(Command::OpenFile(name, Some(range))),
            None => self.say("a word of the language, or nothing that is known here"),
        }
    }
}
