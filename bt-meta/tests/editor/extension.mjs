// The extension for VS Code, with a stand-in for VS Code: its grammar, its problems, its servers.
// node extension.mjs BT_META WORKSPACE

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const [command, workspace] = process.argv.slice(2);
const editors = join(dirname(fileURLToPath(import.meta.url)), "../../../editors/vscode");
const file = (name) => readFileSync(join(editors, name), "utf8");

async function grammar() {
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new OnigScanner(patterns),
    createOnigString: (text) => new OnigString(text),
  });
  const name = "bt-script.tmLanguage.json";
  const registry = new Registry({ onigLib, loadGrammar: async () => parseRawGrammar(file(name), name) });
  return registry.loadGrammar("source.bt-script");
}

/** What each word of a line is. */
function words(grammar, line) {
  const tokens = grammar.tokenizeLine(line, INITIAL).tokens;
  const words = tokens.map(({ startIndex, endIndex, scopes }) => [
    line.slice(startIndex, endIndex).trim(),
    scopes.at(-1).replace(".bt-script", ""),
  ]);
  return Object.fromEntries(words.filter(([word]) => word !== ""));
}

const read = await grammar();
for (const [line, expected] of [
  ["AGENT sentry  # it stands", { AGENT: "keyword.other.declaration", sentry: "entity.name.type", "# it stands": "comment.line.number-sign" }],
  ["    GUARD NOT SELF is_enemy $enemy", { GUARD: "keyword.control.guard", "NOT SELF": "storage.modifier", is_enemy: "entity.name.function", $enemy: "variable.other.key" }],
  ["  GUARD $hp < 20", { $hp: "variable.other.key", "<": "keyword.operator", 20: "constant.numeric" }],
  ["  SERVICE 0.5 look_around", { SERVICE: "keyword.control.service", 0.5: "constant.numeric", look_around: "entity.name.function" }],
  ["  ON EXIT SET $n = $n + 1", { ON: "keyword.control.effect", EXIT: "storage.modifier", SET: "keyword.control" }],
  ["  chase $enemy, @run_speed, 1.5", { chase: "entity.name.function", "@run_speed": "variable.other.property", 1.5: "constant.numeric" }],
  ['SEQUENCE True', { SEQUENCE: "keyword.control", True: "constant.language" }],
  ['  PROBILITY {"prob": [4, 1]}', { PROBILITY: "keyword.control", prob: "string.quoted.double", 4: "constant.numeric" }],
  ["# whole", { "# whole": "comment.line.number-sign" }],
]) {
  const found = words(read, line);
  for (const [word, scope] of Object.entries(expected)) assert.equal(found[word], scope, `${line}: ${word}`);
}

/** As much of VS Code as the extension uses. */
const settings = { command, trees: "trees", agents: ["--catalogue", "editor/agents.json"], assistant: ["--read-only"] };
const folder = { name: "monster", uri: { fsPath: workspace } };
const problems = new Map();
let saved;
const vscode = {
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticSeverity: { Error: 0, Warning: 1 },
  McpStdioServerDefinition: class { constructor(label, command, args) { Object.assign(this, { label, command, args }); } },
  Range: class { constructor(...at) { this.at = at; } },
  Uri: { file: (path) => path },
  debug: { registerDebugAdapterDescriptorFactory: () => ({}) },
  languages: { createDiagnosticCollection: () => ({ clear: () => problems.clear(), set: (file, all) => problems.set(file, all) }) },
  lm: { registerMcpServerDefinitionProvider: (_, provider) => provider },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    getWorkspaceFolder: () => folder,
    onDidSaveTextDocument: (listener) => (saved = listener),
    workspaceFolders: [folder],
  },
};
const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(join(editors, "extension.js"));
extension.activate({ subscriptions: [] });
const tree = join(workspace, "trees/flee.json");
await saved({ fileName: tree, uri: tree });
const [found] = problems.get(tree);
assert.equal(found.code, "BT0034");
assert.ok(found.range.at[0] > 0 && found.severity === 0, found);
const [server] = extension.servers();
assert.deepEqual(server.args, ["mcp", join(workspace, "trees"), ...settings.agents, "--read-only"]);
const declared = JSON.parse(file("package.json")).contributes;
assert.equal(declared.mcpServerDefinitionProviders[0].id, "bt");
for (const { path } of declared.grammars) JSON.parse(file(path));
console.log("all of the extension");
