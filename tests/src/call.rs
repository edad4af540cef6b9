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
