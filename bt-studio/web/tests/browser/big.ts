// Large trees, and how long the page takes with them.

import type { Page } from "playwright-core";

/** A tree of this many nodes: composites of four children, actions with arguments and guards at the ends. */
export function bigTree(count: number): string {
  const nodes = [];
  for (let idx = 0; idx < count; idx++) {
    const children: number[] = [];
    const first = idx === 0 ? 1 : idx * 4 - 2;
    for (let child = first; child < first + (idx === 0 ? 1 : 4) && child < count; child++)
      children.push(child);
    const parent = idx === 0 ? undefined : idx === 1 ? 0 : Math.floor((idx + 2) / 4);
    const isLeaf = children.length === 0;
    const guards = [{ condition_name: "should_flee", condition_args: [] }];
    const leaf = {
      action_name: "wait_for_seconds",
      action_args: [{ arg_type: "plain", arg_value: idx % 9 }],
      ...(idx % 7 === 0 && { guards }),
    };
    nodes.push({
      children,
      color: 0xffffffff,
      comment: idx % 5 === 0 ? `Node number ${idx} waits for a while.` : "",
      extra: idx === 0 ? { agent_name: "monster_agent" } : isLeaf ? leaf : {},
      idx,
      is_collapsed: false,
      ...(parent !== undefined && { parent }),
      type: idx === 0 ? "root" : isLeaf ? "action" : ["sequence", "select"][idx % 2],
    });
  }
  return JSON.stringify({ extra: {}, name: "big.json", nodes }, null, 2);
}

/** An element that is to be in the page, and a text that it is to contain. */
export interface Wanted {
  selector: string;
  text?: string;
}

/**
 * The time from a press of keys until the page shows what it is to show, in milliseconds. What takes long after that
 * frame counts, too: the page is not free before.
 */
export async function took(page: Page, keys: string, wanted: Wanted): Promise<number> {
  await page.evaluate(({ selector, text }) => {
    (window as never as Record<string, unknown>).took = new Promise((done) => {
      const onKey = () => {
        const pressed = performance.now();
        const look = () => {
          const shown = document.querySelector(selector);
          if (!shown || (text && !shown.textContent?.includes(text))) requestAnimationFrame(look);
          else requestAnimationFrame(() => setTimeout(() => done(performance.now() - pressed)));
        };
        requestAnimationFrame(look);
      };
      document.addEventListener("keydown", onKey, { once: true, capture: true });
    });
  }, wanted);
  await page.keyboard.press(keys);
  return page.evaluate(() => (window as never as Record<string, Promise<number>>).took as Promise<number>);
}
