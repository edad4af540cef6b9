//! A shared game in a real browser, Chromium without a display, told what to do by its own driver. Left out, with a word, where
//! there is none.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long the browser may take for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser, and the driver that it listens to.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.try_call("DELETE", "", &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// None: there is no browser, or no driver.
    fn open(profile: &Path) -> Option<Browser> {
        Command::new("chromium").arg("--version").output().ok()?;
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let said = BufReader::new(driver.stdout.take()?);
        let port = said.lines().map_while(Result::ok).find_map(|line| {
            let rest = line.split_once("on port ")?.1;
            rest.trim_end_matches('.')
                .parse()
                .ok()
                .filter(|port| *port > 0)
        });
        let mut browser = Browser {
            driver,
            port: port.expect("the driver says where it listens"),
            session: String::new(),
        };
        let profile = format!("--user-data-dir={}", profile.display());
        let options = json!({ "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900", profile] });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let made = browser.raw("POST", "/session", &wanted).expect("a session");
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    fn raw(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let wrong = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(wrong)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(wrong)?;
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).map_err(wrong)?;
        stream.write_all(body.as_bytes()).map_err(wrong)?;
        // The driver keeps the connection, so the answer ends where its length says.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).map_err(wrong)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().map_err(|_| "no length")?;
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).map_err(wrong)?;
        let value: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match value["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["value"]["message"])),
            None => Ok(value["value"].clone()),
        }
    }

    fn try_call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.raw(method, &format!("/session/{}{path}", self.session), body)
    }

    fn call(&self, path: &str, body: &Value) -> Value {
        self.try_call("POST", path, body)
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn script(&self, script: &str) -> Value {
        self.call("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    fn text(&self, script: &str) -> String {
        self.script(script).as_str().unwrap_or_default().to_owned()
    }

    /// Presses a key as somebody would.
    fn press(&self, key: &str) {
        let actions = json!([
            { "type": "keyDown", "value": key },
            { "type": "keyUp", "value": key },
        ]);
        let keys = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.call("/actions", &keys);
    }

    fn said(&self) -> String {
        self.text("return document.getElementById('said').textContent")
    }

    fn number(&self) -> String {
        self.text("return document.getElementById('number').textContent")
    }

    fn log(&self, of: &str) -> Vec<Value> {
        let entries = self.call("/se/log", &json!({ "type": of }));
        entries.as_array().cloned().unwrap_or_default()
    }

    /// Nothing went wrong, and nothing was asked for that does not lie in the page.
    fn is_content(&self) {
        let console = self.log("browser");
        assert!(console.is_empty(), "{console:?}");
        for entry in self.log("performance") {
            let message = entry["message"].as_str().unwrap_or_default();
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            let message = &message["message"];
            if message["method"] == "Network.requestWillBeSent" {
                let url = message["params"]["request"]["url"]
                    .as_str()
                    .unwrap_or_default();
                // The page that the browser opens with is its own.
                let own = ["file://", "data:", "chrome://"];
                assert!(own.iter().any(|begin| url.starts_with(begin)), "{url}");
            }
        }
    }
}

/// Plays a game and writes it into `one.replay`.
fn one_game(folder: &Path) {
    trackwright(
        folder,
        &[
            "simulate",
            "ticket-to-ride-usa",
            "--games",
            "1",
            "--players",
            "2",
            "--keep",
            "one.replay",
        ],
    );
}

fn trackwright(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_trackwright"))
        .args(["--games", concat!(env!("CARGO_MANIFEST_DIR"), "/../games")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        text(&done.stderr)
    );
    text(&done.stdout)
}

#[test]
fn a_shared_game_opens_and_steps_in_a_browser() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    let Some(browser) = Browser::open(&folder.join("profile")) else {
        println!("skipped: there is no `chromium` with a `chromedriver`");
        return;
    };
    one_game(folder);
    trackwright(
        folder,
        &["share", "one.replay", "--open", "--html", "open.html"],
    );
    let told = trackwright(folder, &["replay", "one.replay"]);

    let address = format!("file://{}/open.html", folder.display());
    browser.call("/url", &json!({ "url": address }));
    let steps = browser.script("return document.querySelectorAll('#steps button').length");
    let steps = steps.as_u64().expect("a number");
    assert!(steps > 50, "{steps} steps");
    assert_eq!(browser.number(), format!("0 of {}", steps - 1));
    let board = || browser.text("return document.getElementById('board').innerHTML");
    let first = board();
    assert!(first.contains("<svg"), "there is a board");

    // Keys, buttons, the slider, and the list lead to steps.
    for _ in 0..3 {
        browser.press("\u{e014}");
    }
    assert_eq!(browser.number(), format!("3 of {}", steps - 1));
    assert_ne!(board(), first);
    browser.press("\u{e012}");
    assert_eq!(browser.number(), format!("2 of {}", steps - 1));
    let second = (browser.said(), board());
    browser.press("\u{e010}");
    assert_eq!(browser.number(), format!("{0} of {0}", steps - 1));
    browser.script(
        "const slider = document.getElementById('slider'); slider.value = 2; slider.dispatchEvent(new Event('input'))",
    );
    assert_eq!((browser.said(), board()), second);
    browser.script("document.querySelectorAll('#steps button')[1].click()");
    assert_eq!(browser.number(), format!("1 of {}", steps - 1));
    // The address follows, and leads to a step; Space plays, wherever the focus is, if it is no button's.
    let until = |what: &str, done: &dyn Fn() -> bool| {
        let begin = std::time::Instant::now();
        while !done() {
            assert!(begin.elapsed() < PATIENCE, "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let hash = || browser.text("return location.hash");
    until("the address stays", &|| hash() == "#step=1");
    browser.script("location.hash = '#step=4'");
    let fourth = format!("4 of {}", steps - 1);
    until("the address leads nowhere", &|| browser.number() == fourth);
    let playing =
        || browser.text("return document.getElementById('play').getAttribute('aria-label')");
    browser.script("document.getElementById('slider').focus()");
    browser.press(" ");
    assert_eq!(playing(), "Pause");
    browser.press(" ");
    assert_eq!(playing(), "Play");
    browser.script("document.querySelectorAll('#steps button')[1].click()");
    let twice = browser.script(
        "return [...document.querySelectorAll('#steps li')].filter((one) => { const names = [...one.querySelectorAll('a')].map((link) => link.textContent); return new Set(names).size < names.length }).length",
    );
    assert_eq!(twice, json!(0));
    let marked = browser.text(
        "return [...document.querySelectorAll('[aria-current]')].map((one) => one.textContent).join('|')",
    );
    assert!(marked.starts_with(&browser.said()), "{marked}");

    // It plays by itself, to the end of what is left.
    browser.script(
        "document.getElementById('speed').value = '0.3'; document.querySelectorAll('#steps button')[document.querySelectorAll('#steps button').length - 3].click()",
    );
    browser.script("document.getElementById('play').click()");
    let begin = std::time::Instant::now();
    while browser.number() != format!("{0} of {0}", steps - 1) {
        assert!(begin.elapsed() < PATIENCE, "it does not play");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(
        browser.text("return document.getElementById('play').getAttribute('aria-label')"),
        "Play"
    );

    // The same words as `replay`: each answer it lists stands in the list of steps, in this order.
    let list = browser.text("return document.getElementById('steps').textContent");
    let mut rest = list.as_str();
    let answers: Vec<&str> = told
        .lines()
        .filter_map(|line| line.trim_start().split_once("  "))
        .filter(|(number, _)| number.parse::<u32>().is_ok())
        .map(|(_, answer)| answer)
        .collect();
    assert!(answers.len() > 50, "{} answers", answers.len());
    for answer in answers {
        let at = rest.find(answer);
        let at = at.unwrap_or_else(|| panic!("`{answer}` is not there, or too early"));
        rest = &rest[at + answer.len()..];
    }

    // What people that see nothing are told.
    let nameless = browser.script(
        "return [...document.querySelectorAll('button, input, select')].filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).length",
    );
    assert_eq!(nameless, json!(0));

    // On a phone nothing is wider than the screen.
    let phone = json!({ "width": 390, "height": 800 });
    browser.call("/window/rect", &phone);
    let wider = browser.script("return document.documentElement.scrollWidth - window.innerWidth");
    assert!(wider.as_i64().is_some_and(|wider| wider <= 0), "{wider}");

    // A line leads to its rule, which is told in the same page.
    browser.call("/window/rect", &json!({ "width": 1200, "height": 900 }));
    browser.script("document.querySelector('#steps li:nth-child(2) a').click()");
    let rule = || {
        browser.text(
            "const place = document.querySelector(':target'); return place && place.checkVisibility() ? place.textContent : ''",
        )
    };
    let begin = std::time::Instant::now();
    while rule().is_empty() {
        assert!(begin.elapsed() < PATIENCE, "no rule is shown");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(rule().len() > 3, "{}", rule());
    browser.is_content();
}

#[test]
fn a_page_holds_its_pictures_and_simulations_are_shared_too() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    let Some(browser) = Browser::open(&folder.join("profile")) else {
        println!("skipped: there is no `chromium` with a `chromedriver`");
        return;
    };
    let line = |text: &str| trackwright(folder, &text.split(' ').collect::<Vec<_>>());
    line("simulate salt-and-iron --games 1 --players 2 --keep one.replay");
    line("share one.replay --html one.html");
    let open = |page: &str| {
        let address = format!("file://{}/{page}", folder.display());
        browser.call("/url", &json!({ "url": address }));
    };
    open("one.html");
    let pictures = "return document.querySelectorAll('#board image').length";
    assert_eq!(browser.script(pictures), json!(2));
    browser.press("\u{e010}");
    assert!(browser.script(pictures).as_u64() >= Some(2));
    for part in ["1", "2"] {
        line(&format!(
            "simulate tic-tac-toe --games 40 --shard {part}/2 --save part{part}.toml"
        ));
    }
    line("share part1.toml part2.toml --html games.html");
    line("simulate tic-tac-toe --games 40 --html same.html");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a page");
    assert_eq!(read("games.html"), read("same.html"));
    open("games.html");
    assert!(
        browser
            .text("return document.body.textContent")
            .contains("40 games")
    );
    browser.is_content();
}

#[test]
fn a_shared_seat_shows_no_more_than_the_seat_saw() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    one_game(folder);
    for (arguments, page) in [
        (["--seat", "A"].as_slice(), "a.html"),
        (&["--open"], "open.html"),
        (&[], "by.html"),
    ] {
        let mut call = vec!["share", "one.replay", "--html", page];
        call.extend(arguments);
        trackwright(folder, &call);
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a page");
    let (seat, open, by) = (read("a.html"), read("open.html"), read("by.html"));
    // The seed would tell everything, and answers as they were written too.
    let seed = fs::read_to_string(folder.join("one.replay")).expect("it is there");
    let seed = seed
        .lines()
        .find_map(|line| line.strip_prefix("seed "))
        .expect("a seed")
        .to_owned();
    for page in [&seat, &open, &by] {
        let names = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!names.contains("http:") && !names.contains("https:"));
        assert!(!page.contains(&format!("seed {seed}")) && !page.contains(&format!("\"{seed}\"")));
    }
    assert!(
        open.contains("class=\"answer\"")
            && !seat.contains("class=\"answer\"")
            && !by.contains("class=\"answer\"")
    );
    assert!(
        by.len() < seat.len() && seat.len() < open.len(),
        "{} {} {}",
        by.len(),
        seat.len(),
        open.len()
    );
}
