//! What stands in a `RULES.md` beside numbered rules: paragraphs, lists, tables, in the order of their lines.

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prose {
    /// Below a heading of the book.
    Heading(String),
    /// As Markdown, in one line.
    Paragraph(String),
    /// An item of a list.
    Item(String),
    /// The first row is the head.
    Table(Vec<Vec<String>>),
    /// Lines as they stand.
    Code(String),
}

/// A line that is no rule and no heading of the book, behind what was read before it.
pub fn read(line: &str, is_apart: bool, to: &mut Vec<Prose>) {
    let text: String = line.chars().filter(|c| !c.is_control()).collect();
    let trimmed = text.trim();
    if let Some(Prose::Code(code)) = to.last_mut()
        && is_open(code)
    {
        code.push_str(if is_apart { "\n\n" } else { "\n" });
        code.push_str(text.trim_end());
        return;
    }
    if trimmed.starts_with("```") {
        return to.push(Prose::Code(trimmed.to_owned()));
    }
    let hashes = trimmed.trim_start_matches('#');
    if hashes.len() < trimmed.len() && hashes.starts_with(' ') {
        return to.push(Prose::Heading(hashes.trim().to_owned()));
    }
    if let Some(row) = trimmed.strip_prefix('|') {
        let row = row.strip_suffix('|').unwrap_or(row);
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        let is_rule =
            |cell: &String| cell.contains('-') && cell.trim_matches([':', '-']).is_empty();
        if cells.iter().all(is_rule) {
            return;
        }
        match to.last_mut().filter(|_| !is_apart) {
            Some(Prose::Table(rows)) => rows.push(cells),
            _ => to.push(Prose::Table(vec![cells])),
        }
        return;
    }
    let item = ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| trimmed.strip_prefix(mark));
    if let Some(item) = item {
        return to.push(Prose::Item(item.trim().to_owned()));
    }
    match to.last_mut().filter(|_| !is_apart) {
        Some(Prose::Paragraph(known) | Prose::Item(known)) => {
            known.push(' ');
            known.push_str(trimmed);
        }
        _ => to.push(Prose::Paragraph(trimmed.to_owned())),
    }
}

/// The mark at its end is still to come.
fn is_open(code: &str) -> bool {
    let mut lines = code.lines().skip(1);
    !lines.any(|line| line.trim_start().starts_with("```"))
}

/// Lines between marks of code, without the marks.
pub fn of_code(code: &str) -> String {
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_pieces() {
        let mut all = Vec::new();
        let lines = [
            ("One", true),
            ("paragraph.", false),
            ("- item", true),
            ("  goes on", false),
            ("| a | b |", true),
            ("|---|---|", false),
            ("| 1 | 2 |", false),
            ("```", true),
            ("x = 1", false),
            ("y = 2", true),
            ("```", false),
            ("### Below", true),
        ];
        for (line, is_apart) in lines {
            read(line, is_apart, &mut all);
        }
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            all,
            [
                Prose::Paragraph("One paragraph.".into()),
                Prose::Item("item goes on".into()),
                Prose::Table(vec![row(["a", "b"]), row(["1", "2"])]),
                Prose::Code("```\nx = 1\n\ny = 2\n```".into()),
                Prose::Heading("Below".into()),
            ]
        );
        let Prose::Code(code) = &all[3] else {
            unreachable!("it was compared");
        };
        assert_eq!(of_code(code), "x = 1\n\ny = 2");
    }
}
