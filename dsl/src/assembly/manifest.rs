//! `game.toml`: what a game is called, what files it has and what may be laid over it.

use super::any::ANY;
use super::fields::{Fields, Holds, Key, Text, key, quoted_list, unknown_key};
use super::tree::{self, Node, Value};
use super::{Combination, Manifest, OverlayInfo, overlay_info};
use crate::diagnostic::{Diagnostic, Way, suggest::nearest};
use crate::source::{FileId, SourceSet, Span};

/// Keys of `[game]` and `[family]`.
pub(crate) const GAME_KEYS: [Key; 8] = [
    key("id", "the name of its folder", Holds::Free),
    key("title", "what people call it", Holds::Free),
    key(
        "players",
        "the least and the greatest number of players: `[2, 5]`",
        Holds::Free,
    ),
    key(
        "extends",
        "the family or game whose rules it goes on from",
        Holds::Free,
    ),
    key(
        "default",
        "`true`: the game that is meant where the family is named",
        Holds::Flag,
    ),
    key(
        "prefix",
        "what the ids of its rules begin with: `SP` of `SP-07`",
        Holds::Free,
    ),
    key(
        "rules",
        "its files of rules, in order: `[\"rules/play.rules\"]`",
        Holds::Free,
    ),
    key(
        "overlays",
        "ids of its variants and expansions, in the order in which they are laid on",
        Holds::Overlays,
    ),
];

/// Keys of a `[[combination]]`.
pub(crate) const COMBINATION_KEYS: [Key; 2] = [
    key(
        "overlays",
        "ids of overlays that are checked together",
        Holds::Overlays,
    ),
    key("players", "for so many players only: `[2, 3]`", Holds::Free),
];

/// A game or family that is there, whether its manifest is right or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub id: String,
    pub title: String,
    pub family: bool,
    pub default: bool,
    pub players: Option<(u32, u32)>,
    pub extends: Option<String>,
    /// Ids of its overlays, as they are listed.
    pub overlays: Vec<String>,
    /// Its rules files, relative to its folder.
    pub rules: Vec<String>,
}

/// All games and families of the set, by id.
pub fn games(sources: &SourceSet) -> Vec<Listing> {
    let files: Vec<FileId> = sources
        .paths()
        .filter(|path| game_of(path).is_some())
        .filter_map(|path| sources.find(path))
        .collect();
    files
        .into_iter()
        .map(|file| listing(sources, file))
        .collect()
}

/// `x/game.toml` is the manifest of `x`.
fn game_of(path: &str) -> Option<&str> {
    path.strip_suffix("/game.toml")
        .filter(|id| !id.contains('/'))
}

fn listing(sources: &SourceSet, file: FileId) -> Listing {
    let mut quiet = Vec::new();
    let root = tree::read(sources, file, &mut quiet);
    let (node, family) = section(root).unwrap_or((root, false));
    let mut fields = Fields::new(node, "[game]", &GAME_KEYS, &mut quiet);
    let id = game_of(&sources.file(file).path)
        .unwrap_or_default()
        .to_string();
    Listing {
        title: fields.text("title").map_or_else(|| id.clone(), |t| t.text),
        family,
        default: fields.flag("default"),
        players: fields.players("players"),
        extends: fields.text("extends").map(|t| t.text),
        overlays: fields
            .texts("overlays")
            .into_iter()
            .map(|t| t.text)
            .collect(),
        rules: fields.texts("rules").into_iter().map(|t| t.text).collect(),
        id,
    }
}

/// A game or family by its id.
pub(super) fn listing_of(sources: &SourceSet, id: &str) -> Option<Listing> {
    let file = sources.find(&format!("{id}/game.toml"))?;
    Some(listing(sources, file))
}

fn section(root: &Node) -> Option<(&Node, bool)> {
    let game = root.get("game").map(|node| (node, false));
    game.or_else(|| root.get("family").map(|node| (node, true)))
}

