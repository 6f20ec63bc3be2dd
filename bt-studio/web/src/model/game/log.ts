// The log of an agent: polls, each of which shows its rows when it is opened; or the rows that a filter leaves.

import type { FilterRows, PollRow, Row } from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";
import { Pages } from "./pages.ts";
import { type GameStore, type LogState, NEW_LOG } from "./state.ts";

/** What stands in a line of the log. */
export type Line =
  | { kind: "poll"; place: number; poll: PollRow | undefined; isOpen: boolean }
  | { kind: "row"; no: number; row: Row | undefined; isBelow: boolean };

/** How many polls can be open at a time: each costs something. */
const MOST_OPEN = 300;

export class Log {
  private readonly polls: Pages<PollRow>;
  /** By number; of a filter, by place among those that it leaves. */
  private readonly rows: Pages<Row>;
  private asked = 0;
  /** The place of the first poll that there is. */
  private first = 0;
  /** The open polls in order, with how many rows there are before each. */
  private sums: { place: number; rows: number; before: number }[] = [];

  constructor(
    private readonly store: GameStore,
    private readonly server: Pick<Server, "call">,
  ) {
    const changed = () => this.patch(({ version }) => ({ version: version + 1 }));
    this.polls = new Pages(async (from, count) => {
      const { polls, ...page } = await server.call("game.polls", { ...this.who, from, count });
      return { ...page, rows: polls };
    }, changed);
    this.rows = new Pages((from, count) => {
      return server.call("game.rows", { ...this.who, ...this.filtering, from, count });
    }, changed);
  }

  private get who(): { session: number; agent: string } {
    const { session, agent } = this.store.getState();
    if (session === null || agent === null) throw new Error("no agent is followed");
    return { session, agent };
  }

  private get hasAgent(): boolean {
    const { session, agent } = this.store.getState();
    return session !== null && agent !== null;
  }

  private get filtering(): { filter?: number } {
    const { filter } = this.state;
    return filter === null ? {} : { filter };
  }

  private get state(): LogState {
    return this.store.getState().log;
  }

  private patch(patch: (log: LogState) => Partial<LogState>): void {
    this.store.setState(({ log }) => ({ log: { ...log, ...patch(log) } }));
  }

  /** Another agent's log. */
  reset(): void {
    const { include, exclude, search } = this.state;
    this.asked++;
    this.first = 0;
    this.setOpen(new Map());
    this.store.setState({ log: { ...NEW_LOG, include, exclude, search } });
    this.polls.clear();
    this.rows.clear();
    if (include !== "" || exclude !== "") void this.filter({}).catch(() => undefined);
  }

  /** Records have come, or old ones are gone. */
  grow(history: { first_poll: number; polls: number; first: number; records: number }): void {
    const gone = history.first_poll - this.first;
    this.first = history.first_poll;
    if (gone > 0 && this.state.filter === null) {
      const open = new Map([...this.state.open].filter(([place]) => place >= this.first));
      this.setOpen(open);
      this.patch(({ at }) => ({ at: Math.max(0, at - gone) }));
    }
    this.polls.grow(history.first_poll + history.polls);
    if (this.state.filter === null) this.rows.grow(history.first + history.records);
  }

  /** How many lines there are. */
  get count(): number {
    if (this.state.filter !== null) return this.rows.total;
    const last = this.sums.at(-1);
    // Who follows the newest sees rows, and not places of rows that are on their way.
    const polls = this.state.tail ? this.polls.known : this.polls.total;
    return Math.max(0, polls - this.first) + (last ? last.before + last.rows : 0);
  }

  line(at: number): Line {
    if (this.state.filter !== null) {
      const row = this.rows.get(at);
      return { kind: "row", no: row?.no ?? -1, row, isBelow: false };
    }
    const { place, below } = this.placeOf(at);
    const poll = this.polls.get(place);
    if (below === null) return { kind: "poll", place, poll, isOpen: this.state.open.has(place) };
    const no = poll ? poll.first + below : -1;
    return { kind: "row", no, row: no < 0 ? undefined : this.rows.get(no), isBelow: true };
  }

