// What is dragged, beside the pointer: a card, where it would be put, and the keys that do the same.

import type { Context } from "../commands/command.ts";
import { isMac, keysOf, shownKey } from "../commands/keys.ts";
import { commandOf } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { titleOf } from "../i18n/kinds.ts";
import type { Drop } from "../layout/drop.ts";
import type { Tab } from "../model/state.ts";
import type { Card } from "../net/protocol.ts";

export interface Carried {
  symbol: string;
  group: string;
  name: string;
}

/** The first keys of a command, as people read them. */
export function keysFor({ ui }: Context, id: string): string {
  const command = commandOf(id);
  const key = command && keysOf(command, ui.getState().keys)[0];
  return key ? shownKey(key, isMac(navigator.platform)) : "";
}

/** Where something would be put, in words. */
export function dropWords(tab: Tab, { parent, at }: Drop): string {
  const above = tab.cards.get(parent);
  if (!above) return "";
  const name = (idx: number | undefined) => {
    const card: Card | undefined = idx === undefined ? undefined : tab.cards.get(idx);
    return card && `${titleOf(card)} #${card.idx}`;
  };
  const into = `${titleOf(above)} #${above.idx}`;
  const before = name(above.children[at]);
  const behind = name(above.children[at - 1]);
  if (behind) return t("drop.behind", { parent: into, sibling: behind });
  return before ? t("drop.before", { parent: into, sibling: before }) : t("drop.into", { parent: into });
}

export function showGhost(carried: Carried, words: string, keys: string, x: number, y: number): void {
  const ghost = document.getElementById("ghost");
  if (!ghost) return;
  const part = (name: string) => {
    const element = document.createElement("div");
    element.className = name;
    return element;
  };
  const [card, place, keyboard] = [part("ghost-card"), part("ghost-place"), part("ghost-keys")];
  const symbol = document.createElement("span");
  symbol.className = "symbol";
  symbol.dataset.group = carried.group;
  symbol.textContent = carried.symbol;
  card.append(symbol, ` ${carried.name}`);
  place.textContent = words || t("drop.nowhere");
  keyboard.textContent = keys;
  ghost.replaceChildren(card, place, keyboard);
  ghost.hidden = false;
  const box = ghost.getBoundingClientRect();
  ghost.style.left = `${Math.min(x + 14, window.innerWidth - box.width - 4)}px`;
  ghost.style.top = `${Math.min(y + 10, window.innerHeight - box.height - 4)}px`;
}

export function hideGhost(): void {
  const ghost = document.getElementById("ghost");
  if (ghost) ghost.hidden = true;
}
