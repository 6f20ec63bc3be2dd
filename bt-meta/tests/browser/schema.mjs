// What VS Code's JSON engine says of trees by a generated schema. Arguments: the schema, and a file with a list of `name`,
// `text` and `says` (what must stand in the diagnostics, one for each) or `offers` (the completion that must be offered at `|`
// in the text); with that taken, nothing is wrong with the tree.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import languageService from "vscode-json-languageservice";

const { getLanguageService, TextDocument } = languageService;

const [schemaFile, casesFile] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const uri = "file:///trees.schema.json";
const service = getLanguageService({
  schemaRequestService: (asked) => Promise.reject(new Error(`nobody has ${asked}`)),
  clientCapabilities: {
    textDocument: {
      completion: { completionItem: { documentationFormat: ["markdown", "plaintext"], snippetSupport: true } },
    },
  },
});
service.configure({
  validate: true,
  allowComments: false,
  schemas: [{ uri, fileMatch: ["*.json"], schema: read(schemaFile) }],
});

const diagnose = async (document) => {
  const found = await service.doValidation(document, service.parseJSONDocument(document));
  return found.map(({ message }) => message);
};
const create = (text) => TextDocument.create("file:///tree.json", "json", 1, text);
// What a snippet leaves where all its places are taken as they are.
const filled = (snippet) => snippet.replace(/\$\{\d+:((?:\\.|[^\\}])*)\}/g, "$1").replace(/\\([$}\\])/g, "$1");

for (const { name, text, says, offers } of read(casesFile)) {
  if (offers === undefined) {
    const found = await diagnose(create(text));
    assert.equal(found.length, says.length, `${name}: ${JSON.stringify(found)}`);
    for (const words of says) {
      assert(found.some((one) => one.includes(words)), `${name}: "${words}" in ${JSON.stringify(found)}`);
    }
    continue;
  }
  const document = create(text.replace("|", ""));
  const at = document.positionAt(text.indexOf("|"));
  const { items } = await service.doComplete(document, at, service.parseJSONDocument(document));
  const offered = items.find(({ label }) => label === offers);
  assert(offered, `${name}: "${offers}" in ${JSON.stringify(items.map(({ label }) => label))}`);
  const edit = { ...offered.textEdit, newText: filled(offered.textEdit.newText) };
  const taken = TextDocument.applyEdits(document, [edit]);
  assert.deepEqual(await diagnose(create(taken)), [], `${name}: ${taken}`);
}
console.log("done");
