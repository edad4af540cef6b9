//! A number that changes when anything that matters to play changes: not with spans, documentation, formatting.

use std::fmt::{self, Write};

use super::{EndingKind, RuleSet};

impl RuleSet {
    /// Of everything that matters to play; formatting and comments do not change it. Reads the whole rule set each time.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = Hasher {
            state: OFFSET,
            recent: 0,
            in_span: false,
        };
        let bare = without_docs(self);
        // Printing into this writer cannot fail.
        let _ = write!(hasher, "{:?}", Printed(&bare));
        hasher.state
    }
}

/// A number that is another one where a text is, but for a rare chance: FNV-1a.
pub fn sum_of(text: &str) -> u64 {
    text.bytes().fold(OFFSET, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

fn without_docs(rules: &RuleSet) -> RuleSet {
    let mut bare = rules.clone();
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

/// A rule set without what is only for people and places. What is empty or 0 here stays: recorded games hold fingerprints.
struct Printed<'a>(&'a RuleSet);

impl fmt::Debug for Printed<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleSet {
            id,
            title: _,
            players,
            layers: _,
            texts,
            enums,
            tables,
            grids,
            options,
            tiling,
            cells,
            formulas,
            networks,
            actions,
            effects,
            rules,
            whens,
            labels,
            flow,
            flow_body,
            scores,
            win,
            win_code,
            strategies: _,
            endings,
            tags: _,
            lent: _,
            speech: _,
        } = self.0;
        let mut printed = to.debug_struct("RuleSet");
        printed
            .field("id", id)
            .field("title", &"")
            .field("players", players)
            .field("fingerprint", &0)
            .field("layers", &[(); 0])
            .field("texts", texts)
            .field("enums", enums)
            .field("tables", tables)
            .field("grids", grids)
            .field("options", options)
            .field("tiling", tiling)
            .field("cells", cells)
            .field("formulas", formulas)
            .field("networks", networks)
            .field("actions", actions)
            .field("effects", effects)
            .field("rules", rules)
            .field("whens", whens)
            .field("labels", labels)
            .field("flow", flow)
            .field("flow_body", flow_body)
            .field("scores", scores)
            .field("win", win)
            .field("win_code", win_code)
            .field("tags", &[(); 0]);
        // What a `finish` is called is for people.
        let mut kinds = endings.iter().map(|ending| ending.kind);
        if kinds.any(|kind| kind != EndingKind::Finish) {
            let kinds: Vec<EndingKind> = endings.iter().map(|ending| ending.kind).collect();
            printed.field("endings", &kinds);
        }
        printed.finish()
    }
}

/// FNV-1a over what is printed; spans are passed over.
struct Hasher {
    state: u64,
    /// The latest bytes, the last one lowest.
    recent: u64,
    in_span: bool,
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
/// How a span begins.
const SPAN: u64 = u64::from_be_bytes(*b"\0\0Span {");
const SPAN_BYTES: u64 = 0xffff_ffff_ffff;

impl fmt::Write for Hasher {
    /// `Span { … }` holds no braces of its own, so it ends at the next one.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if self.in_span {
                self.in_span = byte != b'}';
                continue;
            }
            self.recent = self.recent << 8 | u64::from(byte);
            if self.recent & SPAN_BYTES == SPAN {
                self.in_span = true;
                continue;
            }
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        Ok(())
    }
}
