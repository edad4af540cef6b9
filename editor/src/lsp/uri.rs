//! Addresses of files, as editors write them.

use lsp_types::Uri;
use std::path::{Path, PathBuf};

/// The path of a `file:` address; none: it is of something else.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let decoded = decoded(rest.split(['?', '#']).next().unwrap_or(rest))?;
    // `/c:/games` is `c:/games` where drives have letters.
    let bytes = decoded.as_bytes();
    let drive = bytes.get(2) == Some(&b':') && bytes[1].is_ascii_alphabetic();
    Some(PathBuf::from(&decoded[usize::from(drive)..]))
}

/// The address of a path; none for one that no address can be made of.
pub fn of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let mut address = String::from("file://");
    if !text.starts_with('/') {
        address.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => address.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => address.push(byte.into()),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.parse().ok()
}

/// Without `%20` and the like.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_paths_and_paths_addresses() {
        let uri = |text: &str| text.parse::<Uri>().expect("an address");
        let given = Path::new("/home/an na/straße#1/game.toml");
        let there = of(given).expect("an address");
        assert_eq!(path(&there).as_deref(), Some(given));
        assert_eq!(path(&uri("file:///c%3A/a")), Some(PathBuf::from("c:/a")));
        assert_eq!(path(&uri("untitled:one")), None);
        assert_eq!(path(&uri("file:///a%00b")), None);
    }
}
