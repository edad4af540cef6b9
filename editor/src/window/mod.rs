//! The window: shows the workshop and sends it commands. All that is edited, checked and played lives there, without egui.

mod app;
mod commands;
mod dock;
mod panels;
mod run;
mod theme;
mod widgets;
mod words;

pub use app::Window;
pub use commands::Command;
pub use dock::{Desk, Dock, Pane};
pub use theme::install as dress;

use crate::files::Library;
use std::path::PathBuf;

/// Under which name the desks are remembered.
const DOCK_KEY: &str = "dock";

/// What the window opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    pub library: Library,
    /// Where the window keeps what it remembers; without it, it remembers nothing.
    pub user_folder: Option<PathBuf>,
    /// Threads the machine can run at once.
    pub threads: usize,
    /// Opened at once: a game, by its folder's name.
    pub game: Option<String>,
}

/// Opens the window and stays until it is closed.
///
/// # Errors
/// Why there is none.
pub fn open(opening: Opening) -> Result<(), String> {
    let viewport = egui::ViewportBuilder::default()
        .with_title("trackwright")
        .with_app_id("trackwright")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([640.0, 400.0]);
    let options = eframe::NativeOptions {
        viewport,
        persistence_path: opening
            .user_folder
            .as_ref()
            .map(|folder| folder.join("window.ron")),
        ..eframe::NativeOptions::default()
    };
    let create: eframe::AppCreator = Box::new(|context| {
        dress(&context.egui_ctx);
        let dock = context
            .storage
            .and_then(|storage| eframe::get_value(storage, DOCK_KEY));
        Ok(Box::new(App(Window::new(opening, dock))))
    });
    eframe::run_native("trackwright", options, create).map_err(|error| error.to_string())
}

/// The window on a screen.
struct App(Window);

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.0.frame_ui(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.0.remember();
        eframe::set_value(storage, DOCK_KEY, self.0.dock());
    }
}
