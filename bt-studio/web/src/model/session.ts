// What one does with documents: open, change, undo, save, close. The server writes all texts; this asks it to.

import type {
  Building,
  CardsChanged,
  CatalogueChanged,
  Changed,
  DiskChanged,
  Document,
  Edit,
  FileChange,
  Notice,
  Picture,
  Problems,
  SnippetsChanged,
  Splice,
  TreesChanged,
  View,
} from "../net/protocol.ts";
import { Disconnected, Refusal, type Server } from "../net/socket.ts";
import { type History, type Label, mark, push, redone, undone } from "./history.ts";
import { keptSteps, sumOf } from "./kept.ts";
import { readKept, writeKept } from "./kept-tabs.ts";
import { activeTab, isChanged, NEW_TAB, patchTab, type State, type Store, type Tab } from "./state.ts";
import { apply, between, invert } from "./text.ts";
import { pathTo } from "./tree.ts";
import { hardened, softened } from "./unfinished.ts";

/** How the session speaks to people; the panels give it. */
export interface Voice {
  say: (level: "info" | "error", text: string) => void;
  /** A file that is to be saved has changed on disk. */
  conflict: (path: string, onDisk: OnDisk) => void;
  saved: (path: string) => void;
}

export interface OnDisk {
  text: string;
  hash: string;
  exists: boolean;
}

export interface Done {
  tab: Tab;
  created: number[];
}

/** The server's numbers for two refusals. */
const STALE = 10;
const CONFLICT = 11;

export class Session {
  /** Edits of a document, one after the other: each sees what the one before has done. */
  private queues = new Map<string, Promise<unknown>>();
  private steps = 1;
  picture: (tab: Tab) => Promise<Picture | undefined> = async () => undefined;
  /** Takes the token of a server that was started anew, or the link with it. */
  admit: (text: string) => void = () => undefined;
  /** Those that go on when the connection is back. */
  private waiting: (() => void)[] = [];
  /** Sends what was typed a moment ago, before something is done with all of a document. */
  readonly typed = new Set<() => void>();

  constructor(
    readonly store: Store,
    readonly server: Server,
    readonly voice: Voice,
  ) {}

  get state(): State {
    return this.store.getState();
  }

  tab(path: string): Tab | undefined {
    return this.state.tabs.find((tab) => tab.path === path);
  }

  get active(): Tab | undefined {
    return activeTab(this.state);
  }

  /** The connection is there, for the first time or again: what is open is opened again. */
  async begin(): Promise<void> {
    const project = await this.server.call("project.get", {});
    this.store.setState({ project });
    const open = this.state.tabs;
    if (open.length > 0) {
      for (const tab of open) if (!tab.game) await this.reopen(tab);
      for (const again of this.waiting.splice(0)) again();
      return;
    }
    const kept = readKept();
    for (const path of kept.paths) {
      if (![...project.trees, ...project.unsaved].some((tree) => tree.path === path)) continue;
      if (await this.open(path).catch(() => undefined)) await this.resume(path).catch(() => undefined);
    }
    if (kept.active && this.tab(kept.active)) this.activate(kept.active);
  }

  /** Goes on with what was done before the page was loaded anew: its text, if it was not saved, and its steps. */
  private async resume(path: string): Promise<void> {
    const kept = keptSteps(sessionStorage, path);
    const tab = this.tab(path);
    if (!kept || !tab) return;
    const isDraft = tab.draft !== null && sumOf(tab.draft.text) === kept.text;
    if (isDraft) await this.restoreDraft(path);
    if (sumOf(this.tab(path)?.text ?? "") !== kept.text) return;
    const { history, savedAt } = kept;
    for (const { id } of [...history.done, ...history.undone]) this.steps = Math.max(this.steps, id);
    const isUnsaved = isDraft || tab.hash === "";
    patchTab(this.store, path, () => ({ history, savedAt: isUnsaved ? savedAt : mark(history) }));
  }

  private async reopen(tab: Tab): Promise<void> {
    try {
      const document = await this.server.call("doc.open", { path: tab.path });
      const { doc, revision, read_only } = document;
      patchTab(this.store, tab.path, () => ({ doc, revision, isReadOnly: read_only }));
      if (document.text === tab.text) return;
      if (isChanged(tab)) {
        const changed = await this.server.call("doc.replace", {
          doc: document.doc,
          revision: document.revision,
          splices: between(document.text, tab.text),
        });
        patchTab(this.store, tab.path, () => ({ revision: changed.revision }));
      } else {
        this.show(document, tab);
      }
    } catch (error) {
      this.voice.say("error", messageOf(error));
    }
  }

