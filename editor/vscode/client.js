// Starts `trackwright lsp` and lets it speak; shows what its commands answer.
"use strict";

const { workspace, window, commands, Uri, ViewColumn } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The commands of the server that answer with a text. */
const TITLES = {
  "trackwright.runScenario": "Scenario",
  "trackwright.simulate": "Simulation",
  "trackwright.showChanges": "Changes",
};

let client;

function settings() {
  return workspace.getConfiguration("trackwright");
}

/** Shows a text beside the editor; it is nobody's file. */
async function show(title, text) {
  const document = await workspace.openTextDocument({ content: `${title}\n\n${text}\n`, language: "plaintext" });
  await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true, preserveFocus: true });
}

async function start() {
  const run = { command: settings().get("path"), args: ["lsp"] };
  client = new LanguageClient("trackwright", "trackwright", { run, debug: run }, {
    documentSelector: [
      { scheme: "file", language: "trackwright" },
      { scheme: "file", language: "toml" },
    ],
    initializationOptions: { with: settings().get("with"), showsAnswers: true },
    synchronize: {
      configurationSection: "trackwright",
      fileEvents: workspace.createFileSystemWatcher("**/*.{rules,toml,scenario,md}"),
    },
    middleware: {
      async executeCommand(command, given, next) {
        const answer = await next(command, given);
        if (typeof answer === "string") {
          await show(TITLES[command] ?? command, answer);
        }
        return answer;
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`trackwright cannot be started (${error.message}); the setting \`trackwright.path\` says where it is.`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => {});
}

/** The folder of the game that a file lies in. */
async function gameOf(uri) {
  for (let folder = Uri.joinPath(uri, ".."); ; ) {
    try {
      await workspace.fs.stat(Uri.joinPath(folder, "game.toml"));
      return folder.fsPath;
    } catch {
      const above = Uri.joinPath(folder, "..");
      if (above.path === folder.path) {
        return undefined;
      }
      folder = above;
    }
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("trackwright.restart", async () => {
      await stop();
      await start();
    }),
    commands.registerCommand("trackwright.play", async () => {
      const uri = window.activeTextEditor?.document.uri;
      const folder = uri && (await gameOf(uri));
      if (!folder) {
        window.showInformationMessage("Open a file of a game first.");
        return;
      }
      const terminal = window.createTerminal({ name: "trackwright", shellPath: settings().get("path"), shellArgs: ["edit", folder] });
      terminal.show(true);
    }),
  );
  await start();
};

exports.deactivate = stop;
