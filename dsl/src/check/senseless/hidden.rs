//! Score lines that are hidden until the end, counted during the game.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Checker;
use super::super::graph::{Node, Touched, Use};
use super::warning;
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    pub(super) fn hidden_lines(
        &self,
        by_node: &BTreeMap<Node, Vec<Use>>,
        found: &mut Vec<Diagnostic>,
    ) {
        let roots = self.roots().into_iter().map(|(node, _, _)| node);
        let mut open: Vec<Node> = roots
            .filter(|node| !matches!(node, Node::Win | Node::Score(_) | Node::Strategy(_)))
            .collect();
        let mut seen: BTreeSet<Node> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            for one in by_node.get(&node).into_iter().flatten() {
                match one.what {
                    Touched::Node(Node::Score(id)) => {
                        let line = &self.rs.scores[id.index()];
                        if line.at_end {
                            found.push(told(one.span, &line.name, line.span));
                        }
                    }
                    Touched::Node(next) if seen.insert(next) => open.push(next),
                    _ => {}
                }
            }
        }
    }
}

fn told(span: crate::source::Span, line: &str, declared: crate::source::Span) -> Diagnostic {
    let message = format!("during the game this counts `{line}`, which is hidden until the end");
    warning("hidden-line", span, message)
        .label(declared, "`at end`")
        .help("write a formula that adds up what everybody may know, and use it here and in the score")
}
