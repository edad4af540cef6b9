//! The syntax stage on files: what parses, what is said about what does not, formatting, and that nothing panics.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use dsl::diagnostic::render::render_all;
use dsl::source::{FileId, SourceSet};
use dsl::syntax::ast::{self, BinaryOp, Expr, ExprKind, UnaryOp};
use dsl::syntax::parse::{self, chunks, parse_chunk, parse_effect, parse_expression};
use dsl::syntax::print::format;

const FILE: FileId = FileId(0);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Name and text of the `*.rules` of a folder of the suite, in alphabetical order.
fn suite(folder: &str) -> Vec<(String, String)> {
    let folder = root().join("suite/syntax").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the suite exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "rules")
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a file name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(&path).expect("UTF-8"))
        })
        .collect()
}

/// The ```` ```rules ```` blocks of the language reference.
fn reference_blocks() -> Vec<(String, String)> {
    let text =
        fs::read_to_string(root().join("../docs/language.md")).expect("the reference exists");
    let blocks = text
        .split("```rules\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(""));
    blocks
        .enumerate()
        .map(|(index, block)| {
            (
                format!("language.md, block {}", index + 1),
                block.to_owned(),
            )
        })
        .collect()
}

/// Everything that must parse.
fn good_texts() -> Vec<(String, String)> {
    let mut texts = suite("ok");
    texts.extend(reference_blocks());
    texts
}

/// All diagnostics of a text as pictures.
fn pictures(name: &str, text: &str) -> String {
    let mut sources = SourceSet::new();
    let file = sources.insert(name, text);
    let parsed = parse::parse(file, text);
    render_all(&sources, &parsed.diagnostics, false)
}

/// The tree as text, without places.
fn shape(text: &str) -> String {
    let parsed = parse::parse(FILE, text);
    without_spans(&format!("{:?}", parsed.file.declarations))
}

fn without_spans(debug: &str) -> String {
    let mut out = String::new();
    let mut rest = debug;
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('}').map_or(rest.len(), |end| end + 1);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// The tree of a text, a line a declaration, as short as it can be read.
fn short_tree(text: &str) -> String {
    let parsed = parse::parse(FILE, text);
    let mut out = String::new();
    for declaration in &parsed.file.declarations {
        let mut line = without_spans(&format!("{declaration:?}"));
        for (long, short) in [
            ("span: , ", ""),
            (", span: ", ""),
            ("doc: \"\", ", ""),
            (", doc: \"\"", ""),
            (", tags: []", ""),
            ("tags: [], ", ""),
            (", optional: false", ""),
            ("Expr { kind: ", "{"),
            ("Statement { kind: ", "{"),
            ("Type { kind: ", "{"),
            ("Block { statements: ", "Block {"),
        ] {
            line = line.replace(long, short);
        }
        let mut rest = line.as_str();
        while let Some((before, after)) = rest.split_once("Name { text: \"") {
            let (name, after) = after.split_once("\" }").unwrap_or((after, ""));
            let _ = write!(out, "{before}`{name}`");
            rest = after;
        }
        let _ = writeln!(out, "{rest}");
    }
    out
}

#[test]
fn trees_are_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for (name, text) in suite("ok") {
        let found = short_tree(&text);
        let path = root().join("suite/syntax/ok").join(format!("{name}.txt"));
        if update {
            fs::write(&path, &found).expect("writable");
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap_or_default(),
            found,
            "{name}"
        );
    }
}

#[test]
fn good_texts_parse() {
    for (name, text) in good_texts() {
        assert_eq!(pictures(&name, &text), "", "{name}");
    }
}

#[test]
fn broken_texts_are_explained() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = String::new();
    for (name, text) in suite("err") {
        let found = pictures(&format!("{name}.rules"), &text) + "\n";
        let path = root().join("suite/syntax/err").join(format!("{name}.txt"));
        if update {
            fs::write(&path, &found).expect("writable");
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            let _ = writeln!(wrong, "{name}:\n{found}");
        }
        assert_ne!(found, "\n", "{name} parses");
    }
    assert_eq!(wrong, "", "UPDATE_EXPECT=1 writes what is found");
}

/// A fix that is offered leads to a text with fewer mistakes.
#[test]
fn fixes_help() {
    for (name, text) in suite("err") {
        let parsed = parse::parse(FILE, &text);
        for diagnostic in &parsed.diagnostics {
            let Some(fix) = &diagnostic.fix else { continue };
            let mut fixed = text.clone();
            fixed.replace_range(
                fix.span.start as usize..fix.span.end as usize,
                &fix.replacement,
            );
            let same = parse::parse(FILE, &fixed).diagnostics.iter().any(|other| {
                other.code == diagnostic.code && other.span.start == diagnostic.span.start
            });
            assert!(!same, "{name}: {} does not help:\n{fixed}", fix.title);
        }
    }
}

