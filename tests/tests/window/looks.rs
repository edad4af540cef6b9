//! How the window looks: everything has a name and keys, pictures of its panels are as they were. Pictures need a Vulkan
//! driver (a software one will do: `mesa-vulkan-drivers`) and are left out, with a word, where there is none.

use editor::window::{Desk, Pane};
use egui::accesskit::{Action, Role};
use egui::{Key, Modifiers, Theme};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{SnapshotOptions, SnapshotResults};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use tests::window::{TestWindow, can_draw, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";
const RULES: &str = "ticket-to-ride-maerklin/rules/maerklin.rules";
/// The game with the most to show.
const LARGEST: &str = "schwarze-lok";

/// Who does not see the window, and every test, finds a thing by its name.
#[test]
fn whatever_can_be_used_has_a_name() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).open();
    let mut nameless = nameless(&window, "the first page");
    window.click("Play Ticket to Ride: Märklin");
    for pane in Pane::ALL {
        window.command(&format!("Show {}", pane.title()));
        nameless.extend(self::nameless(&window, pane.title()));
    }
    make_variant(&mut window);
    window.command("Show Components");
    nameless.extend(self::nameless(&window, "a variant"));
    open_with_mistake(&mut window);
    window.command("Show Problems");
    nameless.extend(self::nameless(&window, "a mistake"));
    for dialog in ["Find a command", "List of shortcuts", "New game…"] {
        window.command(dialog);
        nameless.extend(self::nameless(&window, dialog));
        window.press(Modifiers::NONE, Key::Escape);
    }
    assert!(nameless.is_empty(), "{}", nameless.join("\n"));
}

/// Things that can be clicked or typed into and have no name.
fn nameless(window: &TestWindow, place: &str) -> Vec<String> {
    let mut found = window.unnamed_widgets();
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        let named = [
            node.label(),
            node.value(),
            node.placeholder().map(str::to_owned),
        ];
        let named = named.iter().flatten().any(|name| !name.trim().is_empty());
        // Bars to scroll, edges to drag and the ground of tabs are for the mouse alone; keys and commands do the same.
        let for_mouse = matches!(node.role(), Role::Unknown | Role::ScrollBar);
        let clickable = node.data().supports_action(Action::Click) && !for_mouse;
        if clickable && !node.is_hidden() && !named {
            found.push(format!("{:?} at {:?}", node.role(), node.raw_bounds()));
        }
    }
    let placed = found.into_iter().map(|what| format!("{place}: {what}"));
    placed.collect()
}

/// All desks and panels can be reached by keys that the list of keys tells, and by the list of commands.
#[test]
fn the_list_of_keys_is_complete() {
    let mut window = TestWindow::shipped().game("chess").open();
    let names = |window: &TestWindow| -> BTreeSet<String> {
        let nodes = window.root().children_recursive();
        let names = nodes.flat_map(|node| {
            let node = node.accesskit_node();
            node.label().or_else(|| node.value())
        });
        names.collect()
    };
    let plain = names(&window);
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    let commands: BTreeSet<String> = &names(&window) - &plain;
    window.press(Modifiers::NONE, Key::Escape);
    window.press(Modifiers::SHIFT, Key::F1);
    let keys: BTreeSet<String> = &names(&window) - &plain;
    let desks = Desk::ALL
        .iter()
        .map(|desk| format!("Desk: {}", desk.title()));
    // Finding has keys of its own, which say where.
    let panes = Pane::ALL.iter().filter(|pane| **pane != Pane::Find);
    let panes = panes.map(|pane| format!("Show {}", pane.title()));
    for name in desks.chain(panes) {
        // The keys stand behind the name.
        let listed = commands.iter().any(|command| command.starts_with(&name));
        assert!(listed, "{name} in {commands:?}");
        assert!(keys.contains(&name), "{name} in {keys:?}");
    }
}

/// The main panels look as they did. Compared at half their size and with some tolerance: drivers draw edges differently.
/// `UPDATE_SNAPSHOTS=1` writes the pictures anew.
#[test]
fn the_panels_look_as_they_did() {
    if !can_draw() {
        return;
    }
    let mut results = SnapshotResults::new();
    let mut compare = |window: &mut TestWindow, name: &str| {
        window.remove_cursor();
        window.settle();
        let picture = window.render().expect("a picture");
        let (width, height) = (picture.width() / 2, picture.height() / 2);
        let filter = image::imageops::FilterType::Triangle;
        let half = image::imageops::resize(&picture, width, height, filter);
        let options = SnapshotOptions::new()
            .output_path(concat!(env!("CARGO_MANIFEST_DIR"), "/suite/window"))
            .threshold(3.0)
            .max_failed_pixels(200);
        let same = egui_kittest::try_image_snapshot_options(&half, name, &options);
        results.add(same);
    };
    let mut first = TestWindow::shipped().theme(Theme::Dark).open();
    compare(&mut first, "start");
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    answer(&mut window, 6);
    // Not the log: where it has scrolled to depends on how many frames went by.
    window.command("Show State");
    compare(&mut window, "play");
    make_variant(&mut window);
    compare(&mut window, "variant");
    window.command("Show Components");
    compare(&mut window, "components");
    open_with_mistake(&mut window);
    compare(&mut window, "rules");
    window.press(Modifiers::COMMAND, Key::Z);
    window.click("Scenarios");
    compare(&mut window, "scenarios");
    simulate(&mut window);
    compare(&mut window, "simulation");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    compare(&mut window, "commands");
}

