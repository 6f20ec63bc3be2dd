// Starts `bt-meta dap` for each debug session and `bt-meta mcp` for assistants, and shows what `bt-meta validate` finds when a
// tree is saved.

const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");

/** The longest that a check takes, in milliseconds: the first one may build the game. */
const TIMEOUT = 600_000;

const setting = (name, scope) => vscode.workspace.getConfiguration("bt", scope).get(name);

/** The folder of the trees in a workspace folder. */
const treesOf = (folder) => path.join(folder.uri.fsPath, setting("trees", folder) ?? "trees");

/** The problems of a folder of trees, by their files. */
function problemsIn(trees, report) {
  const found = new Map();
  for (const finding of report.findings) {
    const line = Math.max(0, (finding.line ?? 1) - 1);
    const column = Math.max(0, (finding.column ?? 1) - 1);
    const end = Math.max(column + 1, (finding.end_column ?? 1) - 1);
    const help = finding.help ? `\n${finding.help}` : "";
    const { Error, Warning } = vscode.DiagnosticSeverity;
    const problem = new vscode.Diagnostic(
      new vscode.Range(line, column, line, end),
      finding.message + help,
      finding.level === "error" ? Error : Warning,
    );
    problem.source = "bt-meta";
    problem.code = finding.code;
    const file = path.resolve(trees, finding.file);
    found.set(file, [...(found.get(file) ?? []), problem]);
  }
  return found;
}

/** Checks the trees of the folder that a file is in. */
function check(document, shown) {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  if (!folder || !/\.(json|bt)$/.test(document.fileName)) return;
  const trees = treesOf(folder);
  const agents = setting("agents", folder) ?? [];
  const inside = path.relative(trees, document.fileName);
  if (agents.length === 0 || inside.startsWith("..") || path.isAbsolute(inside)) return;
  const args = ["validate", trees, "--format", "json", "--quiet", ...agents];
  const options = { cwd: folder.uri.fsPath, maxBuffer: 64 << 20, timeout: TIMEOUT };
  return new Promise((resolve) => {
    execFile(setting("command", folder) ?? "bt-meta", args, options, (error, output) => {
      try {
        const report = JSON.parse(output);
        shown.clear();
        for (const [file, problems] of problemsIn(folder.uri.fsPath, report)) {
          shown.set(vscode.Uri.file(file), problems);
        }
      } catch {
        // It found nothing out: the agents cannot be built, say.
        console.error(`bt-meta validate: ${error?.message ?? "no JSON"}`);
      }
      resolve();
    });
  });
}

/** The servers for assistants, one for each workspace folder that has trees. */
function servers() {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map((folder) => {
    const args = ["mcp", treesOf(folder), ...(setting("agents", folder) ?? []), ...(setting("assistant", folder) ?? [])];
    const server = new vscode.McpStdioServerDefinition(
      `Behaviour trees of ${folder.name}`,
      setting("command", folder) ?? "bt-meta",
      args,
    );
    server.cwd = folder.uri;
    return server;
  });
}

function activate(context) {
  const factory = {
    createDebugAdapterDescriptor() {
      return new vscode.DebugAdapterExecutable(setting("command") ?? "bt-meta", ["dap"]);
    },
  };
  const shown = vscode.languages.createDiagnosticCollection("bt-meta");
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("bt", factory),
    shown,
    vscode.workspace.onDidSaveTextDocument((document) => check(document, shown)),
    vscode.lm.registerMcpServerDefinitionProvider("bt", { provideMcpServerDefinitions: servers }),
  );
}

module.exports = { activate, check, servers };