/// What stands below a `with`.
fn below(declaration: &ast::Declaration) -> &[ast::Declaration] {
    match &declaration.kind {
        ast::DeclarationKind::Part(part) => &part.declarations,
        _ => &[],
    }
}

#[test]
fn chunks_cover_the_text() {
    for (name, text) in good_texts().into_iter().chain(suite("err")) {
        let chunks = chunks(&text);
        let mut end = 0;
        for chunk in &chunks {
            assert_eq!(chunk.range.start, end, "{name}");
            end = chunk.range.end;
        }
        assert_eq!(end, text.len(), "{name}");
        let parts = chunks
            .into_iter()
            .filter_map(|chunk| parse_chunk(FILE, &text, chunk).value);
        assert_eq!(
            parts.count(),
            parse::parse(FILE, &text)
                .file
                .declarations
                .iter()
                .map(|one| 1 + below(one).len())
                .sum::<usize>(),
            "{name}"
        );
    }
}

/// Formatting a formatted text changes nothing, and formatting never changes what is said.
fn assert_formats(name: &str, text: &str) {
    let once = format(FILE, text).unwrap_or_else(|found| panic!("{name}: {found:?}\n{text}"));
    let twice = format(FILE, &once).unwrap_or_else(|found| panic!("{name}: {found:?}\n{once}"));
    assert_eq!(once, twice, "{name}: not idempotent");
    assert_eq!(
        shape(text),
        shape(&once),
        "{name}: another tree\n{text}\n----\n{once}"
    );
    assert_eq!(comments(text), comments(&once), "{name}: comments");
}

/// The comments of a text, in order.
fn comments(text: &str) -> Vec<String> {
    let of_line = |line: &str| {
        let mut in_text = false;
        let at = line.find(|c| {
            in_text ^= c == '"';
            c == '#' && !in_text
        })?;
        Some(line[at..].trim_end().to_owned())
    };
    text.lines().filter_map(of_line).collect()
}

#[test]
fn formatting_keeps_the_tree() {
    for (name, text) in good_texts() {
        assert_formats(&name, &text);
    }
}

/// Rules and scenarios below a folder.
fn texts_below(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts_below(&path, texts);
        } else if path
            .extension()
            .is_some_and(|end| end == "rules" || end == "scenario")
        {
            let text = fs::read_to_string(&path).expect("UTF-8");
            texts.push((path.to_string_lossy().into_owned(), text));
        }
    }
}

#[test]
fn games_keep_their_trees() {
    let mut texts = Vec::new();
    texts_below(&root().join("../games"), &mut texts);
    for (name, text) in texts {
        if pictures(&name, &text).is_empty() {
            assert_formats(&name, &text);
        }
    }
}

#[test]
fn formatting_is_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = String::new();
    for (name, text) in suite("format") {
        assert_formats(&name, &text);
        let found = format(FILE, &text).expect("formats");
        let path = root()
            .join("suite/syntax/format")
            .join(format!("{name}.txt"));
        if update {
            fs::write(&path, &found).expect("writable");
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            let _ = writeln!(wrong, "{name}:\n{found}");
        }
    }
    assert_eq!(wrong, "", "UPDATE_EXPECT=1 writes what is found");
}

/// An expression with brackets around every operation.
fn bracketed(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Binary(op, left, right) => {
            format!("({} {} {})", bracketed(left), binary(*op), bracketed(right))
        }
        ExprKind::Unary(UnaryOp::Not, value) => format!("(not {})", bracketed(value)),
        ExprKind::Unary(UnaryOp::Negate, value) => format!("(-{})", bracketed(value)),
        ExprKind::Unary(UnaryOp::Can, value) => format!("(can {})", bracketed(value)),
        ExprKind::Parts(value) => format!("(parts of {})", bracketed(value)),
        ExprKind::On(value, ground) => format!("({} on {})", bracketed(value), ground.text),
        ExprKind::Range(Some(low), Some(high)) => {
            format!("({}..{})", bracketed(low), bracketed(high))
        }
        ExprKind::If(condition, yes, no) => {
            format!(
                "(if {} then {} else {})",
                bracketed(condition),
                bracketed(yes),
                bracketed(no)
            )
        }
        ExprKind::Member(value, name) => format!("{}.{}", bracketed(value), name.text),
        other => format!("{other:?}"),
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Implies => "implies",
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "=",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not in",
        BinaryOp::Within => "within",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Otherwise => "otherwise",
    }
}

