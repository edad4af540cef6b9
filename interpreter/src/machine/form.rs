//! How each node is evaluated: a function chosen by what it is and what its operands are, with the words that function
//! needs beside it. Chosen when a node is made, and once more when others were replaced.

use super::operand::{self, Args, Kind, Operand, by_kind, kind_of};
use super::{Loc, Machine};
use crate::Program;
use crate::program::*;
use dsl::ir::number::{self, NoNumber};
use dsl::source::Span;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The value of one that is a scalar.
    value: Value,
    /// Where one lies that is a container.
    place: Place,
    args: [Args; 2],
    node: NodeId,
}

type Value = fn(&mut Machine<'_>, &Form) -> i32;
type Place = fn(&mut Machine<'_>, &Form) -> Loc;

impl Program {
    /// Adds a node; its operands are there already.
    pub(crate) fn add_node(&mut self, node: Node, shape: Shape, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.shapes.push(shape);
        self.node_spans.push(span);
        self.forms.push(Form::of(self, id));
        id
    }

    /// Puts another node of the same value in the place of one; [`Program::choose_forms`] must follow.
    pub(crate) fn replace_node(&mut self, id: NodeId, node: Node, shape: Shape) {
        self.nodes[id.at()] = node;
        self.shapes[id.at()] = shape;
    }

    /// Chooses all forms anew: what was replaced may be an operand that lies otherwise or is read more directly now.
    pub(crate) fn choose_forms(&mut self) {
        for at in 0..self.nodes.len() {
            self.forms[at] = Form::of(self, NodeId(at as u32));
        }
    }
}

impl Machine<'_> {
    /// The value of a scalar expression; after a halt any number.
    #[inline(always)]
    pub(crate) fn ev(&mut self, node: NodeId) -> i32 {
        let form = &self.p.forms[node.at()];
        (form.value)(self, form)
    }

    /// The address of a container expression; what is made on the way lies in the temporaries.
    #[inline(always)]
    pub(crate) fn loc(&mut self, node: NodeId) -> Loc {
        let form = &self.p.forms[node.at()];
        (form.place)(self, form)
    }
}

impl Form {
    fn of(program: &Program, node: NodeId) -> Form {
        Chooser { program, node }.form()
    }
}

struct Chooser<'p> {
    program: &'p Program,
    node: NodeId,
}