  async open(path: string, node?: number): Promise<Tab | undefined> {
    if (!this.tab(path)) {
      this.show(await this.server.call("doc.open", { path }));
    }
    this.activate(path);
    if (node !== undefined) this.select([node]);
    return this.tab(path);
  }

  async create(path: string, agent: string, comment: string): Promise<Tab | undefined> {
    const document = await this.server.call("doc.new", { path, agent, comment });
    this.show(document);
    patchTab(this.store, document.path, ({ cards, findings }) => {
      const fresh = new Set(cards.keys());
      return { fresh, findings: softened(findings, fresh) };
    });
    this.activate(document.path);
    return this.tab(document.path);
  }

  /** Makes a tab of a document, or of one that is open its state. */
  private show(document: Document, old?: Tab): void {
    const tab: Tab = {
      ...NEW_TAB,
      ...(old && { camera: old.camera, selection: old.selection, focus: old.focus, revealed: old.revealed }),
      path: document.path,
      doc: document.doc,
      name: document.name,
      text: document.text,
      revision: document.revision,
      hash: document.hash,
      isScript: document.script,
      isReadOnly: document.read_only,
      draft: document.draft ?? null,
      // One that has no file yet was never saved.
      savedAt: document.hash === "" ? -1 : NEW_TAB.savedAt,
      findings: document.findings,
      ...treeOf(document.view),
    };
    if (tab.focus === null || !tab.cards.has(tab.focus)) {
      tab.focus = tab.cards.has(tab.root) ? tab.root : null;
      tab.selection = new Set(tab.focus === null ? [] : [tab.focus]);
    }
    this.store.setState((state) => ({
      tabs: state.tabs.some((one) => one.path === tab.path)
        ? state.tabs.map((one) => (one.path === tab.path ? tab : one))
        : [...state.tabs, tab],
    }));
    this.keep();
  }

  /** A file has another path: its tab, too. */
  moved(from: string, to: string): void {
    const entry = this.state.project?.trees.find((tree) => tree.path === to);
    patchTab(this.store, from, (tab) => ({ path: to, name: entry?.name ?? tab.name }));
    this.store.setState((state) => ({
      active: state.active === from ? to : state.active,
      trail: state.trail.map((step) => (step.path === from ? { ...step, path: to } : step)),
    }));
    this.keep();
  }

  /** Shows a tree that is no document: as a game has it. */
  look(game: { session: number; tree: string }, title: string, text: string, view: View | null): string {
    const path = `${title}: ${game.tree}`;
    const old = this.tab(path);
    const tab: Tab = {
      ...NEW_TAB,
      ...(old && { camera: old.camera, selection: old.selection, focus: old.focus, revealed: old.revealed }),
      path,
      doc: -1,
      name: game.tree,
      text,
      revision: 0,
      hash: "",
      isScript: false,
      isReadOnly: true,
      game,
      ...treeOf(view),
    };
    if (tab.focus === null || !tab.cards.has(tab.focus)) {
      tab.focus = tab.root;
      tab.selection = new Set([tab.root]);
    }
    this.store.setState(({ tabs }) => ({
      tabs: old ? tabs.map((one) => (one.path === path ? tab : one)) : [...tabs, tab],
    }));
    this.activate(path);
    return path;
  }

  activate(path: string): void {
    if (this.tab(path) && this.state.active !== path) this.store.setState({ active: path, trail: [] });
    this.keep();
  }

  /** The browser's tab remembers what is open in it. */
  private keep(): void {
    const { tabs, active } = this.state;
    writeKept({ paths: tabs.flatMap((tab) => (tab.game ? [] : [tab.path])), active });
  }

  select(nodes: readonly number[], focus: number | undefined = nodes.at(-1)): void {
    const tab = this.active;
    if (!tab) return;
    const known = nodes.filter((idx) => tab.cards.has(idx));
    patchTab(this.store, tab.path, () => ({
      selection: new Set(known),
      focus: focus !== undefined && tab.cards.has(focus) ? focus : tab.focus,
      revealed: revealing(tab, known),
    }));
  }

  /** Shows a node folded again that is folded in the file. */
  hide(idx: number): void {
    const path = this.state.active;
    if (!path) return;
    patchTab(this.store, path, (tab) => ({
      revealed: new Set([...tab.revealed].filter((one) => one !== idx)),
    }));
  }

  /** Goes into a tree that a node calls. */
  async enter(path: string, from: number): Promise<void> {
    const here = this.state.active;
    const trail = here ? [...this.state.trail, { path: here, node: from }] : [];
    if (await this.open(path).catch((error) => this.voice.say("error", messageOf(error)))) {
      this.store.setState({ trail });
    }
  }

