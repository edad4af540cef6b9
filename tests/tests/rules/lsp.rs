//! The language server in conversation with an editor that is played by the test.
//!
//! A `.session` of `suite/lsp` is a conversation about the game `suite/service/mini`: `open FILE` and `open FILE <<` with a text up
//! to a line `>>`, `-- METHOD PARAMS` says something, `-> METHOD PARAMS` asks something, `??` waits for mistakes. Behind each
//! stand the answers, in lines that begin with `<-`; `UPDATE_EXPECT=1` writes them. `$GAME` is the address of the game's folder.

use editor::files::Library;
use editor::lsp::{Deed, Deeds, Given, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long an answer may take at most.
const PATIENCE: Duration = Duration::from_secs(60);
/// Elements of a list that are shown.
const SHOWN: usize = 12;

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file");
        }
    }
}

/// Says what it was asked for.
struct Echo;

impl Deeds for Echo {
    fn done(&self, deed: Deed, given: Given) -> Result<String, String> {
        let texts = given.loaded.sources.paths().count();
        let overlays = given.overlays.join(", ");
        Ok(format!(
            "{deed:?} of {} with [{overlays}], {texts} texts",
            given.id
        ))
    }
}

/// An editor, a server, and a game in a folder of its own.
struct Talk {
    folder: tempfile::TempDir,
    client: Connection,
    server: Option<std::thread::JoinHandle<bool>>,
    last: i32,
    /// Said by the server meanwhile.
    heard: Vec<Notification>,
}

impl Talk {
    fn begin(options: Value) -> Talk {
        let folder = tempfile::tempdir().expect("a folder");
        copy(
            &suite().join("service/mini"),
            &folder.path().join("games/mini"),
        );
        let (server, client) = Connection::memory();
        let deeds: Arc<dyn Deeds> = Arc::new(Echo);
        let thread = std::thread::spawn(move || serve(&server, &deeds, Library::default()));
        let mut talk = Talk {
            folder,
            client,
            server: Some(thread),
            last: 0,
            heard: Vec::new(),
        };
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": { "textDocument": {
                "completion": { "completionItem": { "snippetSupport": true } },
                "hover": { "contentFormat": ["markdown"] },
            } },
            "initializationOptions": options,
        });
        talk.ask("initialize", params);
        talk.say("initialized", json!({}));
        talk
    }

    fn root(&self) -> String {
        let path = self.folder.path().join("games/mini");
        format!("file://{}", path.display())
    }

    fn say(&self, method: &str, params: Value) {
        let said = Notification::new(method.to_owned(), params);
        self.client
            .sender
            .send(said.into())
            .expect("the server is there");
    }

    fn ask(&mut self, method: &str, params: Value) -> Response {
        self.last += 1;
        let id = RequestId::from(self.last);
        let asked = Request::new(id.clone(), method.to_owned(), params);
        self.client
            .sender
            .send(asked.into())
            .expect("the server is there");
        loop {
            match self
                .client
                .receiver
                .recv_timeout(PATIENCE)
                .expect("an answer")
            {
                Message::Response(response) if response.id == id => return response,
                Message::Notification(one) => self.heard.push(one),
                other => panic!("unexpected: {other:?}"),
            }
        }
    }

    /// Waits until mistakes are told; those of all texts that are told at once.
    fn mistakes(&mut self) -> Vec<Notification> {
        let is_it = |one: &Notification| one.method == "textDocument/publishDiagnostics";
        while !self.heard.iter().any(is_it) {
            match self
                .client
                .receiver
                .recv_timeout(PATIENCE)
                .expect("mistakes")
            {
                Message::Notification(one) => self.heard.push(one),
                other => panic!("unexpected: {other:?}"),
            }
        }
        // They are told in one go, before anything else is answered.
        self.ask("trackwright/nothing", Value::Null);
        let (told, rest) = std::mem::take(&mut self.heard).into_iter().partition(is_it);
        self.heard = rest;
        told
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.say("exit", Value::Null);
        let server = self.server.take().expect("it is running");
        server.join().expect("it ends by itself");
    }
}

// ------------------------------------------------------------------------------------------------ sessions

/// Lines of an answer: of a list, each element in one.
fn shown(value: &Value) -> String {
    let mut out = String::new();
    let list = value.as_array().or_else(|| value["items"].as_array());
    match list {
        Some(list) => {
            for one in list.iter().take(SHOWN) {
                let _ = writeln!(out, "<- {one}");
            }
            if list.len() > SHOWN {
                let _ = writeln!(out, "<- … {} more", list.len() - SHOWN);
            }
            if list.is_empty() {
                out.push_str("<- []\n");
            }
        }
        None => {
            let _ = writeln!(out, "<- {value}");
        }
    }
    out
}

