import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Debugger, type Outside } from "../../src/model/game/debugger.ts";
import { Latest } from "../../src/model/game/latest.ts";
import { Pages } from "../../src/model/game/pages.ts";
import { createGameState, placeOf, stopOf, treeNameOf } from "../../src/model/game/state.ts";
import { valueLines } from "../../src/model/game/values.ts";
import type { Server } from "../../src/net/socket.ts";
import { EACH, FakeGame } from "./fake-game.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what is under way come to its end. */
async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

describe("a task that is requested often", () => {
  it("runs at once, and once more after its pause however often it is requested", async () => {
    let runs = 0;
    const latest = new Latest(async () => {
      runs++;
    }, 50);
    for (let at = 0; at < 100; at++) latest.ask();
    await settle();
    expect(runs).toBe(1);
    await settle(200);
    expect(runs).toBe(2);
    await settle(200);
    expect(runs).toBe(2);
    latest.ask();
    await settle();
    expect(runs).toBe(3);
  });

  it("asks no more than 20 times a second, whatever comes", async () => {
    let runs = 0;
    const latest = new Latest(async () => {
      runs++;
    }, 50);
    for (let ms = 0; ms < 1000; ms += 5) {
      latest.ask();
      await settle(5);
    }
    expect(runs).toBeLessThanOrEqual(21);
    expect(runs).toBeGreaterThan(15);
  });

  it("does not begin again before it has ended", async () => {
    let running = 0;
    let most = 0;
    const latest = new Latest(async () => {
      running++;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 400));
      running--;
    }, 50);
    for (let at = 0; at < 30; at++) {
      latest.ask();
      await settle(40);
    }
    expect(most).toBe(1);
  });
});

describe("pages of rows", () => {
  it("ask for a part once, and hold a bounded number of rows", async () => {
    let asked = 0;
    const pages = new Pages(
      async (from, count) => {
        asked++;
        return { total: 1_000_000, from, rows: [...Array(count).keys()].map((at) => from + at) };
      },
      () => undefined,
    );
    expect(pages.get(5)).toBeUndefined();
    pages.get(6);
    await settle();
    expect(asked).toBe(1);
    expect(pages.get(5)).toBe(5);
    for (let at = 0; at < 1_000_000; at += 1000) {
      pages.get(at);
      await settle();
    }
    expect(pages.kept).toBeLessThanOrEqual(2400);
    expect(pages.total).toBe(1_000_000);
  });

  it("read the last part again when rows have come, and show the old rows meanwhile", async () => {
    let total = 150;
    const pages = new Pages(
      async (from, count) => ({
        total,
        from,
        rows: [...Array(Math.max(0, Math.min(count, total - from))).keys()].map((at) => from + at),
      }),
      () => undefined,
    );
    pages.get(149);
    await settle();
    total = 160;
    pages.grow(160);
    expect(pages.get(149)).toBe(149);
    expect(pages.get(155)).toBeUndefined();
    await settle();
    expect(pages.get(155)).toBe(155);
  });

  it("count those that are known for who looks at the end, while more are on their way", async () => {
    const pages = new Pages(
      async (from, count) => {
        await new Promise((done) => setTimeout(done, 300));
        const rows = [...Array(Math.max(0, Math.min(count, total - from))).keys()].map((at) => from + at);
        return { total, from, rows };
      },
      () => undefined,
    );
    let total = 150;
    pages.grow(total);
    expect(pages.known).toBe(150);
    await settle(300);
    expect(pages.known).toBe(150);
    total = 190;
    pages.grow(total);
    expect(pages.known).toBe(150);
    await settle(300);
    expect(pages.known).toBe(190);
    total = 230;
    pages.grow(total);
    expect(pages.known).toBe(190);
    await settle(300);
    expect(pages.known).toBe(230);
  });

  it("put rows where the server says they are, when the first ones are gone", async () => {
    const pages = new Pages(
      async () => ({ total: 100, from: 40, rows: ["forty"] }),
      () => undefined,
    );
    pages.get(40);
    await settle();
    expect(pages.get(40)).toBe("forty");
    expect(pages.get(39)).toBeUndefined();
  });

  it("leave a part alone for a while that could not be read", async () => {
    let asked = 0;
    const pages = new Pages(
      async () => {
        asked++;
        throw new Error("lost");
      },
      () => undefined,
    );
    for (let at = 0; at < 20; at++) {
      pages.get(0);
      await settle(10);
    }
    expect(asked).toBe(1);
    await settle(1500);
    pages.get(0);
    await settle();
    expect(asked).toBe(2);
  });
});

