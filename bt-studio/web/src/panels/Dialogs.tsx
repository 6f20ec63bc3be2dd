// Which dialog is open.

import { useEffect, useRef } from "react";
import { t } from "../i18n/index.ts";
import type { Dialog } from "../model/ui.ts";
import { useApp, useUi } from "./app-context.ts";
import { DebugDialogs } from "./debug/dialogs.tsx";
import { CompareDialog } from "./dialogs/Compare.tsx";
import { CloseDialog, ConflictDialog, ExtractDialog, NewDialog, SaveAsDialog } from "./dialogs/files.tsx";
import { HelpDialog } from "./dialogs/Help.tsx";
import { DeleteFileDialog, DuplicateFileDialog, RenameFileDialog } from "./dialogs/list.tsx";
import { ColorDialog, FixesDialog, GotoDialog } from "./dialogs/nodes.tsx";
import { RenameDialog, ReplaceDialog } from "./dialogs/Rename.tsx";
import { SnippetDialog } from "./dialogs/Snippet.tsx";
import { backToTree } from "./fields.tsx";

export function Dialogs() {
  const dialog = useUi((ui) => ui.dialog);
  return dialog && <One dialog={dialog} key={JSON.stringify(dialog)} />;
}

function One({ dialog }: { dialog: Dialog }) {
  switch (dialog.kind) {
    case "new":
      return <NewDialog />;
    case "save-as":
      return <SaveAsDialog path={dialog.path} />;
    case "extract":
      return <ExtractDialog path={dialog.path} node={dialog.node} />;
    case "goto":
      return <GotoDialog />;
    case "rename":
      return <RenameDialog {...dialog} />;
    case "replace":
      return <ReplaceDialog />;
    case "conflict":
      return <ConflictDialog path={dialog.path} onDisk={dialog.onDisk} />;
    case "close":
      return <CloseDialog paths={dialog.paths} />;
    case "compare":
      return <CompareDialog path={dialog.path} />;
    case "snippet":
      return <SnippetDialog path={dialog.path} nodes={dialog.nodes} />;
    case "fixes":
      return <FixesDialog node={dialog.node} />;
    case "color":
      return <ColorDialog />;
    case "rename-file":
      return <RenameFileDialog path={dialog.path} />;
    case "duplicate-file":
      return <DuplicateFileDialog path={dialog.path} />;
    case "delete-file":
      return <DeleteFileDialog path={dialog.path} />;
    case "help":
      return <HelpDialog />;
    default:
      return <DebugDialogs dialog={dialog} />;
  }
}

/** What has the focus first: a field, or what one is most likely to choose. */
const FIRST = [
  ".content .choice, .content input, .content select, .content .problem, .content .color",
  "footer .main:not(:disabled)",
  "footer button",
];

/** The frame of a dialog: a title, the content, and buttons. What had the focus gets it again. */
export function Frame(props: {
  title: string;
  children: React.ReactNode;
  buttons?: React.ReactNode;
  wide?: boolean;
  /** Whether it takes all of the room that there is. */
  full?: boolean;
  submit?: () => unknown;
}) {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef(document.activeElement);
  useEffect(() => {
    const had = before.current;
    dialog.current?.showModal();
    const found = FIRST.map((what) => dialog.current?.querySelector<HTMLElement>(what));
    found.find((element) => element)?.focus();
    return () => {
      if (had instanceof HTMLElement && had.isConnected && had !== document.body) had.focus();
      else backToTree();
    };
  }, []);
  const close = () => app.ui.setState({ dialog: null });
  return (
    <dialog
      ref={dialog}
      className={`dialog${props.wide ? " wide" : ""}${props.full ? " full" : ""}`}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void props.submit?.();
        }}
        onKeyDown={(event) => {
          // Enter in a choice means the same as in a text.
          if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement) || !props.submit) return;
          event.preventDefault();
          void props.submit();
        }}
      >
        <header>
          <h2 id="dialog-title">{props.title}</h2>
          <button type="button" className="close" aria-label={t("dialog.close")} onClick={close}>
            ×
          </button>
        </header>
        <div className="content">{props.children}</div>
        {props.buttons && (
          <footer>
            <span className="grow" />
            {props.buttons}
          </footer>
        )}
      </form>
    </dialog>
  );
}

/** The button that leaves all as it is, and the one that does what the dialog is for. */
export function Buttons({ main, isOff }: { main: string; isOff: boolean }) {
  return (
    <>
      <Cancel />
      <button type="submit" className="main" disabled={isOff}>
        {main}
      </button>
    </>
  );
}

export function Cancel() {
  const app = useApp();
  return (
    <button type="button" onClick={() => app.ui.setState({ dialog: null })}>
      {t("dialog.cancel")}
    </button>
  );
}
