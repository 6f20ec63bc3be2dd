// Trees that are played without their game: actions wait to be ended, conditions are switches.

import type { Methods, PlayState } from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";
import { type GameStore, sessionOf } from "./state.ts";

/** What is done in a play. */
type Done = "play.pace" | "play.answer" | "play.finish" | "play.set" | "play.fire" | "play.again";

export class Plays {
  constructor(
    private readonly store: GameStore,
    private readonly server: Pick<Server, "call">,
    /** The play has begun anew, with another agent. */
    private readonly isAnother: (session: number, agent: string) => void,
    private readonly refused: (why: string) => void,
  ) {}

  /** The play that is shown. */
  get shown(): PlayState | undefined {
    return playOf(this.store.getState());
  }

  take(play: PlayState): void {
    const before = this.store.getState().plays.get(play.session);
    this.store.setState(({ plays }) => ({ plays: new Map(plays).set(play.session, play) }));
    if (before && before.agent !== play.agent) this.isAnother(play.session, play.agent);
  }

  async read(session: number): Promise<void> {
    this.take(await this.server.call("play.get", { session }));
  }

  forget(session: number): void {
    this.store.setState(({ plays }) => ({ plays: new Map([...plays].filter(([id]) => id !== session)) }));
  }

  /** Does something in the play that is shown; what is refused is said. Whether it was done. */
  async do<M extends Done>(method: M, params: Omit<Methods[M][0], "session">): Promise<boolean> {
    const { shown } = this;
    if (!shown) return false;
    try {
      await this.server.call(method, { ...params, session: shown.session } as Methods[M][0]);
      return true;
    } catch (error) {
      this.refused((error as Error).message);
      return false;
    }
  }

  /** The play so far as a scenario. */
  async scenario(): Promise<string> {
    const { shown } = this;
    return shown ? (await this.server.call("play.scenario", { session: shown.session })).text : "";
  }

  async save(path: string): Promise<void> {
    const { shown } = this;
    if (shown) await this.server.call("play.save", { session: shown.session, path });
  }
}

/** The play that is shown, if what is shown is one. */
export function playOf(state: Parameters<typeof sessionOf>[0]): PlayState | undefined {
  const session = sessionOf(state);
  return session?.play ? state.plays.get(session.id) : undefined;
}