describe("the debugger", () => {
  let fake: FakeGame;
  let game: Debugger;
  let said: string[];
  let trees: string[];
  let busy: boolean;
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };

  function make(): Debugger {
    const outside: Outside = {
      say: (_, text) => said.push(text),
      tell: (key) => said.push(key),
      showTree: async (_, tree, node) => void trees.push(`${tree} ${node}`),
      chosen: () => undefined,
      answered: () => undefined,
      reloaded: () => said.push("reloaded"),
      sees: () => false,
      isBusy: () => busy,
    };
    const made = new Debugger(createGameState(), fake as unknown as Server, outside, storage);
    fake.emit = (event, params) => void made.event(event, params);
    return made;
  }

  beforeEach(async () => {
    stored.clear();
    said = [];
    trees = [];
    busy = false;
    fake = new FakeGame();
    game = make();
    await game.begin();
    await game.attach({ game: "monster-1.json" });
    await game.choose(1, "2");
    await settle(10);
  });
  afterEach(() => game.end());

  it("follows the agent, and shows its tree at the leaf that waits", () => {
    expect(game.state.history?.name).toBe("wolf#2");
    expect(game.state.moment?.at).toBe(7999);
    expect(trees).toEqual(["hunt.json 5"]);
  });

  it("leads the canvas to another tree only when the agent comes into another one", async () => {
    fake.grow(1);
    await settle(300);
    fake.grow(1);
    await settle(300);
    expect(trees).toHaveLength(1);
    game.follow(false);
    game.follow(true);
    expect(trees).toHaveLength(2);
  });

  it("leads the canvas nowhere while somebody edits", async () => {
    busy = true;
    game.follow(true);
    expect(trees).toHaveLength(1);
    busy = false;
    fake.grow(1);
    await settle(300);
    expect(trees).toHaveLength(2);
  });

  it("shows the newest moment, not a moment for each of very many messages", async () => {
    const before = fake.count("game.moment");
    for (let at = 0; at < 200; at++) {
      fake.grow(1);
      await settle(5);
    }
    await settle(200);
    expect(game.state.moment?.at).toBe(fake.records - 1);
    expect(fake.count("game.moment") - before).toBeLessThanOrEqual(15);
  });

  it("shows since when an agent stands still that sends no records", async () => {
    fake.clock = 400_000_000_000;
    fake.paused = true;
    await settle(1100);
    expect(game.state.moment).toMatchObject({ ns: 400_000_000_000, explain: "hunt.json runs; at 400 s" });
    expect(game.state.moment?.picture.agent.paused).toBe(true);
    // A moment that is over knows nothing of it.
    game.seek(100);
    await settle(1100);
    expect(game.state.moment).toMatchObject({ at: 100, ns: 12 * 250_000_000 });
  });

  it("stays at a moment that is over while the game runs on, and goes back to now", async () => {
    game.seek(100);
    await settle(200);
    fake.grow(5);
    await settle(200);
    expect(game.state.moment?.at).toBe(100);
    game.seek(null);
    await settle(200);
    expect(game.state.moment?.at).toBe(fake.records - 1);
  });

  it("steps by polls and by records, and not past the ends", async () => {
    game.seek(100);
    await settle(200);
    await game.step(1, "record");
    await settle(200);
    expect(game.state.moment?.at).toBe(101);
    await game.step(-1, "poll");
    await settle(200);
    expect(game.state.moment).toMatchObject({ place: 11, at: 12 * EACH - 1 });
    game.seek(3);
    await settle(200);
    await game.step(-1, "poll");
    await settle(200);
    expect(game.state.at).toBe(3);
    game.seek(-50);
    expect(game.state.at).toBe(0);
  });

  it("names the number of the stop when it steps, and says so when there is none", async () => {
    await game.go("over");
    expect(said).toEqual(["game.not-stopped"]);
    await game.change("agent.break", { agent: "2" });
    expect(stopOf(game.state)?.number).toBe(1);
    await game.go("over");
    expect(fake.asked.at(-1)).toEqual({
      method: "agent.step",
      params: { agent: "2", number: 1, step: "over" },
    });
    expect(stopOf(game.state)).toBeUndefined();
  });

  it("lets all agents continue that a breakpoint has stopped", async () => {
    const stop = { number: 3, poll: 1, record: "node_enter", waiting: [], why: "breakpoint" };
    fake.change({
      stops: [
        { ...stop, agent: "2" },
        { ...stop, agent: "7", number: 5 },
      ],
      speed: 0,
    });
    fake.asked = [];
    // One that has died does not keep the others.
    fake.dead = "2";
    await game.goAll();
    expect(fake.asked.slice(0, 4)).toEqual([
      { method: "agents.stopped", params: {} },
      { method: "agent.step", params: { agent: "2", number: 3, step: "continue" } },
      { method: "agent.step", params: { agent: "7", number: 5, step: "continue" } },
      { method: "game.speed", params: { speed: 1 } },
    ]);
  });

  it("comes back from the past when the agent stops", async () => {
    game.seek(100);
    await settle(200);
    fake.emit("game.event", { session: 1, event: "stopped", params: { agent: "2" } });
    expect(game.state.at).toBeNull();
  });

  it("follows the agent under its new id when the game was started anew", async () => {
    fake.change({ state: "lost", stops: [], why: "the game is gone" });
    expect(game.session?.state).toBe("lost");
    fake.change({
      state: "attached",
      restarts: 1,
      followed: [
        { agent: "2", name: "wolf#2", live: false },
        { agent: "12", name: "wolf#2", live: true },
      ],
    });
    fake.session.followed = [{ agent: "2", name: "wolf#2", live: true }];
    fake.change({ restarts: 2, followed: [{ agent: "12", name: "wolf#2", live: true }] });
    await settle(300);
    expect(game.state.agent).toBe("12");
  });

  it("comes back to the agent of a session after another one was shown", async () => {
    fake.change({});
    const recording = { ...fake.session, id: 2, kind: "recording" as const, agents: 3, followed: [] };
    fake.emit("game", recording);
    game.enter(recording);
    await settle(10);
    expect(game.state).toMatchObject({ session: 2, agent: null });
    expect(fake.count("game.unfollow")).toBe(0);
    fake.emit("game.detached", { session: 2 });
    await settle(10);
    expect(game.state).toMatchObject({ session: 1, agent: "2" });
  });

  it("shows nothing of a session that is detached", () => {
    fake.emit("game.detached", { session: 1 });
    expect(game.state).toMatchObject({ session: null, agent: null, moment: null, sessions: [] });
  });

  it("remembers after a reload of the page which agent was shown, and when", async () => {
    game.seek(123);
    game.end();
    game = make();
    await game.begin();
    await settle(200);
    expect(game.state).toMatchObject({ session: 1, agent: "2", at: 123 });
    expect(game.state.moment?.at).toBe(123);
  });

  it("takes breakpoints back that the server refuses", async () => {
    await game.points.set([{ enabled: true, spec: { on: "enter", tree: "hunt.json", idx: 5 } }]);
    fake.refusals.set("breakpoints.put", "a condition is `key < 3`, not `x`");
    await game.points.set([]);
    expect(game.state.breakpoints).toHaveLength(1);
    expect(said).toEqual(["a condition is `key < 3`, not `x`"]);
  });

  it("says why a moment can not be shown", async () => {
    fake.refusals.set("game.moment", "there is no record 5");
    game.seek(5);
    await settle(200);
    expect(game.state.wrong).toBe("there is no record 5");
  });

  it("runs on in a recording to the next breakpoint, else to the end", async () => {
    fake.change({ kind: "recording" });
    game.seek(100);
    await settle(200);
    await game.points.set([{ enabled: true, spec: { on: "failure", tree: "hunt.json", idx: 5 } }]);
    await game.go("continue");
    await settle(200);
    expect(game.state.at).toBe(12 * EACH + 5);
    await game.go("continue");
    await settle(200);
    expect(game.state.at).toBe(15 * EACH + 5);
    await game.points.set([]);
    await game.go("continue");
    expect(game.state.at).toBeNull();
  });

  it("keeps the moment of an agent that was chosen just now, which is not shown yet", async () => {
    const chosen = game.choose(1, "4");
    expect(game.state.moment).toBeNull();
    await game.sides.keep();
    await chosen;
    expect(game.state.other).toMatchObject({ agent: "4", name: "wolf#4", moment: { at: 7999 } });
  });

  it("keeps the moment that is shown, and compares it with what comes after it", async () => {
    await game.sides.keep();
    const kept = game.state.moment!.at;
    fake.grow(3);
    await settle(300);
    expect(game.state.other).toMatchObject({ at: kept, moment: { at: kept } });
    expect(game.state.moment?.at).toBe(kept + 3 * EACH);
  });

  it("compares with another agent, which is followed as long as it is compared", async () => {
    await game.sides.compareWith(1, "4", "wolf#4");
    await settle(200);
    expect(game.state.other?.moment?.picture.agent.id).toBe("4");
    game.sides.set(null);
    expect(fake.calls.at(-1)).toMatchObject({ method: "game.unfollow", params: { agent: "4" } });
  });

  it("finds the writes of a key, the newest first", async () => {
    const rows = await game.writes({ key: "threat" }, 3);
    expect(rows.map(({ no }) => no)).toEqual([7996, 7988, 7980]);
  });

  it("evaluates expressions over the moment that is shown, and none while there is none", async () => {
    const asked = () => fake.calls.findLast(({ method }) => method === "game.values")?.params;
    game.seek(9);
    await settle(200);
    const values = await game.values(["$hp < 20"], "hunt.json");
    expect(asked()).toEqual({ session: 1, agent: "2", at: 9, tree: "hunt.json", texts: ["$hp < 20"] });
    expect(valueLines(values)).toEqual(["$hp < 20 = 8", "    $hp = 3", "    20 = 2"]);
    const wrong = {
      text: "$hpp < 20",
      mistake: "it is unset",
      operands: [{ text: "$hpp", mistake: "unset" }],
    };
    expect(valueLines([wrong])).toEqual(["$hpp < 20: it is unset"]);
    await game.values(["$hp"]);
    expect(asked()).not.toHaveProperty("tree");
    const count = fake.count("game.values");
    expect(await game.values([])).toEqual([]);
    fake.emit("game.detached", { session: 1 });
    expect(await game.values(["$hp"])).toEqual([]);
    expect(fake.count("game.values")).toBe(count);
  });

  describe("its log", () => {
    const line = async (at: number) => {
      game.log.line(at);
      await settle();
      return game.log.line(at);
    };

    it("has a line for each poll, and lines for its records where it is open", async () => {
      expect(game.log.count).toBe(1000);
      await line(3);
      game.log.toggle(3);
      expect(game.log.count).toBe(1000 + EACH);
      expect(await line(3)).toMatchObject({ kind: "poll", place: 3, isOpen: true });
      expect(await line(4)).toMatchObject({ kind: "row", no: 24 });
      expect(await line(11)).toMatchObject({ kind: "row", no: 31 });
      expect(await line(12)).toMatchObject({ kind: "poll", place: 4 });
      await line(500);
      game.log.toggle(((await line(500)) as { place: number }).place);
      expect(await line(501)).toMatchObject({ kind: "row", no: (500 - EACH) * EACH });
      expect(game.log.lineOf(4)).toBe(12);
    });

    it("shows a record in its poll", async () => {
      await game.log.show(4321);
      const { at } = game.state.log;
      expect(await line(at)).toMatchObject({ kind: "row", no: 4321 });
      game.log.out();
      expect(await line(game.state.log.at)).toMatchObject({ kind: "poll", place: 540 });
    });

    it("leaves the rows of a filter, and all of them without one", async () => {
      await game.log.filter({ include: "threat", exclude: "to 1" });
      expect(game.log.count).toBeGreaterThan(100);
      expect((await line(0)) as unknown).toMatchObject({ kind: "row", no: 4 });
      const { row } = (await line(1)) as { row?: { text: string } };
      expect(row?.text).toContain("sets `threat` to 2");
      await game.log.filter({ include: "", exclude: "" });
      expect(game.log.count).toBe(1000);
    });

    it("finds the next and the last row with a text", async () => {
      game.store.setState((state) => ({ log: { ...state.log, search: "to 77" } }));
      await line(0);
      expect(await game.log.find(false)).toBe(true);
      expect(await line(game.state.log.at)).toMatchObject({ no: 77 * EACH + 4 });
      expect(await game.log.find(false)).toBe(true);
      expect(await line(game.state.log.at)).toMatchObject({ no: 770 * EACH + 4 });
      expect(await game.log.find(true)).toBe(true);
      expect(await line(game.state.log.at)).toMatchObject({ no: 77 * EACH + 4 });
      game.store.setState((state) => ({ log: { ...state.log, search: "nowhere" } }));
      expect(await game.log.find(false)).toBe(false);
    });

    it("keeps a bounded number of rows of a million", async () => {
      fake.records = 1_000_000;
      fake.grow(0);
      for (let at = 0; at < 125_000; at += 977) {
        await line(at);
        game.log.toggle((game.log.line(at) as { place: number }).place);
        await line(at + 3);
      }
      expect(game.log.kept).toBeLessThanOrEqual(4800);
      expect(game.state.log.open.size).toBeLessThanOrEqual(300);
    });

    it("still shows the same polls when the oldest are dropped", async () => {
      await line(700);
      game.log.go(700);
      fake.emit("game.progress", {
        ...fake.history("2"),
        first_poll: 100,
        polls: 900,
        first: 800,
        records: 7200,
      });
      expect(game.state.log.at).toBe(600);
      expect(await line(600)).toMatchObject({ kind: "poll", place: 700 });
      expect(game.log.count).toBe(900);
    });
  });
});

