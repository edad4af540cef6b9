//! Five steps for who opens the window for the first time; it can be left at any of them.

use crate::window::{Command, Desk, theme};
use egui::{Align2, Context, Ui, vec2};

/// A step: what it is called, what it says, what it can show.
struct Step {
    title: &'static str,
    text: &'static str,
    show: Option<(&'static str, Command)>,
}

fn steps() -> [Step; 5] {
    [
        Step {
            title: "Play",
            text: "“▶ Play” on a card opens a game. You are A; bots are the others.",
            show: None,
        },
        Step {
            title: "Answer on the board",
            text: "What you can choose glows; a click answers. A click on anything else says why it cannot be chosen. Rest the pointer on a thing to see it large, with all that is known of it.",
            show: Some(("Show the board", Command::Arrange(Desk::Play))),
        },
        Step {
            title: "Change a rule",
            text: "A variant is one file with only what it changes. Its options are dials; the game that is being played goes on under the new rules.",
            show: Some(("New variant…", Command::New(super::making::Making::Variant))),
        },
        Step {
            title: "See what it does",
            text: "F5 lets bots play a thousand games, with your variant and without it, and shows what differs.",
            show: Some(("Show the desk", Command::Arrange(Desk::Measure))),
        },
        Step {
            title: "Look it up",
            text: "F1 opens the manual at the word under the cursor. Ctrl+Shift+P finds every command by its name.",
            show: Some(("Open the manual", Command::Help)),
        },
    ]
}

/// How far the tour has come; none: it is over.
#[derive(Default)]
pub struct Tour(Option<usize>);

impl Tour {
    pub fn begin(&mut self) {
        self.0 = Some(0);
    }

    pub fn show_ui(&mut self, ctx: &Context, in_game: bool, out: &mut Vec<Command>) {
        let Some(at) = self.0 else { return };
        let steps = steps();
        let Some(step) = steps.get(at) else {
            self.0 = None;
            return;
        };
        egui::Area::new(egui::Id::unique("tour"))
            .anchor(Align2::LEFT_BOTTOM, vec2(16.0, -48.0))
            .show(ctx, |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_width(theme::CARD_WIDTH);
                    ui.strong(format!("{} of {}: {}", at + 1, steps.len(), step.title));
                    ui.label(step.text);
                    self.buttons_ui(ui, step, in_game, at + 1 == steps.len(), out);
                });
            });
    }

    fn buttons_ui(
        &mut self,
        ui: &mut Ui,
        step: &Step,
        in_game: bool,
        last: bool,
        out: &mut Vec<Command>,
    ) {
        ui.horizontal(|ui| {
            if let Some((name, command)) = &step.show
                && in_game
                && ui.button(*name).clicked()
            {
                out.push(command.clone());
            }
            let next = if last { "Done" } else { "Next step" };
            if ui.button(next).clicked() {
                self.0 = self.0.map(|at| at + 1);
            }
            if !last && ui.button("Leave the tour").clicked() {
                self.0 = None;
            }
        });
    }
}
