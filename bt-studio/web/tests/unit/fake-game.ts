// A server with a game as it could be: everything follows from numbers, so that a million records cost nothing.

import type { AgentPicture } from "../../src/net/port.ts";
import type {
  AgentRow,
  Breakpoints,
  History,
  Methods,
  Moment,
  PollRow,
  Row,
  Session,
} from "../../src/net/protocol.ts";

/** Records of each poll. */
export const EACH = 8;
const POLL_NS = 250_000_000;

type Params = Record<string, unknown>;

export class FakeGame {
  calls: { method: string; params: Params }[] = [];
  /** What the next request of a method is refused with. */
  refusals = new Map<string, string>();
  session: Session;
  points: Breakpoints = { breakpoints: [], stop_all: false, saved: true };
  emit: (event: string, params: unknown) => void = () => undefined;
  comments = new Map<number, string>();

  constructor(
    public records = 8000,
    public agents = 40,
    trees: Session["trees"] = {
      "hunt.json": { hash: "a", path: "hunt.json", same: true },
      "flee.json": { hash: "b", path: "flee.json", same: false },
      "lost.json": { hash: "c" },
    },
    /** Nodes of `hunt.json` from the root down. */
    private readonly path: number[] = [0, 1, 2, 5],
  ) {
    this.session = {
      id: 1,
      kind: "game",
      title: "monster",
      state: "attached",
      since: 1_700_000_000_000,
      game: { game: "monster", bt_live: "0.1.0", crates: ["monster"], catalogue: "" },
      trees,
      read_only: false,
      agents,
      speed: 1,
      followed: [],
      stops: [],
      forced: [],
      restarts: 0,
    };
  }