describe("a tree of a game", () => {
  const { session } = new FakeGame();
  it("is found by the path of its file, by its name, or is the game's own", () => {
    expect(treeNameOf(session, { path: "hunt.json", name: "other", game: null })).toBe("hunt.json");
    expect(treeNameOf(session, { path: "deep/lost.json", name: "lost.json", game: null })).toBe("lost.json");
    expect(treeNameOf(session, { path: "x", name: "x", game: { session: 1, tree: "flee.json" } })).toBe(
      "flee.json",
    );
    expect(treeNameOf(session, { path: "x", name: "x", game: { session: 2, tree: "flee.json" } })).toBeNull();
    expect(treeNameOf(session, { path: "new.json", name: "new.json", game: null })).toBeNull();
  });
});

describe("where an agent is", () => {
  const moment = (active: number[], results: [idx: number, result: string][]) => ({
    active,
    results: results.map(([idx, result], no) => ({ run: 0, tree: "a.json", idx, result, no })),
    picture: {
      agent: { tree: "a.json" },
      leaves: [],
      active: active.map((idx) => ({ tree: "a.json", idx })),
    },
  });
  const place = (of: ReturnType<typeof moment>) =>
    placeOf({ at: 0, sessions: [], moment: of } as never)?.node;

  it("is the innermost active node, or the one by whose failure its tree failed", () => {
    expect(place(moment([0, 4], [[7, "failure"]]))).toBe(4);
    const failed: [number, string][] = [
      [3, "success"],
      [7, "failure"],
      [0, "failure"],
    ];
    expect(place(moment([], failed))).toBe(7);
    expect(
      place(
        moment(
          [],
          [
            [7, "failure"],
            [0, "success"],
          ],
        ),
      ),
    ).toBeNull();
    expect(place(moment([], []))).toBeNull();
  });
});
