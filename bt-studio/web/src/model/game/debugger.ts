// What one does with running games: attach, follow an agent, look at a moment, step, change what it does.

import type { Methods as PortMethods } from "../../net/port.ts";
import type {
  AgentRow,
  AttachGame,
  Breakpoints,
  DetachGame,
  Filtered,
  GameEvent,
  GameReloaded,
  History,
  Methods,
  Moment,
  PlayState,
  ValueOf,
} from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";
import { Kept } from "./kept.ts";
import { Latest } from "./latest.ts";
import { Log } from "./log.ts";
import { Pages } from "./pages.ts";
import { Plays } from "./plays.ts";
import { Points } from "./points.ts";
import { Profile } from "./profile.ts";
import { nextStop } from "./recorded.ts";
import { Sides } from "./sides.ts";
import {
  type GameSession,
  type GameState,
  type GameStore,
  isLive,
  placeOf,
  sessionOf,
  stopOf,
  withNow,
} from "./state.ts";

/** What the debugger asks of the rest of the page. */
export interface Outside {
  say: (level: "info" | "error", text: string) => void;
  /** A sentence of the page's own. */
  tell: (key: string, args?: Record<string, unknown>) => void;
  /** Shows a tree of a game on the canvas. */
  showTree: (session: GameSession, tree: string, node: number | null, isOwn: boolean) => Promise<void>;
  /** An agent was chosen, or a session began: its panels are to be seen. */
  chosen: (what: "agent" | "session") => void;
  /** A question was answered: the panel of the agent is to be seen. */
  answered: () => void;
  /** A tree was reloaded in the game. */
  reloaded: () => void;
  /** Whether a part of the page is in view. */
  sees: (what: "agents" | "profile" | "timeline" | "breakpoints") => boolean;
  /** Somebody edits: the canvas is not to be led elsewhere. */
  isBusy: () => boolean;
}

/** How often what changes by itself is requested, in milliseconds. */
const MOMENT = 100;
const TIMELINE = 250;
const CLOCK = 500;
const TABLE = 1000;
const BUCKETS = 600;

export class Debugger {
  readonly log: Log;
  readonly agents: Pages<AgentRow>;
  readonly plays: Plays;
  readonly points: Points;
  readonly sides: Sides;
  readonly profile: Profile;
  private readonly kept: Kept;
  private readonly moments = new Latest(() => this.readMoment(), MOMENT);
  private readonly nows = new Latest(() => this.readNow(), CLOCK);
  private readonly timelines = new Latest(() => this.readTimeline(), TIMELINE);
  private timer: ReturnType<typeof setInterval> | undefined;
  private looked = 0;
  /** The tree that the canvas was led to last: it is led again once that is another one. */
  private led = "";
  private chosen = 0;
  /** An agent was chosen a moment ago: of a file, a moment at which it ran is shown first. */
  private opens = false;
  /** The agent that was shown last, of each session. */
  private readonly last = new Map<number, string>();

  constructor(
    readonly store: GameStore,
    private readonly server: Pick<Server, "call">,
    private readonly outside: Outside,
    storage: Pick<Storage, "getItem" | "setItem"> | null = null,
  ) {
    this.kept = new Kept(storage);
    this.log = new Log(store, server);
    this.points = new Points(
      store,
      server,
      () => this.port("breakpoints.list", {}),
      (why) => outside.say("error", why),
    );
    this.plays = new Plays(
      store,
      server,
      (session, agent) => {
        if (this.state.session === session) void this.try(this.choose(session, agent));
      },
      (why) => outside.say("error", why),
    );
    this.profile = new Profile(store, (method, params) => this.port(method, params));
    this.sides = new Sides(store, server, (session, agent) => this.leave(session, agent), MOMENT);
    this.agents = new Pages(
      async (from, count) => {
        const { session, table } = store.getState();
        if (session === null) return { total: 0, from, rows: [] };
        const { filter, sort, descending } = table;
        return server.call("game.agents", { session, filter, sort, descending, from, count });
      },
      () => store.setState(({ table }) => ({ table: { ...table, version: table.version + 1 } })),
    );
  }

  get state(): GameState {
    return this.store.getState();
  }

  get session(): GameSession | undefined {
    return sessionOf(this.state);
  }

