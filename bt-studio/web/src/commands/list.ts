// Commands about tree files: of the one in the list that a menu was opened at, else of the one that is shown.

import { entryOf } from "../model/state.ts";
import type { TreeEntry } from "../net/protocol.ts";
import { type Command, type Context, fileOf, isWritable } from "./command.ts";

/** The file that is meant, if it is on the disk. */
function meant(context: Context): TreeEntry | undefined {
  const path = context.ui.getState().listed ?? fileOf(context)?.path;
  return path === undefined ? undefined : entryOf(context.session.state, path);
}

const canChange = (context: Context) => isWritable(context) && meant(context)?.read_only === false;

export const listCommands: Command[] = [
  {
    id: "rename-file",
    group: "file",
    keys: ["Alt+F2"],
    scope: "page",
    line: true,
    when: canChange,
    run: (context) =>
      context.ui.setState({ dialog: { kind: "rename-file", path: meant(context)!.path }, listed: null }),
  },
  {
    id: "duplicate-file",
    group: "file",
    keys: ["Alt+Shift+F2"],
    scope: "page",
    when: (context) => isWritable(context) && meant(context) !== undefined,
    run: (context) =>
      context.ui.setState({ dialog: { kind: "duplicate-file", path: meant(context)!.path }, listed: null }),
  },
  {
    id: "delete-file",
    group: "file",
    keys: ["Mod+Alt+Backspace"],
    scope: "page",
    when: canChange,
    run: (context) =>
      context.ui.setState({ dialog: { kind: "delete-file", path: meant(context)!.path }, listed: null }),
  },
];

/** The menu of a tree in the list. */
export const FILE_MENU = ["rename-file", "duplicate-file", "delete-file"];
