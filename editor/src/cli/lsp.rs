//! `trackwright lsp`: a server for text editors, on the standard streams.

use super::select::{Game, Overlays};
use super::{Context, Exit, Failure, Outcome, Shell, compare, not_writable, rules};
use crate::files;
use crate::lsp::wire::{self, Heard};
use crate::lsp::{Deed, Deeds, Given, extension, serve};
use lsp_server::{Connection, ErrorCode, Message, Notification, Response};
use lsp_types::notification::{Exit as ExitSaid, LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Serve a text editor over the standard streams, by the language server protocol.
#[derive(clap::Args)]
pub struct Args {
    /// Speak over the standard streams: there is no other way, editors name it all the same
    #[arg(long)]
    stdio: bool,
    /// Write the extension for Visual Studio Code into this folder, and say how it is installed
    #[arg(long, value_name = "FOLDER", conflicts_with = "stdio")]
    vscode: Option<PathBuf>,
}

/// Writes the extension into a folder.
fn unpack(shell: &mut Shell, folder: &Path) -> Outcome {
    shell.has_folder(folder)?;
    if is_foreign(&shell.path(folder)) {
        return Err(Failure::call(
            format!("`{}` holds something else already", folder.display()),
            "name a new folder, or one with the extension of before",
        ));
    }
    for (name, text) in extension::FILES {
        let path = folder.join(name);
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(shell.path(above))
                .map_err(|error| not_writable(above, &error))?;
        }
        files::write(&shell.path(&path), text.as_bytes())
            .map_err(|error| not_writable(&path, &error))?;
    }
    let shown = folder.display();
    writeln!(
        shell.out,
        "{shown}: the extension. It is packed and installed there by\n  npm install\n  npm run package\n  code --install-extension trackwright-{}.vsix",
        env!("CARGO_PKG_VERSION")
    )?;
    Ok(Exit::Fine)
}

/// The folder holds something, and that is not this extension.
fn is_foreign(folder: &Path) -> bool {
    let holds = std::fs::read_dir(folder).is_ok_and(|mut all| all.next().is_some());
    let named = |text: &str| {
        let package: serde_json::Value = serde_json::from_str(text).ok()?;
        Some(package.get("name")?.as_str()?.to_owned())
    };
    let of = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let own = extension::FILES
        .iter()
        .find(|(name, _)| *name == "package.json");
    let own = own.and_then(|(_, text)| named(text));
    holds && of("package.json").and_then(|text| named(&text)) != own
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    if let Some(folder) = &args.vscode {
        return unpack(shell, folder);
    }
    let library = shell.library().unwrap_or_default();
    let deeds: Arc<dyn Deeds> = Arc::new(Calls {
        context: Context {
            // Ctrl-C is for whoever started the editor; nobody watches what is told elsewhere.
            interrupts: None,
            err_terminal: false,
            out_color: false,
            err_color: false,
            ..shell.context.clone()
        },
    });
    let (input, out) = (&mut *shell.input, &mut *shell.out);
    let (server, client) = Connection::memory();
    let read = std::thread::scope(|scope| {
        let replies = server.sender.clone();
        let Connection { sender, receiver } = client;
        let talk = scope.spawn(move || serve(&server, &deeds, library));
        scope.spawn(move || {
            for message in receiver {
                // Where nobody listens any more, nobody speaks either: that ends it.
                let _ = message.write(&mut &mut *out);
            }
        });
        loop {
            let message = match wire::read(input)? {
                None => return Ok(true),
                Some(Heard::Message(message)) => message,
                Some(Heard::Wrong(id, wrong)) => {
                    let _ = replies.send(refused(id, &wrong));
                    continue;
                }
            };
            let last =
                matches!(&message, Message::Notification(one) if one.method == ExitSaid::METHOD);
            if sender.send(message).is_err() || last {
                return Ok(talk.join().unwrap_or(false));
            }
        }
    });
    // The protocol wants 1 where the editor goes without saying so before.
    let exit = |in_order: bool| if in_order { Exit::Fine } else { Exit::AtFault };
    read.map(exit).map_err(|error: io::Error| {
        Failure::call(
            error.to_string(),
            "this command is started by a text editor, which speaks to it: docs/editors.md tells how to set one up",
        )
    })
}

/// What is said of something that is no message.
fn refused(id: Option<lsp_server::RequestId>, wrong: &str) -> Message {
    let wrong = format!("this is no message of the protocol: {wrong}");
    match id {
        Some(id) => Response::new_err(id, ErrorCode::InvalidRequest as i32, wrong).into(),
        None => {
            let told = LogMessageParams {
                typ: MessageType::WARNING,
                message: wrong,
            };
            Notification::new(LogMessage::METHOD.to_owned(), told).into()
        }
    }
}

/// Deeds that end in words, done by the commands that have them.
struct Calls {
    context: Context,
}

impl Deeds for Calls {
    fn done(&self, deed: Deed, given: Given) -> Result<String, String> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut shell = Shell {
            context: &self.context,
            games: None,
            input: &mut io::empty(),
            out: &mut out,
            err: &mut err,
        };
        let game = Game {
            called: given.id.clone(),
            id: given.id,
            library: given.library,
            loaded: given.loaded,
        };
        let overlays = Overlays {
            with: given.overlays,
            ..Overlays::default()
        };
        let done = game
            .choose(&mut shell, &overlays)
            .and_then(|chosen| match deed {
                Deed::Changes => rules::changes(&mut shell, &chosen),
                Deed::Simulate => compare::with_base(&mut shell, &chosen),
            });
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        match done {
            Ok(()) if out.is_empty() => {
                Ok("this text is of no expansion or variant: it changes nothing".to_owned())
            }
            Ok(()) => Ok(text(out)),
            Err(Failure::Call { message, help, .. }) => {
                Err(format!("{message}\n{}", help.join("\n")))
            }
            Err(Failure::Said) => Err(text(err)),
            Err(Failure::Io(error)) => Err(error.to_string()),
        }
    }
}