  /** The connection to the server is there, for the first time or again. */
  async begin(): Promise<void> {
    await this.list();
    await this.points.read();
    this.timer ??= setInterval(() => this.tick(), CLOCK);
    const { sessions, session, agent, at } = this.state;
    const kept = session !== null && agent !== null ? { session, agent, at } : this.kept.read();
    if (!kept || !sessions.some((one) => one.id === kept.session)) {
      if (session !== null) this.forget();
      const only = sessions.length === 1 ? sessions[0] : undefined;
      if (only) this.enter(only);
      return;
    }
    this.store.setState({ session: kept.session });
    await this.choose(kept.session, kept.agent, kept.at).catch((error: Error) =>
      this.outside.say("error", error.message),
    );
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.moments.stop();
    this.nows.stop();
    this.timelines.stop();
    this.sides.end();
  }

  async list(): Promise<void> {
    const { running, sessions, files } = await this.server.call("games.list", {});
    this.store.setState({ running, sessions, files });
  }

  async attach(to: AttachGame): Promise<void> {
    const session = await this.server.call("game.attach", to);
    this.put(session);
    this.enter(session);
  }

  /** Plays all scenarios below the folders. */
  async runScenarios(): Promise<void> {
    this.store.setState({ scenarios: await this.server.call("scenarios.run", {}) });
  }

  /** Plays a tree without its game. */
  async play(doc: number): Promise<void> {
    const session = await this.server.call("play.start", { doc, seed: 0, loop: false });
    this.put(session);
    await this.plays.read(session.id);
    this.enter(session);
  }

  /** Shows a session; if it has one agent alone, that agent. */
  enter(session: GameSession): void {
    if (this.state.session !== session.id) {
      this.forget();
      this.store.setState({ session: session.id });
      this.agents.clear();
    }
    if (session.play) void this.try(this.plays.read(session.id));
    else this.outside.chosen("session");
    const last = this.last.get(session.id);
    const followed = session.followed.find((one) => one.agent === last) ?? session.followed[0];
    if (followed) void this.try(this.choose(session.id, followed.agent));
    else if (session.kind === "log" || session.agents === 1 || session.play)
      void this.try(this.chooseFirst(session.id));
  }

  private async chooseFirst(session: number): Promise<void> {
    const { rows } = await this.server.call("game.agents", {
      session,
      descending: false,
      from: 0,
      count: 1,
    });
    if (rows[0] && this.state.session === session) await this.choose(session, rows[0].id);
  }

  async detach(id: number): Promise<void> {
    await this.server.call("game.detach", { session: id });
    this.remove(id);
  }

  /** Follows an agent, and shows it. */
  async choose(session: number, agent: string, at: number | null = null): Promise<void> {
    const asked = ++this.chosen;
    const before = this.state;
    const isOther = before.session !== session || before.agent !== agent;
    this.led = "";
    this.opens = at === null;
    this.store.setState({
      session,
      agent,
      at,
      wrong: "",
      ...(isOther && { answer: null, moment: null, now: null, history: null, buckets: [], range: null }),
    });
    // The agent of another session stays followed: one comes back to it.
    if (isOther && before.session === session && before.agent !== null) this.leave(session, before.agent);
    this.last.set(session, agent);
    this.kept.write(this.state);
    const history = await this.server.call("game.follow", { session, agent });
    if (asked !== this.chosen) return;
    this.store.setState({ history });
    this.log.reset();
    this.log.grow(history);
    this.moments.ask();
    this.nows.ask();
    this.timelines.ask();
    this.outside.chosen("agent");
  }

  /** Follows an agent no more, unless it is compared. */
  private leave(session: number, agent: string): void {
    const { other } = this.state;
    if (other?.session === session && other.agent === agent) return;
    void this.server.call("game.unfollow", { session, agent }).catch(() => undefined);
  }

  /** Shows the moment after a record; null: what is now. */
  seek(at: number | null): void {
    const { history } = this.state;
    const last = history ? history.first + history.records - 1 : 0;
    const no = at === null || !history ? at : Math.max(history.first, Math.min(last, at));
    this.store.setState({ at: no });
    this.led = "";
    this.opens = false;
    this.kept.write(this.state);
    this.moments.ask();
  }

  /** Shows the record before or after, or the end of the poll before or after. */
  async step(by: 1 | -1, what: "record" | "poll"): Promise<void> {
    const { moment, session, agent, history } = this.state;
    if (!moment || !history || session === null || agent === null) return;
    if (what === "record") {
      this.seek(moment.at + by);
      return;
    }
    const place = moment.place + by;
    if (place < history.first_poll) return;
    if (place >= history.first_poll + history.polls) {
      this.seek(history.live ? null : history.first + history.records - 1);
      return;
    }
    const { polls } = await this.server.call("game.polls", { session, agent, from: place, count: 1 });
    const poll = polls[0];
    if (poll) this.seek(poll.first + Math.max(1, poll.records) - 1);
  }