/// Reads and checks the manifest of a game. `None`: there is none, or it is of no use.
pub fn manifest(sources: &SourceSet, game: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    let mut out = Vec::new();
    let Some(file) = sources.find(&format!("{game}/game.toml")) else {
        let nowhere = Span::new(FileId(0), 0, 0);
        out.push(unknown_game(sources, game, nowhere));
        return (None, out);
    };
    let root = tree::read(sources, file, &mut out);
    let manifest = read(sources, game, file, root, &mut out);
    (manifest, out)
}

fn read(
    sources: &SourceSet,
    game: &str,
    file: FileId,
    root: &Node,
    out: &mut Vec<Diagnostic>,
) -> Option<Manifest> {
    let found = section(root);
    for (key, _) in root.entries() {
        let known = ["game", "family", "combination"];
        // Without a heading the message below tells where these belong.
        let lost = found.is_none() && GAME_KEYS.iter().any(|known| known.name == key.text);
        if !lost && !known.contains(&key.text.as_str()) {
            out.push(unknown_key(&key.text, key.span, "game.toml", &known));
        }
    }
    let Some((node, family)) = found else {
        let message = "there is neither `[game]` nor `[family]`";
        out.push(
            Diagnostic::error("missing-key", Span::new(file, 0, 0), message).help(
                "begin the file with `[game]`, and `id`, `title`, `players` and `rules` below",
            ),
        );
        return None;
    };
    let title = if family { "[family]" } else { "[game]" };
    let mut fields = Fields::new(node, title, &GAME_KEYS, out);
    let id = fields.required_text("id");
    let name = fields.required_text("title");
    let players = players(&mut fields, family);
    let extends = fields.text("extends");
    let default = fields.flag("default");
    let prefix = fields.text("prefix").map(|text| text.text);
    let rules = fields.texts("rules");
    let overlay_names = fields.texts("overlays");
    check_id(id.as_ref(), game, "the folder", out);
    check_files(sources, game, &rules, out);
    let chain = check_chain(sources, game, extends.as_ref(), out);
    let overlays = overlays(sources, &chain, &overlay_names, out);
    let combinations = combinations(root, &overlays, players, out);
    Some(Manifest {
        file,
        id: game.to_string(),
        title: name.map_or_else(|| game.to_string(), |text| text.text),
        family,
        players,
        extends: extends.map(|text| text.text).filter(|_| chain.len() > 1),
        default,
        prefix,
        rules: rules.into_iter().map(|text| text.text).collect(),
        overlays,
        combinations,
    })
}

fn players(fields: &mut Fields, family: bool) -> (u32, u32) {
    let before = fields.players("players");
    if before.is_none() && !family && fields.is_missing("players") {
        let span = fields.span();
        fields.error(
            Diagnostic::error("missing-key", span, "`[game]` has no `players`")
                .help("write `players = [2, 4]`"),
        );
    }
    before.unwrap_or((2, 4))
}

pub(super) fn check_id(id: Option<&Text>, folder: &str, what: &str, out: &mut Vec<Diagnostic>) {
    let Some(id) = id.filter(|id| id.text != folder) else {
        return;
    };
    let message = format!("the id `{}` is not the name of {what}, `{folder}`", id.text);
    out.push(
        Diagnostic::error("id-mismatch", id.span, message)
            .help("an id is the name under which the files lie")
            .fix(format!("write `{folder}`"), id.span, folder),
    );
}

/// Every rules file must be there.
pub(super) fn check_files(
    sources: &SourceSet,
    folder: &str,
    rules: &[Text],
    out: &mut Vec<Diagnostic>,
) {
    for (at, rule) in rules.iter().enumerate() {
        let path = join(folder, &rule.text);
        if sources.find(&path).is_none() {
            let message = format!("there is no file `{path}`");
            out.push(near_file(sources, folder, rule, message));
        }
        if rules[..at].iter().any(|other| other.text == rule.text) {
            let message = format!("`{}` is listed twice", rule.text);
            out.push(Diagnostic::error("duplicate-file", rule.span, message));
        }
    }
}

