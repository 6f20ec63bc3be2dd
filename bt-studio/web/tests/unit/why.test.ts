// What the runtime says of why an agent waits: what decides comes first.

import { describe, expect, it } from "vitest";
import { explained, isDecisive, withProperties } from "../../src/model/game/why.ts";

const REFUSED = ["refused: a.json: node 2 (action `attack`)", "  its guard `sees` does not hold"];
const WAITING = [
  "waiting: a.json: node 3 (wait_event `heard`)",
  "  since 10 s",
  "    refused: is a word here",
];
const FAILED = ["failed: a.json: node 4 (action `fetch`)", "  40 kg are too heavy"];

describe("an explanation", () => {
  it("begins with the leaf that waits: guards that do not hold meanwhile decide nothing", () => {
    const all = explained(["a.json runs; at 12 s", ...REFUSED, ...WAITING, ""].join("\n"));
    expect(all.state).toBe("a.json runs; at 12 s");
    expect(all.deciding?.kind).toBe("waiting");
    expect(all.deciding?.lines.map(({ depth }) => depth)).toEqual([2, 4]);
    expect(all.others.map((part) => isDecisive(all, part))).toEqual([false]);
  });

  it("begins with what failed where nothing waits, and with the guards where nothing failed", () => {
    expect(explained([...REFUSED, ...FAILED].join("\n")).deciding?.kind).toBe("failed");
    const all = explained([...REFUSED, ...REFUSED].join("\n"));
    expect(all.deciding?.kind).toBe("refused");
    expect(all.others.map((part) => isDecisive(all, part))).toEqual([true]);
  });

  it("puts what failed in an earlier poll last: the guard that refuses now decides", () => {
    const of = (last: number) =>
      [
        "a.json failed in the last poll, and begins again in the next; at 9.9 s, in poll 99",
        `failed: a.json: node 4 (action \`fetch\`): too heavy (47 times of late, last at 4.7 s, in poll ${last})`,
        ...REFUSED,
      ].join("\n");
    expect(explained(of(99)).deciding?.kind).toBe("failed");
    expect(explained(of(47)).deciding?.kind).toBe("refused");
  });

  it("has the values of properties, which the runtime does not read for it", () => {
    const text = [
      "  its guard `@hp < $max` does not hold: `@hp` is read of the agent, `$max` is 3",
      "  its guard `near`(property `range`, property `gone`) does not hold",
      "  with property `range` = 7",
    ].join("\n");
    expect(withProperties(text, { hp: 73, range: 5 })).toBe(
      [
        "  its guard `@hp < $max` does not hold: `@hp` is 73, `$max` is 3",
        "  its guard `near`(property `range` = 5, property `gone`) does not hold",
        "  with property `range` = 7",
      ].join("\n"),
    );
  });

  it("says that nothing decides where nothing waits", () => {
    expect(explained("a.json runs; at 12 s\n").deciding).toBeNull();
  });
});
