//! Asks for the title of a new variant.

use crate::template;
use crate::window::{Command, theme};
use egui::{Context, Id, Key, Modal, RichText, TextEdit};

/// The question, open or not.
#[derive(Default)]
pub struct VariantDialog {
    /// What has been typed; none: it is closed.
    title: Option<String>,
    fresh: bool,
}

impl VariantDialog {
    pub fn open(&mut self) {
        self.title = Some("My variant".to_owned());
        self.fresh = true;
    }

    pub fn show_ui(&mut self, ctx: &Context, out: &mut Vec<Command>) {
        let Some(mut title) = self.title.take() else {
            return;
        };
        let mut done = false;
        let modal = Modal::new(Id::unique("new variant")).show(ctx, |ui| {
            ui.set_width(theme::TEXT_WIDTH);
            ui.label(RichText::new("New variant").text_style(theme::section()));
            ui.label("A file with only what you change. The game itself stays as it is.");
            let label = ui.label("Title");
            let field = ui.add(TextEdit::singleline(&mut title).desired_width(f32::INFINITY));
            let field = field.labelled_by(label.id);
            if std::mem::take(&mut self.fresh) {
                field.request_focus();
            }
            let name = template::name_of(&title);
            ui.weak(match name.as_str() {
                "" => "Give it a name with a letter in it".to_owned(),
                name => format!("variants/{name}.rules"),
            });
            let enter = ui.input(|input| input.key_pressed(Key::Enter));
            ui.horizontal(|ui| {
                let create = ui.add_enabled(!name.is_empty(), egui::Button::new("Create"));
                if (create.clicked() || enter) && !name.is_empty() {
                    out.push(Command::MakeVariant(title.clone()));
                    done = true;
                }
                done |= ui.button("Cancel").clicked();
            });
        });
        if !done && !modal.should_close() {
            self.title = Some(title);
        }
    }
}
