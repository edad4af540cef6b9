//! The ways in which games end, by what they are called.

use crate::Program;
use crate::program::{Op, ProcKind};
use crate::words::Words;
use dsl::ir::{EndingId, EndingKind, RuleSet};
use dsl::source::Span;

/// A way to end: all lines of the rules that call it so.
#[derive(Clone, Debug)]
pub struct End {
    /// `wins "four in a row"`; of a `finish` without a name where it stands: `mate: finish now`.
    pub how: String,
    /// As people say it, in the language chosen: `"four in a row"`.
    pub said: String,
    /// None: the flow was through.
    pub span: Option<Span>,
    lines: Vec<EndingId>,
}

impl End {
    pub(super) fn is(&self, ending: Option<EndingId>) -> bool {
        match ending {
            Some(ending) => self.lines.contains(&ending),
            None => self.span.is_none(),
        }
    }
}

/// All of them in the order of the rules, the end of the flow last; lines that give an end the same name are one.
pub(super) fn ends(rules: &RuleSet, program: &Program) -> Vec<End> {
    let mut found: Vec<End> = Vec::new();
    let words = Words::new(rules, program);
    for (ending, at) in rules.endings.iter().zip(0..) {
        let how = in_words(rules, program, EndingId(at));
        let known = found.iter_mut().find(|known| known.how == how);
        match known.filter(|_| ending.name.is_some()) {
            Some(known) => known.lines.push(EndingId(at)),
            None => found.push(End {
                said: match words.ending_name(EndingId(at)) {
                    Some(name) => format!("\"{name}\""),
                    None => how.clone(),
                },
                how,
                span: Some(ending.span),
                lines: vec![EndingId(at)],
            }),
        }
    }
    // What has no name of its own is told apart by its number.
    let called: Vec<String> = found.iter().map(|end| end.how.clone()).collect();
    for (at, end) in found.iter_mut().enumerate() {
        let before = called[..at].iter().filter(|how| **how == called[at]);
        match before.count() {
            0 => {}
            before => {
                let number = format!(" ({})", before + 1);
                end.how += &number;
                end.said += &number;
            }
        }
    }
    found.push(End {
        how: "end of the flow".to_owned(),
        said: "end of the flow".to_owned(),
        span: None,
        lines: Vec::new(),
    });
    found
}

fn in_words(rules: &RuleSet, program: &Program, ending: EndingId) -> String {
    let written = &rules.endings[ending.index()];
    let code = &program.endings[ending.index()];
    let what = match written.kind {
        EndingKind::Wins | EndingKind::WinsAlone => "wins",
        EndingKind::Loses => "loses",
        EndingKind::Draw => "draw",
        EndingKind::Finish => "finish",
    };
    if let Some(name) = written.name {
        return format!("{what} \"{}\"", rules.text(name));
    }
    let label = |label: u32| rules.labels.get(label as usize).map_or("?", |l| &l.name);
    let how = match program.code[code.pc as usize] {
        Op::Finish { label: at, .. } => format!("finish after {}", label(at.0)),
        _ => "finish now".to_owned(),
    };
    match named_around(program, code.pc as usize, &label) {
        Some(name) => format!("{name}: {how}"),
        None => how,
    }
}

/// The innermost step or body with a name that an instruction stands in.
fn named_around<'p>(
    program: &'p Program,
    pc: usize,
    label: &dyn Fn(u32) -> &'p str,
) -> Option<&'p str> {
    let place = *program.op_spans.get(pc)?;
    let bodies = program.procs.iter().filter(|proc| {
        let named = matches!(
            proc.kind,
            ProcKind::Action(_) | ProcKind::When | ProcKind::Flow
        );
        named && proc.entry as usize <= pc
    });
    let body = bodies.max_by_key(|proc| proc.entry)?;
    let steps = program.code[body.entry as usize..pc].iter();
    let steps = steps.zip(&program.op_spans[body.entry as usize..pc]);
    let around = steps.filter_map(|(op, span)| match op {
        Op::EnterStep { label, .. } if span.file == place.file => {
            (span.start <= place.start && place.end <= span.end).then_some((*label, *span))
        }
        _ => None,
    });
    match around.min_by_key(|(_, span)| span.end - span.start) {
        Some((step, _)) => Some(label(step.0)),
        None => (body.kind != ProcKind::Flow).then_some(body.name.as_str()),
    }
}