  /** Goes back to a tree of the trail, and the node in it that called. */
  async leave(place: number): Promise<void> {
    const step = this.state.trail[place];
    if (!step) return;
    const trail = this.state.trail.slice(0, place);
    await this.open(step.path, step.node).catch((error) => this.voice.say("error", messageOf(error)));
    this.store.setState({ trail });
  }

  /** Runs one task of a document after those before it. */
  private queued<T>(path: string, task: () => Promise<T>): Promise<T> {
    const before = this.queues.get(path) ?? Promise.resolve();
    const run = before.then(task, task);
    this.queues.set(
      path,
      run.catch(() => undefined),
    );
    return run;
  }

  /** Does something with a document; if the connection breaks, again when it is back. Nothing that is done meanwhile is lost. */
  private async persistent<T>(path: string, task: (tab: Tab) => Promise<T>): Promise<T | undefined> {
    for (;;) {
      const tab = this.tab(path);
      try {
        return tab && (await task(tab));
      } catch (error) {
        if (!(error instanceof Disconnected)) throw error;
        this.store.setState(({ pending }) => ({ pending: pending + 1 }));
        await new Promise<void>((again) => this.waiting.push(again));
        this.store.setState(({ pending }) => ({ pending: pending - 1 }));
      }
    }
  }

  /** Waits until everything that was asked of the document is done. */
  async settled(path: string): Promise<void> {
    for (const send of this.typed) send();
    await this.queues.get(path);
  }

  /**
   * Changes the active tree. `make` gets the tree as it is when its turn comes, and says nothing to do by null.
   * `select` are the nodes that are selected then; those that came into being unless it says otherwise.
   */
  async edit(
    label: Label,
    make: (tab: Tab) => Edit[] | null,
    select?: (tab: Tab, created: number[]) => number[],
    merge?: string,
  ): Promise<Done | undefined> {
    const path = this.state.active;
    if (!path) return undefined;
    return this.editIn(path, label, make, select, merge);
  }

  async editIn(
    path: string,
    label: Label,
    make: (tab: Tab) => Edit[] | null,
    select?: (tab: Tab, created: number[]) => number[],
    merge?: string,
  ): Promise<Done | undefined> {
    return this.queued(path, async () => {
      try {
        const changed = await this.persistent(path, async (tab) => {
          const { doc, revision } = tab;
          const edits = !tab.game && make(tab);
          return edits && edits.length > 0 && this.server.call("doc.edit", { doc, revision, edits });
        });
        if (!changed) return undefined;
        this.changed(path, changed, label, select, merge);
        for (const document of changed.documents ?? []) {
          this.show(document);
          patchTab(this.store, document.path, () => ({ savedAt: -1 }));
        }
        return { tab: this.tab(path)!, created: changed.created };
      } catch (error) {
        this.refused(path, error);
        return undefined;
      }
    });
  }

  /** Makes the text of a document another one. */
  async retype(path: string, text: string, label: Label, merge?: string): Promise<void> {
    await this.queued(path, async () => {
      await this.splice(
        path,
        (tab) => !tab.game && tab.text !== text && between(tab.text, text),
        (changed) => this.changed(path, changed, label, undefined, merge),
      );
    });
  }

  /** Changes the text of a document as it is when its turn comes; `make` says nothing to do by false. */
  private async splice(
    path: string,
    make: (tab: Tab) => Splice[] | false,
    then: (changed: Changed) => void,
  ): Promise<void> {
    try {
      const changed = await this.persistent(path, async (tab) => {
        const { doc, revision } = tab;
        const splices = make(tab);
        return splices && this.server.call("doc.replace", { doc, revision, splices });
      });
      if (changed) then(changed);
    } catch (error) {
      this.refused(path, error);
    }
  }

  /** What the server changed becomes a step of the history. */
  changed(
    path: string,
    changed: Changed,
    label: Label,
    select?: (tab: Tab, created: number[]) => number[],
    merge?: string,
  ): void {
    const tab = this.tab(path);
    if (!tab) return;
    if (changed.splices.length === 0) {
      this.take(path, changed, tab.text, tab.history, [...tab.selection]);
      return;
    }
    const text = apply(tab.text, changed.splices);
    const next = withCards(tab, changed);
    const after =
      select?.(next, changed.created) ??
      (changed.created.length > 0
        ? [changed.created[0]!]
        : [...tab.selection].filter((idx) => next.cards.has(idx)));
    const history = push(
      tab.history,
      {
        id: ++this.steps,
        label,
        forward: changed.splices,
        backward: invert(tab.text, changed.splices),
        before: [...tab.selection],
        after,
        merge,
        at: Date.now(),
      },
      text,
    );
    this.take(path, changed, text, history, after);
  }

