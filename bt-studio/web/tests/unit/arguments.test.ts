import { describe, expect, it } from "vitest";
import { alike, argumentIn, differing, everywhere, type Other, otherOf } from "../../src/model/alike.ts";
import { type ArgumentPlace, put, reset } from "../../src/model/arguments.ts";
import type { Tab } from "../../src/model/state.ts";
import type { ArgumentInfo, CallInfo, Card, Edit, NodeInfo } from "../../src/net/protocol.ts";
import { treeOf } from "./trees.ts";

function argument(name: string, at?: number, value?: string): ArgumentInfo {
  return {
    name,
    comment: "",
    type_shown: "",
    schema: {},
    optional: true,
    writes: false,
    deprecated: false,
    ...(at !== undefined && { at, mode: "literal", value }),
  } as ArgumentInfo;
}

function callOf(...list: ArgumentInfo[]): CallInfo {
  return {
    caller: "action",
    at: "/extra",
    name_key: "action_name",
    args_key: "action_args",
    name: "walk",
    known: true,
    brief: "",
    returns: "",
    arguments: list,
  };
}

function infoOf(call: CallInfo, extra: object): NodeInfo {
  return {
    call,
    attached: [],
    extra_raw: JSON.stringify(extra),
    keys: [],
    events: [],
    properties: [],
    takes: [],
  };
}

function place(call: CallInfo, at: number, items: object[]): ArgumentPlace {
  return { node: 7, call, argument: call.arguments[at]!, place: at, items: items as never };
}

describe("an argument", () => {
  it("is written at its place, or by its name where others are left out", () => {
    const first = callOf(argument("speed"), argument("far"));
    expect(put(place(first, 0, []), "literal", "3")).toEqual([
      { do: "set", node: 7, at: "/extra/action_args/-", value: '{"arg_type": "plain", "arg_value": 3}' },
    ]);
    expect(put(place(first, 1, []), "key", '"goal"')).toEqual([
      {
        do: "set",
        node: 7,
        at: "/extra/action_args/-",
        value: '{"arg_type": "blackboard", "arg_value": "goal", "arg_name": "far"}',
      },
    ]);
    const given = callOf(argument("speed", 0, "2"));
    expect(put(place(given, 0, [{ arg_type: "plain", arg_value: 2 }]), "literal", "3")).toEqual([
      { do: "set", node: 7, at: "/extra/action_args/0/arg_value", value: "3" },
    ]);
  });

  it("that is taken away leaves those behind it with their names", () => {
    const call = callOf(argument("speed", 0, "2"), argument("far", 1, "true"));
    expect(reset(place(call, 0, [{ arg_value: 2 }, { arg_value: true }]))).toEqual([
      { do: "set", node: 7, at: "/extra/action_args/1/arg_name", value: '"far"' },
      { do: "unset", node: 7, at: "/extra/action_args/0" },
    ]);
    expect(reset(place(callOf(argument("speed")), 0, []))).toEqual([]);
  });
});

describe("nodes that are alike", () => {
  const other = (call: CallInfo, extra: object): Other => otherOf(9, infoOf(call, extra));

  it("are the selected ones of the same kind that call the same", () => {
    const { cards } = treeOf(10, 3);
    const leaves = [...cards.values()].filter((card) => card.kind === "action");
    const tab = (selection: Iterable<number>) => ({ cards, selection: new Set(selection) }) as unknown as Tab;
    expect(alike(tab(cards.keys()), leaves[0] as Card)).toEqual(leaves.slice(1).map(({ idx }) => idx));
    expect(alike(tab([leaves[0]!.idx]), leaves[0] as Card)).toEqual([]);
  });

  it("have the same argument wherever it stands in their lists", () => {
    const own = callOf(argument("speed", 0, "2"), argument("far"));
    const named = callOf(argument("speed", 1, "5"), argument("far", 0, "true"));
    const extra = {
      action_args: [
        { arg_value: true, arg_name: "far" },
        { arg_value: 5, arg_name: "speed" },
      ],
    };
    const found = argumentIn(other(named, extra), own, own.arguments[0]!, 0)!;
    expect(put(found, "literal", "3")).toEqual([
      { do: "set", node: 9, at: "/extra/action_args/1/arg_value", value: "3" },
    ]);
    expect(differing([other(named, extra)], own, own.arguments[0]!, 0)).toEqual(["5"]);
    const stranger = { ...named, name: "run" };
    expect(argumentIn(other(stranger, extra), own, own.arguments[0]!, 0)).toBeUndefined();
  });

  it("change settings only where the pointer means the same", () => {
    const set =
      (at: string) =>
      (node: number): Edit => ({ do: "set", node, at, value: "1" });
    const unset =
      (at: string) =>
      (node: number): Edit => ({ do: "unset", node, at });
    const call = callOf();
    const count = (own: object, extra: object, at: string, make: typeof set) =>
      everywhere([other(call, extra)], own as never, at, make(at)).length;
    expect(count({ seconds: 2 }, {}, "/extra/seconds", set)).toBe(1);
    expect(count({ seconds: 2 }, {}, "/extra/seconds", unset)).toBe(0);
    expect(count({ seconds: 2 }, { seconds: 3 }, "/extra/seconds", unset)).toBe(1);
    expect(count({ prob: [1, 2, 3] }, { prob: [1] }, "/extra/prob/2", set)).toBe(0);
    expect(count({ prob: [1, 2] }, { prob: [1, 1] }, "/extra/prob/1", set)).toBe(1);
    const args = (...names: string[]) => ({ args: names.map((name) => ({ arg_name: name, arg_value: {} })) });
    expect(count(args("a", "b"), args("b", "a"), "/extra/args/0/arg_value/x", set)).toBe(0);
    expect(count(args("a", "b"), args("a"), "/extra/args/0/arg_value/x", set)).toBe(1);
  });
});
