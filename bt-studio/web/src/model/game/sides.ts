// What is beside what is shown: another agent, or another moment of the same.

import type { AgentRow, History } from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";
import { Latest } from "./latest.ts";
import { agentName, type GameStore, type Side } from "./state.ts";

export class Sides {
  private readonly reads: Latest;

  constructor(
    private readonly store: GameStore,
    private readonly server: Pick<Server, "call">,
    /** Follows an agent no more, unless it is compared. */
    private readonly leave: (session: number, agent: string) => void,
    pause: number,
  ) {
    this.reads = new Latest(() => this.read(), pause);
  }

  /** Keeps what is shown, to be compared with what is shown next. Of an agent that was chosen just now it is read first. */
  async keep(): Promise<void> {
    const { session, agent, at, moment: shown } = this.store.getState();
    if (session === null || agent === null) return;
    const asked = { session, agent, ...(at !== null && { at }) };
    const moment = shown ?? (await this.server.call("game.moment", asked));
    const now = this.store.getState();
    if (now.session !== session || now.agent !== agent) return;
    const { other } = now;
    if (other && (other.session !== session || other.agent !== agent)) {
      this.store.setState({ other: null });
      this.leave(other.session, other.agent);
    }
    this.store.setState({ other: { session, agent, name: agentName(now), at: moment.at, moment } });
  }

  /** Compares with the same agent at another moment, or with another agent; with nothing if null. */
  set(side: Side | null): void {
    const { other, session, agent } = this.store.getState();
    this.store.setState({ other: side });
    if (other && !side && (other.session !== session || other.agent !== agent))
      this.leave(other.session, other.agent);
    if (side) this.reads.ask();
  }

  /** The first agents, to choose from. */
  async someAgents(session: number): Promise<AgentRow[]> {
    const wanted = { session, sort: "name" as const, descending: false, from: 0, count: 1000 };
    return (await this.server.call("game.agents", wanted)).rows;
  }

  /** Another agent, as it is now, beside what is shown. */
  async compareWith(session: number, agent: string, name: string): Promise<void> {
    await this.server.call("game.follow", { session, agent });
    this.set({ session, agent, name, at: null, moment: null });
  }

  /** Records of an agent have come. */
  grow({ session, agent }: History): void {
    const { other } = this.store.getState();
    if (other?.at === null && other.session === session && other.agent === agent) this.reads.ask();
  }

  end(): void {
    this.reads.stop();
  }

  private async read(): Promise<void> {
    const { other } = this.store.getState();
    if (!other) return;
    const { session, agent, at } = other;
    const moment = await this.server.call("game.moment", { session, agent, ...(at !== null && { at }) });
    const now = this.store.getState().other;
    if (now?.session === session && now.agent === agent && now.at === at)
      this.store.setState({ other: { ...now, moment } });
  }
}