  /** A change that the server made in an open document for another reason, as a rename in all trees. */
  adopt(file: FileChange, label: Label): void {
    const tab = this.state.tabs.find((one) => one.doc === file.doc);
    if (tab && file.changed) this.changed(tab.path, file.changed, label, (one) => [...one.selection]);
  }

  private take(path: string, changed: Changed, text: string, history: History, selection: number[]): void {
    patchTab(this.store, path, (tab) => {
      const next = withCards(tab, changed);
      const known = selection.filter((idx) => next.cards.has(idx));
      const focus = known.at(-1) ?? (tab.focus !== null && next.cards.has(tab.focus) ? tab.focus : next.root);
      return {
        ...next,
        text,
        history,
        revision: changed.revision,
        selection: new Set(known.length > 0 ? known : [focus]),
        focus,
        fresh: changed.created.length > 0 ? new Set([...tab.fresh, ...changed.created]) : tab.fresh,
        revealed: revealing(next, known),
      };
    });
  }

  async undo(): Promise<void> {
    await this.step("done", "backward", "before", undone);
  }

  async redo(): Promise<void> {
    await this.step("undone", "forward", "after", redone);
  }

  private async step(
    from: "done" | "undone",
    way: "backward" | "forward",
    select: "before" | "after",
    next: (history: History) => History,
  ): Promise<void> {
    const path = this.state.active;
    if (!path) return;
    await this.queued(path, async () => {
      const tab = this.tab(path);
      const step = tab?.history[from].at(-1);
      if (!tab || !step) return;
      await this.splice(
        path,
        (now) => now.history[from].at(-1) === step && step[way],
        (changed) => this.take(path, changed, apply(tab.text, step[way]), next(tab.history), step[select]),
      );
    });
  }