fn told(root: &str, mistakes: &[Notification]) -> String {
    let mut out = String::new();
    for one in mistakes {
        let uri = one.params["uri"].as_str().unwrap_or_default();
        let name = uri.replace(root, "");
        let list = one.params["diagnostics"].as_array().expect("a list");
        if list.is_empty() {
            let _ = writeln!(out, "<- {name}: nothing");
        }
        for found in list {
            let place = |end: &str| {
                let place = &found["range"][end];
                format!("{}:{}", place["line"], place["character"])
            };
            let _ = writeln!(
                out,
                "<- {name} {} to {} {} {}: {}",
                place("start"),
                place("end"),
                ["", "error", "warning", "note"][found["severity"].as_u64().unwrap_or(0) as usize],
                found["code"].as_str().unwrap_or_default(),
                found["message"]
                    .as_str()
                    .unwrap_or_default()
                    .replace('\n', " | "),
            );
        }
    }
    out
}

/// The text of a session with the answers as they are now.
fn played(session: &str) -> String {
    let options = session
        .lines()
        .find_map(|line| line.strip_prefix("options "));
    let options = options.map_or(Value::Null, |text| text.parse().expect("JSON"));
    let mut talk = Talk::begin(options);
    let root = talk.root();
    let mut out = String::new();
    let mut lines = session.lines().filter(|line| !line.starts_with("<-"));
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let parsed = |rest: &str| {
            let (method, params) = rest.split_once(' ').unwrap_or((rest, "null"));
            let params = params.replace("$GAME", &root);
            (method.to_owned(), params.parse::<Value>().expect("JSON"))
        };
        let answer = if let Some(file) = line.strip_prefix("open ") {
            let (file, given) = match file.strip_suffix(" <<") {
                Some(file) => (file, true),
                None => (file, false),
            };
            let text = if given {
                let mut text = String::new();
                for line in lines.by_ref() {
                    let _ = writeln!(out, "{line}");
                    if line == ">>" {
                        break;
                    }
                    text += &format!("{line}\n");
                }
                text
            } else {
                let path = talk.folder.path().join("games/mini").join(file);
                fs::read_to_string(path).expect("a file")
            };
            let document = json!({ "uri": format!("{root}/{file}"), "languageId": "trackwright", "version": 1, "text": text });
            talk.say("textDocument/didOpen", json!({ "textDocument": document }));
            String::new()
        } else if let Some(rest) = line.strip_prefix("-- ") {
            let (method, params) = parsed(rest);
            talk.say(&method, params);
            String::new()
        } else if let Some(rest) = line.strip_prefix("-> ") {
            let (method, params) = parsed(rest);
            match talk.ask(&method, params).response_result {
                Ok(value) => shown(&value),
                Err(error) => format!("<- error {}: {}\n", error.code, error.message),
            }
        } else if line == "??" {
            told(&root, &talk.mistakes())
        } else {
            String::new()
        };
        out += &answer.replace(&root, "$GAME");
    }
    talk.end();
    out
}