pub(super) fn near_file(
    sources: &SourceSet,
    folder: &str,
    wanted: &Text,
    message: String,
) -> Diagnostic {
    let prefix = format!("{folder}/");
    let candidates = sources
        .paths()
        .filter_map(|path| path.strip_prefix(&prefix));
    let diagnostic = Diagnostic::error("missing-file", wanted.span, message);
    match nearest(&wanted.text, candidates) {
        Some(near) => {
            let quoted = sources.slice(wanted.span).starts_with('"');
            let written = if quoted {
                format!("\"{near}\"")
            } else {
                near.to_string()
            };
            let help = format!("did you mean `{near}`?");
            diagnostic.ways([Way::fix(help, wanted.span, written)])
        }
        None => diagnostic.help(format!("paths are relative to the folder `{folder}`")),
    }
}

/// A path as the source set has it; `.` and `..` are resolved.
pub(super) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// Ids along `extends`, the game itself first. A broken chain is reported and cut.
fn check_chain(
    sources: &SourceSet,
    game: &str,
    extends: Option<&Text>,
    out: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut chain = vec![game.to_string()];
    let Some(first) = extends else {
        return chain;
    };
    let mut next = Some(first.text.clone());
    while let Some(id) = next {
        if chain.contains(&id) {
            chain.push(id);
            out.push(cyclic(&chain, first.span));
            return vec![game.to_string()];
        }
        let Some(file) = sources.find(&format!("{id}/game.toml")) else {
            out.push(unknown_game(sources, &id, first.span));
            return chain;
        };
        next = listing(sources, file).extends;
        chain.push(id);
    }
    chain
}

fn cyclic(chain: &[String], span: Span) -> Diagnostic {
    let message = format!("`{}`", chain.join("` extends `"));
    Diagnostic::error("cyclic-extends", span, message)
        .here("this leads back to itself")
        .help("take `extends` out of one of them")
}

fn unknown_game(sources: &SourceSet, id: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-game", span, format!("there is no game `{id}`"));
    let known: Vec<&str> = sources.paths().filter_map(game_of).collect();
    match nearest(id, known.iter().copied()) {
        Some(near) => diagnostic.meant(span, near),
        None => diagnostic.help(format!("there are {}", quoted_list(known))),
    }
}

/// Ids along `extends`, the game first, without complaints.
pub(crate) fn chain(sources: &SourceSet, game: &str) -> Vec<String> {
    let mut chain = vec![game.to_string()];
    let mut at = game.to_string();
    while let Some(file) = sources.find(&format!("{at}/game.toml")) {
        match listing(sources, file).extends {
            Some(next) if !chain.contains(&next) => {
                chain.push(next.clone());
                at = next;
            }
            _ => break,
        }
    }
    chain.retain(|id| sources.find(&format!("{id}/game.toml")).is_some());
    chain
}

fn overlays(
    sources: &SourceSet,
    chain: &[String],
    names: &[Text],
    out: &mut Vec<Diagnostic>,
) -> Vec<OverlayInfo> {
    let mut overlays: Vec<OverlayInfo> = Vec::new();
    for name in names {
        if overlays.iter().any(|overlay| overlay.id == name.text) {
            let message = format!("the overlay `{}` is listed twice", name.text);
            out.push(Diagnostic::error("duplicate-overlay", name.span, message));
        } else if let Some(overlay) = overlay_info::read(sources, chain, name, out) {
            overlays.push(overlay);
        }
    }
    for name in of_any(sources, chain) {
        if !overlays.iter().any(|overlay| overlay.id == name.text) {
            let found = overlay_info::read(sources, chain, &name, &mut Vec::new());
            let fits = |info: &OverlayInfo| info.of_any && info.lacking(sources, chain).is_empty();
            overlays.extend(found.filter(fits));
        }
    }
    overlay_info::check(sources, chain, &overlays, out);
    overlays
}

