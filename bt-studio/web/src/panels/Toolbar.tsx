// What one does most, as buttons with pictures. Each says its name and its keys.

import { useRef, useState } from "react";
import { isAvailable } from "../commands/command.ts";
import { commandOf, run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { useApp, useDocs, useUi } from "./app-context.ts";
import { useGame } from "./debug/parts.tsx";
import { keysFor } from "./ghost.ts";

/** What is drawn on each button, in a square of 16. */
const PICTURES: Record<string, string> = {
  new: "M4 1.5h5l3 3v10H4zM9 1.5v3h3M8 7v5M5.5 9.5h5",
  save: "M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4M4.5 13.5v-4h7v4",
  undo: "M6 3L2.5 6.5L6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h4",
  "zoom-fit": "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4M6 6h4v4H6z",
  "zoom-out": "M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3L14 14M5 7h4",
  "zoom-in": "M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3L14 14M5 7h4M7 5v4",
  orientation: "M6 2h4v3H6zM2 11h4v3H2zM10 11h4v3h-4zM8 5v3M4 11V8h8v3",
  sidebar: "M2 2.5h12v11H2zM6 2.5v11",
  inspector: "M2 2.5h12v11H2zM10 2.5v11",
  problems: "M8 2L14.5 13.5H1.5zM8 6.5v3.5M8 11.5v.6",
  nodes: "M2 2.5h5v4H2zM9 2.5h5v4H9zM2 9.5h5v4H2zM11.5 9v5M9 11.5h5",
  play: "M3 2.5v11M6 3.5l7.5 4.5l-7.5 4.5z",
  continue: "M4 2.5l9 5.5l-9 5.5z",
  break: "M5 3v10M11 3v10",
  "step-over": "M2 9a5 5 0 0 1 9.5-1.5M12 3.5v4H8M7 12.5h2",
  live: "M3 3.5l6 4.5l-6 4.5zM12 3v10",
};

const FILE = ["new", "save"];
const EDIT = ["undo", "redo"];
const VIEW = ["zoom-out", "zoom-in", "zoom-fit", "orientation"];
const PARTS = ["sidebar", "inspector", "problems"];
const DRY = ["play"];
const PLAY = ["continue", "break", "step-over", "live"];

export function Toolbar() {
  const app = useApp();
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  // What can be done changes with all of these.
  useDocs((state) => state.tabs);
  useDocs((state) => state.active);
  useDocs((state) => state.project);
  useUi((ui) => ui.orientation);
  useUi((ui) => ui.left);
  useUi((ui) => ui.right);
  useUi((ui) => ui.bottom);
  const hasGame = useGame((state) => state.sessions.length > 0);
  useGame((state) => state.agent);
  useGame((state) => state.moment);
  const parts = [FILE, EDIT, VIEW, ["nodes"], PARTS, DRY, ...(hasGame ? [PLAY] : [])];
  const ids = parts.flat();

  function onKey(event: React.KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // A narrow window has some of them alone.
    const seen = [...(bar.current?.querySelectorAll("button") ?? [])].filter((one) => one.offsetParent);
    const now = seen.indexOf(event.target as HTMLButtonElement);
    seen[(now + step + seen.length) % seen.length]?.focus();
  }

  const button = (id: string) => {
    const command = commandOf(id);
    if (!command) return null;
    const name = t(`command.${id}`).replace(/…$/, "");
    const isOn = command.on?.(app);
    return (
      <button
        key={id}
        type="button"
        data-command={id}
        aria-label={name}
        aria-disabled={!isAvailable(command, app)}
        aria-pressed={isOn}
        aria-keyshortcuts={keysFor(app, id)}
        tabIndex={ids.indexOf(id) === at ? 0 : -1}
        data-tip={`${name} (${keysFor(app, id)})`}
        onFocus={() => setAt(ids.indexOf(id))}
        onClick={() => run(id, app)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={PICTURES[id]} />
        </svg>
      </button>
    );
  };
  return (
    <div className="toolbar" role="toolbar" aria-label={t("toolbar.label")} ref={bar} onKeyDown={onKey}>
      {parts.map((part) => (
        <span key={part[0]} className="tool-group">
          {part.map(button)}
        </span>
      ))}
    </div>
  );
}
