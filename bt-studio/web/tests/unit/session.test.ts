import { beforeEach, describe, expect, it, vi } from "vitest";
import { type OnDisk, Session } from "../../src/model/session.ts";
import { createState, isChanged, unsavedOf } from "../../src/model/state.ts";
import { apply } from "../../src/model/text.ts";
import type { Changed, Document, Project, Splice } from "../../src/net/protocol.ts";
import { Refusal, type Server } from "../../src/net/socket.ts";
import { card } from "./trees.ts";

/** A server of one document, whose edits put a letter at the end of its text. */
class Fake {
  text = "text";
  revision = 0;
  hash = "first";
  project: Partial<Project> = {};
  calls: { method: string; params: Record<string, unknown> }[] = [];
  fail: Refusal | null = null;

  async call(method: string, params: Record<string, unknown>): Promise<unknown> {
    this.calls.push({ method, params });
    await Promise.resolve();
    if (this.fail) {
      const error = this.fail;
      this.fail = null;
      throw error;
    }
    if (method === "project.get") return { trees: [], unsaved: [], ...this.project };
    if (["doc.open", "doc.new", "doc.reload"].includes(method)) return this.document();
    if (method === "doc.edit" || method === "doc.replace") return this.change(params);
    if (method === "doc.save")
      return { path: params.path ?? "a.json", name: "a.json", hash: "saved", pictures: [] };
    return {};
  }

  private document(): Document {
    const cards = [card(0, null, [1], "root"), card(1, 0, [], "action")];
    const view = { name: "a.json", root: 0, cards };
    const { text, revision, hash } = this;
    return {
      doc: 7,
      path: "a.json",
      name: "a.json",
      revision,
      text,
      hash,
      view,
      findings: [],
      script: false,
      read_only: false,
    };
  }

  private change(params: Record<string, unknown>): Changed {
    if (params.revision !== this.revision) {
      throw new Refusal(10, "stale", { revision: this.revision, text: this.text });
    }
    const end = this.text.length;
    const splices = (params.splices as Splice[]) ?? [{ from: end, to: end, text: "!" }];
    this.text = apply(this.text, splices);
    this.revision++;
    return { revision: this.revision, splices, cards: [], removed: [], is_tree: true, created: [] };
  }
}

describe("a session", () => {
  let fake: Fake;
  let session: Session;
  let said: string[];
  let conflicts: OnDisk[];

  beforeEach(async () => {
    fake = new Fake();
    said = [];
    conflicts = [];
    session = new Session(createState(), fake as unknown as Server, {
      say: (_, text) => said.push(text),
      conflict: (_, onDisk) => conflicts.push(onDisk),
      saved: () => undefined,
    });
    await session.open("a.json");
  });

  const edit = () => session.edit({ key: "step.delete" }, () => [{ do: "remove", nodes: [1] }]);

  it("has new trees that were never saved when the page is loaded anew", async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    try {
      fake.hash = "";
      await session.close("a.json");
      await session.create("a.json", "dog", "");
      fake.project = {
        unsaved: [
          { path: "a.json", when: 1 },
          { path: "b.json", when: 2 },
        ],
      };
      const again = new Session(createState(), fake as unknown as Server, session.voice);
      await again.begin();
      expect(again.state.active).toBe("a.json");
      expect(isChanged(again.active!)).toBe(true);
      expect(unsavedOf(again.state).map(({ path }) => path)).toEqual(["b.json"]);
      await again.close("a.json");
      expect(unsavedOf(again.state).map(({ path }) => path)).toEqual(["b.json"]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("shows which tree a node calls once the server says so, and which snippets there are", () => {
    const now = { ...card(1, 0, [], "action"), calls: "b.json" };
    session.event("cards", { doc: 7, cards: [now, card(9, 0, [])] });
    expect(session.active?.cards.get(1)?.calls).toBe("b.json");
    expect(session.active?.cards.has(9), "a node that is not there").toBe(false);
    session.event("cards", { doc: 8, cards: [card(1, 0, [])] });
    expect(session.active?.cards.get(1)?.calls).toBe("b.json");
    session.store.setState({ project: { problem: "the package is being built", snippets: [] } as never });
    session.event("snippets", { snippets: [{ name: "chase", nodes: 2, text: "{}" }] });
    expect(session.state.project?.snippets.map(({ name }) => name)).toEqual(["chase"]);
    session.event("catalogue", { catalogue: {}, kinds: [], agents: [] });
    expect(session.state.project?.problem).toBeUndefined();
    expect(said).toEqual([]);
  });

  it("makes edits one after the other, each of the revision that the one before left", async () => {
    await Promise.all([edit(), edit(), edit()]);
    const revisions = fake.calls
      .filter(({ method }) => method === "doc.edit")
      .map(({ params }) => params.revision);
    expect(revisions).toEqual([0, 1, 2]);
    expect(session.active?.text).toBe("text!!!");
    expect(fake.text).toBe("text!!!");
  });

  it("undoes and redoes, and knows when what is shown is what was saved", async () => {
    await edit();
    await session.save("a.json");
    expect(isChanged(session.active!)).toBe(false);
    await edit();
    expect(isChanged(session.active!)).toBe(true);
    await session.undo();
    expect(session.active?.text).toBe("text!");
    expect(isChanged(session.active!)).toBe(false);
    await session.undo();
    expect(session.active?.text).toBe("text");
    expect(isChanged(session.active!)).toBe(true);
    await session.redo();
    await session.redo();
    expect(session.active?.text).toBe("text!!");
    expect(fake.text).toBe("text!!");
  });

  it("takes the server's text when somebody else has changed it", async () => {
    fake.text = "other";
    fake.revision = 5;
    await edit();
    await new Promise((later) => setTimeout(later));
    expect(session.active?.text).toBe("other");
    expect(session.active?.revision).toBe(fake.revision);
    expect(said).toEqual(["stale"]);
  });

  it("asks what to do when the file has changed on disk", async () => {
    fake.fail = new Refusal(11, "conflict", { text: "disk", hash: "h", exists: true });
    expect(await session.save("a.json")).toBe(false);
    expect(conflicts).toEqual([{ text: "disk", hash: "h", exists: true }]);
  });

  it("reads a file again that changed on disk, unless it has changes of its own", async () => {
    fake.text = "from disk";
    fake.hash = "second";
    session.event("disk", { doc: 7, hash: "second", exists: true });
    await session.settled("a.json");
    expect(session.active?.text).toBe("from disk");
    await edit();
    session.event("disk", { doc: 7, hash: "third", exists: true });
    await session.settled("a.json");
    expect(session.active?.text).toBe("from disk!");
    expect(session.active?.disk).toEqual({ hash: "third", exists: true });
  });

  it("says why an edit was refused and changes nothing", async () => {
    fake.fail = new Refusal(4, "node 1 takes no children", null);
    await edit();
    expect(said).toEqual(["node 1 takes no children"]);
    expect(session.active?.text).toBe("text");
    expect(session.active?.history.done).toEqual([]);
  });
});