/// The house rules for any game, as their family lists them.
pub(super) fn of_any(sources: &SourceSet, chain: &[String]) -> Vec<Text> {
    let file = sources.find(&format!("{ANY}/game.toml"));
    let Some(file) = file.filter(|_| chain.iter().all(|id| id != ANY)) else {
        return Vec::new();
    };
    let mut quiet = Vec::new();
    let root = tree::read(sources, file, &mut quiet);
    let (node, _) = section(root).unwrap_or((root, true));
    Fields::new(node, "[family]", &GAME_KEYS, &mut quiet).texts("overlays")
}

/// The declared combinations; none given: each overlay with what it needs.
fn combinations(
    root: &Node,
    overlays: &[OverlayInfo],
    players: (u32, u32),
    out: &mut Vec<Diagnostic>,
) -> Vec<Combination> {
    let Some(node) = root.get("combination") else {
        return overlays
            .iter()
            .flat_map(|overlay| with_parts(overlay, overlays, players))
            .collect();
    };
    let Value::List(nodes) = &node.value else {
        let message = "`combination` is not a list of sections";
        out.push(
            Diagnostic::error("wrong-value", node.span, message).help("write `[[combination]]`"),
        );
        return Vec::new();
    };
    let mut all: Vec<Combination> = nodes
        .iter()
        .map(|node| combination(node, overlays, players, out))
        .collect();
    for overlay in overlays.iter().filter(|overlay| !overlay.parts.is_empty()) {
        for mut wanted in with_parts(overlay, overlays, players) {
            // No more players than for what of it is declared.
            for known in &all {
                if known.overlays.iter().all(|id| wanted.overlays.contains(id)) {
                    let (least, most) = known.players;
                    wanted.players = (wanted.players.0.max(least), wanted.players.1.min(most));
                }
            }
            let new = all.iter().all(|known| known.overlays != wanted.overlays);
            all.extend(new.then_some(wanted));
        }
    }
    all
}

/// An overlay alone, and each of its parts where it holds.
fn with_parts(overlay: &OverlayInfo, all: &[OverlayInfo], players: (u32, u32)) -> Vec<Combination> {
    let there = |id: &String| all.iter().any(|other| other.id == *id);
    let parts = overlay.parts.iter().map(|part| &part.with);
    let mut found: Vec<Combination> = Vec::new();
    for with in std::iter::once(&Vec::new()).chain(parts.filter(|with| with.iter().all(there))) {
        let wanted = together(overlay, with, all, players);
        let new = found.iter().all(|known| known.overlays != wanted.overlays);
        found.extend(new.then_some(wanted));
    }
    found
}

fn combination(
    node: &Node,
    overlays: &[OverlayInfo],
    players: (u32, u32),
    out: &mut Vec<Diagnostic>,
) -> Combination {
    let mut fields = Fields::new(node, "[[combination]]", &COMBINATION_KEYS, out);
    let names = fields.texts("overlays");
    let players = fields.players("players").unwrap_or(players);
    let span = node.span;
    let chosen: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
    for name in &names {
        if !overlays.iter().any(|overlay| overlay.id == name.text) {
            let known = overlays.iter().map(|overlay| overlay.id.as_str());
            out.push(overlay_info::unknown(&name.text, name.span, known));
        }
    }
    let places = |id: &str| names.iter().find(|n| n.text == id).map_or(span, |n| n.span);
    overlay_info::check_selection(overlays, &chosen, &places, out);
    Combination {
        overlays: chosen,
        players,
    }
}

/// An overlay with some others, and all that these need.
fn together(
    overlay: &OverlayInfo,
    others: &[String],
    all: &[OverlayInfo],
    players: (u32, u32),
) -> Combination {
    let mut wanted = vec![overlay.id.clone()];
    wanted.extend(others.iter().cloned());
    let mut at = 0;
    while at < wanted.len() {
        let needs = all.iter().find(|other| other.id == wanted[at]);
        for need in needs.map(|other| other.needs.clone()).unwrap_or_default() {
            if !wanted.contains(&need) {
                wanted.push(need);
            }
        }
        at += 1;
    }
    let overlays = all.iter().map(|other| other.id.clone());
    Combination {
        overlays: overlays.filter(|id| wanted.contains(id)).collect(),
        players,
    }
}
