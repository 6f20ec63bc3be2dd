// Commands about files.

import { t } from "../i18n/index.ts";
import { isChanged, type Tab } from "../model/state.ts";
import { focusOn, toast } from "../model/ui.ts";
import { type Command, type Context, fileOf, isWritable, tabOf } from "./command.ts";
import { pickTree } from "./pickers.ts";

function turn({ session }: Context, by: number): void {
  const { tabs, active } = session.state;
  const at = tabs.findIndex((tab) => tab.path === active);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (next) session.activate(next.path);
}

/** Closes tabs; asks first if something is not saved. */
export function close({ session, ui }: Context, paths: string[]): void {
  const changed = session.state.tabs.filter((tab) => paths.includes(tab.path) && isChanged(tab));
  if (changed.length > 0) ui.setState({ dialog: { kind: "close", paths } });
  else for (const path of paths) void session.close(path);
}

/** Saves a document; one that is no tree file yet asks for its path. */
export function save(context: Context, path: string): Promise<boolean> {
  return context.session.save(path);
}

/** Why a document cannot be saved where it is; null if it can. */
function whyNotSaved(context: Context, tab: Tab): string | null {
  if (!isWritable(context)) return t("status.mode-read-only");
  return tab.isReadOnly ? t("status.file-read-only", { path: tab.path }) : null;
}

export const fileCommands: Command[] = [
  {
    id: "new",
    group: "file",
    keys: ["Mod+Alt+N"],
    scope: "page",
    when: (context) => context.session.state.project !== null,
    run: ({ ui }) => ui.setState({ dialog: { kind: "new" } }),
  },
  {
    id: "open",
    group: "file",
    keys: ["Mod+O"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: pickTree,
  },
  {
    id: "save",
    line: true,
    group: "file",
    keys: ["Mod+S"],
    scope: "page",
    when: (context) => fileOf(context) !== undefined,
    run: (context) => {
      const tab = fileOf(context)!;
      const why = whyNotSaved(context, tab);
      return why ? toast(context.ui, "error", why) : save(context, tab.path);
    },
  },
  {
    id: "save-as",
    group: "file",
    keys: ["Mod+Shift+S"],
    scope: "page",
    when: (context) => fileOf(context) !== undefined && isWritable(context),
    run: (context) => context.ui.setState({ dialog: { kind: "save-as", path: fileOf(context)!.path } }),
  },
  {
    id: "save-all",
    group: "file",
    keys: ["Mod+Alt+S"],
    scope: "page",
    when: (context) => isWritable(context) && context.session.state.tabs.some(isChanged),
    run: async (context) => {
      for (const tab of context.session.state.tabs.filter(isChanged)) await save(context, tab.path);
    },
  },
  {
    id: "close",
    line: true,
    group: "file",
    keys: ["Mod+Alt+W"],
    scope: "page",
    when: (context) => tabOf(context) !== undefined,
    run: (context) => close(context, [tabOf(context)!.path]),
  },
  {
    id: "close-all",
    group: "file",
    keys: ["Mod+Alt+Shift+W"],
    scope: "page",
    when: ({ session }) => session.state.tabs.length > 0,
    run: (context) =>
      close(
        context,
        context.session.state.tabs.map((tab) => tab.path),
      ),
  },
  {
    id: "next-tab",
    line: true,
    group: "file",
    keys: ["]"],
    scope: "tree",
    when: ({ session }) => session.state.tabs.length > 1,
    run: (context) => turn(context, 1),
  },
  {
    id: "previous-tab",
    group: "file",
    keys: ["["],
    scope: "tree",
    when: ({ session }) => session.state.tabs.length > 1,
    run: (context) => turn(context, -1),
  },
  {
    id: "reload",
    line: true,
    group: "file",
    keys: ["Mod+Alt+R"],
    scope: "page",
    when: (context) => fileOf(context) !== undefined,
    run: (context) => context.session.reload(fileOf(context)!.path),
  },
  {
    id: "compare",
    group: "file",
    keys: ["Mod+Alt+D"],
    scope: "page",
    when: (context) => fileOf(context)?.isTree === true,
    run: (context) => context.ui.setState({ dialog: { kind: "compare", path: fileOf(context)!.path } }),
  },
  {
    id: "refresh",
    group: "file",
    keys: ["Mod+Alt+E"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ session, ui }) =>
      session.server.call("catalogue.refresh", {}).catch((error: Error) => toast(ui, "error", error.message)),
  },
  {
    id: "trees",
    line: true,
    group: "file",
    keys: ["Mod+Shift+E"],
    scope: "page",
    run: ({ ui }) => {
      ui.setState({ left: "trees" });
      focusOn(ui, "trees");
    },
  },
];