  /** Saves a document: under another path, or over what is on disk, if that is said. Whether it was saved. */
  async save(path: string, options: { as?: string; over?: string } = {}): Promise<boolean> {
    for (const send of this.typed) send();
    return this.queued(path, async () => {
      const tab = this.tab(path);
      if (!tab || tab.game) return false;
      try {
        const saved = await this.server.call("doc.save", {
          doc: tab.doc,
          revision: tab.revision,
          ...(options.as !== undefined && { path: options.as }),
          ...(options.over !== undefined && { hash: options.over }),
          picture: await this.picture(tab),
        });
        patchTab(this.store, path, (one) => ({
          path: saved.path,
          name: saved.name,
          hash: saved.hash,
          savedAt: mark(one.history),
          fresh: new Set<number>(),
          // With what was held back while something was still to do.
          findings: this.state.problems[path] ?? hardened(one.findings),
          disk: null,
          draft: null,
        }));
        if (this.state.active === path) this.store.setState({ active: saved.path });
        // A script that was saved as a tree is one from now on.
        if (tab.isScript && saved.path.endsWith(".json")) {
          this.show(await this.server.call("doc.reload", { doc: tab.doc }));
        }
        this.keep();
        this.voice.saved(saved.path);
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.code === CONFLICT)
          this.voice.conflict(path, error.data as OnDisk);
        else this.voice.say("error", messageOf(error));
        return false;
      }
    });
  }

  /** Takes what is on disk; what was changed here is a step back. */
  async reload(path: string): Promise<void> {
    await this.queued(path, async () => {
      const tab = this.tab(path);
      if (!tab || tab.game) return;
      try {
        const document = await this.server.call("doc.reload", { doc: tab.doc });
        this.show(document, tab);
      } catch (error) {
        this.voice.say("error", messageOf(error));
      }
    });
  }

  /** Takes the text of a draft, as a step that can be undone. */
  async restoreDraft(path: string): Promise<void> {
    const draft = this.tab(path)?.draft;
    if (draft) await this.retype(path, draft.text, { key: "step.draft" });
    patchTab(this.store, path, () => ({ draft: null }));
  }

  async close(path: string): Promise<void> {
    // What waits for the connection does not keep it open.
    if (this.state.status === "open") await this.settled(path);
    const tab = this.tab(path);
    if (!tab) return;
    const place = this.state.tabs.indexOf(tab);
    const tabs = this.state.tabs.filter((one) => one !== tab);
    const active = this.state.active === path ? (tabs[place] ?? tabs[place - 1])?.path : this.state.active;
    this.store.setState(({ project }) => ({
      tabs,
      active: active ?? null,
      project: project && { ...project, unsaved: project.unsaved.filter((tree) => tree.path !== path) },
    }));
    this.keep();
    if (!tab.game)
      await this.server.call("doc.close", { doc: tab.doc, discard: true }).catch(() => undefined);
  }

  private refused(path: string, error: unknown): void {
    if (error instanceof Refusal && error.code === STALE) {
      // Somebody else changed it: the server's text is the one that counts.
      const { text, revision } = error.data as { text: string; revision: number };
      patchTab(this.store, path, () => ({
        text,
        revision,
        history: { done: [], undone: [] },
        savedAt: -1,
      }));
      const tab = this.tab(path);
      if (tab)
        void this.splice(
          path,
          () => [],
          (changed) => this.take(path, changed, text, tab.history, []),
        );
    }
    this.voice.say("error", messageOf(error));
  }

  /** What the server says unasked. */
  event(name: string, params: unknown): void {
    if (name === "problems") {
      const { path, findings } = params as Problems;
      this.store.setState((state) => ({ problems: { ...state.problems, [path]: findings } }));
      patchTab(this.store, path, (tab) => ({ findings: softened(findings, tab.fresh) }));
    } else if (name === "trees") {
      const { changed, removed } = params as TreesChanged;
      this.store.setState((state) => {
        if (!state.project) return {};
        const gone = new Set([...removed, ...changed.map((tree) => tree.path)]);
        const trees = [...state.project.trees.filter((tree) => !gone.has(tree.path)), ...changed];
        trees.sort((one, other) => (one.path < other.path ? -1 : 1));
        return { project: { ...state.project, trees } };
      });
    } else if (name === "disk") {
      const { doc, hash, exists } = params as DiskChanged;
      const tab = this.state.tabs.find((one) => one.doc === doc);
      if (!tab || tab.hash === hash) return;
      if (exists && !isChanged(tab)) void this.reload(tab.path);
      else patchTab(this.store, tab.path, () => ({ disk: { hash, exists } }));
    } else if (name === "cards") {
      const { doc, cards } = params as CardsChanged;
      const tab = this.state.tabs.find((one) => one.doc === doc);
      if (!tab) return;
      const now = new Map(tab.cards);
      for (const card of cards) if (now.has(card.idx)) now.set(card.idx, card);
      patchTab(this.store, tab.path, () => ({ cards: now }));
    } else if (name === "snippets") {
      const { snippets } = params as SnippetsChanged;
      this.store.setState(({ project }) => (project ? { project: { ...project, snippets } } : {}));
    } else if (name === "catalogue") {
      const { catalogue, kinds, agents, problem, building } = params as CatalogueChanged;
      this.store.setState(({ project }) =>
        project ? { project: { ...project, catalogue, kinds, agents, problem, building } } : {},
      );
      if (problem) this.voice.say("error", problem);
    } else if (name === "building") {
      const building = params as Building;
      this.store.setState(({ project }) => (project ? { project: { ...project, building } } : {}));
    } else if (name === "notice") {
      const { level, text } = params as Notice;
      this.voice.say(level === "error" ? "error" : "info", text);
    }
  }
}

function treeOf(view: View | null | undefined): Pick<Tab, "isTree" | "cards" | "root" | "agent"> {
  if (!view) return { isTree: false, cards: new Map(), root: 0, agent: "" };
  return {
    isTree: true,
    cards: new Map(view.cards.map((card) => [card.idx, card])),
    root: view.root,
    agent: view.agent ?? "",
  };
}

/** The tab with the cards that an answer changed. */
export function withCards(tab: Tab, changed: Changed): Tab {
  if (!changed.is_tree) return { ...tab, isTree: false };
  const agent = changed.agent ?? tab.agent;
  if (changed.cards.length === 0 && changed.removed.length === 0) return { ...tab, agent, isTree: true };
  const cards = new Map(tab.isTree ? tab.cards : []);
  for (const idx of changed.removed) cards.delete(idx);
  for (const card of changed.cards) cards.set(card.idx, card);
  return { ...tab, agent, isTree: true, cards, root: changed.root ?? tab.root };
}

/** The folded nodes that are to be shown open, so that these nodes are seen. */
function revealing(tab: Tab, nodes: readonly number[]): ReadonlySet<number> {
  let revealed = tab.revealed;
  for (const idx of nodes) {
    for (const card of pathTo(tab.cards, idx)) {
      if (card.idx === idx || !card.collapsed || revealed.has(card.idx)) continue;
      revealed = new Set([...revealed, card.idx]);
    }
  }
  return revealed;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
