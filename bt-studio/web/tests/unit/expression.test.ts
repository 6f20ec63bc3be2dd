import { describe, expect, it } from "vitest";
import {
  argumentAsExpression,
  callAsExpression,
  expressionsIn,
  isExpression,
  type Named,
  nameAt,
  namesIn,
  offered,
  partBefore,
  partOf,
  wantedAt,
  written,
} from "../../src/model/expression.ts";
import type { Json } from "../../src/model/json.ts";
import type { ArgumentInfo, CallInfo } from "../../src/net/protocol.ts";

function argument(name: string, at: number, more: Partial<ArgumentInfo>): ArgumentInfo {
  return { name, at, ...more } as ArgumentInfo;
}

describe("an expression", () => {
  it("is told from a name by its signs and operators", () => {
    const all = ["$hp < 20", "$alert", "@speed", "1 >= 2", "sees() && near()", "$'hp max'"];
    expect(all.filter((text) => !isExpression(text))).toEqual([]);
    expect(["is_tired", "wait 5", "a$b", "flee.json", "sees()"].filter(isExpression)).toEqual([]);
  });

  it("has names, but for those of the language", () => {
    const text = "$hp < max(@'hp max', 3) && sees($hp)";
    expect(namesIn(text).map(({ sign, name }) => sign + name)).toEqual(["$hp", "@hp max", "sees", "$hp"]);
    expect(nameAt(text, 2)?.name).toBe("hp");
    expect(nameAt(text, 5)).toBeUndefined();
    expect(written({ sign: "$", name: "hp max" })).toBe("$'hp max'");
    expect(written({ sign: "@", name: "speed" })).toBe("@speed");
  });

  it("is gone on with where a name has begun", () => {
    expect(partBefore("$h", 2)).toEqual({ sign: "$", name: "h", from: 0 });
    expect(partBefore("1 < @", 5)).toEqual({ sign: "@", name: "", from: 4 });
    expect(partBefore("$hp && sees", 11)).toEqual({ sign: "", name: "sees", from: 7 });
    expect(partBefore("$hp", 2)).toBeNull();
    expect(partBefore("$pos.x", 6)).toBeNull();
    expect(partBefore("1 < 2", 5)).toBeNull();
  });

  it("is marked where its message says, in characters and lines", () => {
    const part = (text: string, message: string) => {
      const found = partOf(text, message);
      return found && text.slice(found.from, found.to);
    };
    expect(part("$hp = 20", "column 5: `=` is no operator")).toBe("=");
    expect(part("'😀' = 20", "column 5: `=` is no operator")).toBe("=");
    expect(part("$a\n  && $hp = 1", "line 2, column 10: `=` is no operator")).toBe("=");
    expect(part("$hp <", "column 6: expected a value, found the end")).toBe("");
    expect(part("$hp", "is evaluated as a condition")).toBeNull();
  });

  it("begins as what is there", () => {
    expect(argumentAsExpression(argument("x", 0, { key: "hp" }), "0")).toBe("$hp");
    expect(argumentAsExpression(argument("x", 0, { property: "hp" }), "0")).toBe("@hp");
    expect(argumentAsExpression(argument("x", 0, { value: "5" }), "0")).toBe("5");
    expect(argumentAsExpression({ name: "x" } as ArgumentInfo, "0")).toBe("0");
    const list = [argument("a", 0, { value: "5" }), argument("b", 1, { key: "hp" })];
    const call = { name: "near", arguments: list } as CallInfo;
    expect(callAsExpression(call)).toBe("near(5, $hp)");
    const second = { ...call, arguments: [{ name: "a" } as ArgumentInfo, argument("b", 0, { key: "hp" })] };
    expect(callAsExpression(second)).toBe("near(b: $hp)");
  });
});

describe("the expressions of a node", () => {
  it("are those of guards, arguments, numbers, writes and of its kind, each once", () => {
    const extra: { [key: string]: Json } = {
      guards: [
        { if: "$hp < 20", abort: "both" },
        { condition_name: "near", action_args: [] },
      ],
      action_args: [
        { arg_type: "expression", arg_value: "$x + 1" },
        { arg_type: "plain", arg_value: "$x + 2" },
        { arg_type: "blackboard", arg_value: "hp max" },
        { arg_type: "property", arg_value: "speed" },
      ],
      effects: { enter: [{ set: { $count: "$count + 1" } }] },
      count: { arg_type: "expression", arg_value: "$hp < 20" },
    };
    expect(expressionsIn("repeat", extra)).toEqual([
      "$hp < 20",
      "$x + 1",
      "$'hp max'",
      "@speed",
      "$count + 1",
    ]);
    expect(expressionsIn("switch", { on: "$mode", cases: ["a"] })).toEqual(["$mode"]);
    expect(expressionsIn("cooldown", { on: "success", seconds: 3 })).toEqual([]);
    expect(expressionsIn("utility", { scores: ["$a", "2 * $b"], keep: 1 })).toEqual(["$a", "2 * $b"]);
    expect(expressionsIn("for_each", { in: "$targets", as: "one" })).toEqual(["$targets"]);
    expect(expressionsIn("check", { if: "$a" })).toEqual(["$a"]);
    expect(expressionsIn("constructor", { on: "$a" })).toEqual([]);
  });
});

describe("what may be put into an expression", () => {
  const types: Record<string, string> = {
    $hp: "double",
    $name: "string",
    "@alert": "bool",
    distance_to: "double",
    sees: "bool",
    $bag: "array<int32>",
    $any: "any_value",
  };
  const typeOf = ({ sign, name }: Named) => types[sign + name] ?? "";
  /** What is wanted at the bar. */
  const at = (text: string, whole: Parameters<typeof wantedAt>[4] = null) => {
    const place = text.indexOf("|");
    return wantedAt(text.replace("|", ""), place, place, typeOf, whole);
  };

  it("is said by the operators around it", () => {
    expect(at("$hp < |")).toBe("number");
    expect(at("$name == |")).toBe("text");
    expect(at("| != 'wolf'")).toBe("text");
    expect(at("| < $hp")).toBe("number");
    expect(at("1 + |")).toBe("number");
    expect(at("!|")).toBe("bool");
    expect(at("distance_to($enemy) < |")).toBe("number");
    expect(at("@alert == |")).toBe("bool");
    expect(at("| && $hp < 3")).toBe("bool");
  });

  it("is not known where anything may stand", () => {
    expect(at("|", "bool")).toBeNull();
    expect(at("$hp < 3 && |")).toBeNull();
    expect(at("sees(|)")).toBeNull();
    expect(at("$any == |")).toBeNull();
    expect(at("|", "number")).toBe("number");
  });

  it("comes with what fits first, and what cannot fit last", () => {
    const all = Object.entries(types).map(([text, type]) => ({
      sign: (/^[$@]/.exec(text)?.[0] ?? "") as Named["sign"],
      name: text.replace(/^[$@]/, ""),
      type,
    }));
    const names = (name: string, wanted: Parameters<typeof offered>[2]) =>
      offered({ sign: "", name }, all, wanted).map((one) => one.sign + one.name);
    expect(names("", "number").slice(0, 3)).toEqual(["$hp", "distance_to", "$any"]);
    expect(names("a", "text").slice(0, 3)).toEqual(["$any", "$name", "@alert"]);
    expect(names("sees", null)).toEqual([]);
  });
});
