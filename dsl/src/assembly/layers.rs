//! Which files make up a game with its overlays, in which order, and what they declare.

use super::any::not_offered;
use super::overlay_info::{check_of, check_selection, not_for, unknown};
use super::{Manifest, OverlayInfo, PartInfo, Selection, manifest};
use crate::diagnostic::Diagnostic;
use crate::ir::{Layer, LayerPart};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{ANY_GAME, Declaration, DeclarationKind, Header, Name};
use crate::syntax::parse::parsed;

/// One layer with its declarations, in the order of its files.
pub(super) struct LayerSource {
    pub layer: Layer,
    /// Component files are relative to it.
    pub folder: String,
    /// The overlays it was written for, and what these were written for; absent for games and families along `extends`.
    pub knows: Option<Vec<String>>,
    pub declarations: Vec<Declaration>,
}

/// What an overlay says below one `with`, and where it lies.
struct PartSource {
    info: PartInfo,
    layer: LayerSource,
}

/// The chain along `extends`, base first, then the chosen overlays in the order the manifest lists them.
pub(super) fn read(
    sources: &SourceSet,
    manifest: &Manifest,
    selection: &Selection,
    out: &mut Vec<Diagnostic>,
) -> Vec<LayerSource> {
    let chain = match manifest.extends {
        Some(_) => manifest::chain(sources, &manifest.id),
        None => vec![manifest.id.clone()],
    };
    let mut layers = Vec::new();
    for id in chain.iter().rev() {
        if *id == manifest.id {
            layers.push(game(sources, manifest, out));
        } else if let (Some(base), found) = manifest::manifest(sources, id) {
            out.extend(found.into_iter().filter(|d| d.span.file == base.file));
            layers.push(game(sources, &base, out));
        }
    }
    let start = Span::new(manifest.file, 0, 0);
    for id in &selection.overlays {
        if !manifest.overlays.iter().any(|overlay| overlay.id == *id) {
            let known = manifest.overlays.iter().map(|overlay| overlay.id.as_str());
            out.push(match not_for(sources, &manifest.id, id) {
                Some(why) => not_offered(id, &manifest.id, &why, start),
                None => unknown(id, start, known),
            });
        }
    }
    let place = |id: &str| {
        let overlay = manifest.overlays.iter().find(|overlay| overlay.id == id);
        overlay.map_or(start, |overlay| overlay.span)
    };
    check_selection(&manifest.overlays, &selection.overlays, &place, out);
    let mut open: Vec<PartSource> = Vec::new();
    for info in &manifest.overlays {
        if !selection.overlays.contains(&info.id) {
            continue;
        }
        let mut laid = overlay(sources, info, &chain, out);
        laid.knows = Some(known(&layers, info.needs.iter().chain(&info.after)));
        open.extend(parts(&mut laid, selection));
        layers.push(laid);
        lay_parts(&mut layers, &mut open);
    }
    layers
}

/// Takes what stands below `with`s out of an overlay; kept are those parts that hold. What holds under the same condition is one.
fn parts(overlay: &mut LayerSource, selection: &Selection) -> Vec<PartSource> {
    let mut all: Vec<PartSource> = Vec::new();
    let own = std::mem::take(&mut overlay.declarations);
    for declaration in own {
        let DeclarationKind::Part(part) = declaration.kind else {
            overlay.declarations.push(declaration);
            continue;
        };
        let info = PartInfo::of(&part);
        let is_on = |id: &String| selection.overlays.contains(id);
        if !info.with.iter().all(is_on) || info.not_with.iter().any(is_on) {
            continue;
        }
        let spans = part.declarations.iter().map(|inner| inner.span);
        match all
            .iter_mut()
            .find(|other| other.info.says() == info.says())
        {
            Some(PartSource { layer, .. }) => {
                layer
                    .layer
                    .part
                    .iter_mut()
                    .for_each(|part| part.spans.extend(spans.clone()));
                layer.declarations.extend(part.declarations);
            }
            None => all.push(PartSource {
                layer: LayerSource {
                    layer: Layer {
                        id: format!("{} {}", overlay.layer.id, info.says()),
                        title: format!("{} ({})", overlay.layer.title, info.says()),
                        files: Vec::new(),
                        overlay: true,
                        of_any: overlay.layer.of_any,
                        part: Some(LayerPart {
                            of: overlay.layer.id.clone(),
                            with: info.with.clone(),
                            spans: spans.collect(),
                        }),
                    },
                    folder: overlay.folder.clone(),
                    knows: None,
                    declarations: part.declarations,
                },
                info,
            }),
        }
    }
    all
}

/// Lays those parts whose overlays all lie: as low as they can, so that whoever was written for these finds it.
fn lay_parts(layers: &mut Vec<LayerSource>, open: &mut Vec<PartSource>) {
    let lies = |layers: &[LayerSource], id: &String| layers.iter().any(|one| one.layer.id == *id);
    for mut part in std::mem::take(open) {
        if !part.info.with.iter().all(|id| lies(layers, id)) {
            open.push(part);
            continue;
        }
        let own = part.layer.layer.part.iter().map(|part| &part.of);
        // Of one overlay the parts are by one author, who has written them in this order.
        let earlier = layers.iter().filter_map(|one| {
            let other = one.layer.part.as_ref()?;
            own.clone()
                .any(|own| *own == other.of)
                .then_some(&one.layer.id)
        });
        part.layer.knows = Some(known(
            layers,
            own.clone().chain(&part.info.with).chain(earlier),
        ));
        layers.push(part.layer);
    }
}

