//! Layers and overlays: each folder of `suite/overlay` is a set of small games and what becomes of it.
//!
//! The files of `_base` come first, those of the case replace them or stand beside. `with.txt` names the game and the overlays
//! chosen; `expected.txt` holds the diagnostics and what differs from the plain game. `UPDATE_EXPECT=1` rewrites it.

use dsl::assembly::{self, Assembly, Entry, RawValue, Selection, SetEntry};
use dsl::diagnostic::{Diagnostic, Severity};
use dsl::source::{SourceSet, Span};
use dsl::syntax::ast::{
    ActionBody, AssignOp, Binder, Block, Condition, Expr, ExprKind, GridCell, Param, Statement,
    StatementKind, Walk,
};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn overlays() {
    let suite = suite();
    let mut wrong = Vec::new();
    let mut count = (0, 0);
    for case in folders(&suite) {
        let name = case
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_string();
        if name.starts_with('_') {
            continue;
        }
        let (found, good) = run(&suite, &case);
        if good {
            count.0 += 1;
        } else {
            count.1 += 1;
        }
        let expected = case.join("expected.txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &found).expect("the expected text can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("== {name}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count.0 >= 10 && count.1 >= 25, "good and broken: {count:?}");
}

#[test]
fn games_are_listed_by_id() {
    let mut sources = SourceSet::new();
    load(&suite().join("_base"), "", &mut sources);
    load(&suite().join("good-family"), "", &mut sources);
    let games = assembly::games(&sources);
    let ids: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
    assert_eq!(ids, ["child", "mini"]);
    assert_eq!(games[0].extends.as_deref(), Some("mini"));
    assert_eq!(games[0].players, Some((2, 3)));
}

/// Files as they are while somebody is typing: cut off anywhere.
#[test]
fn broken_files_never_panic() {
    for case in [
        "good-rows",
        "good-hooks",
        "good-remove",
        "good-replace",
        "good-expansion",
    ] {
        let mut whole = SourceSet::new();
        load(&suite().join("_base"), "", &mut whole);
        load(&suite().join(case), "", &mut whole);
        let game = if case == "good-expansion" {
            "child"
        } else {
            "mini"
        };
        let overlays = ["a", "b", "box"].map(str::to_string).to_vec();
        let selection = Selection {
            overlays,
            ..Selection::default()
        };
        let paths: Vec<String> = whole.paths().map(str::to_string).collect();
        for path in paths {
            let Some(file) = whole.find(&path) else {
                continue;
            };
            let text = whole.text(file);
            for end in (0..text.len())
                .step_by(13)
                .filter(|end| text.is_char_boundary(*end))
            {
                let mut cut = whole.clone();
                cut.insert(path.clone(), &text[..end]);
                let (_, diagnostics) = assembly::assemble(&cut, game, &selection);
                for diagnostic in &diagnostics {
                    shown(&cut, diagnostic);
                }
            }
        }
    }
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/overlay")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

/// The outcome as text, and whether it was without errors.
fn run(suite: &Path, case: &Path) -> (String, bool) {
    let mut sources = SourceSet::new();
    load(&suite.join("_base"), "", &mut sources);
    load(case, "", &mut sources);
    let with = fs::read_to_string(case.join("with.txt")).unwrap_or_else(|_| "mini a b".into());
    let mut words = with.split_whitespace().map(str::to_string);
    let game = words.next().unwrap_or_default();
    let selection = selection(words);
    let (assembly, diagnostics) = assembly::assemble(&sources, &game, &selection);
    let mut text = String::new();
    for diagnostic in &diagnostics {
        text.push_str(&shown(&sources, diagnostic));
    }
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    match &assembly {
        None => text.push_str("nothing\n"),
        Some(assembly) if good => text.push_str(&Outline::of(&sources, assembly)),
        Some(_) => {}
    }
    (text, good)
}

/// Overlay ids, and `name=value` for options.
fn selection(words: impl Iterator<Item = String>) -> Selection {
    let mut selection = Selection::default();
    for word in words {
        match word.split_once('=') {
            Some((name, value)) => {
                let (name, op) = match name.strip_suffix('+') {
                    Some(name) => (name, AssignOp::Add),
                    None => (name, AssignOp::Set),
                };
                selection.options.push((name.into(), op, value.into()));
            }
            None => selection.overlays.push(word),
        }
    }
    selection
}

fn load(folder: &Path, prefix: &str, sources: &mut SourceSet) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let inner = if prefix.is_empty() {
            name.to_string()
        } else {
            format!("{prefix}/{name}")
        };
        if path.is_dir() {
            load(&path, &inner, sources);
        } else if !prefix.is_empty() {
            sources.insert(inner, fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

fn shown(sources: &SourceSet, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = format!("{severity}[{}]: {}\n", diagnostic.code, diagnostic.message);
    let place = |span: Span| match sources.paths().next() {
        Some(_) => format!("{} `{}`", sources.place(span), first_line(sources, span)),
        None => "nowhere".into(),
    };
    let _ = writeln!(text, "  at {}", place(diagnostic.span));
    if !diagnostic.here.is_empty() {
        let _ = writeln!(text, "  here: {}", diagnostic.here);
    }
    for label in &diagnostic.labels {
        let _ = writeln!(text, "  at {}: {}", place(label.span), label.text);
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(text, "  help: {help}");
    }
    if let Some(fix) = &diagnostic.fix {
        let what = first_line(sources, fix.span);
        let _ = writeln!(
            text,
            "  fix: {}: `{what}` -> {:?}",
            fix.title, fix.replacement
        );
    }
    text
}

fn first_line(sources: &SourceSet, span: Span) -> String {
    let text = sources.slice(span);
    text.lines().next().unwrap_or_default().to_string()
}

/// The assembly as text: every declaration that a layer above the first has shaped, bodies as trees of lines.
struct Outline<'a> {
    sources: &'a SourceSet,
    assembly: &'a Assembly,
    text: String,
}

impl Outline<'_> {
    fn of(sources: &SourceSet, assembly: &Assembly) -> String {
        let mut outline = Outline {
            sources,
            assembly,
            text: String::new(),
        };
        outline.all();
        outline.text
    }

    fn all(&mut self) {
        let a = self.assembly;
        let ids: Vec<&str> = a.layers.iter().map(|layer| layer.id.as_str()).collect();
        self.line(0, &format!("layers {}", ids.join(", ")));
        for entry in &a.options {
            let sets = self.sets(&entry.item.sets);
            self.entry("option", &entry.item.decl.name.text, entry, &sets, true);
        }
        for entry in &a.enums {
            let members = entry.item.decl.members.iter();
            let members = members.chain(entry.item.added.iter().map(|(name, _)| name));
            let members: Vec<&str> = members.map(|name| name.text.as_str()).collect();
            self.entry(
                "enum",
                &entry.item.decl.name.text,
                entry,
                &members.join(", "),
                false,
            );
        }
        for entry in &a.tables {
            self.table(entry);
        }
        for entry in &a.grids {
            let sets = self.sets(&entry.item.sets);
            let more = format!("{sets} {} more rows", entry.item.rows.len());
            self.entry(
                "grid",
                &entry.item.decl.name.text,
                entry,
                more.trim(),
                false,
            );
        }
        for entry in &a.cells {
            self.entry("cell", &entry.item.name.text, entry, "", false);
        }
        for entry in &a.formulas {
            let body = self.expr(&entry.item.body);
            self.entry("formula", &entry.item.name.text, entry, &body, false);
        }
        for entry in &a.networks {
            let condition = entry.item.condition.as_ref().map(|c| self.expr(c));
            let condition = condition.unwrap_or_default();
            self.entry("network", &entry.item.name.text, entry, &condition, false);
        }
        for entry in &a.rules {
            let condition = self.expr(&entry.item.condition);
            self.entry("rule", &entry.item.name.text, entry, &condition, false);
        }
        for entry in &a.whens {
            let condition = self.expr(&entry.item.condition);
            if self.entry("when", &entry.item.name.text, entry, &condition, false) {
                self.block(1, &entry.item.body);
            }
        }
        for entry in &a.actions {
            let params: Vec<String> = entry.item.params.iter().map(|p| self.param(p)).collect();
            let shown = self.entry(
                "action",
                &entry.item.name.text,
                entry,
                &params.join(", "),
                false,
            );
            if let (true, ActionBody::Steps(body)) = (shown, &entry.item.body) {
                self.block(1, body);
            }
        }
        if let Some(entry) = &a.flow
            && self.entry("flow", "", entry, "", false)
        {
            self.block(1, &entry.item);
        }
        for entry in &a.scores {
            let value = self.expr(&entry.item.value);
            self.entry("score", &entry.item.name.text, entry, &value, false);
        }
        self.changes();
    }

    fn changes(&mut self) {
        for change in assembly::changes(self.assembly) {
            let layer = &self.assembly.layers[change.layer.index()].id;
            let old = change
                .old
                .map(|span| format!(", was at {}", self.sources.place(span)));
            let text = format!(
                "{layer}: {:?} {}{}",
                change.kind,
                change.name,
                old.unwrap_or_default()
            );
            self.line(0, &text);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{}", "  ".repeat(depth), text.trim_end());
    }

    /// Writes an entry that more than the first layer has shaped.
    fn entry<T>(
        &mut self,
        kind: &str,
        name: &str,
        entry: &Entry<T>,
        more: &str,
        all: bool,
    ) -> bool {
        let shaped = entry.layer.0 > 0 || !entry.touched.is_empty() || !entry.replaced.is_empty();
        if !shaped && (!all || more.is_empty()) {
            return false;
        }
        let layer = |id: dsl::ir::LayerId| self.assembly.layers[id.index()].id.clone();
        let mut text = format!("{kind} {name} of {}", layer(entry.layer));
        for old in &entry.replaced {
            let _ = write!(text, ", replaced {}", layer(old.layer));
        }
        for touch in &entry.touched {
            let _ = write!(text, ", touched {}", layer(touch.layer));
        }
        for tag in &entry.tags {
            let _ = write!(text, " [{}]", tag.text);
        }
        if !more.is_empty() {
            let _ = write!(text, ": {more}");
        }
        self.line(0, &text);
        true
    }

    fn table(&mut self, entry: &Entry<assembly::TableEntry>) {
        let item = &entry.item;
        let more = format!(
            "{} removed, {} patches",
            item.removed.len(),
            item.patches.len()
        );
        if !self.entry("table", &item.decl.name.text, entry, &more, false)
            && self.assembly.layers.len() > 1
        {
            return;
        }
        for row in &item.rows {
            let cells: Vec<String> = row
                .cells
                .iter()
                .map(|cell| format!("{} = {}", cell.name.text, self.raw(&cell.value)))
                .collect();
            let parent = row
                .parent
                .map(|at| format!(" in row {at}"))
                .unwrap_or_default();
            let layer = &self.assembly.layers[row.layer.index()].id;
            self.line(1, &format!("{layer}{parent}: {}", cells.join(", ")));
        }
    }

    fn raw(&self, value: &RawValue) -> String {
        match value {
            RawValue::Int(number) => number.to_string(),
            RawValue::Bool(value) => value.to_string(),
            RawValue::Text { text, span, plain } => {
                assert!(!plain || self.sources.slice(*span) == text);
                format!("{text:?}")
            }
            RawValue::List(values) => {
                let values: Vec<String> = values.iter().map(|(v, _)| self.raw(v)).collect();
                format!("[{}]", values.join(", "))
            }
            RawValue::Other(what) => format!("({what})"),
            RawValue::Broken => "(broken)".to_owned(),
            RawValue::Cell(cell) => self.cell(cell),
        }
    }

    fn cell(&self, cell: &GridCell) -> String {
        match cell {
            GridCell::Expr(expr) => self.expr(expr),
            GridCell::Statements(block) => {
                let lines = block
                    .statements
                    .iter()
                    .map(|s| first_line(self.sources, s.span));
                lines.collect::<Vec<_>>().join("; ")
            }
        }
    }

    fn sets(&self, sets: &[SetEntry]) -> String {
        let sets = sets.iter().map(|set| {
            let op = match set.op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
            };
            let indices: Vec<String> = set.indices.iter().map(|i| self.expr(i)).collect();
            let layer = set.layer.map_or("", |layer| self.assembly.layer_id(layer));
            format!(
                "{}{op} {} ({layer})",
                indices.join(", "),
                self.cell(&set.value)
            )
        });
        sets.collect::<Vec<_>>().join(" ")
    }

    fn param(&self, param: &Param) -> String {
        match param {
            Param::Given { name, .. } => name.text.clone(),
            Param::Asked(choice) => self.binder(&choice.binder),
        }
    }

    fn binder(&self, binder: &Binder) -> String {
        let name = binder.name.as_ref().map_or("", |name| &name.text);
        let conditions = self.conditions(&binder.conditions);
        format!("{name} in {}{conditions}", self.expr(&binder.domain))
    }

    fn conditions(&self, conditions: &[Condition]) -> String {
        let conditions = conditions.iter().map(|condition| {
            let message = condition
                .message
                .as_ref()
                .map(|m| self.sources.slice(m.span));
            let message = message.map(|m| format!(" else {m}")).unwrap_or_default();
            format!(" where {}{message}", self.expr(&condition.expr))
        });
        conditions.collect()
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Name(name) => name.clone(),
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", self.expr(a), self.expr(b)),
            ExprKind::Unary(op, a) => format!("({op:?} {})", self.expr(a)),
            ExprKind::Member(a, name) => format!("{}.{}", self.expr(a), name.text),
            ExprKind::BestWalk(walk) | ExprKind::Distance(walk) | ExprKind::EndsOfWalk(walk) => {
                self.walk(walk)
            }
            _ => first_line(self.sources, expr.span),
        }
    }

    fn walk(&self, walk: &Walk) -> String {
        let mut text = format!("walk on {}", self.expr(&walk.network));
        let clauses = [
            ("from", &walk.from),
            ("up to", &walk.up_to),
            ("where", &walk.where_),
            ("need", &walk.need),
            ("max", &walk.max),
        ];
        for (name, clause) in clauses {
            if let Some(clause) = clause {
                let _ = write!(text, " {name} {}", self.expr(clause));
            }
        }
        text
    }

    fn block(&mut self, depth: usize, block: &Block) {
        for statement in &block.statements {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        let mut tags = String::new();
        for tag in &statement.tags {
            let _ = write!(tags, " [{}]", tag.text);
        }
        match &statement.kind {
            StatementKind::Label(name, body) => {
                self.line(depth, &format!("{}:{tags}", name.text));
                self.block(depth + 1, body);
            }
            StatementKind::EachPlayer(each) => {
                let conditions = self.conditions(&each.conditions);
                self.line(depth, &format!("each player{conditions}{tags}"));
                self.block(depth + 1, &each.body);
            }
            StatementKind::Each(binders, body) => {
                let binders: Vec<String> = binders.iter().map(|b| self.binder(b)).collect();
                self.line(depth, &format!("each {}{tags}", binders.join(", ")));
                self.block(depth + 1, body);
            }
            StatementKind::Repeat(repeat) => {
                let while_ = repeat
                    .while_
                    .as_ref()
                    .map(|c| format!(" while {}", self.expr(c)));
                self.line(
                    depth,
                    &format!("repeat{}{tags}", while_.unwrap_or_default()),
                );
                self.block(depth + 1, &repeat.body);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    let condition = self.expr(condition);
                    self.line(depth, &format!("if {condition}{tags}"));
                    self.block(depth + 1, body);
                }
                if let Some(body) = otherwise {
                    self.line(depth, "else");
                    self.block(depth + 1, body);
                }
            }
            StatementKind::May(body) => {
                self.line(depth, &format!("may{tags}"));
                self.block(depth + 1, body);
            }
            StatementKind::OneOf { items, none, .. } => {
                self.line(depth, &format!("one of{tags}"));
                for item in items {
                    let label = item.label.as_ref().map_or("-", |label| &label.text);
                    self.line(depth + 1, label);
                    self.block(depth + 2, &item.body);
                }
                if let Some(none) = none {
                    self.line(depth, "if none can be done");
                    self.block(depth + 1, none);
                }
            }
            StatementKind::AnyOrder { items, .. } => {
                self.line(depth, &format!("any order{tags}"));
                for item in items {
                    self.line(depth + 1, if item.must { "must" } else { "may" });
                    self.block(depth + 2, &item.body);
                }
            }
            StatementKind::Walk(walk, body) => {
                let walk = self.walk(walk);
                self.line(depth, &format!("{walk}{tags}"));
                self.block(depth + 1, body);
            }
            StatementKind::Choose(choices) => {
                let choices: Vec<String> = choices.iter().map(|c| self.binder(&c.binder)).collect();
                self.line(depth, &format!("choose {}{tags}", choices.join(", ")));
            }
            _ => {
                let text = first_line(self.sources, statement.span);
                self.line(depth, &format!("{text}{tags}"));
            }
        }
    }
}
