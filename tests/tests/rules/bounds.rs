//! Everything has a bound that is told: small games that go beyond one, each with what is told in a text beside it, and the
//! shipped games with a line left out. All of it runs on a small stack. `UPDATE_EXPECT=1` rewrites the texts;
//! `LINES_LEFT_OUT=300` leaves out so many lines of the rules files, one after the other, instead of a few.

use dsl::assembly::Selection;
use dsl::source::{SourceSet, Span};
use dsl::syntax::ast::AssignOp;
use interpreter::playout::Table;
use interpreter::{Fault, Program, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use tests::games;

/// Less than any thread has.
const STACK_BYTES: usize = 3 << 19;
/// Decisions of a game that are answered: of what never ends enough.
const DECISIONS: usize = 600;
/// Lines of shipped games that are left out, one after the other.
const LINES: usize = 40;
/// As far as a decision's look-ahead may come in a shipped game, in parts of its bound.
const SHARE_OF_SHIPPED: i64 = 4;

#[test]
fn each_bound_is_told_where_it_is_met() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/bounds");
    let only = std::env::var("CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in rules_files(&suite) {
        if !path.to_string_lossy().contains(&only) {
            continue;
        }
        count += 1;
        let said = on_small_stack(|| told(&path));
        let beside = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&beside, &said).expect("the suite can be written");
        } else if fs::read_to_string(&beside).unwrap_or_default() != said {
            wrong.push(format!("== {}\n{said}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 20 || !only.is_empty(), "{count} cases");
}

fn rules_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "rules"))
        .collect();
    files.sort();
    files
}

fn on_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, run).expect("a thread starts");
        thread.join().expect("nothing panics")
    })
}

/// What checking and playing say of a game in one file.
fn told(path: &Path) -> String {
    let rules = fs::read_to_string(path).expect("a case can be read");
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let players = rules
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# players "))
        .expect("the first line says for how many players");
    let mut sources = games::of_text(&name, players, rules.as_str());
    if let Ok(rows) = fs::read_to_string(path.with_extension("toml")) {
        sources.insert(format!("{name}/{name}.toml"), rows);
    }
    let compiled = dsl::compile(&sources, &name, &Selection::default());
    let Some(rules) = compiled.rules else {
        let errors = compiled.diagnostics.iter().filter(|one| one.is_error());
        return errors
            .map(|one| format!("check: {}: {}\n", sources.place(one.span), one.message))
            .collect();
    };
    let program = match interpreter::lower(&rules, rules.players.0) {
        Ok(program) => program,
        Err(error) => return format!("check: {}: {}\n", sources.place(error.span), error.message),
    };
    let hasty = played(&program, Table::hasty(&program, Vec::new()), 3);
    let all = played(&program, Table::new(&program, Vec::new()), 1);
    format!(
        "quickly: {}\nall answers: {}\n",
        in_words(&sources, hasty),
        in_words(&sources, all)
    )
}

/// Plays so many games, each as far as a few hundred decisions. How many decisions there were, or the first fault.
fn played(program: &Program, mut table: Table<'_>, seeds: u64) -> Result<usize, (Span, String)> {
    let told = |fault: Fault| (fault.span, fault.message);
    let mut decisions = 0;
    for seed in 1..=seeds {
        let mut stop = table.start(seed).map_err(told)?;
        let mut left = DECISIONS;
        while stop == Stop::Decision && left > 0 {
            stop = table.step().map_err(told)?;
            decisions += 1;
            left -= 1;
        }
        if stop == Stop::Over {
            for seat in 0..program.players {
                table.machine.score(seat);
            }
        }
    }
    Ok(decisions)
}

fn in_words(sources: &SourceSet, played: Result<usize, (Span, String)>) -> String {
    match played {
        Ok(_) => "plays".to_owned(),
        Err((span, message)) => format!("{}: {message}", sources.place(span)),
    }
}

/// One forgotten line: it is told, or the game goes otherwise, but nothing hangs and nothing overflows.
#[test]
fn shipped_games_with_a_line_left_out_come_to_an_end() {
    let sources = games::sources();
    let wanted = std::env::var("LINES_LEFT_OUT").ok();
    let wanted = wanted.and_then(|n| n.parse().ok()).unwrap_or(LINES);
    let all = lines_of_rules(&sources);
    let (mut lines, mut refused, mut faults, mut played_on) = (0, 0, 0, 0);
    // Spread over all games, however many lines they have.
    for (id, path, left_out) in all.iter().step_by((all.len() / wanted).max(1)) {
        lines += 1;
        let text = sources.text(sources.find(path).expect("the file is there"));
        let mut kept: Vec<&str> = text.lines().collect();
        kept.remove(*left_out);
        let text = kept.join("\n") + "\n";
        let mut sources = sources.clone();
        sources.insert(path.clone(), text);
        let result = on_small_stack(|| {
            let rules = games::rules(&sources, id).ok()?;
            let program = interpreter::lower(&rules, rules.players.0).ok()?;
            Some(played(&program, Table::hasty(&program, Vec::new()), 2).is_ok())
        });
        match result {
            None => refused += 1,
            Some(false) => faults += 1,
            Some(true) => played_on += 1,
        }
    }
    println!("{lines} lines left out: {refused} refused, {faults} faults, {played_on} played on");
    assert!(
        lines >= wanted.min(all.len()),
        "{lines} of {} lines",
        all.len()
    );
    assert!(refused > 0 && played_on > 0);
}

