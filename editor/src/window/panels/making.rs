//! Asks for the title of what is to be begun: a variant, an expansion, a game.

use crate::template;
use crate::window::widgets::field;
use crate::window::{Command, theme};
use egui::{Context, Id, Key, Modal, RichText, TextEdit, Ui};

/// What can be begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Making {
    #[default]
    Variant,
    Expansion,
    Game,
}

impl Making {
    fn heading(self) -> &'static str {
        match self {
            Making::Variant => "New variant",
            Making::Expansion => "New expansion",
            Making::Game => "New game",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Making::Variant => "A file with only what you change. The game itself stays as it is.",
            Making::Expansion => {
                "A folder with rules and tables of its own that lies over the game when it is chosen."
            }
            Making::Game => "A folder with a small game that plays at once. Change it bit by bit.",
        }
    }

    fn proposal(self) -> &'static str {
        match self {
            Making::Variant => "My variant",
            Making::Expansion => "My expansion",
            Making::Game => "My game",
        }
    }

    /// Where it will lie.
    fn place(self, name: &str) -> String {
        match self {
            Making::Variant => format!("variants/{name}.rules"),
            Making::Expansion => format!("expansions/{name}/"),
            Making::Game => format!("{name}/"),
        }
    }
}

/// The question, open or not.
#[derive(Default)]
pub struct MakingDialog {
    making: Making,
    /// What has been typed; none: it is closed.
    title: Option<String>,
    fresh: bool,
    /// Done when it has been begun.
    then: Option<Command>,
}

impl MakingDialog {
    /// `then`: what is done when it has been begun.
    pub fn open(&mut self, making: Making, then: Option<Command>) {
        *self = MakingDialog {
            making,
            title: Some(making.proposal().to_owned()),
            fresh: true,
            then,
        };
    }

    pub fn show_ui(&mut self, ctx: &Context, out: &mut Vec<Command>) {
        let Some(mut title) = self.title.take() else {
            return;
        };
        let mut done = false;
        let modal = Modal::new(Id::unique("making")).show(ctx, |ui| {
            ui.set_width(theme::TEXT_WIDTH);
            done = self.inside_ui(ui, &mut title, out);
        });
        if !done && !modal.should_close() {
            self.title = Some(title);
        }
    }

    fn inside_ui(&mut self, ui: &mut Ui, title: &mut String, out: &mut Vec<Command>) -> bool {
        ui.label(RichText::new(self.making.heading()).text_style(theme::section()));
        ui.label(self.making.meaning());
        if self.then.is_some() {
            ui.label("What you wanted to change is put into it.");
        }
        let label = ui.label("Title");
        let field = ui.add(TextEdit::singleline(title).desired_width(f32::INFINITY));
        let field = field.labelled_by(label.id);
        if std::mem::take(&mut self.fresh) {
            field::choose(&field, title);
        }
        let name = template::name_of(title);
        ui.weak(match name.as_str() {
            "" => "Give it a name with a letter in it".to_owned(),
            name => self.making.place(name),
        });
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let mut done = false;
        ui.horizontal(|ui| {
            let create = ui.add_enabled(!name.is_empty(), egui::Button::new("Create"));
            if (create.clicked() || enter) && !name.is_empty() {
                out.push(Command::Make(self.making, title.clone()));
                out.extend(self.then.take());
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }
}
