import { describe, expect, it } from "vitest";
import { countsOf, marksOf } from "../../src/model/state.ts";
import { hardened, softened } from "../../src/model/unfinished.ts";
import type { Finding } from "../../src/net/protocol.ts";

function finding(code: string, node: number | null, level = "error"): Finding {
  return { code, name: "", level, node, pointer: "", message: "" };
}

describe("what a new node lacks", () => {
  const all = [
    finding("BT0023", 1),
    finding("BT0023", 2),
    finding("BT0034", 1),
    finding("BT0067", null, "warning"),
  ];

  it("is still to do, and what is wrong with it otherwise is an error", () => {
    const found = softened(all, new Set([1]));
    expect(found.map(({ level }) => level)).toEqual(["todo", "error", "error", "warning"]);
    expect(countsOf(found)).toEqual({ errors: 2, warnings: 1, todo: 1 });
    expect([...marksOf(softened([all[0]!], new Set([1])))]).toEqual([]);
  });

  it("holds back what is said of the tree as a whole", () => {
    const never = finding("BT0061", 0, "warning");
    expect(softened([never, all[0]!], new Set([1])).map(({ code }) => code)).toEqual(["BT0023"]);
    expect(softened([never, all[0]!], new Set())).toEqual([never, all[0]]);
    expect(softened([never], new Set([1]))).toEqual([never]);
  });

  it("is an error once the tree is saved", () => {
    expect(hardened(softened(all, new Set([1])))).toEqual(all);
  });
});