#[test]
fn sessions_go_as_they_were_recorded() {
    let folder = suite().join("lsp");
    let mut sessions: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the suite")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "session"))
        .collect();
    sessions.sort();
    assert!(sessions.len() > 5, "{} sessions", sessions.len());
    let mut failed = Vec::new();
    for path in sessions {
        let wanted = fs::read_to_string(&path).expect("a session");
        let now = played(&wanted);
        if now == wanted {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &now).expect("it can be written");
            continue;
        }
        let line = now
            .lines()
            .zip(wanted.lines())
            .find(|(now, then)| now != then);
        failed.push(format!("{}: {line:#?}", path.display()));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

// ------------------------------------------------------------------------------------------------ hostile messages

/// Everything that a place or a text of a message may be.
fn strange() -> Vec<Value> {
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    vec![
        Value::Null,
        json!(-1),
        json!(u64::MAX),
        json!(1.5),
        json!(true),
        json!(""),
        json!("\u{0}\u{1f682}%"),
        json!("file:///etc/passwd"),
        json!("file:///%ff%fe"),
        json!("file://"),
        json!([]),
        json!({}),
        deep,
    ]
}

/// The message with each of its parts replaced by each strange thing.
fn spoilt(value: &Value) -> Vec<Value> {
    let mut all = strange();
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                for other in spoilt(inner) {
                    let mut map = map.clone();
                    map.insert(key.clone(), other);
                    all.push(Value::Object(map));
                }
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                for other in spoilt(inner) {
                    let mut list = list.clone();
                    list[at] = other;
                    all.push(Value::Array(list));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn no_message_ends_the_conversation() {
    let mut talk = Talk::begin(Value::Null);
    let uri = format!("{}/rules/mini.rules", talk.root());
    let text = "action claim\n  need mo\u{1f682}ney\n";
    let open =
        json!({ "textDocument": { "uri": uri, "languageId": "x", "version": 1, "text": text } });
    talk.say("textDocument/didOpen", open.clone());
    let document = json!({ "uri": uri });
    let place = json!({ "line": 1, "character": 8 });
    let range = json!({ "start": place, "end": { "line": 9, "character": 0 } });
    let at = json!({ "textDocument": document, "position": place });
    let asked = [
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        ),
        (
            "textDocument/formatting",
            json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } }),
        ),
        (
            "textDocument/documentSymbol",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/semanticTokens/range",
            json!({ "textDocument": document, "range": range }),
        ),
        (
            "textDocument/inlayHint",
            json!({ "textDocument": document, "range": range }),
        ),
        ("textDocument/codeLens", json!({ "textDocument": document })),
        (
            "workspace/executeCommand",
            json!({ "command": "trackwright.runScenario", "arguments": [{ "uri": uri, "title": "x" }] }),
        ),
        ("workspace/symbol", json!({ "query": "a" })),
    ];
    for (method, params) in &asked {
        for params in spoilt(params) {
            talk.ask(method, params);
        }
    }
    let change = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "range": range, "text": "é\r\u{1f682}" }],
    });
    let said = [
        ("textDocument/didOpen", open.clone()),
        ("textDocument/didChange", change),
        ("textDocument/didClose", json!({ "textDocument": document })),
        ("textDocument/didSave", json!({ "textDocument": document })),
        (
            "workspace/didChangeConfiguration",
            json!({ "settings": { "with": ["rich", 3] } }),
        ),
    ];
    for (method, params) in &said {
        for params in spoilt(params) {
            talk.say(method, params);
            talk.ask("textDocument/hover", at.clone());
        }
    }
    talk.say("textDocument/didOpen", open);
    let mistakes = talk.mistakes();
    assert!(!mistakes.is_empty());
    talk.end();
}

#[test]
fn nothing_outside_of_the_game_is_read() {
    let mut talk = Talk::begin(Value::Null);
    let games = talk.folder.path().join("games");
    fs::write(
        talk.folder.path().join("secret.rules"),
        "option secret: 0..1 = 0\n",
    )
    .expect("a file");
    let manifest = fs::read_to_string(games.join("mini/game.toml")).expect("a file");
    let manifest = manifest.replace(
        "rules = [\"rules/mini.rules\"]",
        "rules = [\"rules/mini.rules\", \"../../secret.rules\"]",
    );
    let root = talk.root();
    let document = json!({ "uri": format!("{root}/game.toml"), "languageId": "toml", "version": 1, "text": manifest });
    talk.say("textDocument/didOpen", json!({ "textDocument": document }));
    let mistakes = told(&root, &talk.mistakes());
    assert!(mistakes.contains("game.toml"), "{mistakes}");
    let found = talk.ask("workspace/symbol", json!({ "query": "secret" }));
    assert_eq!(found.response_result.ok(), Some(json!([])));
    talk.end();
}

#[test]
fn a_text_that_is_edited_in_parts_is_the_text_that_is_checked() {
    let mut talk = Talk::begin(Value::Null);
    let root = talk.root();
    let uri = format!("{root}/rules/mini.rules");
    let text =
        fs::read_to_string(talk.folder.path().join("games/mini/rules/mini.rules")).expect("a file");
    let crlf = text
        .replace('\n', "\r\n")
        .replace("## A place on the map.", "## 🚂é: a place.");
    let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": crlf });
    talk.say("textDocument/didOpen", json!({ "textDocument": document }));
    assert_eq!(
        told(&root, &talk.mistakes()),
        "<- /rules/mini.rules: nothing\n"
    );
    // Behind the engine, which is two units long, and the letter behind it.
    let change = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [
            { "range": { "start": { "line": 1, "character": 3 }, "end": { "line": 1, "character": 6 } }, "text": "" },
            { "range": { "start": { "line": 10, "character": 7 }, "end": { "line": 10, "character": 18 } }, "text": "begin_money" },
        ],
    });
    talk.say("textDocument/didChange", change);
    let mistakes = told(&root, &talk.mistakes());
    assert!(
        mistakes.contains("/rules/mini.rules 13:20 to 13:31 error unknown-name"),
        "{mistakes}"
    );
    talk.end();
}

