//! Questions about running games in the rules language, from outside the rules: the watches of a play-test.

use crate::lower::LowerError;
use crate::lower::append::{Extra, append};
use crate::machine::Machine;
use crate::machine::look::NoValue;
use crate::program::{NodeId, Program};
use crate::state::State;
use crate::words::Words;
use dsl::ir::{Code, Expr, RuleSet, Ty};
use dsl::source::SourceSet;

/// Questions lowered onto a copy of a program; they may be asked of every state of it.
#[derive(Clone, Debug)]
pub struct Watches {
    program: Program,
    asked: Vec<Asked>,
}

#[derive(Clone, Debug)]
struct Asked {
    node: NodeId,
    frame_words: u32,
    ty: Ty,
}

impl Watches {
    pub fn new(program: &Program) -> Watches {
        Watches {
            program: program.clone(),
            asked: Vec::new(),
        }
    }

    /// Adds a question, as `dsl::expression` checked it.
    ///
    /// # Errors
    /// If its answer would need chance or histories.
    pub fn add(&mut self, rules: &RuleSet, expr: &Expr, code: &Code) -> Result<(), LowerError> {
        let extra = Extra {
            exprs: vec![expr],
            ..Extra::default()
        };
        let appended = append(rules, &mut self.program, code, &extra)?;
        self.asked.extend(appended.exprs.first().map(|node| Asked {
            node: *node,
            frame_words: appended.frame_words,
            ty: expr.ty.clone(),
        }));
        Ok(())
    }

    /// The answers in the order the questions were added: the value, or why there is none.
    pub fn values(
        &self,
        rules: &RuleSet,
        sources: &SourceSet,
        state: &State,
    ) -> Vec<Result<String, String>> {
        let words = Words::new(rules, &self.program).with_sources(sources);
        let mut machine = Machine::new(&self.program);
        machine.restore(state);
        self.asked
            .iter()
            .map(|asked| match machine.ask(asked.node, asked.frame_words) {
                Ok(held) => Ok(words.value(&asked.ty, &held)),
                Err(NoValue::Missing(Some(unmet))) => Err(words.unmet(&unmet).sentence),
                Err(NoValue::Missing(None)) => Err("something in this is none".into()),
                Err(NoValue::Fault(_, message)) => Err(message),
            })
            .collect()
    }
}
