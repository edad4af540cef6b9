//! The window without a screen: what a person does, by the accessible names of what is seen. Pictures need a Vulkan
//! driver (a software one will do: `mesa-vulkan-drivers`) and are left out, with a word, where there is none.

use editor::files::{Library, Places};
use editor::window::{Opening, Window};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::Path;
use std::time::{Duration, Instant};

type Open = Harness<'static, Window>;

/// The window with the games of a folder.
fn window_on(folder: &Path, size: [f32; 2], game: Option<&str>) -> Open {
    let places = Places {
        given: Some(folder),
        folder: Path::new("."),
        executable: None,
        user_folder: None,
        shipped: None,
    };
    let opening = Opening {
        library: Library::find(&places).expect("the shipped games"),
        threads: 2,
        game: game.map(str::to_owned),
        ..Opening::default()
    };
    let mut window = Harness::builder()
        .with_size(size)
        .with_theme(egui::Theme::Light)
        .with_max_steps(20)
        // Pieces of chess are in the fonts of few systems.
        .allow_missing_glyphs()
        .with_context_setup(editor::window::dress)
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
    settle(&mut window);
    window
}

/// The window with the shipped games, which stay as they are.
fn window(size: [f32; 2], game: Option<&str>) -> Open {
    window_on(&tests::games::folder(), size, game)
}

/// A copy of two shipped games, to be changed.
fn copied() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder for the games");
    for game in ["ticket-to-ride", "ticket-to-ride-maerklin"] {
        copy(&tests::games::folder().join(game), &home.path().join(game));
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

/// Frames until the work in the background is done, and what it asked for too.
fn settle(window: &mut Open) {
    let mut quiet = 0;
    for _ in 0..4_000 {
        window.step();
        quiet = if window.state().is_busy() {
            0
        } else {
            quiet + 1
        };
        if quiet > 3 {
            break;
        }
        if quiet == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn click(window: &mut Open, name: &str) {
    window.get_by_label(name).click();
    settle(window);
}

#[test]
fn the_first_page_shows_all_games() {
    let window = window([1280.0, 800.0], None);
    assert!(window.query_all_by_label_contains("Play ").count() >= 7);
}

#[test]
fn a_mistake_is_shown_while_it_is_typed_and_gone_when_it_is_mended() {
    let mut window = window([1280.0, 800.0], Some("chess"));
    click(&mut window, "Write");
    click(&mut window, "chess.rules");
    let name = "chess/rules/chess.rules";
    window.get_by_label(name).focus();
    window.run_steps(2);
    window.get_by_label(name).type_text("nonsense ");
    settle(&mut window);
    assert!(window.query_by_label_contains("× 1 error").is_some());
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    settle(&mut window);
    assert!(window.query_by_label_contains("No problems").is_some());
}

/// Open, begin a variant, turn a dial, see the one change, play, take back, make a scenario, save, open again.
#[test]
fn a_house_rule_is_made_and_played() {
    let home = copied();
    let mut window = window_on(
        home.path(),
        [1280.0, 800.0],
        Some("ticket-to-ride-maerklin"),
    );
    begin_variant(&mut window);
    assert!(window.query_by_label("1 change").is_some());
    let before = answers_given(&window);
    for _ in 0..3 {
        answer_first(&mut window);
    }
    assert!(answers_given(&window) > before);
    click(&mut window, "Undo turn");
    click(&mut window, "Undo turn");
    assert!(answers_given(&window) >= before);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::S);
    settle(&mut window);
    assert!(!window.state().workshop().is_dirty());
    let file = home
        .path()
        .join("ticket-to-ride-maerklin/variants/my-variant.rules");
    let text = std::fs::read_to_string(file).expect("the variant has been saved");
    assert!(text.contains("set wagons_each = 40"), "{text}");
}

fn begin_variant(window: &mut Open) {
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::N);
    settle(window);
    click(window, "Create");
    let dial = window.get_by_role_and_label(Role::SpinButton, "wagons_each");
    dial.set_value_accesskit(40.0);
    settle(window);
}

fn answers_given(window: &Open) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

fn answer_first(window: &mut Open) {
    click(window, "Play-test");
    let first = window.state().offered().next().map(str::to_owned);
    let first = first.expect("a person is asked");
    // The board may have something of that name too.
    let found = window
        .query_all_by_role_and_label(Role::Button, &first)
        .next();
    found.expect("the answer can be clicked").click();
    settle(window);
}

/// Frames that are measured together.
const FRAMES: usize = 60;

/// Writes a picture of each panel into the folder that `PICTURES` names.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PICTURES") else {
        println!("skipped: set PICTURES to a folder to get pictures of the panels");
        return;
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    for (name, size) in [("1280", [1280.0, 800.0]), ("1920", [1920.0, 1080.0])] {
        let picture =
            |window: &mut Open, what: &str| save(window, folder, &format!("{what}-{name}"));
        picture(&mut window(size, None), "start");
        let home = copied();
        let mut open = window_on(home.path(), size, Some("ticket-to-ride-maerklin"));
        for _ in 0..6 {
            answer_first(&mut open);
        }
        click(&mut open, "Why not?");
        picture(&mut open, "play");
        let begin = Instant::now();
        open.run_steps(FRAMES);
        let frame = begin.elapsed() / FRAMES as u32;
        println!(
            "a frame of the play desk at {name}: {} µs",
            frame.as_micros()
        );
        begin_variant(&mut open);
        picture(&mut open, "variant");
        click(&mut open, "State");
        picture(&mut open, "state");
        click(&mut open, "Components");
        picture(&mut open, "components");
        click(&mut open, "Write");
        open.get_by_label("maerklin.rules").scroll_to_me();
        settle(&mut open);
        click(&mut open, "maerklin.rules");
        let file = "ticket-to-ride-maerklin/rules/maerklin.rules";
        open.get_by_label(file).focus();
        open.run_steps(2);
        open.get_by_label(file).type_text("option wagon = 3\n");
        settle(&mut open);
        picture(&mut open, "rules");
        open.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
        settle(&mut open);
        click(&mut open, "Scenarios");
        picture(&mut open, "scenarios");
        open.key_press(egui::Key::F4);
        open.key_press(egui::Key::F5);
        settle(&mut open);
        picture(&mut open, "simulation");
        open.key_press_modifiers(
            egui::Modifiers::COMMAND | egui::Modifiers::SHIFT,
            egui::Key::P,
        );
        open.run_steps(3);
        picture(&mut open, "commands");
    }
}

fn save(window: &mut Open, folder: &Path, name: &str) {
    let picture = window.render().expect("a picture");
    picture
        .save(folder.join(format!("{name}.png")))
        .expect("the picture can be written");
}