  async call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
    const asked = params as unknown as Params;
    this.calls.push({ method, params: asked });
    const refusal = this.refusals.get(method);
    if (refusal !== undefined) throw new Error(refusal);
    return this.answer(method, asked) as Methods[M][1];
  }

  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  /** Whether it answers a method. */
  knows(method: string): boolean {
    return /^(games?|breakpoints)\./.test(method);
  }

  answer(method: string, asked: Params): unknown {
    const { agent = "2" } = asked as { agent?: string };
    switch (method) {
      case "games.list":
        return {
          running: [{ id: "monster-1.json", game: "monster" }],
          sessions: this.attached ? [this.session] : [],
          files: [{ path: "wolf.btrec", kind: "recording", bytes: 123456 }],
        };
      case "game.attach":
        this.attached = true;
        return this.session;
      case "game.detach":
        this.attached = false;
        return {};
      case "game.follow":
        if (!this.session.followed.some((one) => one.agent === agent))
          this.session = {
            ...this.session,
            followed: [...this.session.followed, { agent, name: `wolf#${agent}`, live: true }],
          };
        return this.history(agent);
      case "game.unfollow":
        return {};
      case "game.polls": {
        const total = this.records / EACH;
        const from = asked.at === undefined ? Number(asked.from) : Math.floor(Number(asked.at) / EACH);
        return {
          total,
          from,
          polls: span(from, total, Number(asked.count)).map((place) => this.poll(place)),
        };
      }
      case "game.rows":
        return this.rows(asked);
      case "game.filter":
        this.filters.push(asked);
        return {
          session: 1,
          agent,
          filter: this.filters.length,
          total: this.left(asked).length,
          complete: true,
        };
      case "game.find": {
        const step = asked.back ? -1 : 1;
        for (let no = Number(asked.from); no >= 0 && no < this.records; no += step) {
          if (this.row(no).text.includes(String(asked.text))) return { row: this.row(no), place: no };
        }
        return {};
      }
      case "game.moment":
        return this.moment(agent, asked.at === undefined ? this.records - 1 : Number(asked.at));
      case "game.values": {
        const texts = asked.texts as string[];
        const value = (text: string) => ({ text, value: text.length });
        return {
          at: asked.at,
          values: texts.map((text) => ({ ...value(text), operands: text.split(" < ").map(value) })),
        };
      }
      case "game.timeline":
        return this.timeline(Number(asked.buckets));
      case "game.cause":
        return {
          row: this.row(5),
          because: this.row(1),
          path: [],
          text: "node 5 failed: the guard of node 2 does not hold",
        };
      case "game.agents":
        return this.table(asked);
      case "game.tree":
        return { name: asked.name, hash: "x", text: "{}", same: false, view: this.view };
      case "game.call":
        return { result: this.port(String(asked.method), asked.params as Params) };
      case "game.comment":
        this.comments.set(Number(asked.no), String(asked.text));
        return { comments: [] };
      case "game.record":
        return { path: asked.path, bytes: 10, records: this.records };
      case "breakpoints.get":
        return this.points;
      case "breakpoints.put":
        this.points = {
          ...this.points,
          breakpoints: asked.breakpoints as Breakpoints["breakpoints"],
          stop_all: asked.stop_all as boolean,
        };
        return this.points;
      default:
        throw new Error(`no answer to ${method}`);
    }
  }

  attached = false;
  /** What `game.tree` shows. */
  view: unknown = null;
  private filters: Params[] = [];

  /** The game's clock, in nanoseconds, and whether its agents are paused. */
  clock = 0;
  paused = false;

  /** An agent that has died while it was stopped. */
  dead = "";

  /** What the runtime says of why the agent waits. */
  why: string[] | null = null;

  /** Agents that fail in every poll, and for how long. */
  failing = new Map<string, number>();

  /** Nothing waits, and the tree succeeds. */
  isIdle = false;

  /** What the port was asked for. */
  asked: { method: string; params: Params }[] = [];

  private port(method: string, params: Params): unknown {
    this.asked.push({ method, params });
    const now = Math.max(this.clock, (this.records / EACH) * POLL_NS);
    if (method === "agent.explain")
      return { text: this.why?.join("\n") ?? `hunt.json runs; at ${now / 1e9} s`, explanation: { at: now } };
    if (method === "agent.picture") {
      const { picture } = this.moment(String(params.agent), this.records - 1);
      return { ...picture, agent: { ...picture.agent, paused: this.paused } };
    }
    if (method === "catalogue") return { hash: "", catalogue: null };
    if (method === "breakpoints.list")
      return {
        breakpoints: [{ id: 9, own: false, spec: { on: "enter", tree: "hunt.json", idx: this.path[1] } }],
      };
    if (method.startsWith("profile."))
      return {
        agents: this.agents,
        nodes: this.path.map((idx, at) => ({
          tree: "hunt.json",
          idx,
          entered: 100 * (at + 1),
          succeeded: 50,
          failed: at * 7,
          aborted: 2,
          calls: 10,
          ns: 1_000_000 * (at + 1) ** 2,
        })),
      };
    if (method === "agent.force") {
      const { agent, tree, idx, forced } = params as {
        agent: string;
        tree: string;
        idx: number;
        forced: string | null;
      };
      const rest = this.session.forced.filter((one) => one.tree !== tree || one.idx !== idx);
      this.change({ forced: forced === null ? rest : [...rest, { agent, tree, idx, forced }] });
    } else if (method === "agent.break") {
      const stop = {
        agent: "2",
        number: 1,
        poll: 999,
        record: "node_enter",
        tree: "hunt.json",
        idx: this.path.at(-1),
        waiting: [],
        why: "requested",
      };
      this.change({ stops: [stop] });
    } else if (method === "agents.stopped") return { stops: this.session.stops };
    else if (method === "agent.step") {
      if (params.agent === this.dead) throw new Error("there is no such agent");
      this.change({ stops: this.session.stops.filter(({ agent }) => agent !== params.agent) });
    } else if (method === "game.speed") this.change({ speed: Number(params.speed) });
    else if (method === "agent.call") return { outcome: "success" };
    return {};
  }

  /** The session stands otherwise. */
  change(patch: Partial<Session>): void {
    this.session = { ...this.session, ...patch };
    this.emit("game", this.session);
  }

  /** Time passes. */
  grow(polls: number, agent = "2"): void {
    this.records += polls * EACH;
    this.emit("game.progress", this.history(agent));
  }

  history(agent: string): History {
    return {
      session: 1,
      agent,
      name: `wolf#${agent}`,
      first: 0,
      records: this.records,
      first_poll: 0,
      polls: this.records / EACH,
      from_ns: 0,
      to_ns: (this.records / EACH) * POLL_NS,
      dropped: 0,
      missed: 0,
      complete: true,
      live: true,
    };
  }

  poll(place: number): PollRow {
    return {
      number: place + 1,
      ns: place * POLL_NS,
      first: place * EACH,
      records: EACH,
      failures: place % 3 === 0 ? 1 : 0,
      aborts: place % 7 === 0 ? 1 : 0,
      writes: 2,
      notes: 0,
      problems: place % 50 === 49 ? 1 : 0,
    };
  }

  row(no: number): Row {
    const place = Math.floor(no / EACH);
    const leaf = this.path.at(-1)!;
    const failed = place % 3 === 0;
    const node = (text: string, idx: number) => ({
      run: 0,
      tree: "hunt.json",
      idx,
      text: `hunt.json: node ${idx} ${text}`,
    });
    const kinds: (Partial<Row> & { cmd: string; text: string; detail?: unknown })[] = [
      { cmd: "poll_begin", text: `poll ${place + 1}` },
      {
        cmd: "guard",
        ...node(`(select) guard \`sees_prey\` ${failed ? "does not hold" : "holds"}`, this.path[2]!),
      },
      { cmd: "node_enter", ...node("(action `chase`) is entered", leaf) },
      { cmd: "node_action", ...node("(action `chase`) calls `chase(7)`", leaf) },
      {
        cmd: "bb_set",
        ...node(`(action \`chase\`) sets \`threat\` to ${place}`, leaf),
        detail: { value: place },
      },
      {
        cmd: "node_leave",
        ...node(`(action \`chase\`) exits: ${failed ? "failure" : "success"}`, leaf),
        failed,
        detail: { result: failed ? "failure" : "success" },
      },
      {
        cmd: "property_set",
        text: `property \`health\` is ${100 - (place % 100)}`,
        detail: { value: 100 - (place % 100) },
      },
      { cmd: "waits", ...node("(action `chase`) waits", leaf) },
    ];
    const kind = kinds[no % EACH]!;
    const comment = this.comments.get(no);
    return {
      no,
      ns: place * POLL_NS,
      poll: place + 1,
      failed: false,
      detail: {},
      ...kind,
      ...(comment !== undefined && { comment }),
    };
  }

  private left(filter: Params): number[] {
    const include = (filter.include ?? []) as string[];
    const exclude = (filter.exclude ?? []) as string[];
    const left: number[] = [];
    for (let no = 0; no < Math.min(this.records, 100_000); no++) {
      const { text, cmd } = this.row(no);
      const isIn = include.length === 0 || include.some((part) => text.includes(part));
      const isOut = exclude.some((part) => text.includes(part));
      const isKey =
        filter.key === undefined || (cmd === "bb_set" && text.includes(`\`${String(filter.key)}\``));
      const isProperty = filter.property === undefined || cmd === "property_set";
      if (isIn && !isOut && isKey && isProperty) left.push(no);
    }
    return left;
  }

  private rows(asked: Params): unknown {
    const count = Number(asked.count);
    const from = Number(asked.at ?? asked.from ?? 0);
    if (asked.filter === undefined) {
      const rows = span(from, this.records, count).map((no) => this.row(no));
      return { total: this.records, from, rows, ...(asked.at !== undefined && { here: 0 }) };
    }
    const left = this.left(this.filters[Number(asked.filter) - 1] ?? {});
    const begin = asked.at === undefined ? from : left.findIndex((no) => no >= from);
    const rows = left.slice(begin, begin + count).map((no) => this.row(no));
    return { total: left.length, from: begin, rows, ...(asked.at !== undefined && { here: 0 }) };
  }

  moment(agent: string, at: number): Moment {
    const place = Math.floor(at / EACH);
    const ns = place * POLL_NS;
    const nodes = this.path;
    const leaf = nodes.at(-1)!;
    const picture: AgentPicture = {
      active: nodes.map((idx, step) => ({
        idx,
        name: step === nodes.length - 1 ? "chase" : "",
        run: 0,
        tree: "hunt.json",
        type: step === nodes.length - 1 ? "action" : "sequence",
      })),
      agent: {
        agent_type: "monster_agent",
        id: agent,
        name: `wolf#${agent}`,
        paused: false,
        running: true,
        tree: "hunt.json",
      },
      blackboard: {
        threat: place,
        prey: 7,
        home: { x: 1.5, y: 2 },
        mood: "hungry",
        [`agent-${agent}`]: true,
      },
      diagnostics: ["hunt.json: node 5 (action `chase`): key `prey` is not set"],
      forced: [],
      leaves: [
        { idx: leaf, tree: "hunt.json", waits: `hunt.json: node ${leaf} (action \`chase\`) since 3 s` },
      ],
      properties: { health: 100 - (place % 100), speed: 4 },
      trees: ["hunt.json"],
    };
    return {
      at,
      poll: place + 1,
      place,
      ns,
      picture,
      active: nodes.map((idx, step) => ({
        run: 0,
        tree: "hunt.json",
        idx,
        since_ns: Math.max(0, ns - 3_000_000_000),
        ...(step === nodes.length - 1 &&
          !this.isIdle && {
            waits: "until its `Completion` is finished, by whoever holds it",
          }),
      })),
      results: this.isIdle
        ? [{ run: 0, tree: "hunt.json", idx: 0, result: "success", no: place * EACH + 5 }]
        : place % 3 === 0
          ? [{ run: 0, tree: "hunt.json", idx: leaf + 1, result: "failure", no: place * EACH + 5 }]
          : [],
      written: [{ key: "threat", no: place * EACH + 4 }],
      explain:
        this.why?.join("\n") ??
        [
          `hunt.json runs; at ${ns / 1e9} s, in poll ${place + 1}`,
          `waiting: hunt.json: node ${leaf} (action \`chase\`)`,
          "  in hunt.json: 0 root > 1 select",
          "  since 3 s",
          "  until its `Completion` is finished, by whoever holds it",
          `refused: hunt.json: node ${nodes[1]} (select)`,
          "  its guard `sees_prey`(key `prey` = 7) does not hold, last evaluated in poll 1",
          "",
        ].join("\n"),
      unknown: false,
    };
  }

  private timeline(buckets: number): unknown {
    const polls = this.records / EACH;
    const count = Math.min(buckets, polls);
    const each = polls / Math.max(1, count);
    return {
      from: 0,
      to: polls,
      buckets: [...Array(count).keys()].map((at) => {
        const place = Math.floor(at * each);
        return {
          place,
          first: place * EACH,
          ns: place * POLL_NS,
          polls: Math.max(1, Math.floor((at + 1) * each) - place),
          records: Math.max(1, Math.floor((at + 1) * each) - place) * EACH,
          failures: place % 3 === 0 ? 1 : 0,
          aborts: place % 7 === 0 ? 1 : 0,
          writes: 2 + (place % 5),
          stops: place % 101 === 100 ? 1 : 0,
          notes: 0,
          problems: place % 50 === 49 ? 1 : 0,
        };
      }),
    };
  }

  private table(asked: Params): unknown {
    const states = ["runs", "runs", "runs", "paused", "idle", "stopped"];
    const all: AgentRow[] = [...Array(this.agents).keys()].map((at) => ({
      id: String(at + 1),
      name: `${at % 2 === 0 ? "player" : "wolf"}#${at + 1}`,
      agent_type: "monster_agent",
      tree: at % 5 === 0 ? "patrol.json" : "hunt.json",
      state: states[at % states.length]!,
      leaf: {
        tree: "hunt.json",
        idx: 5,
        type: "action",
        name: "chase",
        since_ns: 0,
        for_ns: ((at * 7919) % 97) * 1_000_000_000,
      },
      leaves: 1 + (at % 3 === 0 ? 1 : 0),
      failures: at % 4 === 0 ? at : 0,
      problems: at % 9 === 0 ? 2 : 0,
      forced: 0,
      followed: false,
      ...(this.failing.has(String(at + 1)) && { fails_for_ns: this.failing.get(String(at + 1))! }),
    }));
    const text = String(asked.filter ?? "").toLowerCase();
    const left = all.filter((row) => `${row.name} ${row.tree} ${row.state}`.toLowerCase().includes(text));
    const by = (row: AgentRow) =>
      asked.sort === "waits" ? row.leaf!.for_ns : asked.sort === "failures" ? row.failures! : row.id;
    if (asked.sort && asked.sort !== "name") left.sort((one, other) => Number(by(one)) - Number(by(other)));
    if (asked.descending) left.reverse();
    const from = Number(asked.from);
    return { total: left.length, from, rows: left.slice(from, from + Number(asked.count)), when: Date.now() };
  }
}

function span(from: number, total: number, count: number): number[] {
  const to = Math.min(total, from + count);
  return to <= from ? [] : [...Array(to - from).keys()].map((at) => from + at);
}
