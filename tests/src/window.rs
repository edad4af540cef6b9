//! The window without a screen: opened with a copy of a game, used by the accessible names of what is seen.
//!
//! ```ignore
//! let home = window::copy_of("ticket-to-ride-maerklin");
//! let mut window = TestWindow::with(home.path()).game("ticket-to-ride-maerklin").open();
//! window.click("Write");
//! window.press(egui::Modifiers::COMMAND, egui::Key::S);
//! assert!(window.shows("No problems"));
//! ```

use crate::games;
use editor::files::{Library, Places};
use editor::window::{Opening, Window};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Frames that are waited for background work, and how long between two of them. Never the measure of a test: where it is
/// reached, the work does not end.
const FRAMES_MAX: usize = 24_000;
const BETWEEN_FRAMES: Duration = Duration::from_millis(5);
/// Frames without work until nothing more is expected of what was done.
const QUIET_FRAMES: usize = 4;

/// How a window is opened.
pub struct Opened {
    folder: PathBuf,
    game: Option<String>,
    user_folder: Option<PathBuf>,
    size: [f32; 2],
    theme: Theme,
    scale: f32,
}

impl Opened {
    /// With this game, by its folder's name; else the first page is shown.
    pub fn game(self, id: &str) -> Opened {
        let game = Some(id.to_owned());
        Opened { game, ..self }
    }

    /// With a place to remember things in, unsaved work among them.
    pub fn user_folder(self, folder: &Path) -> Opened {
        let user_folder = Some(folder.to_path_buf());
        Opened {
            user_folder,
            ..self
        }
    }

    /// Width and height in points.
    pub fn size(self, size: [f32; 2]) -> Opened {
        Opened { size, ..self }
    }

    pub fn theme(self, theme: Theme) -> Opened {
        Opened { theme, ..self }
    }

    /// Pixels a point.
    pub fn scale(self, scale: f32) -> Opened {
        Opened { scale, ..self }
    }

    /// Opens it and waits until all is checked.
    ///
    /// # Panics
    /// If the folder has no games.
    pub fn open(self) -> TestWindow {
        let places = Places {
            given: Some(&self.folder),
            folder: Path::new("."),
            executable: None,
            user_folder: None,
            shipped: None,
        };
        let opening = Opening {
            library: Library::find(&places).expect("the folder has games"),
            user_folder: self.user_folder,
            threads: 2,
            game: self.game,
        };
        let harness = Harness::builder()
            .with_size(self.size)
            .with_theme(self.theme)
            .with_pixels_per_point(self.scale)
            // The names of what can be used are what these tests look for; `looks.rs` tests that nothing lacks one.
            .with_accessibility_check(false)
            .with_context_setup(|ctx| {
                editor::window::dress(ctx);
                // Pictures must not depend on the moment.
                ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = false);
            })
            .build_ui_state(
                |ui, window: &mut Window| {
                    // The harness leaves a margin that a window does not have.
                    let whole = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
                    let mut root = ui.new_child(whole);
                    root.set_clip_rect(ui.ctx().content_rect());
                    window.frame_ui(&mut root);
                },
                Window::new(opening, None),
            );
        let mut window = TestWindow(harness);
        window.settle();
        window
    }
}

