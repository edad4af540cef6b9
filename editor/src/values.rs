//! Types and constants as people write them.

use dsl::ir::{Domain, RuleSet, Ty, Value};
use interpreter::words::listed;

/// The values of a type, if they have names.
pub fn values(rules: &RuleSet, ty: &Ty) -> Vec<String> {
    match ty {
        Ty::Bool => vec!["true".into(), "false".into()],
        Ty::Element(Domain::Enum(id)) => rules.enums[id.index()].members.clone(),
        Ty::Element(Domain::Table(id)) => rules.tables[id.index()]
            .rows
            .iter()
            .map(|row| row.name.clone())
            .collect(),
        _ => Vec::new(),
    }
}

/// A type in words: `a number from 1 to 90`, `true or false`, `one of red and blue`.
pub fn kind(rules: &RuleSet, ty: &Ty) -> String {
    match ty {
        Ty::Int {
            low: Some(low),
            high: Some(high),
        } => format!("a number from {low} to {high}"),
        Ty::Int {
            low: Some(low),
            high: None,
        } => format!("a number from {low} up"),
        Ty::Int {
            low: None,
            high: Some(high),
        } => format!("a number up to {high}"),
        Ty::Int { .. } => "a number".into(),
        Ty::Optional(inner) => format!("{}, or none", kind(rules, inner)),
        _ => match values(rules, ty) {
            names if names.is_empty() => "a value of another kind".into(),
            names => listed(&names, "or"),
        },
    }
}

/// What a direction or port of the board is called.
fn side(rules: &RuleSet, domain: Domain, at: u32) -> Option<String> {
    let lattice = rules.tiling.as_ref()?.lattice;
    match domain {
        Domain::Side => lattice.name(at),
        _ => lattice.port_name(at).map(str::to_owned),
    }
}

/// A constant as people write it.
pub fn shown(rules: &RuleSet, value: &Value) -> String {
    match value {
        Value::None => "none".into(),
        Value::Int(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Text(id) => rules.text(*id).to_owned(),
        Value::Element(domain @ (Domain::Side | Domain::Port), at) => {
            side(rules, *domain, *at).unwrap_or_else(|| at.to_string())
        }
        Value::Element(domain, at) => values(rules, &Ty::Element(*domain))
            .into_iter()
            .nth(*at as usize)
            .unwrap_or_else(|| at.to_string()),
        Value::Set(items) => format!(
            "{{{}}}",
            items
                .iter()
                .map(|item| shown(rules, item))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Value::List(items) => format!(
            "[{}]",
            items
                .iter()
                .map(|item| shown(rules, item))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Value::Bag(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|(item, n)| format!("{}: {n}", shown(rules, item)))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Effect(_) | Value::Formula(_) => "…".into(),
    }
}
