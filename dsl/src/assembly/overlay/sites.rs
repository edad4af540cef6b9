//! Places inside rules that a path can name: actions, steps, items, choices, formulas.

use super::walk;
use crate::assembly::{Assembly, names::full};
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
    let mut sites = Vec::new();
    for root in roots(assembly) {
        let mut number = 0;
        visit(assembly, root, &mut |at, site| {
            sites.push(Site {
                root,
                number,
                chain: at.chain.clone(),
                shape: site.shape(),
                implicit: at.implicit,
                span: at.span,
            });
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
struct At {
    chain: Vec<String>,
    implicit: bool,
    span: Span,
}

type Visitor<'v> = dyn FnMut(&At, SiteMut) -> bool + 'v;

fn visit(assembly: &mut Assembly, root: Root, visitor: &mut Visitor) {
    match root {
        Root::Action(at) => action(&mut assembly.actions[at].item, visitor),
        Root::When(at) => {
            let when = &mut assembly.whens[at].item;
            let mut here = named(&when.name);
            visitor(&here, SiteMut::When(when));
            block(&mut when.body, &mut here.chain, visitor);
        }
        Root::Flow => {
            if let Some(entry) = &mut assembly.flow {
                let here = At {
                    chain: vec!["flow".into()],
                    implicit: false,
                    span: entry.span,
                };
                visitor(&here, SiteMut::Flow(&mut entry.item));
                block(&mut entry.item, &mut Vec::new(), visitor);
            }
        }
        Root::Formula(at) => {
            let formula = &mut assembly.formulas[at].item;
            let here = owned(formula.owner.as_ref(), &formula.name);
            visitor(&here, SiteMut::Formula(formula));
        }
        Root::Network(at) => {
            let network = &mut assembly.networks[at].item;
            let here = owned(network.owner.as_ref(), &network.name);
            visitor(&here, SiteMut::Network(network));
        }
    }
}

fn named(name: &Name) -> At {
    owned(None, name)
}

fn owned(owner: Option<&Name>, name: &Name) -> At {
    At {
        chain: full(owner, name).split('.').map(str::to_string).collect(),
        implicit: false,
        span: name.span,
    }
}

fn inside(chain: &[String], name: &Name) -> At {
    let mut chain = chain.to_vec();
    chain.push(name.text.clone());
    At {
        chain,
        implicit: false,
        span: name.span,
    }
}

fn action(action: &mut ActionDecl, visitor: &mut Visitor) {
    let mut here = named(&action.name);
    visitor(&here, SiteMut::Action(action));
    for param in &mut action.params {
        match param {
            Param::Given { name, .. } => {
                visitor(&inside(&here.chain, name), SiteMut::Given);
            }
            Param::Asked(choice) => chosen(choice, &here.chain, visitor),
        }
    }
    if let ActionBody::Steps(body) = &mut action.body {
        block(body, &mut here.chain, visitor);
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
            let here = inside(chain, name);
            return step(here, body, chain, visitor);
        }
        StatementKind::Choose(choices) => {
            for choice in choices {
                chosen(choice, chain, visitor);
            }
        }
        StatementKind::OneOf { items, none } => {
            items.retain_mut(|item| alternative(item, chain, visitor));
            if let Some(none) = none {
                block(none, chain, visitor);
            }
        }
        StatementKind::AnyOrder { items, .. } => {
            items.retain_mut(|item| match item_name(None, &item.body, chain) {
                Some(here) => step(here, &mut item.body, chain, visitor),
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

/// An alternative keeps the name by which it is answered when a hook changes what it does.
fn alternative(item: &mut Item, chain: &mut Vec<String>, visitor: &mut Visitor) -> bool {
    let Some(here) = item_name(item.label.as_ref(), &item.body, chain) else {
        block(&mut item.body, chain, visitor);
        return true;
    };
    let name = here.chain.last().cloned().unwrap_or_default();
    let (implicit, span) = (here.implicit, here.span);
    let kept = step(here, &mut item.body, chain, visitor);
    if implicit && item_name(None, &item.body, chain).is_none() {
        item.label = Some(Name { text: name, span });
    }
    kept
}

fn step(here: At, body: &mut Block, chain: &mut Vec<String>, visitor: &mut Visitor) -> bool {
    if !visitor(&here, SiteMut::Step(body)) {
        return false;
    }
    if let Some(name) = here.chain.last().filter(|_| !here.implicit) {
        chain.push(name.clone());
        block(body, chain, visitor);
        chain.pop();
    } else {
        block(body, chain, visitor);
    }
    true
}

/// An item is named by its label, else by the one action it calls.
fn item_name(label: Option<&Name>, body: &Block, chain: &[String]) -> Option<At> {
    if let Some(label) = label {
        return Some(inside(chain, label));
    }
    let [only] = &body.statements[..] else {
        return None;
    };
    let StatementKind::Run(call) = &only.kind else {
        return None;
    };
    let name = Name {
        text: called_name(call)?.to_string(),
        span: call.span,
    };
    Some(At {
        implicit: true,
        ..inside(chain, &name)
    })
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
