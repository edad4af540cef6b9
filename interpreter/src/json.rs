//! Writing JSON: the same text on every machine.

use crate::stats::written::decimal;
use std::fmt::Write as _;

/// A JSON text being written; commas are its own business.
#[derive(Debug, Default)]
pub(crate) struct Json {
    text: String,
    /// The container written last is still empty.
    first: bool,
}

/// Which rules were played, as all files say it.
pub(crate) struct Played<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub fingerprint: u64,
    pub overlays: &'a [String],
    pub options: &'a [(String, String)],
    pub players: u32,
}

impl Played<'_> {
    pub fn write(&self, o: &mut Json) {
        o.key("game").string(self.id);
        o.key("title").string(self.title);
        o.key("fingerprint")
            .string(&format!("{:016x}", self.fingerprint));
        o.key("overlays")
            .array(|a| self.overlays.iter().for_each(|id| a.string(id)));
        o.key("options").object(|options| {
            for (name, value) in self.options {
                options.key(name).string(value);
            }
        });
        o.key("players").number(self.players);
    }
}

impl Json {
    pub fn new() -> Json {
        Json {
            text: String::new(),
            first: true,
        }
    }

    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    fn comma(&mut self) {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
    }

    pub fn key(&mut self, key: &str) -> &mut Json {
        self.comma();
        self.quoted(key);
        self.text.push(':');
        self.first = true;
        self
    }

    pub fn object(&mut self, fill: impl FnOnce(&mut Json)) {
        self.nested('{', '}', fill);
    }

    pub fn array(&mut self, fill: impl FnOnce(&mut Json)) {
        self.nested('[', ']', fill);
    }

    fn nested(&mut self, open: char, close: char, fill: impl FnOnce(&mut Json)) {
        self.comma();
        self.text.push(open);
        self.first = true;
        fill(self);
        self.text.push(close);
        self.first = false;
    }

    pub fn number(&mut self, value: impl Into<i128>) {
        self.comma();
        let _ = write!(self.text, "{}", value.into());
    }

    /// `value` with so many decimals behind the point.
    pub fn decimal(&mut self, value: i64, decimals: u32) {
        self.comma();
        let text = decimal(value, decimals);
        self.text.push_str(&text);
    }

    pub fn boolean(&mut self, value: bool) {
        self.comma();
        self.text.push_str(if value { "true" } else { "false" });
    }

    pub fn string(&mut self, value: &str) {
        self.comma();
        self.quoted(value);
    }

    fn quoted(&mut self, value: &str) {
        self.text.push('"');
        for c in value.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                c if c < ' ' => {
                    let _ = write!(self.text, "\\u{:04x}", c as u32);
                }
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }
}

/// A CSV field, quoted where it has to be.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_only() {
        let mut json = Json::new();
        json.object(|o| {
            o.key("a").array(|a| {
                a.number(1);
                a.number(2);
            });
            o.key("b").string("x\"\n");
            o.key("c").object(|_| {});
            o.key("d").decimal(15, 1);
        });
        assert_eq!(
            json.finish(),
            "{\"a\":[1,2],\"b\":\"x\\\"\\n\",\"c\":{},\"d\":1.5}\n"
        );
    }
}
