//! Asks for the title of what is to be begun: a variant, an expansion, a game.

use crate::template::{self, Part};
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
    /// A file of the game that is open.
    File,
}

impl Making {
    fn heading(self) -> &'static str {
        match self {
            Making::Variant => "New variant",
            Making::Expansion => "New expansion",
            Making::Game => "New game",
            Making::File => "New file",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Making::Variant => "A file with only what you change. The game itself stays as it is.",
            Making::Expansion => {
                "A folder with rules and tables of its own that lies over the game when it is chosen."
            }
            Making::Game => "A folder with a small game that plays at once. Change it bit by bit.",
            Making::File => "One file more of the game that is open.",
        }
    }

    fn proposal(self) -> &'static str {
        match self {
            Making::Variant => "My variant",
            Making::Expansion => "My expansion",
            Making::Game => "My game",
            Making::File => "more",
        }
    }

    /// Where it will lie.
    fn place(self, name: &str) -> String {
        match self {
            Making::Variant => format!("variants/{name}.rules"),
            Making::Expansion => format!("expansions/{name}/"),
            Making::Game | Making::File => format!("{name}/"),
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
    /// Of a file: what it is to be.
    part: Part,
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
            part: Part::default(),
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
        if self.making == Making::File {
            return self.file_ui(ui, title, out);
        }
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

    /// What kind of file, and its name; whether it is done with.
    fn file_ui(&mut self, ui: &mut Ui, title: &mut String, out: &mut Vec<Command>) -> bool {
        for part in Part::ALL {
            let chosen = self.part == part;
            let row = ui.selectable_label(chosen, part.title());
            if row.on_hover_text(part.meaning()).clicked() {
                self.part = part;
                self.fresh = !part.has_own_name();
            }
        }
        ui.weak(self.part.meaning());
        if !self.part.has_own_name() {
            let label = ui.label("Name");
            let field = ui.add(TextEdit::singleline(title).desired_width(f32::INFINITY));
            let field = field.labelled_by(label.id);
            if std::mem::take(&mut self.fresh) {
                field::choose(&field, title);
            }
        }
        let name = template::name_of(title);
        let fits = self.part.has_own_name() || !name.is_empty();
        ui.weak(match fits {
            true => self.part.place(&name).display().to_string(),
            false => "Give it a name with a letter in it".to_owned(),
        });
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let mut done = false;
        ui.horizontal(|ui| {
            let create = ui.add_enabled(fits, egui::Button::new("Create"));
            if (create.clicked() || enter) && fits {
                out.push(Command::MakeFile(self.part, title.clone()));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }
}
