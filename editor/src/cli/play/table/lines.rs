//! Lines as they are typed.

use std::io::{self, BufRead};

/// Characters of one line typed.
const LINE_MAX: usize = 10_000;

/// Reads lines, whichever way they end: LF, CR, or both.
#[derive(Default)]
pub struct Lines {
    /// A CR ended the last line: an LF behind it belongs to it.
    after_cr: bool,
}

impl Lines {
    /// The next line without its end; none at the end of input.
    pub fn next(&mut self, input: &mut dyn BufRead) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let mut begun = false;
        loop {
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(begun.then(|| text(&bytes)));
            }
            let skipped = usize::from(std::mem::take(&mut self.after_cr) && buffer[0] == b'\n');
            let rest = &buffer[skipped..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let line = &rest[..end.unwrap_or(rest.len())];
            begun |= !line.is_empty();
            // Of an endless line only the beginning is kept.
            let room = (4 * LINE_MAX).saturating_sub(bytes.len());
            bytes.extend_from_slice(&line[..line.len().min(room)]);
            self.after_cr = end.is_some_and(|end| rest[end] == b'\r');
            let used = skipped + line.len() + usize::from(end.is_some());
            input.consume(used);
            if end.is_some() {
                return Ok(Some(text(&bytes)));
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(LINE_MAX).collect()
}

/// Several lines in one, parted at `;` outside of quotes.
pub fn parts(line: &str) -> Vec<String> {
    // A quote that does not close holds nothing together.
    let quotes_close = line.matches('"').count().is_multiple_of(2);
    let mut within = false;
    let parts = line.split(|c| {
        within ^= quotes_close && c == '"';
        c == ';' && !within
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// What is answered one after the other where all of it is typed at once, as a case writes it: `claim`, `a-b` and `{red: 2}` of
/// `claim(a-b, {red: 2})`.
pub fn steps(line: &str) -> Option<Vec<String>> {
    let (name, rest) = line.split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    let (mut depth, mut within) = (0, false);
    let parts = inside.split(|c| {
        within ^= c == '"';
        depth += match c {
            '(' | '[' | '{' if !within => 1,
            ')' | ']' | '}' if !within => -1,
            _ => 0,
        };
        c == ',' && depth == 0 && !within
    });
    let all = std::iter::once(name).chain(parts).map(str::trim);
    let all: Vec<String> = all.map(str::to_owned).collect();
    all.iter().all(|part| !part.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::{Lines, parts};

    #[test]
    fn lines_end_in_each_way() {
        let mut input = "a\rb\r\n\r\n\nc".as_bytes();
        let mut lines = Lines::default();
        let mut read = Vec::new();
        while let Some(line) = lines.next(&mut input).expect("it can be read") {
            read.push(line);
        }
        assert_eq!(read, ["a", "b", "", "", "c"]);
    }

    #[test]
    fn a_semicolon_in_quotes_parts_nothing() {
        assert_eq!(parts("1; \"a;b\" ;save x"), ["1", "\"a;b\"", "save x"]);
        assert_eq!(parts("why 12\"; 1"), ["why 12\"", "1"]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn what_is_typed_at_once_is_answered_one_by_one() {
        let steps = |line| super::steps(line).unwrap_or_default().join("; ");
        assert_eq!(steps("take(1)"), "take; 1");
        assert_eq!(
            steps("claim(a-b, {red: 2, blue})"),
            "claim; a-b; {red: 2, blue}"
        );
        assert_eq!(
            steps("say(\"a, b (c\", [1, 2])"),
            "say; \"a, b (c\"; [1, 2]"
        );
        for line in ["take", "take()", "take(1", "(1)", "take(1,)"] {
            assert_eq!(steps(line), "", "{line}");
        }
    }
}
