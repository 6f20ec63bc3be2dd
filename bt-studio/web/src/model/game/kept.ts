// What is shown again when the page is loaded anew.

import type { GameState } from "./state.ts";

const KEY = "bt-studio-game";

export interface Shown {
  session: number;
  agent: string;
  at: number | null;
}

export class Kept {
  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem"> | null) {}

  write({ session, agent, at }: GameState): void {
    try {
      this.storage?.setItem(KEY, JSON.stringify({ session, agent, at }));
    } catch {
      // A browser that stores nothing: the agent is chosen anew.
    }
  }

  read(): Shown | null {
    try {
      const shown = JSON.parse(this.storage?.getItem(KEY) ?? "") as Shown;
      return typeof shown.session === "number" && typeof shown.agent === "string" ? shown : null;
    } catch {
      return null;
    }
  }
}