  /** Stands still at what is shown, or goes back to what is now. The game runs on. */
  freeze(): void {
    const { at, moment } = this.state;
    if (at !== null) this.seek(null);
    else if (moment) this.seek(moment.at);
  }

  /** Asks the game itself. */
  async port<M extends keyof PortMethods>(
    method: M,
    params: PortMethods[M][0],
    session = this.state.session,
  ): Promise<PortMethods[M][1]> {
    if (session === null) throw new Error("no game is attached");
    const { result } = await this.server.call("game.call", { session, method, params });
    return result as PortMethods[M][1];
  }

  /** Changes something in the game, and shows what came of it. Whether it was done. */
  async change<M extends keyof PortMethods>(method: M, params: PortMethods[M][0]): Promise<boolean> {
    try {
      await this.port(method, params);
      this.moments.ask();
      this.nows.ask();
      return true;
    } catch (error) {
      this.outside.say("error", (error as Error).message);
      return false;
    }
  }

  /** Lets the stopped agent continue, as far as is said. */
  async go(step: string, node?: { tree: string; idx: number }): Promise<void> {
    const stop = stopOf(this.state);
    const { agent } = this.state;
    if (agent === null) return;
    if (this.isFile) {
      if (step === "continue") await this.try(this.runRecorded());
      else await this.try(this.step(1, step === "poll" ? "poll" : "record"));
      return;
    }
    if (this.state.at !== null) this.seek(null);
    if (!stop) {
      if (step === "continue" && this.session?.speed === 0) await this.change("game.speed", { speed: 1 });
      else if (node === undefined) this.outside.tell("game.not-stopped");
      return;
    }
    this.led = "";
    await this.change("agent.step", { agent, number: stop.number, step, ...node });
    if (step === "continue" && this.session?.speed === 0) await this.change("game.speed", { speed: 1 });
  }

  /**
   * Lets all agents continue that are stopped: a breakpoint that is removed leaves those stopped that stood at it.
   * Whatever one of them answers, the others continue: one may have died, or stand elsewhere by now.
   */
  async goAll(): Promise<void> {
    const { stops } = await this.port("agents.stopped", {});
    await Promise.allSettled(
      stops.map(({ agent, number }) => this.port("agent.step", { agent, number, step: "continue" })),
    );
    if (this.session?.speed === 0) await this.port("game.speed", { speed: 1 });
    this.look();
  }

  /** Whether what is shown is over: a recording or a log. */
  get isFile(): boolean {
    const kind = this.session?.kind;
    return kind === "recording" || kind === "log";
  }

  /** In a recording: shows the next record at which there is a breakpoint, else the end. */
  private async runRecorded(): Promise<void> {
    const { session, agent, moment, breakpoints } = this.state;
    if (session === null || agent === null || !moment) return;
    this.seek(await nextStop(this.server, { session, agent }, moment.at + 1, breakpoints));
  }

  /** Why something was so. */
  cause(of: Omit<Methods["game.cause"][0], "session" | "agent">): Promise<Methods["game.cause"][1]> {
    const { session, agent, at } = this.state;
    if (session === null || agent === null) return Promise.reject(new Error("no agent is followed"));
    return this.server.call("game.cause", { session, agent, ...(at !== null && { at }), ...of });
  }

  /** Evaluates expressions over the moment that is shown, as a tree of it sees its keys. */
  async values(texts: readonly string[], tree: string | null = null): Promise<ValueOf[]> {
    const { session, agent, moment } = this.state;
    if (session === null || agent === null || !moment || texts.length === 0) return [];
    const asked = { session, agent, at: moment.at, texts: [...texts] };
    const { values } = await this.server.call("game.values", { ...asked, ...(tree !== null && { tree }) });
    return values;
  }

  /** The rows that wrote a key or a property, the newest first. */
  async writes(
    of: { key?: string; property?: string },
    most: number,
  ): Promise<Methods["game.rows"][1]["rows"]> {
    const { session, agent } = this.state;
    if (session === null || agent === null) return [];
    const who = { session, agent };
    const { filter, total } = await this.server.call("game.filter", { ...who, commented: false, ...of });
    const from = Math.max(0, total - most);
    const { rows } = await this.server.call("game.rows", { ...who, filter, from, count: most });
    return rows.reverse();
  }