/// Some overlays, all that these know of, and the parts of them that hold where they are on.
fn known<'a>(layers: &[LayerSource], named: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut known: Vec<String> = named.cloned().collect();
    for one in layers {
        if known.contains(&one.layer.id) {
            known.extend(one.knows.iter().flatten().cloned());
        }
    }
    for one in layers {
        let Some(part) = &one.layer.part else {
            continue;
        };
        if known.contains(&part.of) && part.with.iter().all(|id| known.contains(id)) {
            known.push(one.layer.id.clone());
        }
    }
    known.sort();
    known.dedup();
    known
}

fn game(sources: &SourceSet, manifest: &Manifest, out: &mut Vec<Diagnostic>) -> LayerSource {
    let paths = manifest.rules.iter();
    let files = paths
        .filter_map(|path| sources.find(&manifest::join(&manifest.id, path)))
        .collect();
    let layer = Layer {
        id: manifest.id.clone(),
        title: manifest.title.clone(),
        files,
        overlay: false,
        of_any: false,
        part: None,
    };
    let declarations = declarations(sources, &layer.files, out);
    for declaration in &declarations {
        if let DeclarationKind::Header(_) = declaration.kind {
            let message = "a header in the rules of a game itself";
            out.push(
                Diagnostic::error("misplaced-header", declaration.span, message)
                    .help("only files under `variants/` and `expansions/` begin with a header"),
            );
        }
        if let DeclarationKind::Part(_) = declaration.kind {
            let message = "only overlays say what holds with another one";
            out.push(
                Diagnostic::error("misplaced-with", declaration.span, message)
                    .help("write it in the variant or expansion that it belongs to: the rules of a game know of none"),
            );
        }
    }
    LayerSource {
        folder: manifest.id.clone(),
        knows: None,
        declarations,
        layer,
    }
}

fn overlay(
    sources: &SourceSet,
    info: &OverlayInfo,
    chain: &[String],
    out: &mut Vec<Diagnostic>,
) -> LayerSource {
    let paths = info.files.iter();
    let files: Vec<FileId> = paths.filter_map(|path| sources.find(path)).collect();
    let declarations = declarations(sources, &files, out);
    let header = declarations.first().and_then(header);
    if let Some(header) = header.filter(|_| info.of_any) {
        check_of_any(&header.of, out);
    } else if let Some(header) = header {
        check_of(&header.of.text, header.of.span, chain, out);
    } else if let Some(file) = files
        .first()
        .filter(|file| !info.expansion && !header_is_unread(sources, **file))
    {
        let message = "a variant begins with a header, and this one does not";
        let of = if info.of_any {
            ANY_GAME
        } else {
            chain[0].as_str()
        };
        let header = format!("variant \"{}\" of {of}\n", info.title);
        let start = Span::new(*file, 0, 0);
        out.push(
            Diagnostic::error("missing-header", start, message)
                .help(format!("write `{}` as the first line", header.trim_end()))
                .fix("write the header", start, header),
        );
    }
    for declaration in declarations.iter().skip(1) {
        if header.is_some() && declaration_is_header_of(declaration, &files) {
            let message = "a second header";
            out.push(
                Diagnostic::error("misplaced-header", declaration.span, message)
                    .help("one variant, one file"),
            );
        }
    }
    LayerSource {
        layer: Layer {
            id: info.id.clone(),
            title: info.title.clone(),
            files,
            overlay: true,
            of_any: info.of_any,
            part: None,
        },
        folder: folder(info),
        knows: Some(Vec::new()),
        declarations,
    }
}

/// What lies among the house rules for any game says that it is one.
fn check_of_any(of: &Name, out: &mut Vec<Diagnostic>) {
    if of.text != ANY_GAME {
        let message = format!(
            "this lies among the variants of any game, and is of `{}`",
            of.text
        );
        out.push(Diagnostic::error("overlay-of", of.span, message).fix(
            format!("write `{ANY_GAME}`"),
            of.span,
            ANY_GAME,
        ));
    }
}

/// A header stands there and could not be read: that has been said.
fn header_is_unread(sources: &SourceSet, file: FileId) -> bool {
    let mut lines = sources.text(file).lines();
    lines.any(|line| line.starts_with("variant") || line.starts_with("expansion"))
}

fn header(declaration: &Declaration) -> Option<&Header> {
    match &declaration.kind {
        DeclarationKind::Header(header) => Some(header),
        _ => None,
    }
}

/// Each file of an expansion may have a header; within the first file a second one is wrong.
fn declaration_is_header_of(declaration: &Declaration, files: &[FileId]) -> bool {
    header(declaration).is_some() && files.first() == Some(&declaration.span.file)
}

/// A variant's component files lie in its game's folder, an expansion's in its own.
fn folder(info: &OverlayInfo) -> String {
    let path = info.files.first().map_or("", String::as_str);
    let mark = if info.expansion { 3 } else { 1 };
    let parts: Vec<&str> = path.split('/').take(mark).collect();
    parts.join("/")
}

fn declarations(
    sources: &SourceSet,
    files: &[FileId],
    out: &mut Vec<Diagnostic>,
) -> Vec<Declaration> {
    let mut all = Vec::new();
    for &file in files {
        let parsed = parsed(sources, file);
        out.extend(parsed.diagnostics.iter().cloned());
        all.extend(parsed.file.declarations.iter().cloned());
    }
    all
}
