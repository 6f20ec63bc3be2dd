// The editor of a file's text. It is loaded when the page stands still, and builds the lines in view only.

import { history, redo, standardKeymap, undo } from "@codemirror/commands";
import { foldKeymap } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { t } from "../../i18n/index.ts";
import { between } from "../../model/text.ts";
import type { Finding } from "../../net/protocol.ts";
import { folding } from "./folds.ts";
import { LOOK } from "./look.ts";
import { toEditor, toFile } from "./text.ts";
import { words } from "./words.ts";

export interface Options {
  text: string;
  isScript: boolean;
  isReadOnly: boolean;
  label: string;
  /** A person has changed the text. */
  changed: () => void;
  /** The focus has left. */
  left: () => void;
}

/** What comes from elsewhere is nothing that a person typed. */
const FROM_ELSEWHERE = Annotation.define<boolean>();

export class Source {
  private readonly view: EditorView;
  private readonly readOnly = new Compartment();
  /** The file's text, as it was given last. */
  private file: string;

  constructor(host: HTMLElement, options: Options) {
    this.file = options.text;
    // The page's policy takes no style elements, and a shadow root takes style sheets without one.
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: toEditor(options.text),
        extensions: [
          this.readOnly.of(readOnly(options.isReadOnly)),
          EditorState.lineSeparator.of("\n"),
          EditorState.tabSize.of(2),
          EditorState.phrases.of(phrases()),
          EditorView.clipboardInputFilter.of((text) => text.replaceAll("\r\n", "\n")),
          EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
          EditorView.domEventHandlers({ blur: () => options.left() }),
          EditorView.updateListener.of((update) => {
            const isOwn = update.transactions.some(
              (one) => one.docChanged && !one.annotation(FROM_ELSEWHERE),
            );
            if (isOwn) options.changed();
          }),
          history(),
          lintGutter(),
          lineNumbers(),
          folding(options.isScript),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSpecialChars(),
          words(options.isScript),
          keymap.of([
            { key: "Mod-z", run: undo, preventDefault: true },
            { key: "Mod-y", mac: "Mod-Shift-z", run: redo, preventDefault: true },
            { linux: "Ctrl-Shift-z", win: "Ctrl-Shift-z", run: redo, preventDefault: true },
            ...foldKeymap,
            ...standardKeymap,
          ]),
          LOOK,
        ],
      }),
    });
  }

  /** The text as the file is to have it. */
  get text(): string {
    return toFile(this.view.state.doc.toString(), this.file);
  }

  get hasFocus(): boolean {
    return this.view.hasFocus;
  }

  /** The file has another text now; what is the same in both stays where it is. */
  show(text: string): void {
    this.file = text;
    const changes = between(this.view.state.doc.toString(), toEditor(text)).map((splice) => ({
      from: splice.from,
      to: splice.to,
      insert: splice.text,
    }));
    if (changes.length === 0) return;
    this.view.dispatch({
      changes,
      annotations: [FROM_ELSEWHERE.of(true), Transaction.addToHistory.of(false)],
    });
  }

  lock(isReadOnly: boolean): void {
    this.view.dispatch({ effects: this.readOnly.reconfigure(readOnly(isReadOnly)) });
  }

  /** Problems stand in the margin and under what they are about. */
  mark(findings: readonly Finding[]): void {
    const { state } = this.view;
    const found = findings.flatMap((finding) => diagnostic(state, finding));
    this.view.dispatch(setDiagnostics(state, found));
  }

  /** Brings a line into the upper part of the view, and the caret into it. */
  look(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({
      effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 60 }),
      selection: { anchor: from },
    });
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

function readOnly(isReadOnly: boolean): Extension {
  // It keeps the focus and the caret, so that it can be read by keyboard.
  return [EditorState.readOnly.of(isReadOnly), EditorView.contentAttributes.of(isReadOnly ? READ_ONLY : {})];
}

const READ_ONLY = { "aria-readonly": "true" };

function diagnostic(state: EditorState, finding: Finding): Diagnostic[] {
  if (typeof finding.line !== "number" || finding.line > state.doc.lines) return [];
  const line = state.doc.line(finding.line);
  const within = (column: number) => Math.min(line.from + column - 1, line.to);
  const from = within(finding.column ?? 1);
  const end = typeof finding.end_column === "number" ? within(finding.end_column) : line.to;
  const { code, message, help } = finding;
  return [
    {
      from,
      to: Math.max(from, end),
      severity: finding.level === "error" ? "error" : "warning",
      message: [`${t(`problems.level.${finding.level}`)} ${code}: ${message}`, help]
        .filter(Boolean)
        .join("\n"),
    },
  ];
}

/** The editor's own texts. */
function phrases(): Record<string, string> {
  return {
    "folded code": t("raw.folded"),
    unfold: t("raw.unfold"),
    "Folded lines": t("raw.folded"),
    "Unfolded lines": t("raw.unfolded"),
    to: t("raw.to"),
    "Control character": t("raw.control"),
    "Selection deleted": t("raw.deleted"),
  };
}
