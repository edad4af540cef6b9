//! What a game knows of its overlays before it opens them: their titles, and which go together.

use super::any::{ANY, Offer, lacking, not_offered, wanted, why};
use super::fields::{Fields, Holds, Key, Text, key, quoted_list, there_are, unknown_key};
use super::manifest::{chain, check_files, check_id, games, join, of_any};
use super::tree;
use super::{OverlayInfo, PartInfo};
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{ANY_GAME, Declaration, DeclarationKind, Header, Name};
use crate::syntax::parse::parsed;

/// Keys of `[expansion]`.
pub(crate) const EXPANSION_KEYS: [Key; 7] = [
    key("id", "the name of its folder", Holds::Free),
    key("title", "what people call it", Holds::Free),
    key("of", "the game that it is for", Holds::Free),
    key(
        "rules",
        "its files of rules, in order: `[\"rules/more.rules\"]`",
        Holds::Free,
    ),
    key(
        "needs",
        "ids of overlays that are laid on with it",
        Holds::Overlays,
    ),
    key(
        "not_with",
        "ids of overlays that it does not go with",
        Holds::Overlays,
    ),
    key(
        "after",
        "ids of overlays that it is laid on after, where these are on",
        Holds::Overlays,
    ),
];

/// Finds an overlay in the game's folder or along `extends`, and reads its header.
pub(super) fn read(
    sources: &SourceSet,
    chain: &[String],
    name: &Text,
    out: &mut Vec<Diagnostic>,
) -> Option<OverlayInfo> {
    for game in chain {
        let variant = format!("{game}/variants/{}.rules", name.text);
        if let Some(file) = sources.find(&variant) {
            return Some(variant_info(sources, file, variant, name, game == ANY));
        }
        let folder = format!("{game}/expansions/{}", name.text);
        if let Some(file) = sources.find(&format!("{folder}/expansion.toml")) {
            return Some(expansion(sources, file, &folder, name, chain, out));
        }
    }
    let variant = format!("{ANY}/variants/{}.rules", name.text);
    if let Some(file) = sources.find(&variant) {
        let info = variant_info(sources, file, variant, name, true);
        let lacking = info.lacking(sources, chain);
        if !lacking.is_empty() {
            out.push(not_offered(&info.id, &chain[0], &why(&lacking), name.span));
        }
        return Some(info);
    }
    let there = available(sources, chain);
    out.push(unknown(
        &name.text,
        name.span,
        there.iter().map(String::as_str),
    ));
    None
}

/// Ids of all overlays lying in the folders of `chain`.
fn available(sources: &SourceSet, chain: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for game in chain {
        for path in sources.paths() {
            let variant = path
                .strip_prefix(&format!("{game}/variants/"))
                .and_then(|rest| rest.strip_suffix(".rules"));
            let expansion = path
                .strip_prefix(&format!("{game}/expansions/"))
                .and_then(|rest| rest.strip_suffix("/expansion.toml"));
            found.extend(variant.or(expansion).map(str::to_string));
        }
    }
    found
}

pub(super) fn unknown<'a>(
    id: &str,
    span: Span,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let message = format!("there is no overlay `{id}`");
    let diagnostic = Diagnostic::error("unknown-overlay", span, message).about(id);
    match nearest(id, known.iter().copied()) {
        Some(near) => diagnostic.meant(span, near),
        None => diagnostic.help(there_are(&known)),
    }
}

impl OverlayInfo {
    /// The steps that a house rule for any game names, and that a game does not have.
    pub(super) fn lacking(&self, sources: &SourceSet, chain: &[String]) -> Vec<Offer> {
        let files = self.files.iter().filter(|_| self.of_any && chain[0] != ANY);
        let files = files.filter_map(|path| sources.find(path));
        let wanted: Vec<Offer> = files.flat_map(|file| wanted(sources, file)).collect();
        lacking(sources, chain, &wanted)
    }
}

/// Why a game goes without an overlay that lies there for any game; none if there is no such overlay.
pub fn not_for(sources: &SourceSet, game: &str, overlay: &str) -> Option<String> {
    let chain = chain(sources, game);
    let all = of_any(sources, &chain);
    let name = all.iter().find(|name| name.text == overlay)?;
    let info = read(sources, &chain, name, &mut Vec::new())?;
    let lacking = info.lacking(sources, &chain);
    (!lacking.is_empty()).then(|| why(&lacking))
}

