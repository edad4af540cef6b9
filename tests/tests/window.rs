//! The window without a screen: what a person does, by the accessible names of what is seen. Pictures need a Vulkan
//! driver (a software one will do: `mesa-vulkan-drivers`) and are left out, with a word, where there is none.

use editor::files::{Library, Places};
use editor::window::{Opening, Window};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::Path;

type Open = Harness<'static, Window>;

/// The window with the shipped games.
fn window(size: [f32; 2], game: Option<&str>) -> Open {
    let folder = tests::games::folder();
    let places = Places {
        given: Some(&folder),
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

/// Frames until the work in the background is done.
fn settle(window: &mut Open) {
    for _ in 0..2_000 {
        window.step();
        if !window.state().is_busy() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    window.run_steps(3);
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
        let mut start = window(size, None);
        save(&mut start, folder, &format!("start-{name}"));
        let mut open = window(size, Some("ticket-to-ride-maerklin"));
        save(&mut open, folder, &format!("play-{name}"));
        click(&mut open, "Write");
        click(&mut open, "maerklin.rules");
        let file = "ticket-to-ride-maerklin/rules/maerklin.rules";
        open.get_by_label(file).focus();
        open.run_steps(2);
        open.get_by_label(file).type_text("option wagon = 3\n");
        settle(&mut open);
        save(&mut open, folder, &format!("rules-{name}"));
        open.key_press_modifiers(
            egui::Modifiers::COMMAND | egui::Modifiers::SHIFT,
            egui::Key::P,
        );
        open.run_steps(3);
        save(&mut open, folder, &format!("commands-{name}"));
    }
}

fn save(window: &mut Open, folder: &Path, name: &str) {
    let picture = window.render().expect("a picture");
    picture
        .save(folder.join(format!("{name}.png")))
        .expect("the picture can be written");
}
