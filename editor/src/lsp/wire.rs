//! Messages as bytes: a heading that says how long a message is, then the message as JSON.

use lsp_server::{Message, RequestId};
use std::io::{self, BufRead, Read};

/// A longer message ends the conversation.
const MESSAGE_BYTES_MAX: u64 = 64 << 20;
/// Of one line of a heading.
const LINE_BYTES_MAX: u64 = 4 << 10;

/// What a message may be.
const FORMS: &str = "a request has `id` and `method`, a notification `method`, an answer `id` and `result` or `error`";

/// What was read.
pub enum Heard {
    Message(Message),
    /// No message, though its end is known: the request it may have been, and what is wrong.
    Wrong(Option<RequestId>, String),
}

/// Reads the next message; none: whoever speaks has ended.
///
/// # Errors
/// Where the message ends cannot be told, or nothing can be read.
pub fn read(input: &mut (dyn BufRead + Send)) -> io::Result<Option<Heard>> {
    let Some(length) = heading(input)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(None);
    }
    let value = match serde_json::from_slice::<serde_json::Value>(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(Some(Heard::Wrong(None, error.to_string()))),
    };
    let id = value.get("id");
    let id = id.and_then(|id| serde_json::from_value(id.clone()).ok());
    Ok(Some(match serde_json::from_value::<Message>(value) {
        Ok(message) => Heard::Message(message),
        Err(_) => Heard::Wrong(id, FORMS.to_owned()),
    }))
}

/// The length of the message behind a heading.
fn heading(input: &mut (dyn BufRead + Send)) -> io::Result<Option<u64>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = (&mut *input)
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err(wrong(
                "a heading of the language server protocol is expected",
            ));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| wrong("a heading of the language server protocol is expected"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<u64>().ok();
        }
    }
    match length {
        Some(length) if length <= MESSAGE_BYTES_MAX => Ok(Some(length)),
        Some(_) => Err(wrong("a message is too long")),
        None => Err(wrong("a message does not say how long it is")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> (usize, usize, bool) {
        let (mut messages, mut wrong) = (0, 0);
        loop {
            match read(&mut bytes) {
                Ok(Some(Heard::Message(_))) => messages += 1,
                Ok(Some(Heard::Wrong(..))) => wrong += 1,
                Ok(None) => return (messages, wrong, true),
                Err(_) => return (messages, wrong, false),
            }
        }
    }

    #[test]
    fn what_is_no_message_is_left_out_and_what_has_no_end_ends_it() {
        let told = "{\"method\":\"exit\"}";
        let one = format!("Content-Length: {}\r\n\r\n{told}", told.len());
        let broken = "content-length: 3\r\nContent-Type: x\r\n\r\n{]}";
        assert_eq!(all(format!("{one}{broken}{one}").as_bytes()), (2, 1, true));
        assert_eq!(all(b"Content-Length: 99\r\n\r\n{}"), (0, 0, true));
        for heading in [
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 18446744073709551616\r\n\r\n",
            "hello\r\n",
            "\r\n",
            "no end of line",
        ] {
            assert_eq!(all(heading.as_bytes()), (0, 0, false), "{heading}");
        }
        assert_eq!(all("x".repeat(9_000).as_bytes()), (0, 0, false));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let deep = format!("Content-Length: {}\r\n\r\n{deep}", deep.len());
        assert_eq!(all(deep.as_bytes()), (0, 1, true));
    }
}
