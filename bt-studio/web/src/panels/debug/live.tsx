// What a running game says of the nodes of a tree: for the picture, for the outline, and in words.

import { useMemo } from "react";
import { t } from "../../i18n/index.ts";
import { said } from "../../i18n/said.ts";
import type { Tab } from "../../model/state.ts";
import type { Live } from "../../paint/live.ts";
import { useApp } from "../app-context.ts";
import { liveOf } from "./marks.ts";
import { useGame } from "./parts.tsx";

export function useLive(tab: Tab): Live | null {
  const { game } = useApp();
  const moment = useGame((state) => state.moment);
  const sessions = useGame((state) => state.sessions);
  const session = useGame((state) => state.session);
  const agent = useGame((state) => state.agent);
  const at = useGame((state) => state.at);
  const breakpoints = useGame((state) => state.breakpoints);
  const others = useGame((state) => state.others);
  const profile = useGame((state) => state.profile);
  const reloaded = useGame((state) => state.reloaded);
  const scenarios = useGame((state) => state.scenarios);
  const { path, name, game: fixed } = tab;
  return useMemo(() => {
    void [moment, sessions, session, agent, at, breakpoints, others, profile, reloaded, scenarios];
    return liveOf(game.state, { path, name, game: fixed });
  }, [
    game,
    path,
    name,
    fixed,
    moment,
    sessions,
    session,
    agent,
    at,
    breakpoints,
    others,
    profile,
    reloaded,
    scenarios,
  ]);
}

/** What stands on a node, in words. */
export function liveWords(live: Live, idx: number): string[] {
  const words: string[] = [];
  if (live.stopped === idx) words.push(`➤ ${t("game.stopped")}`);
  if (live.active.has(idx)) words.push(`▶ ${t(live.isPast ? "game.was-active" : "game.is-active")}`);
  const waits = live.waits.get(idx);
  if (waits !== undefined) words.push(`◷ ${said(waits)}`);
  const result = live.results.get(idx);
  if (result) words.push(t("game.ended-last", { how: t(`game.result.${result}`) }));
  const forced = live.forced.get(idx);
  if (forced) words.push(`⚠ ${forced.text}`);
  const dot = live.dots.get(idx);
  if (dot) words.push(t(`game.dot.${dot}`));
  const heat = live.heat.get(idx);
  if (heat) words.push(heat.text);
  const covered = live.covered.get(idx);
  if (covered) words.push(covered.text);
  const change = live.changes.get(idx);
  if (change) words.push(`↻ ${change.text}`);
  return words;
}

/** The same in a line of the outline: signs, with their words for who hears them. */
export function Badge({ of: live, idx }: { of: Live; idx: number }) {
  const words = liveWords(live, idx);
  if (words.length === 0) return null;
  const result = live.results.get(idx);
  const signs = [
    live.stopped === idx ? "➤" : "",
    live.active.has(idx) ? "▶" : result === "failure" ? "✕" : result === "success" ? "✓" : result ? "⊘" : "",
    live.forced.has(idx) ? "⚠" : "",
    live.dots.has(idx) ? (live.dots.get(idx) === "off" ? "○" : "●") : "",
    { all: "", some: "◐", none: "○" }[live.covered.get(idx)?.how ?? "all"],
  ].join("");
  return (
    <span className="live-badge" role="img" aria-label={words.join(", ")} data-active={live.active.has(idx)}>
      {signs}
    </span>
  );
}