fn variant_info(
    sources: &SourceSet,
    file: FileId,
    path: String,
    name: &Text,
    of_any: bool,
) -> OverlayInfo {
    let header = header(sources, file);
    let texts = |names: &[Name]| names.iter().map(|n| n.text.clone()).collect();
    let header = header.as_ref();
    OverlayInfo {
        id: name.text.clone(),
        title: header.map_or_else(|| name.text.clone(), |h| h.title.text.clone()),
        expansion: false,
        needs: header.map(|h| texts(&h.needs)).unwrap_or_default(),
        not_with: header.map(|h| texts(&h.not_with)).unwrap_or_default(),
        after: header.map(|h| texts(&h.after)).unwrap_or_default(),
        files: vec![path],
        of_any,
        parts: parts(sources, file),
        span: name.span,
    }
}

/// What a file says below `with`s.
fn parts(sources: &SourceSet, file: FileId) -> Vec<PartInfo> {
    let declarations = parsed(sources, file).file.declarations.iter();
    let part = |declaration: &Declaration| match &declaration.kind {
        DeclarationKind::Part(part) => Some(PartInfo::of(part)),
        _ => None,
    };
    declarations.filter_map(part).collect()
}

fn header(sources: &SourceSet, file: FileId) -> Option<Header> {
    let declarations = &parsed(sources, file).file.declarations;
    declarations
        .iter()
        .find_map(|declaration| match &declaration.kind {
            DeclarationKind::Header(header) => Some(header.clone()),
            _ => None,
        })
}

fn expansion(
    sources: &SourceSet,
    file: FileId,
    folder: &str,
    name: &Text,
    chain: &[String],
    out: &mut Vec<Diagnostic>,
) -> OverlayInfo {
    let root = tree::read(sources, file, out);
    for (key, _) in root.entries() {
        if key.text != "expansion" {
            out.push(unknown_key(
                &key.text,
                key.span,
                "expansion.toml",
                &["expansion"],
            ));
        }
    }
    let mut info = OverlayInfo {
        id: name.text.clone(),
        title: name.text.clone(),
        expansion: true,
        needs: Vec::new(),
        not_with: Vec::new(),
        after: Vec::new(),
        files: Vec::new(),
        of_any: false,
        parts: Vec::new(),
        span: name.span,
    };
    let Some(node) = root.get("expansion") else {
        let message = "there is no `[expansion]`";
        out.push(Diagnostic::error(
            "missing-key",
            Span::new(file, 0, 0),
            message,
        ));
        return info;
    };
    let mut fields = Fields::new(node, "[expansion]", &EXPANSION_KEYS, out);
    let id = fields.required_text("id");
    let of = fields.required_text("of");
    let rules = fields.texts("rules");
    let plain = |texts: Vec<Text>| texts.into_iter().map(|text| text.text).collect();
    info.needs = plain(fields.texts("needs"));
    info.not_with = plain(fields.texts("not_with"));
    info.after = plain(fields.texts("after"));
    if let Some(title) = fields.required_text("title") {
        info.title = title.text;
    }
    check_id(id.as_ref(), &name.text, "the folder", out);
    check_files(sources, folder, &rules, out);
    if let Some(of) = of {
        check_of(&of.text, of.span, chain, out);
    }
    info.files = rules.iter().map(|rule| join(folder, &rule.text)).collect();
    let files = info.files.iter().filter_map(|path| sources.find(path));
    info.parts = files.flat_map(|file| parts(sources, file)).collect();
    info
}

/// An overlay must be written for the game, or for one that it extends.
pub(super) fn check_of(of: &str, span: Span, chain: &[String], out: &mut Vec<Diagnostic>) {
    if of == ANY_GAME {
        let message = "a variant of any game lies where every game finds it";
        let help = format!(
            "put its file into the folder `{ANY}/variants`, or write `of {}`",
            chain[0]
        );
        out.push(Diagnostic::error("overlay-of", span, message).help(help));
        return;
    }
    if chain.iter().any(|game| game == of) {
        return;
    }
    let message = format!("this overlay is of `{of}`, not of `{}`", chain[0]);
    let diagnostic = Diagnostic::error("overlay-of", span, message);
    out.push(match nearest(of, chain.iter().map(String::as_str)) {
        Some(near) => diagnostic.fix(format!("write `{near}`"), span, near),
        None => diagnostic.help(format!(
            "it can be of {}",
            quoted_list(chain.iter().map(String::as_str))
        )),
    });
}

