// Rows of a list that only the server has all of: the page keeps those around what is looked at.

export interface Part<T> {
  /** The place after the last row that there is. */
  total: number;
  /** The place of the first of these: the rows before it may be gone. */
  from: number;
  rows: T[];
}

const SIZE = 100;
const MOST = 24;
/** How long it takes until a part that could not be read is requested again. */
const AFTER_FAILURE = 1000;

export class Pages<T> {
  total = 0;
  /** The parts that are known, the one that was looked at longest ago first. */
  private parts = new Map<number, (T | undefined)[]>();
  private asked = new Map<number, number>();
  /** Rows may have changed since they were read. */
  private stale = new Set<number>();
  private age = 0;

  constructor(
    private readonly load: (from: number, count: number) => Promise<Part<T>>,
    private readonly changed: () => void,
  ) {}

  /** A row, if it is known; otherwise it is requested, and `changed` says when it is there. */
  get(at: number): T | undefined {
    if (at < 0) return undefined;
    const number = Math.floor(at / SIZE);
    const part = this.parts.get(number);
    if (part) {
      this.parts.delete(number);
      this.parts.set(number, part);
    }
    if (!part || this.stale.has(number)) this.ask(number);
    return part?.[at - number * SIZE];
  }

  /**
   * How many rows there are up to the last that is known, for who looks at the end: those behind it are requested. All
   * of them where none of the last is known.
   */
  get known(): number {
    this.get(this.total - 1);
    const first = Math.max(0, this.total - 2 * SIZE);
    for (let at = this.total - 1; at >= first; at--) {
      const number = Math.floor(at / SIZE);
      if (this.parts.get(number)?.[at - number * SIZE] !== undefined) return at + 1;
    }
    return this.total;
  }

  /** How many rows are kept. */
  get kept(): number {
    let count = 0;
    for (const part of this.parts.values()) count += part.length;
    return count;
  }

  /** There are more rows; those that were there stay what they are. */
  grow(total: number): void {
    if (total === this.total) return;
    this.stale.add(Math.floor(Math.min(this.total, total) / SIZE));
    for (const number of this.parts.keys()) if (number * SIZE >= total) this.parts.delete(number);
    this.total = total;
    this.changed();
  }

  /** Every row may be another one now. What is known is shown until the others are there. */
  refresh(): void {
    for (const number of this.parts.keys()) this.stale.add(number);
    this.changed();
  }

  /** Asks for what is looked at first, without waiting for a look. */
  begin(): void {
    this.ask(0);
  }

  clear(): void {
    this.parts.clear();
    this.stale.clear();
    this.asked.clear();
    this.total = 0;
    this.age++;
    this.changed();
  }

  private ask(number: number): void {
    const now = Date.now();
    if ((this.asked.get(number) ?? 0) > now) return;
    this.asked.set(number, Number.POSITIVE_INFINITY);
    this.stale.delete(number);
    const { age } = this;
    this.load(number * SIZE, SIZE)
      .then((part) => {
        if (age !== this.age) return;
        this.asked.delete(number);
        this.total = part.total;
        this.parts.delete(number);
        this.parts.set(number, [...Array(Math.max(0, part.from - number * SIZE)), ...part.rows]);
        for (const old of this.parts.keys()) {
          if (this.parts.size <= MOST) break;
          this.parts.delete(old);
          this.stale.delete(old);
        }
        this.changed();
      })
      .catch(() => {
        if (age === this.age) this.asked.set(number, Date.now() + AFTER_FAILURE);
      });
  }
}
