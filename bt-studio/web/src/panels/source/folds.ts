// Which lines can be folded. The lines alone say it: a parser would have to read all above the part in view first.

import { codeFolding, foldEffect, foldedRanges, foldService, unfoldEffect } from "@codemirror/language";
import type { EditorState, Extension, Line } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";

export interface Range {
  from: number;
  to: number;
}

/** The width of the space at the beginning of a line; -1 if there is nothing else. */
function indent(text: string): number {
  return text.search(/\S/);
}

function next(state: EditorState, line: Line): Line | null {
  return line.number < state.doc.lines ? state.doc.line(line.number + 1) : null;
}

/** Whether a line begins something that can be folded. It looks at few lines. */
export function isHead(state: EditorState, line: Line, isScript: boolean): boolean {
  if (!isScript) return /[[{]\s*$/.test(line.text);
  const own = indent(line.text);
  if (own < 0) return false;
  let below = next(state, line);
  while (below && indent(below.text) < 0) below = next(state, below);
  return below !== null && indent(below.text) > own;
}

/** What is hidden when a line is folded. */
export function rangeOf(state: EditorState, line: Line, isScript: boolean): Range | null {
  if (!isHead(state, line, isScript)) return null;
  return isScript ? deeper(state, line) : toClosing(state, line);
}

/** All lines of a script that stand deeper. */
function deeper(state: EditorState, line: Line): Range | null {
  const own = indent(line.text);
  let last = line;
  for (let below = next(state, line); below; below = next(state, below)) {
    const its = indent(below.text);
    if (its < 0) continue;
    if (its <= own) break;
    last = below;
  }
  return last === line ? null : { from: line.to, to: last.to };
}

/** From a bracket at the end of a line to the one that closes it. */
function toClosing(state: EditorState, line: Line): Range | null {
  let depth = 1;
  let at = line.to;
  for (const part of state.doc.iterRange(line.to)) {
    // Neither a text nor a bracket goes over the end of a line.
    for (const found of part.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/g)) {
      const sign = found[0];
      if (sign === "{" || sign === "[") depth++;
      else if (sign === "}" || sign === "]") depth--;
      if (depth === 0) return { from: line.to, to: at + found.index };
    }
    at += part.length;
  }
  return null;
}

/** The fold that a line is the head of. */
function foldedAt(state: EditorState, line: Line): Range | null {
  let found: Range | null = null;
  foldedRanges(state).between(line.from, line.to, (from, to) => {
    if (from >= line.from && from <= line.to) found = { from, to };
  });
  return found;
}

class Sign extends GutterMarker {
  constructor(readonly isOpen: boolean) {
    super();
  }

  override eq(other: Sign): boolean {
    return this.isOpen === other.isOpen;
  }

  override toDOM(): Node {
    return document.createTextNode(this.isOpen ? "▾" : "▸");
  }
}

const OPEN = new Sign(true);
const CLOSED = new Sign(false);

function toggle(view: EditorView, line: Line, isScript: boolean): boolean {
  const folded = foldedAt(view.state, line);
  const range = folded ?? rangeOf(view.state, line, isScript);
  if (range) view.dispatch({ effects: (folded ? unfoldEffect : foldEffect).of(range) });
  return range !== null;
}

export function folding(isScript: boolean): Extension {
  return [
    codeFolding({ placeholderText: "…" }),
    foldService.of((state, from) => rangeOf(state, state.doc.lineAt(from), isScript)),
    gutter({
      class: "folds",
      lineMarker: (view, { from }) => {
        const line = view.state.doc.lineAt(from);
        if (foldedAt(view.state, line)) return CLOSED;
        return isHead(view.state, line, isScript) ? OPEN : null;
      },
      lineMarkerChange: ({ startState, state }) => foldedRanges(startState) !== foldedRanges(state),
      domEventHandlers: {
        click: (view, { from }) => toggle(view, view.state.doc.lineAt(from), isScript),
      },
    }),
  ];
}
