// Debugs an agent as VS Code does, by VS Code's own test client. Arguments: bt-meta, the token file of the game, the
// file of its tree, the line of the node `number_add`. The game's bell rings all the time.

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { DebugClient } from "@vscode/debugadapter-testsupport";

const [btMeta, tokenFile, path, lineText] = process.argv.slice(2);
const line = Number(lineText);
const thread = { threadId: 1 };
const client = new DebugClient(btMeta, "dap", "bt");

const variable = async (scope, name) => {
  const answer = await client.variablesRequest({ variablesReference: scope });
  return answer.body.variables.find((one) => one.name === name)?.value;
};
const breakAt = async (...breakpoints) => {
  const answer = await client.setBreakpointsRequest({ source: { path }, breakpoints });
  for (const breakpoint of answer.body.breakpoints) {
    assert.equal(breakpoint.verified, true, breakpoint.message);
  }
};
const evaluate = async (expression) =>
  (await client.evaluateRequest({ expression, context: "repl" })).body.result;
// Answers of `client.xRequest` may come after the event that they lead to.
const stops = async (reason, asked) => {
  const [event] = await Promise.all([client.waitForEvent("stopped"), asked()]);
  assert.equal(event.body.reason, reason);
};
const rung = async () => Number(await evaluate("rung"));

await client.start();
client.defaultTimeout = 30_000;
const able = await client.initializeRequest();
assert.equal(able.body.supportsStepBack, true);
await Promise.all([
  client.waitForEvent("initialized"),
  client.attachRequest({ agent: "0v1", tokenFile, trees: dirname(path) }),
]);

// A breakpoint.
await stops("breakpoint", async () => {
  await breakAt({ line });
  await client.configurationDoneRequest();
});
const threads = await client.threadsRequest();
assert.deepEqual(threads.body.threads, [{ id: 1, name: "0v1" }]);
const stack = await client.stackTraceRequest(thread);
const [top] = stack.body.stackFrames;
assert.deepEqual(
  stack.body.stackFrames.map((frame) => frame.name),
  ["3 action number_add", "1 sequence", "0 root"],
);
assert.equal(top.line, line);
client.assertPath(top.source.path, path);

// Scopes, variables, setting them, the console.
const scopes = await client.scopesRequest({ frameId: top.id });
const names = scopes.body.scopes.map((scope) => scope.name);
assert.deepEqual(names, ["Blackboard", "Properties", "Arguments", "Node"]);
const board = scopes.body.scopes[0].variablesReference;
await client.setVariableRequest({ variablesReference: board, name: "rung", value: "40" });
assert.equal(await variable(board, "rung"), "40");
assert.equal(await evaluate('number_add("rung", 1)'), "success");
assert.equal(await rung(), 41);
assert.equal(await evaluate("rung = 50"), "50");

// Steps, there and back.
await stops("step", () => client.nextRequest(thread));
assert.equal(await rung(), 51);
await stops("step", () => client.stepBackRequest(thread));
assert.notEqual(await rung(), 51);
await stops("step", () => client.nextRequest(thread));
assert.equal(await rung(), 51);
await stops("step", () => client.stepInRequest(thread));
await stops("step", () => client.stepOutRequest(thread));

// A condition, a hit count, data.
await breakAt({ line, condition: "rung >= 60" });
await stops("breakpoint", () => client.continueRequest(thread));
assert.equal(await rung(), 60);
await breakAt({ line, hitCondition: "3" });
await stops("breakpoint", () => client.continueRequest(thread));
assert.equal(await rung(), 63);
await breakAt();
const data = await client.dataBreakpointInfoRequest({ variablesReference: board, name: "rung" });
await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: data.body.dataId }] });
await stops("data breakpoint", () => client.continueRequest(thread));
assert.equal(await rung(), 64);
await client.setDataBreakpointsRequest({ breakpoints: [] });

// What is refused says why.
await assert.rejects(evaluate("nobody"), /there is no key `nobody`/);
await assert.rejects(client.customRequest("fly"), /this debugger has no request `fly`/);

await client.continueRequest(thread);
await stops("pause", () => client.pauseRequest(thread));
await client.stop();
console.log("done");
