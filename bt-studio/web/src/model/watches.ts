// The list of expressions that one watches.

/** So many are watched at once. */
export const MOST_WATCHED = 50;

/** The list with one more, at its end; the oldest goes where there are too many. */
export function watched(all: readonly string[], text: string): string[] {
  return [...unwatched(all, text), text].slice(-MOST_WATCHED);
}

export function unwatched(all: readonly string[], text: string): string[] {
  return all.filter((one) => one !== text);
}
