//! Text in SVG and HTML.

/// With the characters written out that would mean something there.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A line for HTML, with the marks of Markdown that it has: `*so*`, `**so**` and code.
pub fn inline(text: &str) -> String {
    let mut out = escaped(text);
    for (mark, open, close) in [
        ("`", "<code>", "</code>"),
        ("**", "<strong>", "</strong>"),
        ("*", "<em>", "</em>"),
    ] {
        let mut rest = std::mem::take(&mut out);
        while let Some((before, inner, after)) = marked(&rest, mark) {
            out += &format!("{before}{open}{inner}{close}");
            rest = after.to_owned();
        }
        out += &rest;
    }
    out
}

/// What stands before, between and behind a pair of marks with something between them.
fn marked<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let (before, rest) = text.split_once(mark)?;
    let (inner, after) = rest.split_once(mark)?;
    let whole = !inner.is_empty() && !inner.starts_with(' ') && !inner.ends_with(' ');
    whole.then_some((before, inner, after))
}

#[cfg(test)]
mod tests {
    use super::inline;

    #[test]
    fn marks_of_a_line_become_elements() {
        assert_eq!(
            inline("*Ruling*: `a < b` is **not** 2 * 3 * 4"),
            "<em>Ruling</em>: <code>a &lt; b</code> is <strong>not</strong> 2 * 3 * 4"
        );
        assert_eq!(inline("<script>"), "&lt;script&gt;");
    }
}
