// Keys of the blackboard, declared.

import { step } from "../model/json.ts";
import { isType } from "../model/types.ts";
import type { Context } from "./command.ts";

/** Declares a key at a node: at the root for all of the tree. What is no type of a key becomes any value. */
export function declareKey({ session }: Context, node: number, name: string, type: string): void {
  const value = JSON.stringify({ type: isType(type) ? type : "any_value" });
  void session.edit(
    { key: "step.add-key", args: { name } },
    () => [{ do: "set", node, at: `/extra/blackboard${step(name)}`, value }],
    (now) => [...now.selection],
  );
}
