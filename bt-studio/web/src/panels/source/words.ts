// Colours of what stands in a line. No sign of a file goes over the end of a line, so only lines in view are looked at.

import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
} from "@codemirror/view";

const JSON_WORDS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
const SCRIPT_WORDS =
  /(#.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|([$@]\w+)|(\b[A-Z][A-Z_]*\b)|(\b(?:\d+(?:\.\d+)?|True|False|None)\b)/g;

const NAME = Decoration.mark({ class: "w-name" });
const TEXT = Decoration.mark({ class: "w-text" });
const VALUE = Decoration.mark({ class: "w-value" });
const COMMENT = Decoration.mark({ class: "w-comment" });

function ofJson([, text, colon]: RegExpExecArray): Decoration {
  return text === undefined ? VALUE : colon === undefined ? TEXT : NAME;
}

function ofScript([, comment, text, , kind, value]: RegExpExecArray): Decoration {
  if (comment !== undefined) return COMMENT;
  if (text !== undefined) return TEXT;
  return kind !== undefined && value === undefined ? NAME : VALUE;
}

export function words(isScript: boolean): Extension {
  const matcher = new MatchDecorator({
    regexp: isScript ? SCRIPT_WORDS : JSON_WORDS,
    decoration: isScript ? ofScript : ofJson,
  });
  return ViewPlugin.define(
    (view: EditorView) => ({
      marks: matcher.createDeco(view) as DecorationSet,
      update(update) {
        this.marks = matcher.updateDeco(update, this.marks);
      },
    }),
    { decorations: (plugin) => plugin.marks },
  );
}