/// `needs`, `not with` and `after` must name overlays of the game, and `after` must agree with the order.
pub(super) fn check(
    sources: &SourceSet,
    chain: &[String],
    overlays: &[OverlayInfo],
    out: &mut Vec<Diagnostic>,
) {
    let known = || overlays.iter().map(|overlay| overlay.id.as_str());
    for (at, overlay) in overlays.iter().enumerate() {
        let named = overlay.needs.iter().chain(&overlay.not_with);
        for id in named.chain(&overlay.after) {
            if !known().any(|other| other == id) {
                let words = format!("`{}` names it in its header", overlay.id);
                out.push(unknown(id, overlay.span, known()).here(words));
            }
        }
        for part in &overlay.parts {
            check_part(sources, chain, overlays, (overlay, part), out);
        }
        for id in overlay.needs.iter().chain(&overlay.after) {
            if overlays[at + 1..].iter().any(|later| &later.id == id) {
                let message = format!(
                    "`{}` comes after `{id}`, but is listed before it",
                    overlay.id
                );
                out.push(
                    Diagnostic::error("overlay-order", overlay.span, message)
                        .help(format!("put `{id}` before `{}` in `overlays`", overlay.id)),
                );
            }
        }
    }
}

/// A `with` must name other overlays of the game, and be neither always nor never true.
fn check_part(
    sources: &SourceSet,
    chain: &[String],
    overlays: &[OverlayInfo],
    (overlay, part): (&OverlayInfo, &PartInfo),
    out: &mut Vec<Diagnostic>,
) {
    for name in &part.names {
        let id = &name.text;
        let positive = part.with.contains(id);
        let always = overlay.needs.contains(id) || overlay.id == *id;
        let never = overlay.not_with.contains(id);
        let twice = positive && part.not_with.contains(id);
        if twice || (always || never) {
            let (says, help) = match (positive, always) {
                _ if twice => ("this never holds", "keep one of the two"),
                (true, true) => (
                    "this always holds",
                    "take the `with` away, and write what stands below it at the start of a line",
                ),
                (false, false) => (
                    "this always holds",
                    "take the `not with` away, and write what stands below it at the start of a line",
                ),
                (true, false) | (false, true) => ("this never holds", "take it away"),
            };
            let why = match (overlay.id == *id, always) {
                _ if twice => format!("`{id}` has to be on and off"),
                (true, _) => format!("`{id}` is this overlay itself"),
                (false, true) => format!("`{}` needs `{id}`", overlay.id),
                (false, false) => format!("`{}` does not go with `{id}`", overlay.id),
            };
            let found = Diagnostic::warning("with-decided", name.span, says);
            out.push(found.here(why).help(help));
        } else if !overlays.iter().any(|other| other.id == *id) && !of_sister(sources, chain, id) {
            let known = overlays.iter().map(|other| other.id.as_str());
            out.push(unknown(
                id,
                name.span,
                known.filter(|known| *known != overlay.id),
            ));
        }
    }
}

/// Whether a game that shares rules with this one has such an overlay: here it is off.
fn of_sister(sources: &SourceSet, own: &[String], id: &str) -> bool {
    let shares = |game: &str| chain(sources, game).iter().any(|base| own.contains(base));
    let mut games = games(sources).into_iter();
    games.any(|game| game.overlays.iter().any(|overlay| overlay == id) && shares(&game.id))
}

/// Whether the chosen overlays go together; `place` tells where one was chosen.
pub(super) fn check_selection(
    overlays: &[OverlayInfo],
    chosen: &[String],
    place: &dyn Fn(&str) -> Span,
    out: &mut Vec<Diagnostic>,
) {
    for overlay in overlays.iter().filter(|o| chosen.contains(&o.id)) {
        for need in overlay.needs.iter().filter(|id| !chosen.contains(id)) {
            let message = format!("`{}` needs `{need}`", overlay.id);
            out.push(
                Diagnostic::error("overlay-needs", place(&overlay.id), message)
                    .about(&overlay.id)
                    .help(format!("choose `{need}` as well")),
            );
        }
        for other in overlay.not_with.iter().filter(|id| chosen.contains(id)) {
            let message = format!("`{}` does not go with `{other}`", overlay.id);
            out.push(
                Diagnostic::error("overlay-not-with", place(&overlay.id), message)
                    .about(&overlay.id)
                    .help("choose one of the two"),
            );
        }
    }
}
