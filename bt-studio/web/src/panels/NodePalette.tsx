// All that can be put into the tree, in the sidebar: to be looked through, clicked, and dragged onto the picture.

import { useEffect, useMemo, useRef, useState } from "react";
import { treeOf } from "../commands/command.ts";
import { insertAtFocus, type Made, nodeChoices, nodesFor, placeAtFocus } from "../commands/pickers.ts";
import { t } from "../i18n/index.ts";
import { type Choice, focusOn, toast } from "../model/ui.ts";
import { useApp, useDocs, useTab, useUi } from "./app-context.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import { carry } from "./carry.ts";

/** So many rows are shown at first; more come as one scrolls. */
const FIRST = 150;

export function NodePalette() {
  const app = useApp();
  const tab = useTab();
  const project = useDocs((state) => state.project);
  const focus = useUi((ui) => ui.focus);
  const input = useRef<HTMLInputElement>(null);
  const wasDragged = useRef(false);
  const [filter, setFilter] = useState("");
  const [at, setAt] = useState(0);
  const [most, setMost] = useState(FIRST);
  const { agent, path, isTree, isScript } = tab ?? {};
  const choices = useMemo(() => {
    void [project, agent, path, isTree, isScript];
    return nodeChoices(app, true);
  }, [app, project, agent, path, isTree, isScript]);
  const all = useMemo(
    () => (filter.trim() === "" ? choices : nodesFor(app, filter.trim(), choices)),
    [app, filter, choices],
  );
  const rows = all.slice(0, most);

  useEffect(() => {
    if (focus.part === "nodes") input.current?.focus();
  }, [focus]);
  useEffect(() => {
    document.getElementById(`nodes-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  if (!treeOf(app)) return <p className="hint pad">{t("nodes.no-tree")}</p>;

  function take(place: number): void {
    const choice = rows[place];
    const now = treeOf(app);
    if (!choice || !now || wasDragged.current) return;
    setAt(place);
    if (!placeAtFocus(app, now)) {
      toast(app.ui, "info", t("picker.full"));
      return;
    }
    insertAtFocus(app, JSON.parse(choice.id) as Made);
    focusOn(app.ui, "canvas");
  }

  function press(event: React.PointerEvent, choice: Choice): void {
    wasDragged.current = false;
    const what = { symbol: choice.symbol ?? "", group: choice.group ?? "", name: choice.name };
    carry(app, event, JSON.parse(choice.id) as Made, what, (isDrag) => {
      wasDragged.current = isDrag;
    });
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(all.length - 1, at + step));
      if (next >= rows.length) setMost(next + FIRST);
      setAt(next);
    } else if (event.key === "Enter") {
      wasDragged.current = false;
      take(at);
    } else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        ref={input}
        className="filter"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="nodes-list"
        aria-activedescendant={rows[at] ? `nodes-${at}` : undefined}
        aria-label={t("nodes.filter")}
        placeholder={t("nodes.filter")}
        value={filter}
        onChange={(event) => {
          setFilter(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ChoiceList
        id="nodes"
        label={t("side.nodes")}
        choices={rows}
        isGrouped={filter.trim() === ""}
        at={at}
        take={take}
        press={press}
        more={() => setMost((now) => Math.min(all.length, now + FIRST))}
      />
      {rows.length === 0 && <p className="hint pad">{t("picker.none", { query: filter })}</p>}
      <p className="hint pad">{t("nodes.how")}</p>
    </>
  );
}
