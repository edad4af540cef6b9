//! A number that changes when anything that matters to play changes: not with spans, documentation, formatting.

use std::fmt::{self, Write};

use crate::ir::RuleSet;

/// FNV-1a over the printed rule set; spans and documentation are passed over.
struct Hasher {
    state: u64,
    /// Text of the value that is being printed.
    field: Vec<u8>,
    skip: u32,
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

pub(super) fn of(rules: &RuleSet) -> u64 {
    let mut hasher = Hasher {
        state: OFFSET,
        field: Vec::new(),
        skip: 0,
    };
    let bare = bare(rules);
    // Printing into this writer cannot fail.
    let _ = write!(hasher, "{bare:?}");
    hasher.state
}

/// The rule set without what is only for people and places.
fn bare(rules: &RuleSet) -> RuleSet {
    let mut bare = rules.clone();
    bare.fingerprint = 0;
    bare.layers.clear();
    bare.tags.clear();
    bare.title.clear();
    bare.tables.iter_mut().for_each(|table| {
        table.doc.clear();
        table
            .columns
            .iter_mut()
            .for_each(|column| column.doc.clear());
    });
    bare.options
        .iter_mut()
        .for_each(|option| option.doc.clear());
    bare.cells.iter_mut().for_each(|cell| cell.doc.clear());
    bare.formulas
        .iter_mut()
        .for_each(|formula| formula.doc.clear());
    bare.actions
        .iter_mut()
        .for_each(|action| action.doc.clear());
    bare.rules.iter_mut().for_each(|rule| rule.doc.clear());
    bare.whens.iter_mut().for_each(|when| when.doc.clear());
    bare.scores.iter_mut().for_each(|score| score.doc.clear());
    bare
}

impl fmt::Write for Hasher {
    /// `Span { … }` holds no braces of its own, so it ends at the next one.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if self.skip > 0 {
                match byte {
                    b'{' => self.skip += 1,
                    b'}' => self.skip -= 1,
                    _ => {}
                }
                continue;
            }
            self.field.push(byte);
            if self.field.ends_with(b"Span {") {
                self.skip = 1;
                self.field.clear();
                continue;
            }
            if self.field.len() > 16 {
                self.field.drain(..8);
            }
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        Ok(())
    }
}
