// Something new is dragged from a list onto the picture.

import type { Context } from "../commands/command.ts";
import { treeOf } from "../commands/command.ts";
import { insertAt, type Made } from "../commands/pickers.ts";
import { t } from "../i18n/index.ts";
import type { Drop } from "../layout/drop.ts";
import { kindsOf, roomIn } from "../model/kinds.ts";
import { focusOn } from "../model/ui.ts";
import { type Carried, dropWords, hideGhost, keysFor, showGhost } from "./ghost.ts";

const SLOP = 5;

/** Follows the pointer from a row of a list. `done` says whether it was a drag, and no click. */
export function carry(
  app: Context,
  event: React.PointerEvent,
  made: Made,
  what: Carried,
  done: (wasDragged: boolean) => void,
): void {
  if (event.button !== 0) return;
  const start = { x: event.clientX, y: event.clientY };
  let isDragging = false;
  let drop: Drop | null = null;
  const keys = t("drop.keys-new", { insert: keysFor(app, "insert"), child: keysFor(app, "add-child") });
  const can = ({ parent }: Drop) => {
    const card = treeOf(app)?.cards.get(parent);
    return card !== undefined && roomIn(kindsOf(app.session.state.project?.kinds ?? []), card) > 0;
  };
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    isDragging ||= Math.hypot(x - start.x, y - start.y) > SLOP;
    if (!isDragging) return;
    drop = app.view.over({ x, y }, can);
    const tab = treeOf(app);
    showGhost(what, drop && tab ? dropWords(tab, drop) : "", keys, x, y);
  };
  const end = (isPut: boolean) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", up);
    document.removeEventListener("pointercancel", cancel);
    document.removeEventListener("keydown", onEscape, true);
    app.view.over(null, can);
    hideGhost();
    if (isPut && drop) {
      void insertAt(app, made, drop);
      focusOn(app.ui, "canvas");
    }
    done(isDragging);
  };
  const up = () => end(isDragging);
  const cancel = () => end(false);
  const onEscape = (pressed: KeyboardEvent) => {
    if (pressed.key !== "Escape") return;
    pressed.preventDefault();
    pressed.stopPropagation();
    end(false);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("keydown", onEscape, true);
}
