// Which texts a few letters may mean, and how well they fit.

/** How well letters fit a text; 0 if they do not. The letters stand in the text in their order. */
export function score(query: string, text: string): number {
  const letters = query.toLowerCase();
  if (letters === "") return 1;
  const words = text.toLowerCase();
  if (words === letters) return 1000;
  const found = words.indexOf(letters);
  if (found === 0) return 900 - Math.min(words.length, 300);
  if (found > 0) return (startsWord(text, found) ? 700 : 400) - Math.min(words.length, 300) / 2;
  let points = 0;
  let at = -1;
  let scattered = 0;
  for (const letter of letters) {
    if (letter === " ") continue;
    const next = words.indexOf(letter, at + 1);
    if (next < 0) return 0;
    const isFound = startsWord(text, next) || next === at + 1;
    if (!isFound) scattered++;
    points += startsWord(text, next) ? 12 : isFound ? 8 : 1;
    at = next;
  }
  // Letters here and there are in every long text: `flee` is not meant to be `failure_until`.
  if (scattered * 2 > letters.length) return 0;
  return Math.max(1, points - words.length / 20);
}

function startsWord(text: string, at: number): boolean {
  const before = text[at - 1];
  const here = text[at] ?? "";
  if (before === undefined || /[\s_./:#-]/.test(before)) return true;
  return /[a-z]/.test(before) && /[A-Z]/.test(here);
}

export interface Searched {
  /** What it is called: letters that fit here count most. */
  name: string;
  /** Other texts by which it is found. */
  also: string;
  /** Words that mean the same as its name. */
  words?: readonly string[];
}

/** Those that fit, the best first. */
export function rank<T extends Searched>(query: string, items: readonly T[], most: number): T[] {
  const query_ = query.trim();
  if (query_ === "") return items.slice(0, most);
  const scored: { item: T; points: number; at: number }[] = [];
  items.forEach((item, at) => {
    const points = Math.max(
      score(query_, item.name) * 2,
      sameScore(query_, item.words ?? []),
      wordScore(query_, item.also),
    );
    if (points > 0) scored.push({ item, points, at });
  });
  scored.sort((one, other) => other.points - one.points || one.at - other.at);
  return scored.slice(0, most).map(({ item }) => item);
}

/** Another name counts nearly as much as the own one, if it is typed from its beginning. */
function sameScore(query: string, words: readonly string[]): number {
  const letters = query.toLowerCase();
  let best = 0;
  for (const word of words) {
    const other = word.toLowerCase();
    if (other === letters) return 1990;
    if (other.startsWith(letters)) best = Math.max(best, 1500 - other.length);
  }
  return best;
}

/** Longer texts are searched for whole words: scattered letters of a sentence say nothing. */
function wordScore(query: string, text: string): number {
  const words = text.toLowerCase();
  const all = query.toLowerCase().split(/\s+/);
  if (!all.every((word) => words.includes(word))) return 0;
  return 100 + (words.startsWith(all[0]!) ? 50 : 0);
}