/// House rules for any game are checked with a game that they go with.
#[test]
fn house_rules_for_any_game_are_checked_with_one() {
    let mut talk = Talk::begin(Value::Null);
    let games = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../games")
        .canonicalize()
        .expect("the games");
    let folder = games.join("any/variants");
    let mut opened = 0;
    for entry in fs::read_dir(folder).expect("variants").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a file");
        let uri = format!("file://{}", entry.path().display());
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        talk.say("textDocument/didOpen", json!({ "textDocument": document }));
        let mistakes = told(&format!("file://{}", games.display()), &talk.mistakes());
        assert!(
            mistakes.lines().all(|line| line.ends_with(": nothing")),
            "{mistakes}"
        );
        opened += 1;
    }
    assert!(opened > 1, "{opened} variants");
    talk.end();
}

/// A family is checked as part of a game that builds on it, whichever of its texts is opened first.
#[test]
fn a_family_is_checked_within_a_game_of_it() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../games")
        .canonicalize()
        .expect("the games");
    for first in [
        "rules/play.rules",
        "rules/box.rules",
        "variants/stations.rules",
    ] {
        let mut talk = Talk::begin(Value::Null);
        let path = games.join("ticket-to-ride").join(first);
        let text = fs::read_to_string(&path).expect("a file");
        let uri = format!("file://{}", path.display());
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        talk.say("textDocument/didOpen", json!({ "textDocument": document }));
        let mistakes = told(&format!("file://{}", games.display()), &talk.mistakes());
        assert!(
            mistakes.lines().all(|line| line.ends_with(": nothing")),
            "{first}: {mistakes}"
        );
        talk.end();
    }
}

// ------------------------------------------------------------------------------------------------ the extension

/// Words of the language by how the window colours them, as patterns of a grammar.
fn patterns() -> Vec<(&'static str, String)> {
    use dsl::service::{Language, TokenKind, WORDS, line_tokens};
    let kinds = [
        ("constant.language.trackwright", TokenKind::BuiltIn),
        ("support.type.trackwright", TokenKind::Type),
        ("keyword.control.trackwright", TokenKind::Keyword),
    ];
    let of = |wanted: TokenKind| {
        let words = WORDS.iter().flat_map(|one| one.word.split(' '));
        let words = words.filter(|word| {
            let tokens = line_tokens(word, Language::Rules);
            matches!(tokens.as_slice(), [(_, kind)] if *kind == wanted)
        });
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        format!("\\b(?:{})\\b", words.join("|"))
    };
    kinds.map(|(name, kind)| (name, of(kind))).to_vec()
}

#[test]
fn the_grammar_of_the_extension_has_every_word() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../editor/vscode/syntaxes/trackwright.tmLanguage.json");
    let text = fs::read_to_string(&path).expect("the grammar");
    let mut now = String::new();
    for line in text.lines() {
        let known = patterns().into_iter().find(|(name, _)| line.contains(name));
        match known.and_then(|(_, words)| Some((line.find("\"match\": ")?, words))) {
            Some((at, words)) => {
                let comma = if line.ends_with(',') { "," } else { "" };
                let _ = writeln!(now, "{}\"match\": {} }}{comma}", &line[..at], json!(words));
            }
            None => {
                let _ = writeln!(now, "{line}");
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &now).expect("it can be written");
    } else {
        assert!(now == text, "run with UPDATE_EXPECT=1");
    }
    assert!(serde_json::from_str::<Value>(&now).is_ok());
}

/// What the editor's settings say and cannot mean is shown, once.
#[test]
fn settings_that_cannot_be_read_are_told() {
    let shown = |options: Value| {
        let mut talk = Talk::begin(options);
        let uri = format!("{}/rules/mini.rules", talk.root());
        let text = fs::read_to_string(suite().join("service/mini/rules/mini.rules"));
        let document = json!({
            "uri": uri, "languageId": "trackwright", "version": 1, "text": text.expect("a file"),
        });
        talk.say("textDocument/didOpen", json!({ "textDocument": document }));
        talk.mistakes();
        let messages = talk.heard.iter();
        let messages = messages.filter(|one| one.method == "window/showMessage");
        let texts = messages.filter_map(|one| one.params["message"].as_str());
        let texts: Vec<String> = texts.map(str::to_owned).collect();
        talk.end();
        texts.join("\n")
    };
    assert_eq!(shown(json!({ "with": ["rich"], "showsAnswers": true })), "");
    let told = shown(json!({ "with": ["nope"] }));
    assert_eq!(
        told,
        "`with` names the overlay `nope`, which no game here has"
    );
    let told = shown(json!({ "with": "nope", "showsAnswers": "maybe" }));
    assert!(
        told.contains("`with` is a list") && told.contains("`showsAnswers` is `true`"),
        "{told}"
    );
}
