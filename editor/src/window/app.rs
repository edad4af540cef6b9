//! One frame: hear the news, show the panels, then run the commands they returned.

use super::commands::{self, Command, Palette};
use super::dock::{Dock, Pane};
use super::panels::play::PlayView;
use super::panels::project::ProjectView;
use super::panels::rules::{self, RulesView};
use super::panels::state::StateView;
use super::panels::{bars, log, problems, start};
use super::{Opening, run};
use crate::workshop::sitting::Sitting;
use crate::workshop::worker::Waker;
use crate::workshop::{News, Workshop};
use egui::{Context, Ui};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How often files are looked at that others may have changed.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The window's state: what is looked at. What is worked on is the workshop's.
pub struct Window {
    pub(super) shop: Workshop,
    pub(super) sitting: Sitting,
    pub(super) dock: Dock,
    pub(super) views: Views,
    pub(super) notice: Option<Notice>,
    /// Known to the threads of the workshop, which ask for a frame when they have news.
    screen: Arc<OnceLock<Context>>,
    /// Seconds of the window's clock.
    looked_at: f64,
}

/// What the panels remember.
#[derive(Default)]
pub(super) struct Views {
    pub project: ProjectView,
    pub rules: RulesView,
    pub play: PlayView,
    pub state: StateView,
    /// The answer that is pointed at.
    pub meant: Option<usize>,
    pub palette: Palette,
    pub shortcuts: bool,
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
            shop: Workshop::new(opening.library, waker.clone()),
            sitting: Sitting::new(waker),
            dock: dock.filter(Dock::is_whole).unwrap_or_default(),
            views: Views::default(),
            notice: None,
            screen,
            looked_at: 0.0,
        };
        if let Some(game) = opening.game {
            window.run(Command::Open(game));
        }
        window
    }

    /// How the panels lie now.
    pub fn dock(&self) -> &Dock {
        &self.dock
    }

    /// Whether background work is going on.
    pub fn is_busy(&self) -> bool {
        self.shop.game().is_some() && (self.shop.is_checking() || self.sitting.is_busy())
    }

    /// Draws the window, then does what was asked for.
    pub fn frame_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let _ = self.screen.set(ctx.clone());
        self.hear_news(&ctx);
        let mut out = commands::pressed(&ctx);
        self.panels_ui(ui, &mut out);
        self.views.palette.show_ui(&ctx, &mut out);
        if self.views.shortcuts {
            self.views.shortcuts = commands::shortcuts_ui(&ctx);
        }
        for command in out {
            if !run::screen(&ctx, &command) {
                self.run(command);
            }
        }
    }

    fn hear_news(&mut self, ctx: &Context) {
        let mut news = self.shop.poll();
        if self.shop.game().is_some() && self.sitting.poll(self.shop.good()) {
            ctx.request_repaint();
        }
        self.views.play.refresh(&mut self.sitting);
        self.views.meant = None;
        let now = ctx.input(|input| input.time);
        if now - self.looked_at > LOOK_EVERY.as_secs_f64() {
            self.looked_at = now;
            news.extend(self.shop.look_outside());
        }
        if self.shop.game().is_some() {
            ctx.request_repaint_after(LOOK_EVERY);
        }
        for news in news {
            match news {
                News::Checked => {}
                News::Reread(name) => {
                    self.say(format!("`{name}` was changed outside and read again"))
                }
                News::Conflict { name, .. } => {
                    self.complain(format!("`{name}` was changed outside while you edit it"))
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
            sitting,
            dock,
            views,
            notice,
            ..
        } = self;
        egui::Panel::top("top").show(ui, |ui| bars::top_ui(ui, shop, dock.desk, out));
        if shop.game().is_none() {
            egui::CentralPanel::default().show(ui, |ui| start::start_ui(ui, &shop.project, out));
            return;
        }
        let counted = problems::counted(&shop.problems());
        egui::Panel::bottom("status").show(ui, |ui| {
            bars::status_ui(ui, shop, counted, notice.as_ref(), out)
        });
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let title = |pane: Pane| match (pane, counted) {
                (Pane::Problems, (0, 0)) => pane.title().to_owned(),
                (Pane::Problems, (errors, warnings)) => {
                    format!("{} ({})", pane.title(), errors + warnings)
                }
                _ => pane.title().to_owned(),
            };
            dock.show_ui(ui, &title, &mut |ui, pane| match pane {
                Pane::Project => views.project.show_ui(ui, shop, out),
                Pane::Play => views.play.show_ui(ui, sitting, out),
                Pane::Log => log::log_ui(ui, sitting, &views.play, out),
                Pane::State => views.state.show_ui(ui, sitting, &views.play, out),
                Pane::Rules => views.rules.show_ui(ui, shop, out),
                Pane::Problems => problems::problems_ui(ui, shop, out),
                _ => {
                    ui.weak(pane.title());
                }
            });
        });
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