/// A window that is open. All that kittest finds and does can be asked of it too.
pub struct TestWindow(Harness<'static, Window>);

impl TestWindow {
    /// With the games of a folder; 1280 by 800, light.
    pub fn with(folder: &Path) -> Opened {
        Opened {
            folder: folder.to_path_buf(),
            game: None,
            user_folder: None,
            size: [1280.0, 800.0],
            theme: Theme::Light,
            scale: 1.0,
        }
    }

    /// With the shipped games, which must stay as they are.
    pub fn shipped() -> Opened {
        TestWindow::with(&games::folder())
    }

    /// Frames until the work in the background is done, and what it asked for too.
    ///
    /// # Panics
    /// If the work does not end.
    pub fn settle(&mut self) {
        let mut quiet = 0;
        for _ in 0..FRAMES_MAX {
            self.step();
            if self.state().is_busy() {
                quiet = 0;
                std::thread::sleep(BETWEEN_FRAMES);
            } else {
                quiet += 1;
            }
            if quiet == QUIET_FRAMES {
                return;
            }
        }
        panic!("the window is still busy");
    }

    /// Frames until this can be read somewhere, for what comes from outside: a changed file, a journal.
    ///
    /// # Panics
    /// If it never can.
    pub fn wait_for(&mut self, part: &str) {
        for _ in 0..FRAMES_MAX {
            self.step();
            if self.shows(part) {
                self.settle();
                return;
            }
            std::thread::sleep(BETWEEN_FRAMES);
        }
        panic!("`{part}` never appears");
    }

    /// Clicks what bears exactly this name, whatever it is, and waits.
    pub fn click(&mut self, name: &str) {
        self.get_by_label(name).click();
        self.settle();
    }

    /// Clicks the first of several things of this role and name.
    ///
    /// # Panics
    /// If there is none.
    pub fn click_first(&mut self, role: Role, name: &str) {
        let found = self.query_all_by_role_and_label(role, name).next();
        found.unwrap_or_else(|| panic!("{name}")).click();
        self.settle();
    }

    /// Presses keys and waits.
    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Writes where the cursor of the field with this name is; into the field's beginning, if it has none yet.
    pub fn type_into(&mut self, name: &str, text: &str) {
        self.get_by_label(name).focus();
        self.run_steps(2);
        self.get_by_label(name).type_text(text);
        self.settle();
    }

    /// Moves the pointer.
    pub fn point(&mut self, at: Pos2) {
        self.event(Event::PointerMoved(at));
        self.run_steps(3);
    }

    fn press_button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.event(Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        });
        self.run_steps(2);
    }

    /// Clicks a place, as a hand does.
    pub fn click_at(&mut self, at: Pos2) {
        self.click_with(at, PointerButton::Primary);
    }

    /// Clicks a place while keys are held.
    pub fn click_holding(&mut self, modifiers: Modifiers, at: Pos2) {
        self.event(Event::ModifiersChanged(modifiers));
        self.click_at(at);
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    /// Clicks a place with any button.
    pub fn click_with(&mut self, at: Pos2, button: PointerButton) {
        self.point(at);
        self.press_button(at, button, true);
        self.press_button(at, button, false);
        self.settle();
    }

    /// Drags from one place to another.
    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.point(from);
        self.press_button(from, PointerButton::Primary, true);
        for step in 1..=4 {
            self.point(from + (to - from) * (step as f32 / 4.0));
        }
        self.press_button(to, PointerButton::Primary, false);
        self.settle();
    }

    /// Gives the number field of this name a value.
    pub fn turn(&mut self, name: &str, value: f64) {
        let field = self.get_by_role_and_label(Role::SpinButton, name);
        field.set_value_accesskit(value);
        self.settle();
    }

    /// Does what a command of the list does, by its name.
    pub fn command(&mut self, name: &str) {
        self.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        self.event(Event::Text(name.to_owned()));
        self.run_steps(2);
        self.press(Modifiers::NONE, Key::Enter);
    }

    /// Whether anything to be seen has this in its name.
    pub fn shows(&self, part: &str) -> bool {
        self.query_all_by_label_contains(part).next().is_some()
    }

    /// Writes a picture; says so and does nothing where there is no driver to draw with.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn save_picture(&mut self, file: &Path) {
        if can_draw() {
            let picture = self.render().expect("a picture");
            picture.save(file).expect("the picture can be written");
        }
    }
}

impl Deref for TestWindow {
    type Target = Harness<'static, Window>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for TestWindow {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Whether pictures can be made: they need a Vulkan driver, a software one will do (`mesa-vulkan-drivers`). Says so where there
/// is none.
pub fn can_draw() -> bool {
    static DRAWS: OnceLock<bool> = OnceLock::new();
    let draws = *DRAWS.get_or_init(|| {
        // It panics where there is no driver, and has no other way to say so.
        std::panic::catch_unwind(egui_kittest::wgpu::WgpuTestRenderer::new).is_ok()
    });
    if !draws {
        println!("skipped: there is no Vulkan driver to make pictures with");
    }
    draws
}

/// A copy of a shipped game and of what it builds on, to be changed. The folder goes when the value does.
///
/// # Panics
/// If there is no such game.
pub fn copy_of(game: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder for the games");
    // A game takes up what is declared for any game, and has cases of it.
    copy(&games::folder().join("any"), &home.path().join("any"));
    let mut wanted = Some(game.to_owned());
    while let Some(id) = wanted {
        let from = games::folder().join(&id);
        copy(&from, &home.path().join(&id));
        let manifest = std::fs::read_to_string(from.join("game.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("a manifest");
        let below = manifest.get("game").and_then(|game| game.get("extends"));
        wanted = below.and_then(|below| Some(below.as_str()?.to_owned()));
    }
    home
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a game").flatten() {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &place);
        } else {
            std::fs::copy(&path, &place).expect("a file can be copied");
        }
    }
}
