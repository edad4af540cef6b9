//! The conversation: what is asked, who answers it.

use super::deeds::{self, Deed, Deeds, Given};
use super::position::Lines;
use super::problems::{self, Problem};
use super::space::{Here, Space};
use super::{abilities, places, texts, uri};
use crate::files::Library;
use crate::workshop::document::difference;
use crate::workshop::language::in_normal_form;
use dsl::service::Language;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification as said;
use lsp_types::notification::Notification as _;
use lsp_types::request as asked;
use lsp_types::request::Request as _;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Mistakes are looked for when nothing was said for so long.
const PAUSE: Duration = Duration::from_millis(60);
/// Symbols of all games that are told at once.
const SYMBOLS_MAX: usize = 500;

/// Talks to an editor until it says goodbye or is gone; whether it ended in order, with `shutdown` before `exit`. `library`: where
/// games are looked for beside those that are edited.
pub fn serve(connection: &Connection, deeds: &Arc<dyn Deeds>, library: Library) -> bool {
    let mut server = Server {
        connection,
        deeds,
        space: Space::new(library),
        stage: Stage::Before,
        can: Abilities::default(),
        stale: false,
        known: BTreeMap::new(),
        told: BTreeMap::new(),
        doubted: BTreeSet::new(),
    };
    loop {
        let message = if server.stale {
            match connection.receiver.recv_timeout(PAUSE) {
                Ok(message) => message,
                Err(error) if error.is_timeout() => {
                    server.look();
                    continue;
                }
                Err(_) => return true,
            }
        } else {
            match connection.receiver.recv() {
                Ok(message) => message,
                Err(_) => return true,
            }
        };
        match message {
            Message::Request(request) => server.request(request),
            Message::Notification(one) if one.method == said::Exit::METHOD => {
                return server.stage == Stage::Closing;
            }
            Message::Notification(one) => server.hear(one),
            Message::Response(_) => {}
        }
    }
}

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Before,
    Open,
    /// The editor has said that it will end.
    Closing,
}

/// What the editor can do.
#[derive(Default)]
struct Abilities {
    snippets: bool,
    markdown: bool,
    /// It shows the answer of a command itself.
    shows_answers: bool,
}

/// What is told of a text.
type Told = (lsp::Uri, Vec<lsp::Diagnostic>);

struct Server<'c> {
    connection: &'c Connection,
    deeds: &'c Arc<dyn Deeds>,
    space: Space,
    stage: Stage,
    can: Abilities,
    /// Texts have changed since mistakes were looked for.
    stale: bool,
    /// What is wrong with each game.
    known: BTreeMap<PathBuf, Vec<Problem>>,
    /// What was told last of each text, by its address.
    told: BTreeMap<String, Told>,
    /// Overlays of which it was told that no game has them.
    doubted: BTreeSet<String>,
}

