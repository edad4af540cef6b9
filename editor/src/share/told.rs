//! What stands in the page itself, to be read without scripts too.

use super::ToldStep;
use crate::escape::escaped;
use dsl::ir::Saying;
use interpreter::words::Words;
use std::fmt::Write as _;

/// The steps, an item of a list each.
pub fn steps_list(words: &Words<'_>, steps: &[ToldStep]) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    for step in steps {
        let said = if step.said.is_empty() {
            "…"
        } else {
            &step.said
        };
        let _ = write!(text, "<li><span class=\"said\">{}</span>", escaped(said));
        for came in &step.came {
            let _ = write!(text, "<br><small>{}</small>", escaped(came));
        }
        for answer in &step.answers {
            let _ = write!(
                text,
                "<br><small class=\"answer\">{}</small>",
                escaped(answer)
            );
        }
        for (place, name) in &step.rules {
            let label = words.say(Saying::RuleNamed, &[("name", name)]);
            let _ = write!(
                text,
                "<a href=\"#{}\" aria-label=\"{}\">{}</a> ",
                escaped(place),
                escaped(&label),
                escaped(name)
            );
        }
        text.push_str("</li>\n");
    }
    text
}

/// Scores as rows of a table, a column for each seat.
pub fn scores_table(names: &[String], scores: &[(String, Vec<Option<i32>>)]) -> String {
    if scores.is_empty() {
        return String::new();
    }
    let mut text = "<tr><th></th>".to_owned();
    for name in names {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escaped(name));
    }
    text.push_str("</tr>\n");
    for (name, values) in scores {
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", escaped(name));
        for value in values {
            match value {
                Some(value) => {
                    let _ = write!(text, "<td>{value}</td>");
                }
                None => text.push_str("<td>–</td>"),
            }
        }
        text.push_str("</tr>\n");
    }
    text
}
