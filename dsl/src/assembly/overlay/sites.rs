//! Places inside rules that a path can name: actions, steps, items, choices, formulas.

use super::walk;
use crate::assembly::Assembly;
use crate::source::Span;
use crate::syntax::ast::{
    ActionBody, ActionDecl, Block, Choice, Expr, ExprKind, FormulaDecl, Item, Name, NetworkDecl,
    Param, Statement, StatementKind, WhenDecl,
};

/// The declaration a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::assembly) enum Root {
    Action(usize),
    When(usize),
    Flow,
    Formula(usize),
    Network(usize),
}

/// A place, found.
#[derive(Clone, Debug)]
pub(in crate::assembly) struct Site {
    pub root: Root,
    /// Counted within its root.
    number: usize,
    /// From the outermost name to the place's own.
    pub chain: Vec<String>,
    pub shape: Shape,
    /// Has no label; its name is that of the action called there.
    pub implicit: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::assembly) enum Shape {
    Declaration,
    Step,
    Choice,
    Given,
    Formula,
}

pub(super) enum SiteMut<'a> {
    Action(&'a mut ActionDecl),
    When(&'a mut WhenDecl),
    Flow(&'a mut Block),
    /// The lines under a label.
    Step(&'a mut Block),
    Choice(&'a mut Choice),
    /// A parameter that only the caller gives.
    Given,
    Formula(&'a mut FormulaDecl),
    Network(&'a mut NetworkDecl),
}

impl SiteMut<'_> {
    fn shape(&self) -> Shape {
        match self {
            SiteMut::Action(_) | SiteMut::When(_) | SiteMut::Flow(_) => Shape::Declaration,
            SiteMut::Step(_) => Shape::Step,
            SiteMut::Choice(_) => Shape::Choice,
            SiteMut::Given => Shape::Given,
            SiteMut::Formula(_) | SiteMut::Network(_) => Shape::Formula,
        }
    }
}

impl Site {
    /// `turn.act`, as one would write it.
    pub fn path(&self) -> String {
        self.chain.join(".")
    }

    /// The same, with what it lies in; unique among declarations and steps.
    pub fn full_path(&self) -> String {
        match self.root {
            Root::Flow if self.chain != ["flow"] => format!("flow.{}", self.path()),
            _ => self.path(),
        }
    }
}

/// All places that paths can name.
pub(super) fn all(assembly: &mut Assembly) -> Vec<Site> {
    gather(assembly, &|_| true)
}

/// The places of this own name.
pub(super) fn called(assembly: &mut Assembly, name: &str) -> Vec<Site> {
    gather(assembly, &|own| own == name)
}

fn gather(assembly: &mut Assembly, wanted: &dyn Fn(&str) -> bool) -> Vec<Site> {
    let mut sites = Vec::new();
    for root in roots(assembly) {
        let mut number = 0;
        visit(assembly, root, &mut |at, site| {
            if wanted(&at.own) {
                sites.push(Site {
                    root,
                    number,
                    chain: at.outer.iter().chain([&at.own]).cloned().collect(),
                    shape: site.shape(),
                    implicit: at.implicit,
                    span: at.span,
                });
            }
            number += 1;
            true
        });
    }
    sites
}

/// Works on one place; the place is taken away when `work` returns false.
pub(super) fn at(assembly: &mut Assembly, site: &Site, work: &mut dyn FnMut(SiteMut) -> bool) {
    let mut number = 0;
    visit(assembly, site.root, &mut |_, found| {
        let here = number == site.number;
        number += 1;
        !here || work(found)
    });
}

fn roots(assembly: &Assembly) -> Vec<Root> {
    let actions = (0..assembly.actions.len()).map(Root::Action);
    let whens = (0..assembly.whens.len()).map(Root::When);
    let formulas = (0..assembly.formulas.len()).map(Root::Formula);
    let networks = (0..assembly.networks.len()).map(Root::Network);
    let flow = assembly.flow.iter().map(|_| Root::Flow);
    actions
        .chain(whens)
        .chain(flow)
        .chain(formulas)
        .chain(networks)
        .collect()
}

/// Where the walk is.
struct At<'c> {
    /// Names around the place, outermost first.
    outer: &'c [String],
    own: String,
    implicit: bool,
    span: Span,
}

type Visitor<'v> = dyn FnMut(&At<'_>, SiteMut<'_>) -> bool + 'v;

fn visit(assembly: &mut Assembly, root: Root, visitor: &mut Visitor) {
    match root {
        Root::Action(at) => action(&mut assembly.actions[at].item, visitor),
        Root::When(at) => {
            let when = &mut assembly.whens[at].item;
            let here = inside(&[], &when.name);
            visitor(&here, SiteMut::When(when));
            block(&mut when.body, &mut vec![here.own], visitor);
        }
        Root::Flow => {
            if let Some(entry) = &mut assembly.flow {
                let here = At {
                    outer: &[],
                    own: "flow".into(),
                    implicit: false,
                    span: entry.span,
                };
                visitor(&here, SiteMut::Flow(&mut entry.item));
                block(&mut entry.item, &mut Vec::new(), visitor);
            }
        }
        Root::Formula(at) => {
            let formula = &mut assembly.formulas[at].item;
            let outer = owner(formula.owner.as_ref());
            let here = inside(&outer, &formula.name);
            visitor(&here, SiteMut::Formula(formula));
        }
        Root::Network(at) => {
            let network = &mut assembly.networks[at].item;
            let outer = owner(network.owner.as_ref());
            let here = inside(&outer, &network.name);
            visitor(&here, SiteMut::Network(network));
        }
    }
}

fn owner(name: Option<&Name>) -> Vec<String> {
    name.map(|name| name.text.clone()).into_iter().collect()
}

fn inside<'c>(outer: &'c [String], name: &Name) -> At<'c> {
    At {
        outer,
        own: name.text.clone(),
        implicit: false,
        span: name.span,
    }
}

fn action(action: &mut ActionDecl, visitor: &mut Visitor) {
    let here = inside(&[], &action.name);
    visitor(&here, SiteMut::Action(action));
    let mut chain = vec![here.own];
    for param in &mut action.params {
        match param {
            Param::Given { name, .. } => {
                visitor(&inside(&chain, name), SiteMut::Given);
            }
            Param::Asked(choice) => chosen(choice, &chain, visitor),
        }
    }
    if let ActionBody::Steps(body) = &mut action.body {
        block(body, &mut chain, visitor);
    }
}

fn chosen(choice: &mut Choice, chain: &[String], visitor: &mut Visitor) {
    if let Some(name) = &choice.binder.name {
        visitor(&inside(chain, name), SiteMut::Choice(choice));
    }
}

fn block(body: &mut Block, chain: &mut Vec<String>, visitor: &mut Visitor) {
    body.statements
        .retain_mut(|found| statement(found, chain, visitor));
}

fn statement(found: &mut Statement, chain: &mut Vec<String>, visitor: &mut Visitor) -> bool {
    match &mut found.kind {
        StatementKind::Label(name, body) => {
            let called = (name.text.clone(), name.span);
            return step(called, false, body, chain, visitor);
        }
        StatementKind::Choose(choices) => {
            for choice in choices {
                chosen(choice, chain, visitor);
            }
        }
        StatementKind::OneOf { items, none, .. } => {
            items.retain_mut(|item| alternative(item, chain, visitor));
            if let Some(none) = none {
                block(none, chain, visitor);
            }
        }
        StatementKind::AnyOrder { items, .. } => {
            items.retain_mut(|item| match called_alone(&item.body) {
                Some(called) => step(called, true, &mut item.body, chain, visitor),
                None => {
                    block(&mut item.body, chain, visitor);
                    true
                }
            });
        }
        _ => {
            for inner in walk::blocks(found) {
                block(inner, chain, visitor);
            }
        }
    }
    true
}

/// An alternative is named by its label, else by the one action it calls; it keeps the name by which it is answered when a
/// hook changes what it does.
fn alternative(item: &mut Item, chain: &mut Vec<String>, visitor: &mut Visitor) -> bool {
    if let Some(label) = &item.label {
        let called = (label.text.clone(), label.span);
        return step(called, false, &mut item.body, chain, visitor);
    }
    let Some((text, span)) = called_alone(&item.body) else {
        block(&mut item.body, chain, visitor);
        return true;
    };
    let kept = step((text.clone(), span), true, &mut item.body, chain, visitor);
    if called_alone(&item.body).is_none() {
        item.label = Some(Name { text, span });
    }
    kept
}

fn step(
    (own, span): (String, Span),
    implicit: bool,
    body: &mut Block,
    chain: &mut Vec<String>,
    visitor: &mut Visitor,
) -> bool {
    let here = At {
        outer: chain,
        own,
        implicit,
        span,
    };
    if !visitor(&here, SiteMut::Step(body)) {
        return false;
    }
    if implicit {
        block(body, chain, visitor);
    } else {
        chain.push(here.own);
        block(body, chain, visitor);
        chain.pop();
    }
    true
}

/// Lines that only call one action have its name.
fn called_alone(body: &Block) -> Option<(String, Span)> {
    let [only] = &body.statements[..] else {
        return None;
    };
    let StatementKind::Run(call) = &only.kind else {
        return None;
    };
    Some((called_name(call)?.to_string(), call.span))
}

fn called_name(call: &Expr) -> Option<&str> {
    match &call.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Call(callee, _) => match &callee.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
