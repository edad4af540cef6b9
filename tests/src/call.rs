//! A call of the command line, within the test.

use editor::cli::{Context, Streams, run};

/// What came of it.
#[derive(Clone, Debug)]
pub struct Said {
    pub exit: u8,
    pub out: String,
    pub err: String,
}

/// Calls `trackwright` with these arguments; `typed` is what somebody types.
pub fn call<'a>(
    arguments: impl IntoIterator<Item = &'a str>,
    context: &Context,
    typed: &str,
) -> Said {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut input = typed.as_bytes();
    let mut streams = Streams {
        input: &mut input,
        out: &mut out,
        err: &mut err,
    };
    let exit = run(arguments, context, &mut streams);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Said {
        exit,
        out: text(out),
        err: text(err),
    }
}

/// The words of a line as a shell reads them.
#[must_use]
pub fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut begun, mut escaped) = (None, false, false);
    for c in line.chars() {
        let add = match (quote, c) {
            (_, c) if std::mem::take(&mut escaped) => Some(c),
            (None, '\\') => {
                escaped = true;
                None
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                Some('\0')
            }
            (Some(open), c) if open == c => {
                quote = None;
                None
            }
            (None, c) if c.is_whitespace() => {
                begun = false;
                None
            }
            (_, c) => Some(c),
        };
        if let Some(c) = add {
            if !std::mem::replace(&mut begun, true) {
                words.push(String::new());
            }
            if let (true, Some(word)) = (c != '\0', words.last_mut()) {
                word.push(c);
            }
        }
    }
    words
}
