// Commands about the row of the log that has the focus.

import { t } from "../i18n/index.ts";
import { partsOf } from "../model/game/log.ts";
import { focusOn } from "../model/ui.ts";
import type { Row } from "../net/protocol.ts";
import { goToNode } from "./agent.ts";
import type { Command, Context } from "./command.ts";
import { toggleBreakpoint } from "./debug.ts";

const rowOf = ({ game }: Context): Row | undefined => game.log.row;
const hasNumber = ({ game }: Context) => game.log.number !== null;
const hasNode = (context: Context) => typeof rowOf(context)?.idx === "number";

function seek({ game }: Context): void {
  const no = game.log.number;
  if (no !== null) game.seek(no);
}

/** Adds the row's own kind to the filter. */
function filter(context: Context, list: "include" | "exclude"): void {
  const { game } = context;
  const text = wordOf(rowOf(context)!);
  const parts = partsOf(game.state.log[list]);
  if (parts.includes(text)) return;
  void game.try(game.log.filter({ [list]: [...parts, text].join(", ") }));
}

/** What rows like this one have in common: a key, a property, else the node, else what happened. */
function wordOf(row: Row): string {
  const quoted = /`([^`]+)`/.exec(row.text)?.[1];
  if (row.cmd.startsWith("bb_") || row.cmd === "property_set") return quoted ?? row.text;
  if (row.tree && typeof row.idx === "number") return `${row.tree}: node ${row.idx} `;
  return quoted ?? row.text;
}

export const LOG_MENU = [
  "log-picture",
  "log-keys",
  "log-node",
  "log-breakpoint",
  "",
  "log-cause",
  "log-comment",
  "keep-side",
  "",
  "log-include",
  "log-exclude",
  "log-all",
];

function command(id: string, key: string, when: Command["when"], run: Command["run"]): Command {
  return { id: `log-${id}`, group: "agent", keys: [key], scope: "log", when, run };
}

export const logCommands: Command[] = [
  command("picture", "Enter", hasNumber, seek),
  command("keys", "K", hasNumber, (context) => {
    seek(context);
    context.ui.setState({ right: true, beside: "agent" });
    focusOn(context.ui, "agent");
  }),
  command("node", "G", hasNode, (context) => {
    const row = rowOf(context)!;
    return context.game.try(goToNode(context, row.tree, row.idx));
  }),
  command("breakpoint", "B", hasNode, (context) => {
    const row = rowOf(context)!;
    if (row.tree) toggleBreakpoint(context, { tree: row.tree, idx: row.idx! });
  }),
  command("cause", "W", hasNode, async (context) => {
    const { game } = context;
    const row = rowOf(context)!;
    const found = await game.cause({ at: row.no, node: { tree: row.tree ?? "", idx: row.idx! } });
    const to = found.because ?? found.row;
    if (to) await game.log.show(to.no);
    game.answer(t("answer.why-failed", { tree: row.tree, idx: row.idx }), [found.text]);
  }),
  command("comment", "C", hasNumber, ({ game, ui }) =>
    ui.setState({ dialog: { kind: "note", no: game.log.number!, text: game.log.row?.comment ?? "" } }),
  ),
  command(
    "include",
    "I",
    (context) => rowOf(context) !== undefined,
    (context) => filter(context, "include"),
  ),
  command(
    "exclude",
    "X",
    (context) => rowOf(context) !== undefined,
    (context) => filter(context, "exclude"),
  ),
  command(
    "all",
    "A",
    ({ game }) => game.state.log.filter !== null,
    ({ game }) => game.try(game.log.filter({ include: "", exclude: "" })),
  ),
];