  /** Asks again what there is. */
  look(): void {
    this.moments.ask();
    this.nows.ask();
  }

  /** Writes a comment on a record; none if it is empty. */
  async comment(no: number, text: string): Promise<void> {
    const { session, agent } = this.state;
    if (session === null || agent === null) return;
    await this.server.call("game.comment", { session, agent, no, text });
    this.log.refresh();
  }

  /** Saves what is kept as a recording. */
  async record(path: string): Promise<Methods["game.record"][1]> {
    const { session } = this.state;
    if (session === null) throw new Error("no game is attached");
    return this.server.call("game.record", { session, path });
  }

  sort(sort: GameState["table"]["sort"]): void {
    this.store.setState(({ table }) => ({
      table: {
        ...table,
        sort,
        descending: table.sort === sort ? !table.descending : sort === "waits",
        at: 0,
      },
    }));
    this.agents.clear();
  }

  filterAgents(filter: string): void {
    this.store.setState(({ table }) => ({ table: { ...table, filter, at: 0 } }));
    this.agents.clear();
  }

  zoom(range: GameState["range"]): void {
    this.store.setState({ range });
    this.timelines.ask();
  }

  /** What the server says unasked. Whether it was about games. */
  event(name: string, params: unknown): boolean {
    switch (name) {
      case "game":
        this.put(params as GameSession);
        return true;
      case "game.detached":
        this.remove((params as DetachGame).session);
        return true;
      case "game.progress":
        this.progress(params as History);
        return true;
      case "game.event":
        this.said(params as GameEvent);
        return true;
      case "game.reloaded":
        this.store.setState({ reloaded: params as GameReloaded });
        this.outside.reloaded();
        return true;
      case "game.filtered":
        if (this.isShown(params as Filtered)) this.log.filtered(params as Filtered);
        return true;
      case "play":
        this.plays.take(params as PlayState);
        return true;
      case "breakpoints":
        this.points.take(params as Breakpoints);
        return true;
      default:
        return false;
    }
  }

  private isShown({ session, agent }: { session: number; agent: string }): boolean {
    return this.state.session === session && this.state.agent === agent;
  }

  private put(session: GameSession): void {
    const before = sessionOf(this.state, session.id);
    this.store.setState(({ sessions }) => ({
      sessions: before
        ? sessions.map((one) => (one.id === session.id ? session : one))
        : [...sessions, session],
    }));
    if (session.id !== this.state.session || !before) return;
    const stop = stopOf(this.state);
    const had = before.stops.find((one) => one.agent === this.state.agent);
    if (stop?.number !== had?.number || session.state !== before.state || session.forced !== before.forced) {
      if (stop && stop.number !== had?.number) this.led = "";
      this.moments.ask();
    }
    if (session.state === "attached" && session.restarts !== before.restarts)
      void this.try(this.back(session, before));
  }

  /** The game was started anew: who was followed goes by another id. */
  private async back(session: GameSession, before: GameSession): Promise<void> {
    const { agent } = this.state;
    const name = before.followed.find((one) => one.agent === agent)?.name;
    const now = session.followed.find((one) => one.name === name && one.live);
    this.store.setState({ profiling: false });
    if (now && now.agent !== agent) await this.choose(session.id, now.agent);
  }

  private remove(id: number): void {
    const { session, other } = this.state;
    this.store.setState(({ sessions }) => ({ sessions: sessions.filter((one) => one.id !== id) }));
    this.plays.forget(id);
    if (other?.session === id) this.store.setState({ other: null });
    if (session !== id) return;
    this.forget();
    const next = this.state.sessions[0];
    if (next) this.enter(next);
  }

  /** Nothing is shown. */
  private forget(): void {
    this.chosen++;
    this.store.setState({
      session: null,
      agent: null,
      history: null,
      at: null,
      moment: null,
      now: null,
      wrong: "",
      buckets: [],
      range: null,
      others: [],
      profile: null,
      profiling: false,
      reloaded: null,
    });
    this.log.reset();
    this.kept.write(this.state);
  }

  private progress(history: History): void {
    this.sides.grow(history);
    if (!this.isShown(history)) return;
    this.store.setState({ history });
    this.log.grow(history);
    if (this.state.at === null) this.moments.ask();
    else if (this.state.at < history.first) this.seek(history.first);
    if (this.outside.sees("timeline")) this.timelines.ask();
  }

