// The colours of the canvas, from the style sheet.

export interface Theme {
  canvas: string;
  card: string;
  border: string;
  text: string;
  weak: string;
  link: string;
  accent: string;
  guard: string;
  error: string;
  warning: string;
  found: string;
  /** Of a running game: what is active, where it stops, what is forced. */
  active: string;
  stop: string;
  breakpoint: string;
  forced: string;
  onSign: string;
  onGroup: string;
  group: Record<string, string>;
  font: string;
}

const GROUPS = [
  "root",
  "composite",
  "decorator",
  "action",
  "condition",
  "event",
  "tree",
  "control",
  "unknown",
];

export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim() || "#888";
  const group: Record<string, string> = {};
  for (const name of GROUPS) group[name] = get(`group-${name}`);
  return {
    canvas: get("canvas"),
    card: get("card"),
    border: get("card-border"),
    text: get("text"),
    weak: get("weak"),
    link: get("link"),
    accent: get("accent"),
    guard: get("guard"),
    error: get("error"),
    warning: get("warning"),
    found: get("found"),
    active: get("active"),
    stop: get("stop"),
    breakpoint: get("breakpoint"),
    forced: get("forced"),
    onSign: get("on-sign"),
    onGroup: "#fff",
    group,
    font: style.fontFamily || "sans-serif",
  };
}

/** The colours that the original's editor gives nodes by itself: nobody chose them. */
const NOT_CHOSEN = new Set([0, 0xffffffff, 0x7f7f7fff]);

/** A colour of a tree file (red, green, blue and opacity in one number) that somebody chose. */
export function fileColor(color: number | null | undefined): string | null {
  if (color === null || color === undefined) return null;
  const value = color >>> 0;
  if (NOT_CHOSEN.has(value)) return null;
  return `#${(value >>> 8).toString(16).padStart(6, "0")}`;
}

/** A colour as a tree file has it, of `#rrggbb`; of an empty text the one that means none. */
export function colorOf(css: string): number {
  return css === "" ? 0xffffffff : ((Number.parseInt(css.slice(1), 16) << 8) | 255) >>> 0;
}