/// Writes a picture of each panel into the folder that `PICTURES` names.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PICTURES") else {
        println!("skipped: set PICTURES to a folder to get pictures of the panels");
        return;
    };
    if !can_draw() {
        return;
    }
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    let (small, large) = ([1280.0, 800.0], [1920.0, 1080.0]);
    for (name, size, theme, scale) in [
        ("1280", small, Theme::Light, 1.0),
        ("1920", large, Theme::Light, 1.0),
        ("1280-dark", small, Theme::Dark, 1.0),
        // The same screen with everything half as large again.
        ("1280-150", [1280.0 / 1.5, 800.0 / 1.5], Theme::Light, 1.5),
    ] {
        let picture = |window: &mut TestWindow, what: &str| {
            window.save_picture(&folder.join(format!("{what}-{name}.png")));
        };
        let dressed = |opened: tests::window::Opened| opened.size(size).theme(theme).scale(scale);
        picture(&mut dressed(TestWindow::shipped()).open(), "start");
        let home = copy_of(GAME);
        let mut window = dressed(TestWindow::with(home.path())).game(GAME).open();
        window.command("Put the panels back");
        answer(&mut window, 7);
        window.command("Show Play-test");
        window.click("Why not?");
        picture(&mut window, "play");
        make_variant(&mut window);
        picture(&mut window, "variant");
        for pane in [
            Pane::State,
            Pane::Log,
            Pane::Components,
            Pane::Project,
            Pane::Find,
        ] {
            window.command(&format!("Show {}", pane.title()));
            picture(&mut window, &pane.title().to_lowercase());
        }
        open_with_mistake(&mut window);
        picture(&mut window, "rules");
        window.command("Show Problems");
        picture(&mut window, "problems");
        window.press(Modifiers::COMMAND, Key::Z);
        window.command("Show Scenarios");
        picture(&mut window, "scenarios");
        simulate(&mut window);
        picture(&mut window, "simulation");
        for (command, what) in [
            ("Find a command", "commands"),
            ("List of shortcuts", "shortcuts"),
            ("New variant…", "new"),
        ] {
            window.command(command);
            picture(&mut window, what);
            window.press(Modifiers::NONE, Key::Escape);
        }
    }
}

/// Frames that are measured together.
const FRAMES: u32 = 60;

/// Prints what a frame costs with the largest game, for each panel, if `FRAMES` is set. Never fails: machines differ.
#[test]
fn frames() {
    if std::env::var_os("FRAMES").is_none() {
        println!("skipped: set FRAMES to have the time of a frame printed, for each panel");
        return;
    }
    let large = TestWindow::shipped().size([1920.0, 1080.0]);
    let mut window = large.game(LARGEST).open();
    for desk in Desk::ALL {
        window.command(&format!("Desk: {}", desk.title()));
        for pane in Pane::ALL {
            window.command(&format!("Show {}", pane.title()));
            let begin = processor_time();
            window.run_steps(FRAMES as usize);
            let frame = (processor_time() - begin) / FRAMES;
            let (desk, pane) = (desk.title(), pane.title());
            println!("{desk:8} {pane:12} {:6} µs", frame.as_micros());
        }
    }
}

/// What this thread has used of a processor, where the system tells; else what the clock says.
fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| BEGIN.with(Instant::elapsed), Duration::from_nanos)
}

thread_local! {
    static BEGIN: Instant = Instant::now();
}

fn answer(window: &mut TestWindow, times: usize) {
    for _ in 0..times {
        let first = window.state().offered().next().map(str::to_owned);
        let first = first.expect("a person is asked");
        window.command("Show Play-test");
        window.click_first(Role::Button, &first);
    }
}

fn make_variant(window: &mut TestWindow) {
    window.press(Modifiers::COMMAND, Key::N);
    window.click("Create");
    window.command("Show Variant");
    window.turn("Wagons each player starts with", 40.0);
}

/// Types a line that says nothing into the rules.
fn open_with_mistake(window: &mut TestWindow) {
    window.click("Write");
    window.get_by_label("maerklin.rules").scroll_to_me();
    window.settle();
    window.click("maerklin.rules");
    window.type_into(RULES, "option wagon = 3\n");
}

fn simulate(window: &mut TestWindow) {
    window.click("Measure");
    window.command("Show Simulation");
    window.turn("Games", 100.0);
    window.press(Modifiers::NONE, Key::F5);
}
