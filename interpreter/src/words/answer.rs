//! Answers as text: the canonical spelling, and whether something written means an answer.

use super::{Words, is_word, set_items};
use crate::lower::expr::ASKED;
use crate::machine::{Answer, AnswerKind, Machine};
use crate::program::*;
use dsl::ir::{self, Domain, Ty};
use dsl::source::{FileId, Span};

/// How something written means an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matched {
    /// All of it.
    Whole,
    /// The head of a call; these answer the questions that follow.
    Head(Vec<ir::Answer>),
}

/// What spelled answers have for a place.
const NOWHERE: Span = Span {
    file: FileId(0),
    start: 0,
    end: 0,
};

fn make(kind: ir::AnswerKind) -> ir::Answer {
    ir::Answer {
        kind,
        span: NOWHERE,
    }
}

fn word(text: impl Into<String>) -> ir::Answer {
    make(ir::AnswerKind::Word(text.into()))
}

fn number(n: i32) -> ir::Answer {
    make(ir::AnswerKind::Number(n.into()))
}

/// An answer as it is written.
pub fn print(answer: &ir::Answer) -> String {
    let list = |answers: &[ir::Answer]| {
        let parts: Vec<String> = answers.iter().map(print).collect();
        parts.join(", ")
    };
    match &answer.kind {
        ir::AnswerKind::Word(text) => {
            let mut parts = text.split('-');
            let plain = parts.all(|part| is_word(part) || part.bytes().all(|b| b.is_ascii_digit()))
                && text.starts_with(|c: char| c.is_ascii_alphabetic());
            if plain || is_word(text) || text.ends_with(')') {
                text.clone()
            } else {
                format!("\"{text}\"")
            }
        }
        ir::AnswerKind::Number(n) => n.to_string(),
        ir::AnswerKind::Call(name, args) => format!("{name}({})", list(args)),
        ir::AnswerKind::Set(items) => format!("{{{}}}", list(items)),
        ir::AnswerKind::List(items) => format!("[{}]", list(items)),
        ir::AnswerKind::Bag(items) => {
            let parts: Vec<String> = items
                .iter()
                .map(|(kind, count)| format!("{}: {count}", print(kind)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// Text that is the same but for blanks and quotes.
pub fn same_text(a: &str, b: &str) -> bool {
    let plain = |text: &'_ str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && *c != '"')
            .collect()
    };
    plain(a) == plain(b)
}

/// The words of an answer that has no name: it is called by what is written.
fn written(answer: &ir::Answer) -> Option<String> {
    match &answer.kind {
        ir::AnswerKind::Word(text) => Some(text.clone()),
        ir::AnswerKind::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

/// An argument of an agenda's entry.
pub(super) struct Given<'w> {
    /// Number of its parameter.
    pub index: usize,
    pub ty: &'w Ty,
    /// Of a container.
    pub shape: Option<Shape>,
    pub words: &'w [i32],
}

impl<'a> Words<'a> {
    // ---------------------------------------------------------------------------------------------- spelling

    /// The canonical spelling of an answer offered where the machine stands.
    pub fn answer(&self, machine: &Machine<'_>, answer: &Answer) -> String {
        print(&self.spell(machine, answer))
    }

    /// All answers offered, in order; equal ones are told apart.
    pub fn answers(&self, machine: &Machine<'_>) -> Vec<String> {
        let offered = machine.answers();
        (0..offered.len())
            .map(|at| self.answer(machine, &offered.get(at)))
            .collect()
    }

    /// The answer as it would be written.
    pub fn spell(&self, machine: &Machine<'_>, answer: &Answer) -> ir::Answer {
        match answer.kind {
            AnswerKind::Done => word("done"),
            AnswerKind::Go => word("go_on"),
            AnswerKind::Yes => word(self.yes_name(machine)),
            AnswerKind::Anytime => word(
                self.program
                    .anytime
                    .get(answer.value as usize)
                    .map_or("?", |a| a.2.as_str()),
            ),
            AnswerKind::Item => word(self.item_name(machine, answer.value).unwrap_or("?")),
            AnswerKind::Element => match self.question_ty(machine) {
                Some(ty) => self.spell_scalar(&ty, answer.value),
                None => number(answer.value),
            },
            AnswerKind::Part => self.spell_part(machine, &answer.words),
            AnswerKind::Entry => self.entry(&answer.words),
            AnswerKind::Step => self.spell_step(machine, &answer.words),
        }
    }

    fn spell_scalar(&self, ty: &Ty, value: i32) -> ir::Answer {
        match ty.required() {
            _ if value == NONE => word("none"),
            Ty::Int { .. } => number(value),
            Ty::Element(domain) => self.spell_element(*domain, value),
            _ => word(self.scalar(ty, value)),
        }
    }

    fn spell_element(&self, domain: Domain, value: i32) -> ir::Answer {
        match domain {
            Domain::Int { .. } => number(value),
            Domain::Cell => match self.coordinates(value) {
                Some((row, column)) => make(ir::AnswerKind::Call(
                    "cell".into(),
                    vec![number(row), number(column)],
                )),
                None => word("nowhere"),
            },
            Domain::Part(table) => match self.part_place(table, value) {
                Some((position, at)) => make(ir::AnswerKind::Call(
                    "part".into(),
                    vec![
                        self.spell_element(self.positions(), position),
                        number(at + 1),
                    ],
                )),
                None => word("none"),
            },
            _ => {
                let name = self.element(domain, value);
                match name.parse::<i64>() {
                    Ok(n) => make(ir::AnswerKind::Number(n)),
                    Err(_) => word(name),
                }
            }
        }
    }

    fn spell_part(&self, machine: &Machine<'_>, words: &[i32]) -> ir::Answer {
        let Some((ty, shape)) = self.part_shape(machine) else {
            return word("?");
        };
        let words = words.to_vec();
        self.spell_held(&ty, &super::Held { shape, words })
    }

    fn spell_held(&self, ty: &Ty, held: &super::Held) -> ir::Answer {
        let (shape, words) = (held.shape, &held.words);
        let element = ty.required().element().unwrap_or(Ty::INT);
        match shape {
            Shape::Bag { n, low } => {
                let items = (0..n as usize)
                    .filter(|at| words.get(*at).is_some_and(|count| *count > 0))
                    .map(|at| {
                        let kind = self.spell_scalar(&element, low + at as i32);
                        (kind, i64::from(words[at]))
                    });
                make(ir::AnswerKind::Bag(items.collect()))
            }
            Shape::Set { n, low } => {
                let items = set_items(words, n, low).map(|w| self.spell_scalar(&element, w));
                make(ir::AnswerKind::Set(items.collect()))
            }
            Shape::List { .. } => {
                let len = words.first().copied().unwrap_or(0).max(0) as usize;
                let items = words.iter().skip(1).take(len);
                let items = items.map(|w| self.spell_scalar(&element, *w));
                make(ir::AnswerKind::List(items.collect()))
            }
            _ => word("?"),
        }
    }

    /// An agenda's entry without its mode: body, given arguments, arguments.
    pub(crate) fn entry(&self, words: &[i32]) -> ir::Answer {
        let [proc, given, args @ ..] = words else {
            return word("?");
        };
        let Some(proc) = self.program.procs.get(*proc as usize) else {
            return word("?");
        };
        let ProcKind::Action(action) = proc.kind else {
            return word(proc.name.clone());
        };
        if *given <= 0 {
            return word(proc.name.clone());
        }
        let args = self.entry_args(action, *given, args);
        make(ir::AnswerKind::Call(
            proc.name.clone(),
            args.into_iter().map(|(_, arg)| arg).collect(),
        ))
    }

    /// Given arguments of an entry with the number of their parameter.
    fn entry_args(
        &self,
        action: ir::ActionId,
        given: i32,
        words: &[i32],
    ) -> Vec<(usize, ir::Answer)> {
        let spelled = |arg: Given| match arg.shape {
            Some(shape) => {
                let words = arg.words.to_vec();
                self.spell_held(arg.ty, &super::Held { shape, words })
            }
            None => {
                let value = arg.words.first().copied().unwrap_or(NONE);
                self.spell_scalar(arg.ty, value)
            }
        };
        let args = self.given_args(action, given, words);
        args.into_iter()
            .map(|arg| (arg.index, spelled(arg)))
            .collect()
    }

    /// Arguments that were given when an entry was made.
    pub(super) fn given_args<'w>(
        &self,
        action: ir::ActionId,
        given: i32,
        words: &'w [i32],
    ) -> Vec<Given<'w>>
    where
        'a: 'w,
    {
        let action = &self.rules.actions[action.index()];
        let proc = self
            .program
            .action_procs
            .get(self.action_index(&action.name));
        let mut at = 0;
        let mut found = Vec::new();
        for (index, param) in action.params.iter().enumerate() {
            if given >> index & 1 == 0 {
                continue;
            }
            let ty = &action.code.locals[param.local.index()].ty;
            let size = proc
                .and_then(|proc| self.program.procs[proc.at()].params.get(index))
                .map_or(1, |param| param.1 as usize);
            let words = words.get(at..at + size).unwrap_or_default();
            at += size;
            let holds = ty.required().is_container();
            found.push(Given {
                index,
                ty,
                shape: holds.then(|| self.local_shape(ty, size)),
                words,
            });
        }
        found
    }

    fn action_index(&self, name: &str) -> usize {
        let actions = &self.rules.actions;
        actions.iter().position(|a| a.name == name).unwrap_or(0)
    }

    /// The shape of a container argument of so many words.
    fn local_shape(&self, ty: &Ty, words: usize) -> Shape {
        match ty.required() {
            Ty::Set(domain) => Shape::Set {
                n: words as u32 * 32,
                low: domain_low(*domain),
            },
            Ty::Bag(domain) => Shape::Bag {
                n: words as u32,
                low: domain_low(*domain),
            },
            Ty::Row(_) => Shape::Row { n: words as u32 },
            _ => Shape::List {
                cap: words.saturating_sub(1) as u32,
            },
        }
    }

    fn spell_step(&self, machine: &Machine<'_>, words: &[i32]) -> ir::Answer {
        let [link, next, ..] = words else {
            return word("?");
        };
        match self.ground(machine) {
            Some(ir::NetworkGround::Links { table, .. }) => {
                self.spell_element(Domain::Table(*table), *link)
            }
            Some(ir::NetworkGround::Joins { part, .. }) => self.spell_element(*part, *next),
            None => word("?"),
        }
    }

    fn ground(&self, machine: &Machine<'_>) -> Option<&ir::NetworkGround> {
        let Op::WalkPick { walk, .. } = self.program.code[machine.pc] else {
            return None;
        };
        let network = self.program.walks[walk.at()].network as usize;
        self.rules.networks.get(network).map(|n| &n.ground)
    }

    // ---------------------------------------------------------------------------------------------- matching

    /// Whether something written means an answer offered where the machine stands.
    pub fn matches(
        &self,
        machine: &Machine<'_>,
        answer: &Answer,
        written: &ir::Answer,
    ) -> Option<Matched> {
        let whole = |yes: bool| yes.then_some(Matched::Whole);
        match answer.kind {
            AnswerKind::Done => whole(is_called(written, &["done"])),
            AnswerKind::Go => whole(is_called(written, &["go_on", "go", "done"])),
            AnswerKind::Yes => {
                let name = self.yes_name(machine);
                let head = name.split('(').next().unwrap_or_default().trim();
                whole(is_called(written, &["yes"]) || same_text(&print(written), &name))
                    .or_else(|| headed(written, head))
            }
            AnswerKind::Anytime => {
                let anytime = self.program.anytime.get(answer.value as usize)?;
                headed(written, &anytime.2)
            }
            AnswerKind::Item => {
                let name = self.item_name(machine, answer.value)?;
                headed(written, name)
            }
            AnswerKind::Element => {
                let ty = self.question_ty(machine)?;
                whole(self.means(machine, &ty, answer.value, written))
            }
            AnswerKind::Part => whole(self.means_part(machine, &answer.words, written)),
            AnswerKind::Entry => self.means_entry(machine, &answer.words, written),
            AnswerKind::Step => whole(self.means_step(machine, &answer.words, written)),
        }
    }

    /// Whether something written means a value of this type.
    pub fn means(&self, machine: &Machine<'_>, ty: &Ty, value: i32, answer: &ir::Answer) -> bool {
        match ty.required() {
            _ if value == NONE => is_called(answer, &["none"]),
            Ty::Element(domain) => self.means_element(machine, *domain, value, answer),
            Ty::Int { .. } => match &answer.kind {
                ir::AnswerKind::Number(n) => *n == i64::from(value),
                ir::AnswerKind::Word(text) => text.parse() == Ok(value),
                _ => false,
            },
            _ => same_text(&print(answer), &self.scalar(ty, value)),
        }
    }

    fn means_element(
        &self,
        machine: &Machine<'_>,
        domain: Domain,
        value: i32,
        answer: &ir::Answer,
    ) -> bool {
        if let Domain::Part(table) = domain {
            return self.means_lying_part(machine, table, value, answer);
        }
        let is_position =
            domain == Domain::Cell || self.rules.tiling.is_some() && domain == self.positions();
        if is_position
            && self
                .coordinates(value)
                .is_some_and(|at| coordinates(answer) == Some(at))
        {
            return true;
        }
        match domain {
            Domain::Cell => false,
            Domain::Player => match &answer.kind {
                ir::AnswerKind::Word(text) => {
                    *text == self.seat(value) || text.parse() == Ok(value + 1)
                }
                ir::AnswerKind::Number(n) => *n == i64::from(value) + 1,
                ir::AnswerKind::Call(name, args) => {
                    name == "player"
                        && matches!(args.as_slice(), [one] if one.kind == ir::AnswerKind::Number(i64::from(value) + 1))
                }
                _ => false,
            },
            Domain::Int { .. } => match &answer.kind {
                ir::AnswerKind::Number(n) => *n == i64::from(value),
                ir::AnswerKind::Word(text) => text.parse() == Ok(value),
                _ => false,
            },
            _ => {
                let name = self.element(domain, value);
                match &answer.kind {
                    // A row in another table's row may be called by its own name alone.
                    ir::AnswerKind::Word(text) => {
                        *text == name || name.rsplit('/').next() == Some(text.as_str())
                    }
                    ir::AnswerKind::Number(n) => n.to_string() == name,
                    // `card(201)`, `road(S05, "a")`
                    ir::AnswerKind::Call(_, args) => joined(args).is_some_and(|key| key == name),
                    _ => false,
                }
            }
        }
    }

    fn means_lying_part(
        &self,
        machine: &Machine<'_>,
        table: ir::TableId,
        value: i32,
        answer: &ir::Answer,
    ) -> bool {
        if let (ir::AnswerKind::Call(name, args), Some((position, at))) =
            (&answer.kind, self.part_place(table, value))
            && name == "part"
            && let [place, which] = args.as_slice()
        {
            let positions = self.positions();
            return which.kind == ir::AnswerKind::Number(i64::from(at) + 1)
                && self.means_element(machine, positions, position, place);
        }
        let tiling = self.program.tiling.as_ref();
        let parts = tiling.and_then(|t| t.parts.iter().position(|p| p.table == table));
        let row = parts.map_or(NONE, |parts| machine.row_of_part(value, parts));
        row != NONE && self.means_element(machine, Domain::Table(table), row, answer)
    }

    fn means_part(&self, machine: &Machine<'_>, words: &[i32], answer: &ir::Answer) -> bool {
        let Some((ty, shape)) = self.part_shape(machine) else {
            return false;
        };
        let element = ty.required().element().unwrap_or(Ty::INT);
        let pieces: Vec<(i32, i64)> = match shape {
            Shape::Bag { n, low } => (0..n as usize)
                .filter(|at| words.get(*at).is_some_and(|count| *count > 0))
                .map(|at| (low + at as i32, i64::from(words[at])))
                .collect(),
            Shape::Set { n, low } => set_items(words, n, low).map(|w| (w, 1)).collect(),
            Shape::List { .. } => {
                let len = words.first().copied().unwrap_or(0).max(0) as usize;
                words.iter().skip(1).take(len).map(|w| (*w, 1)).collect()
            }
            _ => return false,
        };
        let Some(given) = counted(answer) else {
            return false;
        };
        let total: i64 = pieces.iter().map(|p| p.1).sum();
        total == given.iter().map(|g| g.1).sum::<i64>()
            && pieces.iter().all(|(piece, count)| {
                let same = given
                    .iter()
                    .filter(|(one, _)| self.means(machine, &element, *piece, one));
                same.map(|g| g.1).sum::<i64>() == *count
            })
    }

    fn means_entry(
        &self,
        machine: &Machine<'_>,
        words: &[i32],
        answer: &ir::Answer,
    ) -> Option<Matched> {
        let [proc, given, args @ ..] = words else {
            return None;
        };
        let proc = self.program.procs.get(*proc as usize)?;
        if same_text(&print(answer), &proc.name) {
            return Some(Matched::Whole);
        }
        if let ProcKind::Action(action) = proc.kind
            && *given > 0
            && let ir::AnswerKind::Call(name, written) = &answer.kind
            && *name == proc.name
        {
            return self.means_given(machine, (action, *given, args), written);
        }
        // An alternative of an entry that is a menu: it is picked next.
        if proc.kind == ProcKind::Inline
            && let Some(Op::OneOf(menu)) = self.first_question(proc.entry as usize)
        {
            let items = &self.program.menus[menu as usize].items;
            let named = items
                .iter()
                .any(|item| headed(answer, &item.name).is_some());
            return named.then(|| Matched::Head(vec![answer.clone()]));
        }
        // The effect of a table's cell by the name of what it calls.
        let head = proc.name.split('(').next().unwrap_or_default().trim();
        headed(answer, head)
    }

    /// `station(washington)` where some arguments were given when the entry was made.
    fn means_given(
        &self,
        machine: &Machine<'_>,
        (action, given, words): (ir::ActionId, i32, &[i32]),
        written: &[ir::Answer],
    ) -> Option<Matched> {
        let _ = machine;
        let known = self.entry_args(action, given, words);
        let params = self.rules.actions[action.index()].params.len();
        let same = |mine: &ir::Answer, theirs: &ir::Answer| same_text(&print(mine), &print(theirs));
        // All arguments are written, or only those given, or the first of those still open.
        if written.len() == params {
            let fits = known
                .iter()
                .all(|(index, mine)| same(mine, &written[*index]));
            let rest = written.iter().enumerate();
            let rest = rest.filter(|(index, _)| !known.iter().any(|k| k.0 == *index));
            return fits.then(|| Matched::Head(rest.map(|(_, one)| one.clone()).collect()));
        }
        if written.len() == known.len() {
            let fits = known
                .iter()
                .zip(written)
                .all(|((_, mine), one)| same(mine, one));
            if fits {
                return Some(Matched::Whole);
            }
        }
        (1..=params - known.len())
            .contains(&written.len())
            .then(|| Matched::Head(written.to_vec()))
    }

    fn means_step(&self, machine: &Machine<'_>, words: &[i32], answer: &ir::Answer) -> bool {
        let [link, next, side, ..] = words else {
            return false;
        };
        let side_named = |side: i32| {
            written(answer).is_some_and(|text| text == self.element(Domain::Side, side))
        };
        match self.ground(machine) {
            Some(ir::NetworkGround::Links { table, nodes, .. }) => {
                self.means_element(machine, Domain::Table(*table), *link, answer)
                    || self.means_element(machine, *nodes, *next, answer)
            }
            Some(ir::NetworkGround::Joins { part, column }) => {
                self.means_element(machine, *part, *next, answer)
                    || self.node_position(*part, *next).is_some_and(|position| {
                        self.means_element(machine, self.positions(), position, answer)
                    })
                    || *column == ir::NetworkGround::NEIGHBOURS && side_named(*side)
            }
            None => false,
        }
    }

    fn node_position(&self, part: Domain, node: i32) -> Option<i32> {
        match part {
            Domain::Part(table) => self.part_place(table, node).map(|p| p.0),
            _ => None,
        }
    }

    // ---------------------------------------------------------------------------------------------- the question

    /// The instruction that asks where the machine stands: for a `may` that begins with a question, that question.
    pub(crate) fn asking(&self, machine: &Machine<'_>) -> Op {
        self.program.code[machine.asked_pc()]
    }

    fn first_question(&self, mut pc: usize) -> Option<Op> {
        let mut given = 0u32;
        for _ in 0..64 {
            let op = *self.program.code.get(pc)?;
            match op {
                Op::Call(proc, args) => {
                    given = 0;
                    for index in 0..args.len {
                        let node = self.program.lists[(args.start + index) as usize];
                        given |= u32::from(node != ASKED) << index;
                    }
                    pc = self.program.procs[proc.at()].entry as usize;
                }
                Op::Param { index, .. } if given >> index & 1 == 1 => pc += 1,
                Op::Choose(_) | Op::Param { .. } | Op::OneOf(_) => return Some(op),
                Op::Jump(to) => pc = to as usize,
                _ => pc += 1,
            }
        }
        None
    }

    pub(crate) fn choice_at(&self, machine: &Machine<'_>) -> Option<&ChoiceOp> {
        match self.asking(machine) {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                self.program.choices.get(choice as usize)
            }
            _ => None,
        }
    }

    /// The type of one answer of the choice at `pc`.
    pub(crate) fn question_ty(&self, machine: &Machine<'_>) -> Option<Ty> {
        self.choice_at(machine).map(|choice| choice.ty.clone())
    }

    fn part_shape(&self, machine: &Machine<'_>) -> Option<(Ty, Shape)> {
        let choice = self.choice_at(machine)?;
        let shape = self.program.binders[choice.binder.at()].shape;
        Some((choice.ty.clone(), shape))
    }

    fn item_name(&self, machine: &Machine<'_>, item: i32) -> Option<&str> {
        let Op::OneOf(menu) = self.asking(machine) else {
            return None;
        };
        let items = &self.program.menus[menu as usize].items;
        items.get(item as usize).map(|item| item.name.as_str())
    }

    /// The name of what asks, written before the answer of its first question: a `may`, or the action.
    pub(crate) fn names_asker(
        &self,
        machine: &Machine<'_>,
        written: &ir::Answer,
    ) -> Option<Vec<ir::Answer>> {
        let may = (machine.asked_pc() != machine.pc)
            .then(|| self.may_name(machine.pc))
            .flatten();
        let name = match may {
            Some(name) if headed(written, name).is_some() => name,
            _ => self.asking_action(machine)?,
        };
        match headed(written, name)? {
            Matched::Head(args) => Some(args),
            Matched::Whole => Some(Vec::new()),
        }
    }

    /// The action whose parameter is asked.
    fn asking_action(&self, machine: &Machine<'_>) -> Option<&str> {
        let pc = machine.asked_pc();
        if !matches!(self.program.code[pc], Op::Param { .. }) {
            return None;
        }
        let bodies = self.program.procs.iter();
        let actions = bodies
            .filter(|proc| matches!(proc.kind, ProcKind::Action(_)) && proc.entry as usize <= pc);
        let action = actions.max_by_key(|proc| proc.entry)?;
        Some(action.name.as_str())
    }

    /// What saying yes does: the name of the body, the effect that it runs.
    pub(crate) fn yes_name(&self, machine: &Machine<'_>) -> String {
        if let Some(name) = self.may_name(machine.pc)
            && name != "yes"
        {
            return name.to_owned();
        }
        self.effect_run(machine).unwrap_or_else(|| "yes".into())
    }

    /// The effect in a local that the body of a `may` begins with.
    fn effect_run(&self, machine: &Machine<'_>) -> Option<String> {
        let Op::May { body, .. } = self.program.code[machine.pc] else {
            return None;
        };
        let Op::RunEffect(effect) = *self.program.code.get(body as usize)? else {
            return None;
        };
        let EffectNode::Value { value, kind } = &self.program.effects[effect as usize] else {
            return None;
        };
        let Node::Local(local) = self.program.nodes[value.at()] else {
            return None;
        };
        let word = machine.m[machine.fp + local as usize];
        let at = usize::try_from(word).ok()?;
        match kind {
            EffectValue::Effect => self.rules.effects.get(at).map(|e| e.text.clone()),
            EffectValue::Action => self.rules.actions.get(at).map(|a| a.name.clone()),
            EffectValue::List => None,
        }
    }

    /// What the body of the `may` at `pc` is called.
    pub(crate) fn may_name(&self, pc: usize) -> Option<&str> {
        match self.program.code[pc] {
            Op::May { name, .. } => Some(self.program.names[name as usize].as_str()),
            _ => None,
        }
    }
}

fn domain_low(domain: Domain) -> i32 {
    match domain {
        Domain::Int { low, .. } => low,
        _ => 0,
    }
}

fn is_called(answer: &ir::Answer, names: &[&str]) -> bool {
    matches!(&answer.kind, ir::AnswerKind::Word(text) if names.contains(&text.as_str()))
}

/// A name alone, or a call of it.
fn headed(answer: &ir::Answer, name: &str) -> Option<Matched> {
    match &answer.kind {
        ir::AnswerKind::Word(text) if text == name => Some(Matched::Whole),
        ir::AnswerKind::Call(head, args) if head == name => Some(Matched::Head(args.clone())),
        _ => None,
    }
}

/// `cell(3, -2)`, `cell[3, -2]` (whose words are `3/-2`).
fn coordinates(answer: &ir::Answer) -> Option<(i32, i32)> {
    match &answer.kind {
        ir::AnswerKind::Call(_, args) => match args.as_slice() {
            [row, column] => Some((plain_number(row)?, plain_number(column)?)),
            _ => None,
        },
        ir::AnswerKind::Word(text) => {
            let (row, column) = text.split_once('/')?;
            Some((row.parse().ok()?, column.parse().ok()?))
        }
        _ => None,
    }
}

fn plain_number(answer: &ir::Answer) -> Option<i32> {
    match answer.kind {
        ir::AnswerKind::Number(n) => i32::try_from(n).ok(),
        _ => None,
    }
}

/// The name of a row by its key columns.
fn joined(args: &[ir::Answer]) -> Option<String> {
    let parts: Option<Vec<String>> = args.iter().map(written).collect();
    Some(parts?.join("/"))
}

/// A set or bag as pieces with their number; one piece may stand without braces.
fn counted(answer: &ir::Answer) -> Option<Vec<(ir::Answer, i64)>> {
    Some(match &answer.kind {
        ir::AnswerKind::Set(items) | ir::AnswerKind::List(items) => {
            items.iter().map(|one| (one.clone(), 1)).collect()
        }
        ir::AnswerKind::Bag(items) => items.iter().filter(|item| item.1 != 0).cloned().collect(),
        ir::AnswerKind::Word(text) if text == "none" => Vec::new(),
        ir::AnswerKind::Word(_) | ir::AnswerKind::Number(_) => vec![(answer.clone(), 1)],
        ir::AnswerKind::Call(..) => return None,
    })
}
