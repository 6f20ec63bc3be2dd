// How the editor looks, in the page's colours.

import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

export const LOOK: Extension = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "12px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace',
    lineHeight: "18px",
  },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--weak)",
    borderRight: "1px solid var(--border)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".folds": { width: "14px", textAlign: "center", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--accent-weak)",
    border: "1px solid var(--border)",
    color: "var(--text)",
    padding: "0 4px",
  },
  ".cm-tooltip": { backgroundColor: "var(--panel)", border: "1px solid var(--border)", color: "var(--text)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "480px", fontFamily: "system-ui, sans-serif" },
  ".w-name": { color: "var(--accent)" },
  ".w-text": { color: "var(--active)" },
  ".w-value": { color: "var(--guard)" },
  ".w-comment": { color: "var(--weak)" },
});
