// What is open in a tab of the browser, which remembers it.

const SESSION = "bt-studio-tabs";

export interface Kept {
  paths: string[];
  active: string | null;
}

export function readKept(): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SESSION) ?? "") as Kept;
    return { paths: Array.isArray(kept.paths) ? kept.paths : [], active: kept.active ?? null };
  } catch {
    return { paths: [], active: null };
  }
}

export function writeKept(kept: Kept): void {
  try {
    sessionStorage.setItem(SESSION, JSON.stringify(kept));
  } catch {
    // A browser that stores nothing: the tabs are not remembered.
  }
}
