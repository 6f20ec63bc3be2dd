// Times and values as people read them.

/** A time of the game's clock, in seconds. */
export function seconds(ns: number): string {
  return `${(ns / 1e9).toFixed(3).replace(/\.?0+$/, "")} s`;
}

/** How long something has lasted: as exact as one can read while it counts. */
export function lasted(ns: number): string {
  const all = Math.max(0, ns) / 1e9;
  if (all < 10) return `${all.toFixed(1)} s`;
  if (all < 60) return `${Math.floor(all)} s`;
  const minutes = Math.floor(all / 60);
  const rest = `${Math.floor(all % 60)} s`;
  if (minutes < 60) return `${minutes} min ${rest}`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A value in one line, cut where it is long. */
export function inLine(value: unknown, most = 120): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