#[test]
fn operators_bind_as_documented() {
    let cases = [
        ("a or b and not c = d", "(a or (b and (not (c = d))))"),
        ("a implies b implies c", "(a implies (b implies c))"),
        ("a - b - c * d / e % f", "((a - b) - (((c * d) / e) % f))"),
        ("not a in b", "(not (a in b))"),
        ("a not in b + c", "(a not in (b + c))"),
        ("a in 1..n - 1", "(a in (1..(n - 1)))"),
        ("a otherwise b * c", "((a otherwise b) * c)"),
        ("-a otherwise b", "((-a) otherwise b)"),
        ("-a.b + c", "((-a.b) + c)"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        (
            "a and if b then c else d or e",
            "(a and (if b then c else (d or e)))",
        ),
        ("parts of a within b", "((parts of a) within b)"),
        ("can a and b", "((can a) and b)"),
        ("a in b on map", "(a in (b on map))"),
        ("a.where + from.to", "(a.where + from.to)"),
        ("a <= b + c..d", "(a <= ((b + c)..d))"),
        ("not not a", "(not (not a))"),
        ("a = -b", "(a = (-b))"),
        ("(a or b) and c", "((a or b) and c)"),
    ];
    for (text, expected) in cases {
        let part = parse_expression(FILE, text, 0);
        assert_eq!(part.diagnostics, [], "{text}");
        assert_eq!(bracketed(&part.value.expect("a value")), expected);
    }
}

#[test]
fn cells_of_other_files_have_their_places_there() {
    let part = parse_expression(FILE, "a + money", 100);
    let ExprKind::Binary(_, _, right) = part.value.expect("a value").kind else {
        panic!("no sum")
    };
    assert_eq!((right.span.start, right.span.end), (104, 109));
    let part = parse_effect(FILE, "money -= 100; flip_one", 50);
    assert_eq!(part.value.expect("a block").statements[1].span.start, 64);
    let part = parse_effect(FILE, "money -= ", 50);
    assert_eq!(part.diagnostics[0].span.start, 58);
    assert_eq!(parse_expression(FILE, "", 7).diagnostics[0].span.start, 7);
}

#[test]
fn documentation_and_rule_ids_stay_with_their_lines() {
    let text = "## One.\n## Two.\naction x [TM-001]\n  ## Three.\n  a = 1 [TM-002, TM-003]\n\n  b = 2\n## Four.\nc = 3\n";
    let file = parse::parse(FILE, text).file;
    assert_eq!(file.declarations[0].doc, "One.\nTwo.");
    assert_eq!(file.declarations[1].doc, "Four.");
    let debug = format!("{:?}", file.declarations[0]);
    assert!(
        debug.contains("doc: \"Three.\", tags: [Name { text: \"TM-002\""),
        "{debug}"
    );
    assert_eq!(file.declarations[0].tags[0].text, "TM-001");
}

/// Large and deep texts are reported, in time.
#[test]
fn bounds_hold() {
    let long = |unit: &str, count: usize| unit.repeat(count);
    let texts = [
        format!("x = {}1", long("1 + ", 300_000)),
        format!("x = {}1", long("(", 100_000)),
        format!("x = {}", long("(", 70)),
        format!("x = {}1{}", long("(", 60), long(")", 60)),
        format!("x = {}1{}", long("f([{a: ", 16), long("}])", 16)),
        format!("x = {}1", long("not ", 3_000)),
        format!("x = {}1", long("not ", 64)),
        format!("x = {}1", long("-", 3_000)),
        format!("x = {}1", long("- ", 160)),
        format!("x = {}1", long("if a then b else ", 64)),
        format!("x = {}1 else 2", long("if ", 64)),
        format!(
            "x = {}1{}",
            long("(if a then not f([", 20),
            long("]) else b)", 20)
        ),
        format!("x = {}1{}", long("{if a then b else (", 31), long(")}", 31)),
        format!("x = a{}", long(".b", 3_000)),
        format!("x = a{}", long(".b", 490)),
        format!("x = a{}", long("[1]", 490)),
        format!("x: {}card", long("set of ", 1_000)),
        format!("x: {}card", long("set of ", 63)),
        format!("action x: {}skip", long("a: ", 1_000)),
        format!("action x: {}skip", long("a: ", 63)),
        format!("action x: {}skip", long("may ", 63)),
        format!("{}x = 1", long("replace ", 3_000)),
        format!("{}x = 1", long("replace ", 64)),
        format!(
            "action x\n{}",
            (1..200)
                .map(|level| format!("{}if a\n", "  ".repeat(level)))
                .collect::<String>()
        ),
        format!(
            "action x\n{}",
            (1..60)
                .map(|level| format!("{}if a\n", "  ".repeat(level)))
                .collect::<String>()
        ),
        format!("action x\n{}", long("  a = 1\n", 100_000)),
        format!("x = \"{}\"", long("a", 1_000_000)),
        long("\n", 100_000),
        long("## a\n", 100_000),
        long("x", 1_000_000),
        format!("x = f(\n{}", long("  a,\n", 100_000)),
        long("a = 1\n", 50_000),
    ];
    for text in texts {
        let found = pictures("x", &text);
        assert!(found.len() < 20_000, "{found}");
    }
}

/// A small generator; the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

const INSERTS: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    ":",
    ";",
    ",",
    ".",
    "..",
    "=",
    "==",
    "-",
    "+=",
    "|",
    "#",
    "##",
    "?",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\t",
    "é",
    "…",
    "\u{1}",
    "\u{2}",
    "\u{3}",
    " if ",
    " not ",
    " in ",
    " where ",
    " else ",
    " for ",
    "[TM-001]",
    "9",
    "best walk on ",
    "\r\n",
];