  private said({ session, event, params }: GameEvent): void {
    if (session !== this.state.session) return;
    if (event === "stopped" && (params as { agent?: string }).agent === this.state.agent) {
      this.led = "";
      if (this.state.at !== null) this.seek(null);
      this.moments.ask();
    } else if (event === "despawned" && (params as { agent?: string }).agent === this.state.agent) {
      this.outside.tell("game.despawned", { name: this.state.history?.name ?? "" });
    }
  }

  /** What changes although no record comes: how long something lasts, what other agents do. */
  private tick(): void {
    if (typeof document !== "undefined" && document.hidden) return;
    const state = this.state;
    if (!isLive(state)) return;
    if (state.agent !== null) this.nows.ask();
    const now = Date.now();
    if (now - this.looked < TABLE) return;
    this.looked = now;
    if (this.outside.sees("agents")) this.agents.refresh();
    if (this.outside.sees("breakpoints")) void this.points.readOthers().catch(() => undefined);
    if (state.profiling && this.outside.sees("profile")) {
      void this.profile.read().catch(() => undefined);
    }
  }

  private async readMoment(): Promise<void> {
    const { session, agent, at } = this.state;
    if (session === null || agent === null) return;
    const isWhole = this.state.history?.complete === true;
    const isStill = () =>
      this.state.session === session && this.state.agent === agent && this.state.at === at;
    try {
      const moment = await this.server.call("game.moment", { session, agent, ...(at !== null && { at }) });
      if (!isStill()) return;
      this.store.setState({
        moment: at === null && isLive(this.state) ? withNow(moment, this.state.now) : moment,
        wrong: "",
      });
      if (isWhole && this.opens) this.begins(moment);
      this.lead();
    } catch (error) {
      if (isStill()) this.store.setState({ wrong: (error as Error).message });
    }
  }

  /** At the end of a file often nothing runs any more: then the last moment is shown at which something did. */
  private begins({ active, ran }: Moment): void {
    this.opens = false;
    const isOver = this.isFile && active.length === 0;
    if (isOver && ran !== undefined && ran !== null) this.seek(ran);
  }

  /** Asks the game itself: an agent that stands still sends no records. */
  private async readNow(): Promise<void> {
    const { session, agent } = this.state;
    if (session === null || agent === null || this.session?.kind !== "game" || !isLive(this.state)) return;
    const [explained, picture] = await Promise.all([
      this.port("agent.explain", { agent }, session),
      this.port("agent.picture", { agent }, session),
    ]);
    if (!this.isShown({ session, agent })) return;
    const { at } = explained.explanation as { at?: number };
    const now = {
      agent: picture.agent,
      ns: at ?? 0,
      explain: explained.text,
      diagnostics: picture.diagnostics,
    };
    const { moment } = this.state;
    this.store.setState({ now, ...(moment && isLive(this.state) && { moment: withNow(moment, now) }) });
  }

  /** Shows the tree in which the agent is, when it comes into another one. */
  private lead(): void {
    const { moment, follows } = this.state;
    const session = this.session;
    if (!moment || !session || !follows) return;
    const place = placeOf(this.state);
    if (!place || place.key === this.led || this.outside.isBusy()) return;
    this.led = place.key;
    void this.outside.showTree(session, place.tree, place.node, false).catch(() => undefined);
  }

  /** Shows a tree of the game: the project's where the text is the same, unless the game's own is wanted. */
  async show(tree: string, isOwn = false): Promise<void> {
    const session = this.session;
    if (session) await this.outside.showTree(session, tree, null, isOwn);
  }

  /** Says something that was done. */
  explain(text: string): void {
    this.outside.say("info", text);
  }

  /** Shows what was found out, in the panel of the agent. */
  answer(title: string, lines: string[]): void {
    this.store.setState({ answer: { title, lines } });
    this.outside.answered();
  }

  /** Leads the canvas to the agent anew. */
  follow(follows: boolean): void {
    this.led = "";
    this.store.setState({ follows });
    this.lead();
  }

  private async readTimeline(): Promise<void> {
    const { session, agent, range } = this.state;
    if (session === null || agent === null) return;
    const { buckets } = await this.server.call("game.timeline", {
      session,
      agent,
      ...range,
      buckets: BUCKETS,
    });
    if (this.isShown({ session, agent })) this.store.setState({ buckets });
  }

  /** The strip came into view. */
  lookAtTimeline(): void {
    this.timelines.ask();
  }

  async try(promise: Promise<unknown>): Promise<void> {
    await promise.catch((error: Error) => this.outside.say("error", error.message));
  }
}
