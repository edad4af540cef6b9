//! What the command line says of its options, said of the arguments of Python's calls.

/// Options, and the arguments that stand for them.
const ARGUMENTS: [(&str, &str); 8] = [
    ("--players", "seats"),
    ("--with", "overlays"),
    ("--set", "options"),
    ("--bots", "bots"),
    ("--games", "games"),
    ("--seed", "seed"),
    ("--shard", "shard"),
    ("--language", "language"),
];

/// A sentence, in which what stands between backticks is a call or an option.
pub fn in_python(text: &str) -> String {
    let mut parts: Vec<String> = text.split('`').map(str::to_owned).collect();
    // Between the first and the second backtick, the third and the fourth, …
    for part in parts.iter_mut().skip(1).step_by(2) {
        if let Some(said) = call(part).or_else(|| option(part)) {
            *part = said;
        }
    }
    parts.join("`")
}

/// `simulate harbour --games 4 --shard 2/2 --save FILE`: the rules say which game it is, and with which options.
fn call(text: &str) -> Option<String> {
    let (command, rest) = text.split_once(' ')?;
    if !["simulate", "tournament"].contains(&command) || !rest.contains("--") {
        return None;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut given = vec!["rules".to_owned()];
    let mut part = "";
    for pair in words.windows(2) {
        match pair {
            ["--save", _] => part = ".part",
            ["--with" | "--set" | "--language", _] => {}
            [name, value] if name.starts_with("--") => given.extend(argument(name, value)),
            _ => {}
        }
    }
    if rest.contains('…') {
        given.insert(1, "…".to_owned());
    }
    Some(format!("tw.{command}({}){part}", given.join(", ")))
}

/// `--players 2`, `--shard K/N --save FILE`, or the name of an option alone.
fn option(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [name] => {
            let found = ARGUMENTS.iter().find(|(option, _)| option == name);
            found.map(|(_, argument)| (*argument).to_owned())
        }
        [name, value, ..] => argument(name, value),
        [] => None,
    }
}

/// An argument with its value.
fn argument(option: &str, value: &str) -> Option<String> {
    let value = value.trim_matches('\'');
    let quoted = |text: &str| format!("\"{text}\"");
    let (_, name) = ARGUMENTS.iter().find(|(known, _)| *known == option)?;
    let list = || {
        let each: Vec<String> = value.split(',').map(quoted).collect();
        format!("[{}]", each.join(", "))
    };
    Some(match (*name, value.split_once('=')) {
        ("options", Some((of, value))) => {
            let plain = value.parse::<i64>().is_ok();
            let value = if plain {
                value.to_owned()
            } else {
                quoted(value)
            };
            format!("{{\"{of}\": {value}}}")
        }
        ("options", None) => value.to_owned(),
        ("overlays" | "bots", _) => format!("{name}={}", list()),
        ("shard" | "language", _) => format!("{name}={}", quoted(value)),
        // The command line has two of this name.
        ("games", _) if value == "DIR" => "games=\"folder\"".to_owned(),
        _ => format!("{name}={value}"),
    })
}
