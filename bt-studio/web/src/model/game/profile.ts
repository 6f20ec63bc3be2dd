// How often nodes run and how long they take, as a game measures it on request.

import type { Methods as PortMethods } from "../../net/port.ts";
import type { GameStore } from "./state.ts";

type Ask = <M extends "profile.start" | "profile.get" | "profile.stop">(
  method: M,
  params: PortMethods[M][0],
) => Promise<PortMethods[M][1]>;

export class Profile {
  constructor(
    private readonly store: GameStore,
    private readonly ask: Ask,
  ) {}

  /** Of all agents, or of the one that is shown. */
  async start(): Promise<void> {
    const { agent, profileOne } = this.store.getState();
    await this.ask("profile.start", profileOne && agent !== null ? { agents: [agent] } : {});
    this.store.setState({ profiling: true, profile: { agents: 0, nodes: [] } });
  }

  async stop(): Promise<void> {
    const profile = await this.ask("profile.stop", {});
    this.store.setState({ profiling: false, profile });
  }

  async read(): Promise<void> {
    const profile = await this.ask("profile.get", {});
    if (this.store.getState().profiling) this.store.setState({ profile });
  }

  clear(): void {
    this.store.setState({ profile: null, profiling: false });
  }
}
