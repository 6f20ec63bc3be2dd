import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../../src/i18n/index.ts";
import { translated } from "../../src/i18n/said.ts";

beforeEach(() => speak("zh-CN"));
afterEach(() => speak("en"));

/** Sentences as the runtime and the server say them. */
const SENTENCES = [
  "patrol.json: node 11 (action `walk_to`) is entered",
  "patrol.json: node 11 (action `walk_to`) in run 2 exits: aborted by patrol.json: node 1 (select)",
  "patrol.json: node 11 (action `walk_to`) calls `walk_to(1)`",
  'patrol.json: node 11 (action `walk_to`) sets `spot` to {"x":1.5}',
  "patrol.json: node 2 (sequence) guard `not should_flee` does not hold",
  "patrol.json: node 14 (action `walk_to`) failed: no way",
  "patrol.json: node 14 (action `walk_to`) waits for event `hurt` or its completion or until 12.300 s",
  "patrol.json: node 14 (action `walk_to`) waits until poll 7",
  "patrol.json: node 14 (action `walk_to`) is woken: the host finished it with failure",
  "poll 12: `patrol.json`, keys: 5, active nodes: 3",
  "`threat` is set to 0",
  "`flee.json` runs in place of `patrol.json`: an event's tree, at whose end the other resumes, by patrol.json: node 1 (select)",
  "the host fires event `hurt`: attacker = 3",
  "the agent moves to changed trees: kept 3, adopted 0, aborted 1, entered 0",
  "patrol.json runs; at 3.250 s, in poll 14",
  "wolf#2: patrol.json is stopped by a debugger since 3.2 s: let it continue; at 4 s, poll 14 was the last, at 3.2 s",
  "waiting: patrol.json: node 17 (action `walk_to`)",
  "since 3.1 s, for 0.4 s",
  "until 5 s, in 1.5 s",
  "aborted by node 15 (timeout) at 20.4 s, in 11.8 s",
  'with key `spot` = {"x":1.5}',
  "until its `Completion` is finished, by whoever holds it",
  "aborted when guard should_flee() of node 2 (sequence) no longer holds",
  "suspended by event `hurt`, which node 1 (select) takes to run flee.json",
  "refused: patrol.json: node 2 (sequence)",
  'its guard compare_key("prey", ">", 0) does not hold, last evaluated at 3.1 s, in poll 13',
  "its guard `@hp < 0.4 * $max && $alert` does not hold: `@hp` is read of the agent, `$max` is 80, `$alert` is not set, last evaluated at 3.1 s, in poll 13",
  'its guard not `near`(key `distance`, which is not set, key `speed` = 1.5, property `range`, "a") does not hold, last evaluated at 3.1 s, in poll 13',
  "its guard `near`(key `distance`, which is not set) does not hold, last evaluated in poll 13",
  "its guard `near`(5, key `distance` = 9) does not hold, last evaluated in poll 13",
  "its guard `@hp < 3` does not hold: `@hp` is 9, last evaluated in poll 13",
  "with key `way`, which is not set",
  "with 5, property `speed` = 3, key `way`, which is not set",
  "its guard `$max < 3` does not hold: `$max` is 80, last evaluated in poll 13",
  "`$pots`, column 1: it is unset; did you mean `post`?",
  "`$pots`, column 1: it is unset; there is only `post`",
  "`sees($hp)`, column 24: `sees` is not called here: only keys, properties and built-in functions have values",
  "there is no key `pots`; did you mean `post`?",
  "as soon as it holds, it takes over from what runs",
  "forced: patrol.json: node 10 (sequence) ends with failure and does not run: release it to let it run",
  "node 4 cannot go below node 7, which is below it",
  "`hunt.json` is there already: choose another name",
  "only nodes that are next to each other below one node can be wrapped: move them together first",
  "this is not said anywhere",
];

describe("what the runtime and the server say", () => {
  it("has words in Chinese, and nothing of it stays English but names and values", () => {
    const unknown = SENTENCES.filter((sentence) => translated(sentence) === null);
    expect(unknown).toEqual(["this is not said anywhere"]);
    for (const sentence of SENTENCES.slice(0, -1)) {
      const words = translated(sentence)!
        .replaceAll(/`[^`]*`|\{.*\}|[\w#]+\.json|wolf#2|\b\w+\([^)]*\)|no way|attacker = 3/g, "")
        .replaceAll(/\d/g, "");
      expect(words, sentence).not.toMatch(/[A-Za-z]{2,}/);
    }
  });

  it("is as it was in English", () => {
    speak("en");
    for (const sentence of SENTENCES) expect(translated(sentence)).toBe(sentence);
  });
});
