// The one table of what a person can do. Menus, shortcuts, the palette and the help page are made from it.

import { agentCommands } from "./agent.ts";
import { type Command, type Context, isAvailable } from "./command.ts";
import { debugCommands } from "./debug.ts";
import { editCommands } from "./edit.ts";
import { fileCommands } from "./file.ts";
import { listCommands } from "./list.ts";
import { logCommands } from "./log.ts";
import { playCommands } from "./play.ts";
import { treeCommands } from "./tree.ts";
import { viewCommands } from "./view.ts";

export const COMMANDS: Command[] = [
  ...fileCommands,
  ...listCommands,
  ...editCommands,
  ...treeCommands,
  ...viewCommands,
  ...debugCommands,
  ...playCommands,
  ...agentCommands,
  ...logCommands,
];

const byId = new Map(COMMANDS.map((command) => [command.id, command]));

export function commandOf(id: string): Command | undefined {
  return byId.get(id);
}

export function run(id: string, context: Context): void {
  const command = byId.get(id);
  if (command && isAvailable(command, context)) void command.run(context);
}