impl Chooser<'_> {
    fn form(&self) -> Form {
        let (kind, args) = kind_of(self.program, self.node);
        match self.program.nodes[self.node.at()] {
            Node::Local(_) => self.both(by_kind!(kind, leaf), local_place, [args, [0; 3]]),
            _ if kind != Kind::Inner => self.value(by_kind!(kind, leaf), [args, [0; 3]]),
            Node::Words(_)
            | Node::ColumnWords { .. }
            | Node::CellWords(..)
            | Node::DenseWords { .. } => self.container(),
            Node::Equal(a, b) => self.two::<Equal>(a, b),
            Node::NotEqual(a, b) => self.two::<NotEqual>(a, b),
            Node::Less(a, b) => self.two::<Less>(a, b),
            Node::LessEqual(a, b) => self.two::<LessEqual>(a, b),
            Node::Add(a, b) => self.two_numbers::<Add>(a, b),
            Node::Subtract(a, b) => self.two_numbers::<Subtract>(a, b),
            Node::And(a, b) => self.inner_two::<And>(a, b),
            Node::Or(a, b) => self.inner_two::<Or>(a, b),
            Node::Implies(a, b) => self.inner_two::<Implies>(a, b),
            Node::Multiply(a, b) => self.two_inner_numbers::<Multiply>(a, b),
            Node::Divide(a, b) => self.two_inner_numbers::<Divide>(a, b),
            Node::Remainder(a, b) => self.two_inner_numbers::<Remainder>(a, b),
            Node::Minimum(a, b) => self.inner_two::<Minimum>(a, b),
            Node::Maximum(a, b) => self.inner_two::<Maximum>(a, b),
            _ => self.other(),
        }
    }

    /// Nodes with one operand that matters most.
    fn other(&self) -> Form {
        let read = |node| kind_of(self.program, node);
        match self.program.nodes[self.node.at()] {
            Node::Not(a) => {
                let (kind, a) = read(a);
                self.value(by_kind!(kind, not), [a, [0; 3]])
            }
            Node::IsSome(a) => {
                let (kind, a) = read(a);
                self.value(by_kind!(kind, is_some), [a, [0; 3]])
            }
            Node::Column(base, row) => {
                let (kind, row) = read(row);
                self.value(by_kind!(kind, column), [row, [base, 0, 0]])
            }
            Node::Cell1(slot, index) => {
                let (kind, index) = read(index);
                let cell = &self.program.cells[slot.at()];
                let (low, n, _) = cell.dims[0];
                self.value(by_kind!(kind, cell_of), [index, [cell.base, low as u32, n]])
            }
            Node::Dense(dense, List { start, len: 1 }) => {
                let (kind, index) = read(self.program.lists[start as usize]);
                let dense = &self.program.dense[dense.at()];
                let (low, n) = dense.dims[0];
                let args = [index, [dense.base, low as u32, n]];
                self.value(by_kind!(kind, dense_of), args)
            }
            Node::If(condition, yes, no) => {
                let (kind, condition) = read(condition);
                let args = [condition, [yes.0, no.0, 0]];
                let shape = |node: NodeId| self.program.shapes[node.at()];
                let place = if shape(yes) == shape(no) {
                    by_kind!(kind, chosen_place)
                } else {
                    any_place
                };
                self.both(by_kind!(kind, chosen), place, args)
            }
            Node::Otherwise(value, other) => {
                let (kind, value) = read(value);
                let args = [value, [other.0, 0, 0]];
                self.both(by_kind!(kind, otherwise), any_place, args)
            }
            Node::In(item, container) => {
                let (kind, item) = read(item);
                self.value(by_kind!(kind, is_in), [item, [container.0, 0, 0]])
            }
            Node::CountOf(container, item) => {
                let (kind, item) = read(item);
                self.value(by_kind!(kind, count_of), [item, [container.0, 0, 0]])
            }
            Node::Next(position, side) => {
                let (kind, position) = read(position);
                self.value(by_kind!(kind, next), [position, [side.0, 0, 0]])
            }
            Node::Back(side) => {
                let (kind, side) = read(side);
                self.value(by_kind!(kind, back), [side, [0; 3]])
            }
            Node::Size(a) => match self.program.ray_of(a) {
                Some(ray) => self.value(size_of_ray, [[a.0, 0, 0], [ray, 0, 0]]),
                None => self.value(size, [[a.0, 0, 0], [0; 3]]),
            },
            Node::NotEmpty(a) => self.value(not_empty, [[a.0, 0, 0], [0; 3]]),
            Node::Aggregate(id) => self.value(aggregate, [[id.0, 0, 0], [0; 3]]),
            Node::Call(proc, args) => self.call(proc, args),
            _ => self.both(any_value, any_place, [[0; 3]; 2]),
        }
    }

    fn call(&self, proc: ProcId, args: List) -> Form {
        if let Some(ray) = self.program.ray_of(self.node) {
            return self.place(ray_place, [[ray, 0, 0], [0; 3]]);
        }
        if let List { start, len: 1 } = args {
            let argument = self.program.lists[start as usize];
            if self.program.shapes[argument.at()] == Shape::Scalar {
                let (kind, argument) = kind_of(self.program, argument);
                let args = [argument, [proc.0, 0, 0]];
                return self.both(by_kind!(kind, call_of_one), any_place, args);
            }
        }
        let args = [[proc.0, args.start, args.len], [0; 3]];
        self.both(call, any_place, args)
    }

    /// Containers that lie somewhere already.
    fn container(&self) -> Form {
        let read = |node| kind_of(self.program, node);
        match self.program.nodes[self.node.at()] {
            Node::Words(base) => self.place(const_place, [[base, 0, 0], [0; 3]]),
            Node::ColumnWords { base, stride, row } => {
                let (kind, row) = read(row);
                self.place(by_kind!(kind, column_place), [row, [base, stride, 0]])
            }
            Node::CellWords(slot, args) => {
                let cell = &self.program.cells[slot.at()];
                match (args.len, cell.dims.first()) {
                    (0, _) => self.place(cell_place, [[cell.base, 0, 0], [0; 3]]),
                    (1, Some(&(0, n, _))) => {
                        let (kind, index) = read(self.program.lists[args.start as usize]);
                        let args = [index, [cell.base, n, cell.words]];
                        self.place(by_kind!(kind, slot_place), args)
                    }
                    _ => self.place(any_place, [[0; 3]; 2]),
                }
            }
            _ => self.place(any_place, [[0; 3]; 2]),
        }
    }

    fn two<O: Operation>(&self, a: NodeId, b: NodeId) -> Form {
        fn with<O: Operation, A: Operand>(b: Kind) -> Value {
            by_kind!(b, binary, O, A)
        }
        let (first, a) = kind_of(self.program, a);
        let (second, b) = kind_of(self.program, b);
        self.value(by_kind!(first, with, O)(second), [a, b])
    }

    /// For operations whose operands are seldom simple.
    fn inner_two<O: Operation>(&self, a: NodeId, b: NodeId) -> Form {
        let args = [[a.0, 0, 0], [b.0, 0, 0]];
        self.value(binary::<O, operand::Inner, operand::Inner>, args)
    }

    fn two_numbers<O: Arithmetic>(&self, a: NodeId, b: NodeId) -> Form {
        fn with<O: Arithmetic, A: Operand>(b: Kind) -> Value {
            by_kind!(b, calculated, O, A)
        }
        let (first, a) = kind_of(self.program, a);
        let (second, b) = kind_of(self.program, b);
        self.value(by_kind!(first, with, O)(second), [a, b])
    }

    fn two_inner_numbers<O: Arithmetic>(&self, a: NodeId, b: NodeId) -> Form {
        let args = [[a.0, 0, 0], [b.0, 0, 0]];
        self.value(calculated::<O, operand::Inner, operand::Inner>, args)
    }

    fn value(&self, value: Value, args: [Args; 2]) -> Form {
        self.both(value, any_place, args)
    }

    fn place(&self, place: Place, args: [Args; 2]) -> Form {
        self.both(any_value, place, args)
    }

    fn both(&self, value: Value, place: Place, args: [Args; 2]) -> Form {
        Form {
            value,
            place,
            args,
            node: self.node,
        }
    }
}

