//! Asks for a folder of games: by the system's own dialog, or typed where the system has none.

use crate::window::widgets::field;
use crate::window::{Command, theme};
use egui::{Context, Id, Key, Modal, RichText, TextEdit, Ui};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The question, open or not.
#[derive(Default)]
pub struct FolderDialog(Option<Asked>);

struct Asked {
    typed: String,
    fresh: bool,
    /// The system's dialog is open; its answer comes here.
    browsing: Option<Receiver<Option<PathBuf>>>,
    /// It was closed without a folder, or there is none.
    nothing: bool,
}

impl FolderDialog {
    /// `folder`: where to begin.
    pub fn open(&mut self, folder: Option<PathBuf>) {
        let typed = folder.map(|folder| folder.display().to_string());
        self.0 = Some(Asked {
            typed: typed.unwrap_or_default(),
            fresh: true,
            browsing: None,
            nothing: false,
        });
    }

    pub fn show_ui(&mut self, ctx: &Context, out: &mut Vec<Command>) {
        let Some(mut asked) = self.0.take() else {
            return;
        };
        let mut done = asked.hear(out);
        let modal = Modal::new(Id::unique("folder")).show(ctx, |ui| {
            ui.set_width(theme::TEXT_WIDTH);
            done |= asked.inside_ui(ui, out);
        });
        if !done && !modal.should_close() {
            self.0 = Some(asked);
        }
    }
}

impl Asked {
    /// Whether the system's dialog brought a folder.
    fn hear(&mut self, out: &mut Vec<Command>) -> bool {
        let Some(browsing) = &self.browsing else {
            return false;
        };
        match browsing.try_recv() {
            Ok(Some(folder)) => {
                out.push(Command::OpenFolder(folder));
                true
            }
            Err(TryRecvError::Empty) => false,
            Ok(None) | Err(TryRecvError::Disconnected) => {
                self.browsing = None;
                self.nothing = true;
                false
            }
        }
    }

    fn inside_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) -> bool {
        ui.label(RichText::new("Open a folder").text_style(theme::section()));
        ui.label("A game, which is a folder with a `game.toml`, or a folder of games.");
        let label = ui.label("Folder");
        let field = ui.add(TextEdit::singleline(&mut self.typed).desired_width(f32::INFINITY));
        let field = field.labelled_by(label.id);
        if std::mem::take(&mut self.fresh) {
            field::choose(&field, &self.typed);
        }
        if self.nothing {
            ui.weak("No folder was chosen. If no window to choose one appeared, this system has none: type the folder.");
        }
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let typed = self.typed.trim().to_owned();
        let mut done = false;
        ui.horizontal(|ui| {
            let open = ui.add_enabled(!typed.is_empty(), egui::Button::new("Open"));
            if (open.clicked() || enter) && !typed.is_empty() {
                out.push(Command::OpenFolder(PathBuf::from(&typed)));
                done = true;
            }
            let browse = egui::Button::new("Browse…");
            let browse = ui.add_enabled(self.browsing.is_none(), browse);
            if browse.clicked() {
                self.browse(ui.ctx(), &typed);
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }

    /// Opens the system's dialog beside the window, which goes on drawing meanwhile.
    fn browse(&mut self, ctx: &Context, begin: &str) {
        let (sender, receiver) = channel();
        let (ctx, begin) = (ctx.clone(), PathBuf::from(begin));
        std::thread::spawn(move || {
            let mut dialog = rfd::FileDialog::new().set_title("Open a folder of games");
            if begin.is_dir() {
                dialog = dialog.set_directory(begin);
            }
            // Nobody waits any more if the question was closed.
            let _ = sender.send(dialog.pick_folder());
            ctx.request_repaint();
        });
        self.browsing = Some(receiver);
    }
}