  /** The poll of a line, and which of its rows it is; null for the poll's own line. */
  private placeOf(line: number): { place: number; below: number | null } {
    const at = line + this.first;
    let low = 0;
    let high = this.sums.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { place, before } = this.sums[middle]!;
      if (place + before < at) low = middle + 1;
      else high = middle;
    }
    const open = this.sums[low - 1];
    if (!open) return { place: at, below: null };
    const below = at - (open.place + open.before) - 1;
    if (below < open.rows) return { place: open.place, below };
    return { place: at - open.before - open.rows, below: null };
  }

  /** The line of a poll. */
  lineOf(place: number): number {
    let line = place - this.first;
    for (const open of this.sums) if (open.place < place) line += open.rows;
    return line;
  }

  private setOpen(open: Map<number, number>): void {
    // What was opened long ago is closed.
    for (const old of open.keys()) {
      if (open.size <= MOST_OPEN) break;
      open.delete(old);
    }
    let before = 0;
    this.sums = [...open]
      .sort((one, other) => one[0] - other[0])
      .map(([place, rows]) => {
        const sum = { place, rows, before };
        before += rows;
        return sum;
      });
    this.patch(() => ({ open }));
  }

  /** Opens or closes a poll. */
  toggle(place: number, isOpen = !this.state.open.has(place)): void {
    const poll = this.polls.get(place);
    const open = new Map(this.state.open);
    open.delete(place);
    if (isOpen && poll) open.set(place, poll.records);
    this.setOpen(open);
    this.patch(() => ({ tail: false }));
  }

  /** Goes from a row to its poll. */
  out(): void {
    const { place, below } = this.placeOf(this.state.at);
    if (below !== null) this.go(this.lineOf(place));
  }

  /** Shows a record: opens its poll, and goes to its line. */
  async show(no: number): Promise<void> {
    if (!this.hasAgent) return;
    const asked = ++this.asked;
    if (this.state.filter !== null) {
      const found = await this.server.call("game.rows", {
        ...this.who,
        ...this.filtering,
        at: no,
        count: 1,
      });
      if (asked === this.asked) this.go(found.from + (found.here ?? 0));
      return;
    }
    const found = await this.server.call("game.polls", { ...this.who, at: no, count: 1 });
    const poll = found.polls[0];
    if (!poll || asked !== this.asked) return;
    if (no > poll.first) {
      const open = new Map(this.state.open);
      open.delete(found.from);
      open.set(found.from, poll.records);
      this.setOpen(open);
    }
    this.go(this.lineOf(found.from) + (no > poll.first ? 1 + no - poll.first : 0));
  }

  /** Leaves only rows with and without some texts. */
  async filter(texts: { include?: string; exclude?: string }, more: Partial<FilterRows> = {}): Promise<void> {
    this.patch(() => texts);
    if (!this.hasAgent) return;
    const include = partsOf(this.state.include);
    const exclude = partsOf(this.state.exclude);
    const asked = ++this.asked;
    if (include.length === 0 && exclude.length === 0 && Object.keys(more).length === 0) {
      const { history } = this.store.getState();
      this.patch(() => ({ filter: null, complete: true, at: 0 }));
      this.rows.clear();
      if (history) this.grow(history);
      return;
    }
    const made = await this.server.call("game.filter", {
      ...this.who,
      include,
      exclude,
      commented: false,
      ...more,
    });
    if (asked !== this.asked) return;
    this.patch(() => ({ filter: made.filter, complete: made.complete, at: 0, tail: false }));
    this.rows.clear();
    this.rows.grow(made.total);
  }

  /** The filter has looked at more records. */
  filtered({ filter, total, complete }: { filter: number; total: number; complete: boolean }): void {
    if (filter !== this.state.filter) return;
    this.patch(() => ({ complete }));
    this.rows.grow(total);
  }

  /** Goes to the next or the last row with the text that is looked for. Whether there is one. */
  async find(back: boolean): Promise<boolean> {
    const { search } = this.state;
    if (!this.hasAgent || search === "") return false;
    const { no, isPoll } = this.here();
    // A poll's own line is not looked at, but its rows are.
    const from = back ? no - 1 : isPoll ? no : no + 1;
    const look = (from: number) =>
      this.server.call("game.find", { ...this.who, ...this.filtering, text: search, from, back });
    let found = from < 0 ? {} : await look(from);
    // From the other end on, if there is none on this side.
    const { history } = this.store.getState();
    if (!found.row && history) found = await look(back ? history.first + history.records - 1 : history.first);
    if (!found.row) return false;
    await this.show(found.row.no);
    return true;
  }

  private here(): { no: number; isPoll: boolean } {
    const line = this.line(this.state.at);
    if (line.kind === "poll") return { no: line.poll?.first ?? 0, isPoll: true };
    return { no: Math.max(0, line.no), isPoll: false };
  }

  go(at: number): void {
    this.patch(() => ({ at: Math.max(0, Math.min(this.count - 1, at)), tail: false }));
  }

  tail(tail: boolean): void {
    this.patch(() => ({ tail }));
  }

  /** The record that the line is about: of a poll, its last, for then all of it has happened. */
  get number(): number | null {
    const line = this.line(this.state.at);
    if (line.kind === "row") return line.no < 0 ? null : line.no;
    return line.poll ? line.poll.first + Math.max(0, line.poll.records - 1) : null;
  }

  /** The row that keys act on. */
  get row(): Row | undefined {
    const line = this.line(this.state.at);
    return line.kind === "row" ? line.row : undefined;
  }

  /** Rows may have other comments. */
  refresh(): void {
    this.polls.refresh();
    this.rows.refresh();
  }

  /** How many rows the page holds. */
  get kept(): number {
    return this.polls.kept + this.rows.kept;
  }
}

/** Texts with commas between. */
export function partsOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