// ------------------------------------------------------------------------------------------------ of two operands

trait Operation {
    fn of(a: i32, b: impl FnOnce() -> i32) -> i32;
}

macro_rules! operations {
    ($($name:ident: $a:ident, $b:ident => $value:expr;)*) => {$(
        struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn of($a: i32, $b: impl FnOnce() -> i32) -> i32 {
                $value
            }
        }
    )*};
}
operations! {
    Equal: a, b => i32::from(a == b());
    NotEqual: a, b => i32::from(a != b());
    Less: a, b => i32::from(a < b());
    LessEqual: a, b => i32::from(a <= b());
    And: a, b => i32::from(a != 0 && b() != 0);
    Or: a, b => i32::from(a != 0 || b() != 0);
    Implies: a, b => i32::from(a == 0 || b() != 0);
    Minimum: a, b => a.min(b());
    Maximum: a, b => a.max(b());
}

fn binary<O: Operation, A: Operand, B: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let a = A::read(machine, &form.args[0]);
    O::of(a, || B::read(machine, &form.args[1]))
}

/// What may come to no number.
trait Arithmetic {
    fn of(a: i32, b: i32) -> Result<i32, NoNumber>;
}

macro_rules! arithmetic {
    ($($name:ident: $function:path;)*) => {$(
        struct $name;
        impl Arithmetic for $name {
            #[inline(always)]
            fn of(a: i32, b: i32) -> Result<i32, NoNumber> {
                $function(a, b)
            }
        }
    )*};
}
arithmetic! {
    Add: number::add;
    Subtract: number::subtract;
    Multiply: number::multiply;
    Divide: number::divide;
    Remainder: number::remainder;
}

fn calculated<O: Arithmetic, A: Operand, B: Operand>(
    machine: &mut Machine<'_>,
    form: &Form,
) -> i32 {
    let a = A::read(machine, &form.args[0]);
    let b = B::read(machine, &form.args[1]);
    match O::of(a, b) {
        // What was read at an index that there is not is none.
        Ok(value) if a != NONE && b != NONE => value,
        found => machine.no_number(form.node, found.err()),
    }
}

// ---------------------------------------------------------------------------------------- of one operand, or of none

fn leaf<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    A::read(machine, &form.args[0])
}

fn not<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    i32::from(A::read(machine, &form.args[0]) == 0)
}

fn is_some<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    i32::from(A::read(machine, &form.args[0]) != NONE)
}

fn column<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let row = A::read(machine, &form.args[0]);
    machine.column_value(row, form.args[1][0])
}

fn cell_of<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let index = A::read(machine, &form.args[0]) as u32;
    let [base, low, n] = form.args[1];
    machine.slot_value(index.wrapping_sub(low), base, n)
}

