// Keys of the blackboard, declared.

import { step } from "../model/json.ts";
import type { Context } from "./command.ts";

/** Declares a key at a node: at the root for all of the tree. */
export function declareKey({ session }: Context, node: number, name: string, type: string): void {
  const value = JSON.stringify({ type });
  void session.edit(
    { key: "step.add-key", args: { name } },
    () => [{ do: "set", node, at: `/extra/blackboard${step(name)}`, value }],
    (now) => [...now.selection],
  );
}
