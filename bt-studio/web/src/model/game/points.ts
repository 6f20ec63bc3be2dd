// The breakpoints of the project, which all pages share, and those of a game's other clients.

import type { Methods as PortMethods } from "../../net/port.ts";
import type { Breakpoints, StoredBreakpoint } from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";
import { type GameStore, sessionOf } from "./state.ts";

export class Points {
  constructor(
    private readonly store: GameStore,
    private readonly server: Pick<Server, "call">,
    private readonly others: () => Promise<PortMethods["breakpoints.list"][1]>,
    private readonly refused: (why: string) => void,
  ) {}

  async set(breakpoints: StoredBreakpoint[], stopAll = this.store.getState().stopAll): Promise<void> {
    const before = this.store.getState().breakpoints;
    this.store.setState({ breakpoints });
    try {
      this.take(await this.server.call("breakpoints.put", { breakpoints, stop_all: stopAll }));
    } catch (error) {
      this.store.setState({ breakpoints: before });
      this.refused((error as Error).message);
    }
  }

  async read(): Promise<void> {
    this.take(await this.server.call("breakpoints.get", {}));
  }

  take({ breakpoints, stop_all, problem }: Breakpoints): void {
    if (problem && problem !== this.store.getState().refused) this.refused(problem);
    this.store.setState({ breakpoints, stopAll: stop_all, refused: problem ?? "" });
  }

  /** The breakpoints of other clients, which nobody announces. */
  async readOthers(): Promise<void> {
    const session = sessionOf(this.store.getState());
    if (session?.kind !== "game" || session.state !== "attached") {
      this.store.setState({ others: [] });
      return;
    }
    const { breakpoints } = await this.others();
    this.store.setState({ others: breakpoints.filter(({ own }) => !own) });
  }
}