/// Lines of the games' own rules that say something: game, file, number of the line from 0.
fn lines_of_rules(sources: &SourceSet) -> Vec<(String, String, usize)> {
    let mut all = Vec::new();
    for id in games::ids(sources) {
        for path in games::rules_files(sources, &id) {
            let text = sources.text(sources.find(&path).expect("the file is there"));
            let says = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
            let lines = text.lines().enumerate().filter(|(_, line)| says(line));
            all.extend(lines.map(|(at, _)| (id.clone(), path.clone(), at)));
        }
    }
    all
}

/// A cost that is forgotten, a piece that stays where it is: what is told, or that the game goes on.
#[test]
fn house_rules_that_cost_nothing_come_to_an_end() {
    let railroad = "railroad-revolution";
    let forgotten = [
        (
            railroad,
            "rules/actions.rules",
            "move next from looking to bottom of heap",
        ),
        (railroad, "rules/effects.rules", "money -= hire_price"),
        (railroad, "rules/effects.rules", "shares -= 1"),
        (
            "cube-express",
            "rules/play.rules",
            "cubes[k.from] -= k.count",
        ),
        (
            "schwarze-lok",
            "rules/play.rules",
            "move new from stack[new.kind, new.level]",
        ),
        ("schwarze-lok", "rules/play.rules", "played += me"),
    ];
    let mut told = String::new();
    for (id, path, line) in forgotten {
        let path = format!("{id}/{path}");
        let mut sources = games::sources();
        let text = sources.text(sources.find(&path).expect("the file is there"));
        let kept = text.lines().filter(|other| !other.contains(line));
        let kept: Vec<&str> = kept.collect();
        assert!(kept.len() < text.lines().count(), "`{line}` is there");
        let text = kept.join("\n") + "\n";
        sources.insert(path, text);
        told += &said_with(
            &sources,
            id,
            &[],
            Vec::new(),
            &format!("{id} without `{line}`"),
        );
    }
    let mut sources = games::sources();
    let manifest = format!("{railroad}/game.toml");
    let text = sources.text(sources.find(&manifest).expect("the file is there"));
    let house_rules = [
        ("free-shares", "instead of sell_share: money += share_price"),
        (
            "alone",
            "replace player.crew[s in spot]: bag of worker = {}",
        ),
    ];
    let ids = house_rules.map(|(id, _)| format!("\"{id}\", ")).concat();
    let listed = text.replacen("overlays = [", &format!("overlays = [{ids}"), 1);
    sources.insert(manifest, listed);
    for (id, rule) in house_rules {
        let text = format!("variant \"{id}\" of {railroad}\n{rule}\n");
        sources.insert(format!("{railroad}/variants/{id}.rules"), text);
    }
    for (id, rule) in house_rules {
        let what = format!("{railroad} with `{rule}`");
        told += &said_with(&sources, railroad, &[id], Vec::new(), &what);
    }
    let set = ("hire_price".to_owned(), AssignOp::Set, "0".to_owned());
    let what = format!("{railroad} with hire_price = 0");
    told += &said_with(&games::sources(), railroad, &[], vec![set], &what);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/bounds/forgotten.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&beside, &told).expect("the suite can be written");
    }
    assert_eq!(fs::read_to_string(&beside).unwrap_or_default(), told);
}

type Options = Vec<(String, AssignOp, String)>;

/// What playing a changed game says.
fn said_with(
    sources: &SourceSet,
    id: &str,
    overlays: &[&str],
    options: Options,
    what: &str,
) -> String {
    let overlays = overlays.iter().map(|id| (*id).to_owned()).collect();
    let selection = Selection {
        overlays,
        options,
        ..Selection::default()
    };
    let compiled = dsl::compile(sources, id, &selection);
    let rules = compiled
        .rules
        .unwrap_or_else(|| panic!("{what}: {:?}", compiled.diagnostics));
    let program = interpreter::lower(&rules, rules.players.0).expect("lowers");
    let said = on_small_stack(|| played(&program, Table::hasty(&program, Vec::new()), 1));
    format!("{what}: {}\n", in_words(sources, said))
}

/// The bounds are far from what any shipped game needs.
#[test]
fn shipped_games_keep_far_from_the_bounds() {
    for (rules, programs) in games::programs() {
        for program in programs {
            let mut table = Table::new(program, Vec::new());
            let mut most = 0;
            for seed in 0..games::more(1) {
                let mut stop = table
                    .start(seed)
                    .unwrap_or_else(|fault| panic!("{}: {fault:?}", rules.id));
                while stop == Stop::Decision {
                    most = most.max(table.machine.looked_ahead());
                    stop = table
                        .step()
                        .unwrap_or_else(|fault| panic!("{}: {fault:?}", rules.id));
                }
            }
            println!("{} with {}: {most}", rules.id, program.players);
            assert!(
                most < interpreter::bounds::LOOK_AHEAD_WORK_MAX / SHARE_OF_SHIPPED,
                "{} with {} players: looking ahead takes {most}",
                rules.id,
                program.players
            );
        }
    }
}

/// The reference names each bound with its value.
#[test]
fn the_reference_lists_the_bounds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let text = fs::read_to_string(path).expect("the reference is there");
    let listed: Vec<(String, String)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .filter(|(name, _)| name.chars().all(|c| c == '_' || c.is_ascii_uppercase()))
        .filter_map(|(name, rest)| {
            let (value, told) = rest.split_once(" | ")?;
            assert!(told.len() > 10, "{name} says what is told");
            Some((name.to_owned(), value.replace(' ', "")))
        })
        .collect();
    let wanted = |(name, value): (&str, i64)| (name.to_owned(), value.to_string());
    let bounds = dsl::bounds::ALL.iter().chain(interpreter::bounds::ALL);
    let bounds: Vec<(String, String)> = bounds.copied().map(wanted).collect();
    assert_eq!(listed, bounds);
}