impl Server<'_> {
    fn send(&self, message: impl Into<Message>) {
        // Nobody is there any more to hear it: the next thing that is read says so.
        let _ = self.connection.sender.send(message.into());
    }

    fn request(&mut self, request: Request) {
        match (self.stage, request.method.as_str()) {
            (Stage::Before, asked::Initialize::METHOD) => {
                return self.answer::<asked::Initialize>(request, Self::initialize);
            }
            (Stage::Before, _) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let why = "`initialize` comes first".to_owned();
                return self.send(Response::new_err(request.id, code, why));
            }
            (Stage::Closing, _) => {
                let code = ErrorCode::InvalidRequest as i32;
                let why = "after `shutdown` only `exit` is expected".to_owned();
                return self.send(Response::new_err(request.id, code, why));
            }
            (Stage::Open, _) => {}
        }
        match request.method.as_str() {
            asked::Initialize::METHOD => {
                let why = "`initialize` was said already".to_owned();
                let code = ErrorCode::InvalidRequest as i32;
                self.send(Response::new_err(request.id, code, why));
            }
            asked::Shutdown::METHOD => {
                self.stage = Stage::Closing;
                self.send(Response::new_ok(request.id, Value::Null));
            }
            asked::HoverRequest::METHOD => self.answer::<asked::HoverRequest>(request, Self::hover),
            asked::Completion::METHOD => {
                self.answer::<asked::Completion>(request, Self::completion);
            }
            asked::GotoDefinition::METHOD => {
                self.answer::<asked::GotoDefinition>(request, Self::definition);
            }
            asked::References::METHOD => {
                self.answer::<asked::References>(request, Self::references);
            }
            asked::PrepareRenameRequest::METHOD => {
                self.answer::<asked::PrepareRenameRequest>(request, Self::prepare_rename);
            }
            asked::Rename::METHOD => self.answer::<asked::Rename>(request, Self::rename),
            asked::CodeActionRequest::METHOD => {
                self.answer::<asked::CodeActionRequest>(request, Self::actions);
            }
            asked::Formatting::METHOD => {
                self.answer::<asked::Formatting>(request, Self::formatting);
            }
            asked::DocumentSymbolRequest::METHOD => {
                self.answer::<asked::DocumentSymbolRequest>(request, Self::symbols);
            }
            asked::WorkspaceSymbolRequest::METHOD => {
                self.answer::<asked::WorkspaceSymbolRequest>(request, Self::all_symbols);
            }
            asked::SemanticTokensFullRequest::METHOD => {
                self.answer::<asked::SemanticTokensFullRequest>(request, Self::tokens);
            }
            asked::SemanticTokensRangeRequest::METHOD => {
                self.answer::<asked::SemanticTokensRangeRequest>(request, Self::range_tokens);
            }
            asked::InlayHintRequest::METHOD => {
                self.answer::<asked::InlayHintRequest>(request, Self::hints);
            }
            asked::CodeLensRequest::METHOD => {
                self.answer::<asked::CodeLensRequest>(request, Self::lenses);
            }
            asked::ExecuteCommand::METHOD => self.execute(request),
            method => {
                let why = format!("`{method}` is not known here");
                let code = ErrorCode::MethodNotFound as i32;
                self.send(Response::new_err(request.id, code, why));
            }
        }
    }

    /// Reads what is asked, and sends what comes of it.
    fn answer<R: asked::Request>(
        &mut self,
        request: Request,
        how: impl FnOnce(&mut Self, R::Params) -> Result<R::Result, String>,
    ) {
        let response = match serde_json::from_value::<R::Params>(request.params) {
            Err(error) => {
                let code = ErrorCode::InvalidParams as i32;
                Response::new_err(request.id, code, error.to_string())
            }
            Ok(params) => match how(self, params) {
                Ok(result) => Response::new_ok(request.id, result),
                Err(why) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, why),
            },
        };
        self.send(response);
    }

    // ------------------------------------------------------------------------------------------ beginning

    fn initialize(
        &mut self,
        params: lsp::InitializeParams,
    ) -> Result<lsp::InitializeResult, String> {
        self.stage = Stage::Open;
        let can = params.capabilities.text_document.unwrap_or_default();
        let item = can.completion.and_then(|one| one.completion_item);
        self.can = Abilities {
            snippets: item.and_then(|one| one.snippet_support) == Some(true),
            markdown: can
                .hover
                .and_then(|one| one.content_format)
                .is_some_and(|all| all.contains(&lsp::MarkupKind::Markdown)),
            shows_answers: params
                .initialization_options
                .as_ref()
                .is_some_and(|options| options["showsAnswers"] == json!(true)),
        };
        self.settings(params.initialization_options.as_ref());
        Ok(lsp::InitializeResult {
            capabilities: abilities::capabilities(),
            server_info: Some(lsp::ServerInfo {
                name: "trackwright".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    /// Takes over what is set in the editor: `with`, overlays that are laid over each game that has them. What cannot be read is
    /// told there.
    fn settings(&mut self, settings: Option<&Value>) {
        let of = |key: &str| {
            settings
                .and_then(|one| one.get(key))
                .filter(|one| !one.is_null())
        };
        if let Some(with) = of("with") {
            match serde_json::from_value::<Vec<String>>(with.clone()) {
                Ok(ids) => self.space.with = ids,
                Err(_) => self.show(format!(
                    "`with` is a list of overlays, as `[\"my-rules\"]`, and not `{with}`"
                )),
            }
        }
        if let Some(shows) = of("showsAnswers").filter(|one| !one.is_boolean()) {
            self.show(format!(
                "`showsAnswers` is `true` or `false`, and not `{shows}`"
            ));
        }
    }

    /// Shows a warning in the editor.
    fn show(&self, message: String) {
        let params = lsp::ShowMessageParams {
            typ: lsp::MessageType::WARNING,
            message,
        };
        self.send(Notification::new(
            said::ShowMessage::METHOD.to_owned(),
            params,
        ));
    }

    fn hear(&mut self, notification: Notification) {
        if self.stage != Stage::Open {
            return;
        }
        // What cannot be read is of no use; there is nobody to tell.
        match notification.method.as_str() {
            said::DidOpenTextDocument::METHOD => {
                if let Some(params) = params::<said::DidOpenTextDocument>(notification) {
                    let one = params.text_document;
                    self.space.open(one.uri, one.version, one.text);
                    self.stale = true;
                }
            }
            said::DidChangeTextDocument::METHOD => {
                if let Some(params) = params::<said::DidChangeTextDocument>(notification) {
                    let one = params.text_document;
                    let changes = params.content_changes.into_iter();
                    let changes = changes.map(|change| (change.range, change.text));
                    self.space.change(&one.uri, one.version, changes.collect());
                    self.stale = true;
                }
            }
            said::DidCloseTextDocument::METHOD => {
                if let Some(params) = params::<said::DidCloseTextDocument>(notification) {
                    self.space.close(&params.text_document.uri);
                    self.stale = true;
                }
            }
            said::DidSaveTextDocument::METHOD | said::DidChangeWatchedFiles::METHOD => {
                self.space.reread();
                self.stale = true;
            }
            said::DidChangeConfiguration::METHOD => {
                let settings = notification.params.get("settings");
                let own = settings.and_then(|all| all.get("trackwright").or(Some(all)));
                self.settings(own);
                self.space.reread();
                self.stale = true;
            }
            _ => {}
        }
    }

    // ------------------------------------------------------------------------------------------ mistakes

    /// Looks for mistakes, and tells those of each text of which others were told before.
    fn look(&mut self) {
        self.stale = false;
        let folders = self.space.folders();
        self.known.clear();
        let mut now: BTreeMap<String, Told> = BTreeMap::new();
        for folder in folders {
            let found = problems::problems(&mut self.space, &folder);
            let Some(game) = self.space.game(&folder) else {
                continue;
            };
            let sources = game.sources.clone();
            for problem in &found {
                let told = problems::told(&self.space, &folder, &sources, &problem.diagnostic);
                if let Some((uri, diagnostic)) = told {
                    let of_text = now.entry(uri.as_str().to_owned());
                    let (_, of_text) = of_text.or_insert_with(|| (uri, Vec::new()));
                    if !of_text.contains(&diagnostic) {
                        of_text.push(diagnostic);
                    }
                }
            }
            self.known.insert(folder, found);
        }
        // Of what is edited it is also told that nothing is wrong.
        for document in self.space.documents.values() {
            let of_text = now.entry(document.uri.as_str().to_owned());
            let rules = document.uri.path().as_str().ends_with(".rules");
            of_text.or_insert_with(|| {
                let alone = document.home.is_none() && rules;
                let found = alone.then(problems::homeless);
                (document.uri.clone(), found.into_iter().collect())
            });
        }
        for id in self.space.unknown_overlays() {
            if self.doubted.insert(id.clone()) {
                self.show(format!(
                    "`with` names the overlay `{id}`, which no game here has"
                ));
            }
        }
        let gone = self.told.iter().filter(|(uri, _)| !now.contains_key(*uri));
        for (_, (uri, _)) in gone {
            self.publish(uri.clone(), Vec::new());
        }
        for (address, (uri, diagnostics)) in &now {
            let before = self.told.get(address);
            if before.is_none_or(|(_, before)| before != diagnostics) {
                self.publish(uri.clone(), diagnostics.clone());
            }
        }
        self.told = now;
    }

    fn publish(&self, uri: lsp::Uri, diagnostics: Vec<lsp::Diagnostic>) {
        let version = self.space.version(&uri);
        let params = lsp::PublishDiagnosticsParams::new(uri, diagnostics, version);
        let method = said::PublishDiagnostics::METHOD.to_owned();
        self.send(Notification::new(method, params));
    }

    // ------------------------------------------------------------------------------------------ questions

    fn here(&mut self, at: lsp::TextDocumentPositionParams) -> Option<Here> {
        self.space.here(&at.text_document.uri, at.position)
    }

    fn hover(&mut self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>, String> {
        let here = self.here(params.text_document_position_params);
        Ok(here.and_then(|here| texts::hover(&here, self.can.markdown)))
    }

    fn completion(
        &mut self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>, String> {
        let here = self.here(params.text_document_position);
        let items = here.map_or_else(Vec::new, |here| {
            texts::completions(&here, self.can.snippets)
        });
        Ok(Some(lsp::CompletionResponse::List(lsp::CompletionList {
            // Each letter may bring others: long tables are told in part.
            is_incomplete: true,
            items,
        })))
    }

    fn definition(
        &mut self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>, String> {
        let here = self.here(params.text_document_position_params);
        let found = here.map_or_else(Vec::new, |here| places::definition(&self.space, &here));
        Ok(Some(lsp::GotoDefinitionResponse::Array(found)))
    }

    fn references(
        &mut self,
        params: lsp::ReferenceParams,
    ) -> Result<Option<Vec<lsp::Location>>, String> {
        let Some(here) = self.here(params.text_document_position) else {
            return Ok(None);
        };
        let mut found = places::references(&mut self.space, &here);
        if !params.context.include_declaration {
            let declared = places::definition(&self.space, &here);
            found.retain(|place| !declared.contains(place));
        }
        Ok(Some(found))
    }

    fn prepare_rename(
        &mut self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>, String> {
        let range = self.here(params).and_then(|here| places::renamed(&here));
        Ok(range.map(lsp::PrepareRenameResponse::Range))
    }

    fn rename(&mut self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>, String> {
        let Some(here) = self.here(params.text_document_position) else {
            return Err("there is nothing here that has a name of its own".into());
        };
        // All rule sets that say the word are made anew, which takes a while in large games.
        let token = params.work_done_progress_params.work_done_token;
        let begin = lsp::WorkDoneProgress::Begin(lsp::WorkDoneProgressBegin {
            title: format!("renaming to `{}`", params.new_name),
            ..lsp::WorkDoneProgressBegin::default()
        });
        self.progress(token.as_ref(), begin);
        let edits = places::rename(&mut self.space, &here, &params.new_name);
        let end = lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd::default());
        self.progress(token.as_ref(), end);
        edits.map(Some)
    }

    /// How far something is; an editor that gave no token does not want to know.
    fn progress(&self, token: Option<&lsp::ProgressToken>, how_far: lsp::WorkDoneProgress) {
        let Some(token) = token.cloned() else { return };
        let value = lsp::ProgressParamsValue::WorkDone(how_far);
        let params = lsp::ProgressParams { token, value };
        self.send(Notification::new(said::Progress::METHOD.to_owned(), params));
    }

    fn actions(
        &mut self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>, String> {
        if self.stale {
            self.look();
        }
        let uri = &params.text_document.uri;
        let Some(here) = self.space.here(uri, params.range.start) else {
            return Ok(None);
        };
        let known = self.known.get(&here.folder);
        let problems = known.map_or(&[][..], Vec::as_slice);
        let mut all = places::actions(&mut self.space, &here, problems, params.range);
        if let Some(only) = params.context.only {
            all.retain(|one| one.kind.as_ref().is_some_and(|kind| only.contains(kind)));
        }
        let all = all.into_iter().map(lsp::CodeActionOrCommand::CodeAction);
        Ok(Some(all.collect()))
    }

    fn formatting(
        &mut self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>, String> {
        let uri = &params.text_document.uri;
        let Some(document) = self.space.document(uri) else {
            return Ok(None);
        };
        let path = uri::path(uri).unwrap_or_default();
        let name = path.to_string_lossy();
        if Language::of(&name) != Language::Rules {
            return Ok(None);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let normal = in_normal_form(&name, &document.text)?;
        let lines = Lines::new(&document.text);
        let edit = difference(&document.text, &normal);
        let told = edit.map(|one| lsp::TextEdit::new(lines.range(one.range), one.text));
        Ok(Some(told.into_iter().collect()))
    }

    // ------------------------------------------------------------------------------------------ whole texts

    fn symbols(
        &mut self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>, String> {
        let here = self
            .space
            .here(&params.text_document.uri, lsp::Position::default());
        let all = here.map(|here| texts::outline(&here.checked.sources, here.file));
        Ok(all.map(lsp::DocumentSymbolResponse::Nested))
    }

    fn all_symbols(
        &mut self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>, String> {
        let wanted = params.query.to_lowercase();
        let mut all = Vec::new();
        for folder in self.space.folders() {
            let Some(game) = self.space.game(&folder) else {
                continue;
            };
            let sources = game.sources.clone();
            for file in sources.ids() {
                let path = &sources.file(file).path;
                let Some(uri) = self.space.uri(&folder, path) else {
                    continue;
                };
                let lines = Lines::new(sources.text(file));
                let symbols = texts::symbols(&sources, file).into_iter();
                let fitting = symbols.filter(|one| one.name.to_lowercase().contains(&wanted));
                all.extend(fitting.map(|one| {
                    let span = one.name_span;
                    let range = lines.range(span.start as usize..span.end as usize);
                    lsp::WorkspaceSymbol {
                        name: one.name,
                        kind: texts::symbol_kind(one.kind),
                        tags: None,
                        container_name: Some(path.clone()),
                        location: lsp::OneOf::Left(lsp::Location::new(uri.clone(), range)),
                        data: None,
                    }
                }));
            }
        }
        all.truncate(SYMBOLS_MAX);
        Ok(Some(lsp::WorkspaceSymbolResponse::Nested(all)))
    }

    fn tokens(
        &mut self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>, String> {
        let data = self.coloured(&params.text_document.uri, None);
        Ok(data.map(lsp::SemanticTokensResult::Tokens))
    }

    fn range_tokens(
        &mut self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>, String> {
        let data = self.coloured(&params.text_document.uri, Some(params.range));
        Ok(data.map(lsp::SemanticTokensRangeResult::Tokens))
    }

    fn coloured(&self, uri: &lsp::Uri, range: Option<lsp::Range>) -> Option<lsp::SemanticTokens> {
        let document = self.space.document(uri)?;
        let path = uri::path(uri)?;
        Some(lsp::SemanticTokens {
            result_id: None,
            data: texts::tokens(&document.text, &path.to_string_lossy(), range),
        })
    }

    fn hints(
        &mut self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>, String> {
        let uri = &params.text_document.uri;
        let here = self.space.here(uri, params.range.start);
        Ok(here.map(|here| texts::hints(&here.checked, here.file, params.range)))
    }

    fn lenses(
        &mut self,
        params: lsp::CodeLensParams,
    ) -> Result<Option<Vec<lsp::CodeLens>>, String> {
        Ok(Some(deeds::lenses(
            &mut self.space,
            &params.text_document.uri,
        )))
    }

    // ------------------------------------------------------------------------------------------ deeds

    /// Does what a lens offers; on a thread of its own, since games may be long.
    fn execute(&mut self, request: Request) {
        let id = request.id.clone();
        let wrong = |why: String| Response::new_err(id, ErrorCode::InvalidParams as i32, why);
        let params = match serde_json::from_value::<lsp::ExecuteCommandParams>(request.params) {
            Ok(params) => params,
            Err(error) => return self.send(wrong(error.to_string())),
        };
        let command = params.command.as_str();
        if !deeds::ALL.contains(&command) {
            let known = deeds::ALL.join("`, `");
            return self.send(wrong(format!(
                "there is no command `{command}`, only `{known}`"
            )));
        }
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        let text = |key: &str| argument.get(key).and_then(Value::as_str);
        let uri = text("uri").and_then(|uri| uri.parse::<lsp::Uri>().ok());
        let home = uri.and_then(|uri| self.space.document(&uri)?.home.clone());
        let game = home.and_then(|home| Some((self.space.game(&home.folder)?, home.name)));
        let Some((game, name)) = game else {
            let why = format!("`{command}` wants the `uri` of a text of a game that is open");
            return self.send(wrong(why));
        };
        let deed = match command {
            deeds::CHANGES => Deed::Changes,
            deeds::SIMULATE => Deed::Simulate,
            _ => {
                let Some(title) = text("title") else {
                    let why = "the command wants the `title` of a scenario of this text";
                    return self.send(wrong(why.to_owned()));
                };
                let told = deeds::play(game, &name, title);
                return self.tell(request.id, told);
            }
        };
        let given = Given::of(game, &name);
        let (deeds, sender) = (self.deeds.clone(), self.connection.sender.clone());
        let shows = self.can.shows_answers;
        std::thread::spawn(move || {
            for message in answer(request.id, deeds.done(deed, given), shows) {
                // Nobody waits for it any more: the editor has been closed.
                let _ = sender.send(message);
            }
        });
    }

    fn tell(&self, id: RequestId, told: Result<String, String>) {
        for message in answer(id, told, self.can.shows_answers) {
            self.send(message);
        }
    }
}

/// The answer of a command, and a message for an editor that shows no answers.
fn answer(id: RequestId, told: Result<String, String>, shows: bool) -> Vec<Message> {
    let response: Message = match &told {
        Ok(text) => Response::new_ok(id, text).into(),
        Err(why) => Response::new_err(id, ErrorCode::RequestFailed as i32, why.clone()).into(),
    };
    let mut all = vec![response];
    if let Ok(message) = told
        && !shows
    {
        let params = lsp::ShowMessageParams {
            typ: lsp::MessageType::INFO,
            message,
        };
        all.push(Notification::new(said::ShowMessage::METHOD.to_owned(), params).into());
    }
    all
}

fn params<N: said::Notification>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}
