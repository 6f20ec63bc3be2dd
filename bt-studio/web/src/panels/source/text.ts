// A file's text and the editor's: the editor knows one way to end a line.

/** The text with its line ends as the editor has them. A text with several kinds of them keeps them all. */
export function toEditor(text: string): string {
  return hasWindowsEnds(text) ? text.replaceAll("\r\n", "\n") : text;
}

/** An edited text with the line ends that its file has. `file`: the text before. */
export function toFile(edited: string, file: string): string {
  return hasWindowsEnds(file) ? edited.replaceAll("\n", "\r\n") : edited;
}

/** Whether each line ends as on Windows: otherwise a text does not come back as it was. */
function hasWindowsEnds(text: string): boolean {
  let has = false;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 2)) {
    if (text[at + 1] !== "\n") return false;
    has = true;
  }
  return has && !/(?<!\r)\n/.test(text);
}

/** The line of a node in the text of a tree, from 1. */
export function lineOf(text: string, idx: number): number | null {
  const found = new RegExp(`"idx"\\s*:\\s*${idx}\\b`).exec(text);
  if (!found) return null;
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < found.index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
