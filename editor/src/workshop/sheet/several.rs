//! Cells that hold several things. Sheets show them as the rules write them: `{red: 2, blue: 1}`, `{red, blue}`, `[red, blue]`;
//! component files have a list of them, a thing as often as it is there: `["red", "red", "blue"]`.

use super::overlay::name_in_rules;
use dsl::ir::Ty;
use dsl::source::FileId;
use dsl::syntax::ast::{Expr, ExprKind, expr_text};
use dsl::syntax::parse::parse_expression;

/// Copies of one thing in a cell; more are not written out.
const COPIES_MAX: usize = 1_000;

/// What a column holds several of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Several {
    Set,
    Bag,
    List,
}

impl Several {
    pub(super) fn of(ty: &Ty) -> Option<Several> {
        match ty.required() {
            Ty::Set(_) => Some(Several::Set),
            Ty::Bag(_) => Some(Several::Bag),
            Ty::List(_) => Some(Several::List),
            _ => None,
        }
    }

    /// A cell's text as it is shown, whichever way it is written; none if more than names and numbers stand in it.
    pub(super) fn shown(self, text: &str) -> Option<String> {
        let things = self.things(text)?;
        let named = things.iter().map(|(name, count)| match is_number(name) {
            true => (name.clone(), *count),
            false => (name_in_rules(name), *count),
        });
        let all: Vec<String> = match self {
            Several::Set => named.map(|(name, _)| name).collect(),
            Several::Bag => named
                .map(|(name, count)| format!("{name}: {count}"))
                .collect(),
            Several::List => {
                let each = named.flat_map(|(name, count)| std::iter::repeat_n(name, count));
                each.collect()
            }
        };
        let all = all.join(", ");
        Some(match self {
            Several::Set | Several::Bag => format!("{{{all}}}"),
            Several::List => format!("[{all}]"),
        })
    }

    /// The same as component files write it.
    pub(super) fn in_toml(self, text: &str) -> Option<String> {
        let things = self.things(text)?;
        let each = things.iter().flat_map(|(name, count)| {
            let written = match is_number(name) {
                true => name.clone(),
                false => toml_edit::Value::from(name.as_str()).to_string(),
            };
            std::iter::repeat_n(written, *count)
        });
        Some(format!("[{}]", each.collect::<Vec<_>>().join(", ")))
    }

    /// How such a cell is written with one thing in it.
    pub(super) fn example(self, name: &str) -> String {
        match self {
            Several::Set => format!("a set is written `{{{name}}}`"),
            Several::Bag => format!("a bag is written `{{{name}: 1}}`"),
            Several::List => format!("a list is written `[{name}]`"),
        }
    }

    /// What stands in a cell, with how often: of sets and bags each thing once, in the order in which they stand.
    fn things(self, text: &str) -> Option<Vec<(String, usize)>> {
        let read = parse_expression(FileId(0), text, 0);
        if !read.diagnostics.is_empty() {
            return None;
        }
        let all = match &read.value?.kind {
            ExprKind::Braces(entries) => {
                let entries = entries.iter();
                let entries = entries.map(|(thing, count)| {
                    let count = count.as_ref().map_or(Some(1), counted)?;
                    Some((named(thing)?, count))
                });
                entries.collect::<Option<Vec<_>>>()?
            }
            ExprKind::Brackets(things) => {
                let things = things.iter().map(|thing| Some((named(thing)?, 1)));
                things.collect::<Option<Vec<_>>>()?
            }
            _ => return None,
        };
        if self == Several::List {
            return Some(all);
        }
        let mut each: Vec<(String, usize)> = Vec::new();
        for (name, count) in all {
            match each.iter_mut().find(|(other, _)| *other == name) {
                Some((_, there)) => *there += count,
                None => each.push((name, count)),
            }
        }
        Some(each)
    }
}

fn is_number(name: &str) -> bool {
    name.parse::<i64>().is_ok()
}

fn named(thing: &Expr) -> Option<String> {
    let plain = matches!(
        thing.kind,
        ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Unary(..)
    );
    let text = expr_text(thing);
    (plain && !text.is_empty()).then_some(text)
}

fn counted(count: &Expr) -> Option<usize> {
    match count.kind {
        ExprKind::Number(n) => usize::try_from(n).ok().filter(|n| *n <= COPIES_MAX),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Several;

    #[test]
    fn both_ways_to_write_them_are_one() {
        for (several, texts, shown, toml) in [
            (
                Several::Bag,
                ["{red: 2, blue}", "[\"red\", \"blue\", \"red\"]"],
                "{red: 2, blue: 1}",
                "[\"red\", \"red\", \"blue\"]",
            ),
            (
                Several::Set,
                ["{\"a-b\", 3}", "[\"a-b\", 3, 3]"],
                "{\"a-b\", 3}",
                "[\"a-b\", 3]",
            ),
            (
                Several::List,
                ["[x, y, x]", "[\"x\", \"y\", \"x\"]"],
                "[x, y, x]",
                "[\"x\", \"y\", \"x\"]",
            ),
            (Several::Bag, ["{}", "[]"], "{}", "[]"),
        ] {
            for text in texts {
                assert_eq!(several.shown(text).as_deref(), Some(shown), "{text}");
            }
            assert_eq!(several.shown(shown).as_deref(), Some(shown));
            assert_eq!(several.in_toml(shown).as_deref(), Some(toml));
        }
        for text in [
            "red",
            "set(x in y: x)",
            "{red: -1}",
            "{a.b}",
            "[[1], [2]]",
            "",
            "{",
        ] {
            assert_eq!(Several::Bag.shown(text), None, "{text}");
        }
    }
}