/// A copy of a text with a few changes of bytes and lines.
fn mutant(text: &str, numbers: &mut Numbers) -> String {
    let mut text = text.to_owned();
    for _ in 0..=numbers.below(3) {
        match numbers.below(6) {
            0 => {
                let start = boundary(&text, numbers);
                let end = (start..=text.len())
                    .nth(1 + numbers.below(6))
                    .unwrap_or(text.len());
                let end = (end..=text.len())
                    .find(|at| text.is_char_boundary(*at))
                    .unwrap_or(text.len());
                text.replace_range(start..end, "");
            }
            1 | 2 => {
                let at = boundary(&text, numbers);
                text.insert_str(at, INSERTS[numbers.below(INSERTS.len())]);
            }
            change => {
                let mut lines: Vec<&str> = text.lines().collect();
                let (one, other) = (numbers.below(lines.len()), numbers.below(lines.len()));
                match change {
                    _ if lines.is_empty() => {}
                    3 => lines.swap(one, other),
                    4 => lines.insert(one, lines[other]),
                    _ => drop(lines.remove(one)),
                }
                text = lines.join("\n");
            }
        }
    }
    text
}

fn boundary(text: &str, numbers: &mut Numbers) -> usize {
    let at = numbers.below(text.len() + 1);
    (at..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

#[test]
fn mutants_do_no_harm() {
    let texts = good_texts();
    let mut numbers = Numbers(0x5eed);
    for _ in 0..4_000 {
        let text = mutant(&texts[numbers.below(texts.len())].1, &mut numbers);
        if pictures("mutant", &text).is_empty() {
            assert_formats("mutant", &text);
        }
    }
}

/// Where the examples of the words stand: as they are, in a body, as a value, in a list of lines.
const CONTEXTS: [&str; 20] = [
    "{}",
    "{}\n  skip",
    "{}\n  players 2",
    "{}\n  color | count",
    "{}\n  | . . .",
    "{}\n  prefer score",
    "strategy \"a\"\n  {}",
    "x: {}",
    "action a\n  {}\n    red: skip",
    "action a\n  {}",
    "action a\n  {}\n    skip",
    "action a\n  one of b, c\n  {}",
    "action a({}): skip",
    "x = {}",
    "x = some(r in route where {})",
    "table t\n  {}",
    "score\n  {}",
    "always a: {}",
    "scenario \"a\"\n  {}",
    "scenario \"a\"\n  {}\n    A: 2",
];

/// The example of each word of the language can be read in one of the places where such words stand.
#[test]
fn examples_of_the_words_can_be_read() {
    let reads = |text: &str| parse::parse(FILE, text).diagnostics.is_empty();
    let unread: Vec<&str> = dsl::service::WORDS
        .iter()
        .map(|entry| entry.example)
        .filter(|example| {
            !CONTEXTS
                .iter()
                .any(|context| reads(&context.replace("{}", example)))
        })
        .collect();
    assert!(unread.is_empty(), "{}", unread.join("\n"));
}
