//! Which files make up a game with its overlays, in which order, and what they declare.

use super::overlay_info::{check_of, check_selection, unknown};
use super::{Manifest, OverlayInfo, Selection, manifest};
use crate::diagnostic::Diagnostic;
use crate::ir::Layer;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{Declaration, DeclarationKind, Header};
use crate::syntax::parse::parsed;

/// One layer with its declarations, in the order of its files.
pub(super) struct LayerSource {
    pub layer: Layer,
    /// Component files are relative to it.
    pub folder: String,
    /// Absent for games and families along `extends`.
    pub overlay: Option<OverlayInfo>,
    pub declarations: Vec<Declaration>,
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
            out.push(unknown(id, start, known));
        }
    }
    let place = |id: &str| {
        let overlay = manifest.overlays.iter().find(|overlay| overlay.id == id);
        overlay.map_or(start, |overlay| overlay.span)
    };
    check_selection(&manifest.overlays, &selection.overlays, &place, out);
    for info in &manifest.overlays {
        if selection.overlays.contains(&info.id) {
            layers.push(overlay(sources, info, &chain, out));
        }
    }
    layers
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
    }
    LayerSource {
        folder: manifest.id.clone(),
        overlay: None,
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
    if let Some(header) = header {
        check_of(&header.of.text, header.of.span, chain, out);
    } else if let Some(file) = files
        .first()
        .filter(|file| !info.expansion && !header_is_unread(sources, **file))
    {
        let message = "a variant begins with a header, and this one does not";
        let header = format!("variant \"{}\" of {}\n", info.title, chain[0]);
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
        },
        folder: folder(info),
        overlay: Some(info.clone()),
        declarations,
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
