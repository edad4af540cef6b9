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
    Harness::builder()
        .with_size(size)
        .with_theme(egui::Theme::Light)
        .with_context_setup(editor::window::dress)
        .build_ui_state(
            |ui, window: &mut Window| window.frame_ui(ui),
            Window::new(opening, None),
        )
}

#[test]
fn the_first_page_shows_all_games() {
    let window = window([1280.0, 800.0], None);
    assert!(window.query_all_by_label("Play").count() >= 7);
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
        start.run_ok();
        save(&mut start, folder, &format!("start-{name}"));
        let mut open = window(size, Some("ticket-to-ride-maerklin"));
        open.run_ok();
        save(&mut open, folder, &format!("play-{name}"));
    }
}

fn save(window: &mut Open, folder: &Path, name: &str) {
    let picture = window.render().expect("a picture");
    picture
        .save(folder.join(format!("{name}.png")))
        .expect("the picture can be written");
}