fn dense_of<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let index = A::read(machine, &form.args[0]) as u32;
    let [base, low, n] = form.args[1];
    let at = index.wrapping_sub(low);
    if at < n {
        machine.p.consts[(base + at) as usize]
    } else {
        NONE
    }
}

fn chosen<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let [yes, no, _] = form.args[1];
    let holds = A::read(machine, &form.args[0]) != 0;
    machine.ev(NodeId(if holds { yes } else { no }))
}

fn otherwise<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    match A::read(machine, &form.args[0]) {
        NONE => machine.ev(NodeId(form.args[1][0])),
        value => value,
    }
}

fn is_in<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let item = A::read(machine, &form.args[0]);
    i32::from(machine.is_in(NodeId(form.args[1][0]), item))
}

fn count_of<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let item = A::read(machine, &form.args[0]);
    let container = NodeId(form.args[1][0]);
    let loc = machine.loc(container);
    machine.count_of(loc, machine.p.shapes[container.at()], item)
}

fn size(machine: &mut Machine<'_>, form: &Form) -> i32 {
    machine.size(NodeId(form.args[0][0]))
}

fn size_of_ray(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let ray = &machine.p.rays[form.args[1][0] as usize];
    let ends = machine.count_along(ray);
    ends.unwrap_or_else(|| machine.size(NodeId(form.args[0][0])))
}

fn not_empty(machine: &mut Machine<'_>, form: &Form) -> i32 {
    i32::from(machine.size(NodeId(form.args[0][0])) > 0)
}

/// The place that lies next to one on a side; none off the ground.
fn next<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let position = A::read(machine, &form.args[0]);
    let side = machine.ev(NodeId(form.args[1][0]));
    let Some(tiling) = &machine.p.tiling else {
        return NONE;
    };
    if position < 0 || side < 0 {
        return NONE;
    }
    let at = position as usize * tiling.directions as usize + side as usize;
    tiling.next.get(at).copied().unwrap_or(NONE)
}

fn back<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let side = A::read(machine, &form.args[0]);
    machine
        .tiling(|tiling| tiling.back.get(side as usize).copied())
        .unwrap_or(NONE)
}

fn aggregate(machine: &mut Machine<'_>, form: &Form) -> i32 {
    machine.aggregate(AggregateId(form.args[0][0]))
}

fn call(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let [proc, start, len] = form.args[0];
    let proc = ProcId(proc);
    let frame = machine.enter_formula(proc, List { start, len });
    machine.value_in(frame, machine.p.procs[proc.at()].body)
}

/// A formula of one word.
fn call_of_one<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> i32 {
    let proc = &machine.p.procs[form.args[1][0] as usize];
    let frame = machine.reserve(proc.frame_words as usize);
    let value = A::read(machine, &form.args[0]);
    if let Some((local, _)) = proc.params.first() {
        machine.m[frame + *local as usize] = value;
    }
    machine.value_in(frame, proc.body)
}

fn any_value(machine: &mut Machine<'_>, form: &Form) -> i32 {
    machine.value_of(form.node)
}

// ------------------------------------------------------------------------------------------------ containers

fn const_place(_: &mut Machine<'_>, form: &Form) -> Loc {
    Loc::Const(form.args[0][0] as usize)
}

fn local_place(machine: &mut Machine<'_>, form: &Form) -> Loc {
    Loc::State(machine.fp + form.args[0][0] as usize)
}

fn cell_place(_: &mut Machine<'_>, form: &Form) -> Loc {
    Loc::State(form.args[0][0] as usize)
}

fn slot_place<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> Loc {
    let slot = A::read(machine, &form.args[0]) as u32;
    let [base, n, words] = form.args[1];
    if slot < n {
        Loc::State((base + slot * words) as usize)
    } else {
        Loc::Const(0)
    }
}

fn column_place<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> Loc {
    let row = A::read(machine, &form.args[0]);
    let [base, stride, _] = form.args[1];
    if row < 0 {
        Loc::Const(0)
    } else {
        Loc::Const((base + row as u32 * stride) as usize)
    }
}

fn chosen_place<A: Operand>(machine: &mut Machine<'_>, form: &Form) -> Loc {
    let [yes, no, _] = form.args[1];
    let holds = A::read(machine, &form.args[0]) != 0;
    machine.loc(NodeId(if holds { yes } else { no }))
}

fn ray_place(machine: &mut Machine<'_>, form: &Form) -> Loc {
    machine.ends_along(&machine.p.rays[form.args[0][0] as usize])
}

fn any_place(machine: &mut Machine<'_>, form: &Form) -> Loc {
    machine.place_of(form.node)
}
