// The timeline, and below it everything that happened, poll by poll.

import { useEffect, useRef, useState } from "react";
import { LOG_MENU } from "../../commands/log.ts";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { said } from "../../i18n/said.ts";
import type { Line } from "../../model/game/log.ts";
import { seconds } from "../../model/game/times.ts";
import { useApp, useUi } from "../app-context.ts";
import { ServerText } from "../ServerText.tsx";
import { useKeys } from "../Small.tsx";
import { Bottom, Do, useGame } from "./parts.tsx";
import { Rows, type RowsHandle, stepped, useShown } from "./Rows.tsx";
import { Timeline } from "./Timeline.tsx";

const ROW = 22;

export function LogPanel() {
  const agent = useGame((state) => state.agent);
  return (
    <Bottom id="log" label={t("log.title")} tools={agent !== null && <Tools />}>
      {agent === null ? (
        <p className="hint pad">{t("game.choose-hint")}</p>
      ) : (
        <>
          <Timeline />
          <Log />
        </>
      )}
    </Bottom>
  );
}

/** How long one pauses before what was typed is looked for. */
const PAUSE = 350;

/** A text that takes effect after a pause, and at Enter. */
function useText(given: string, use: (text: string) => void): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(given);
  const timer = useRef(0);
  const last = useRef(given);
  useEffect(() => {
    if (timer.current === 0) setText(given);
  }, [given]);
  const send = (next: string) => {
    clearTimeout(timer.current);
    timer.current = 0;
    if (next === last.current) return;
    last.current = next;
    use(next);
  };
  last.current = timer.current === 0 ? given : last.current;
  return [
    text,
    (next) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => send(next), PAUSE);
    },
    () => send(text),
  ];
}

function Tools() {
  const app = useApp();
  const { game } = app;
  const log = useGame((state) => state.log);
  const dropped = useGame((state) => (state.history?.dropped ?? 0) + (state.history?.missed ?? 0));
  const complete = useGame((state) => state.history?.complete ?? true);
  const focus = useUi((ui) => ui.focus);
  const search = useRef<HTMLInputElement>(null);
  const [include, setInclude, sendInclude] = useText(
    log.include,
    (text) => void game.try(game.log.filter({ include: text })),
  );
  const [exclude, setExclude, sendExclude] = useText(
    log.exclude,
    (text) => void game.try(game.log.filter({ exclude: text })),
  );
  const next = useKeys("find-row");
  useEffect(() => {
    if (focus.part === "search" && focus.count > 0) search.current?.focus();
  }, [focus]);
  const atEnter = (act: (event: React.KeyboardEvent) => void) => (event: React.KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act(event);
  };
  return (
    <>
      <input
        type="search"
        aria-label={t("log.include")}
        placeholder={t("log.include")}
        data-tip={t("log.comma")}
        value={include}
        onChange={(event) => setInclude(event.target.value)}
        onKeyDown={atEnter(sendInclude)}
      />
      <input
        type="search"
        aria-label={t("log.exclude")}
        placeholder={t("log.exclude")}
        data-tip={t("log.comma")}
        value={exclude}
        onChange={(event) => setExclude(event.target.value)}
        onKeyDown={atEnter(sendExclude)}
      />
      <input
        ref={search}
        type="search"
        aria-label={t("log.search")}
        placeholder={`${t("log.search")} (${next})`}
        value={log.search}
        onChange={(event) => {
          const text = event.target.value;
          game.store.setState((state) => ({ log: { ...state.log, search: text } }));
        }}
        onKeyDown={atEnter((event) => run(event.shiftKey ? "find-row-back" : "find-row", app))}
      />
      <label className="check">
        <input type="checkbox" checked={log.tail} onChange={(event) => game.log.tail(event.target.checked)} />
        {t("log.tail")}
      </label>
      <Do id="record" sign="⤓" />
      {log.filter !== null && (
        <span className="count" role="status">
          {t(log.complete ? "log.left" : "log.looking", { count: game.log.count })}
        </span>
      )}
      {!complete && <span className="count">{t("log.reading")}</span>}
      {dropped > 0 && (
        <span className="count warning" data-tip={t("log.dropped-tip")}>
          {t("log.dropped", { count: dropped })}
        </span>
      )}
    </>
  );
}

function Log() {
  const app = useApp();
  const { game } = app;
  const log = useGame((state) => state.log);
  const shown = useGame((state) => state.moment?.at ?? -1);
  const place = useGame((state) => state.moment?.place ?? -1);
  const focus = useUi((ui) => ui.focus);
  const rows = useRef<RowsHandle>(null);
  useShown(rows, log.tail ? -1 : log.at);
  useEffect(() => {
    if (focus.part === "log" && focus.count > 0) rows.current?.focus();
  }, [focus]);
  const count = game.log.count;
  const onKey = (event: React.KeyboardEvent) => {
    const line = game.log.line(log.at);
    const next = stepped(event, log.at, count);
    if (next !== null) game.log.go(next);
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (event.key === "ArrowRight" && line.kind === "poll" && !line.isOpen) game.log.toggle(line.place);
    else if (event.key === "ArrowLeft" && line.kind === "poll" && line.isOpen) game.log.toggle(line.place);
    else if (event.key === "ArrowLeft" && line.kind === "row" && line.isBelow) game.log.out();
    else if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) {
      const box = document.getElementById(`log-${log.at}`)?.getBoundingClientRect();
      menu(box?.left ?? 0, box?.bottom ?? 0);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const menu = (x: number, y: number) =>
    app.ui.setState({ menu: { x, y, commands: LOG_MENU, label: t("log.menu") } });
  return (
    <Rows
      ref={rows}
      className="log"
      label={t("log.title")}
      role="tree"
      count={count}
      height={ROW}
      active={log.at}
      activeId={count > 0 ? `log-${log.at}` : undefined}
      scope="log"
      tail={log.tail}
      onTail={(tail) => game.log.tail(tail)}
      onKeyDown={onKey}
      row={(at) => (
        <One
          at={at}
          line={game.log.line(at)}
          isActive={at === log.at}
          shown={shown}
          place={place}
          menu={menu}
        />
      )}
    />
  );
}

interface OneProps {
  at: number;
  line: Line;
  isActive: boolean;
  /** The record and the poll that are shown. */
  shown: number;
  place: number;
  menu: (x: number, y: number) => void;
}

function One({ at, line, isActive, shown, place, menu }: OneProps) {
  const app = useApp();
  const { game } = app;
  const isPoll = line.kind === "poll";
  const isShown = isPoll ? line.place === place && !line.isOpen : line.no === shown;
  const common = {
    id: `log-${at}`,
    role: "treeitem",
    tabIndex: -1,
    "aria-selected": isActive,
    className: "log-row",
    "data-shown": isShown,
    "aria-level": !isPoll && line.isBelow ? 2 : 1,
    "aria-expanded": isPoll ? line.isOpen : undefined,
    onClick: (event: React.MouseEvent) => {
      game.log.go(at);
      if (isPoll && (event.target as Element).closest(".fold")) game.log.toggle(line.place);
    },
    onDoubleClick: () => {
      game.log.go(at);
      run("log-picture", app);
    },
    onContextMenu: (event: React.MouseEvent) => {
      event.preventDefault();
      game.log.go(at);
      menu(event.clientX, event.clientY);
    },
  };
  if (isPoll) {
    const { poll } = line;
    return (
      <div {...common} data-kind="poll">
        <span className="fold" aria-hidden="true">
          {line.isOpen ? "▾" : "▸"}
        </span>
        <span className="time">{poll ? seconds(poll.ns) : "…"}</span>
        <span className="text">
          {poll && (
            <>
              {isShown && <Mark />}
              {t("game.poll", { poll: poll.number })}{" "}
              <span className="count">{t("log.records", { count: poll.records })}</span>
              <Sign kind="failures" sign="✕" count={poll.failures} />
              <Sign kind="aborts" sign="⊘" count={poll.aborts} />
              <Sign kind="writes" sign="✎" count={poll.writes} />
              <Sign kind="notes" sign="◆" count={poll.notes} />
              <Sign kind="problems" sign="▲" count={poll.problems} />
              {poll.comment && <em className="comment"> “{poll.comment}”</em>}
            </>
          )}
        </span>
      </div>
    );
  }
  const { row } = line;
  return (
    <div {...common} data-kind="row" data-failed={row?.failed}>
      <span className="fold">{isShown && <Mark />}</span>
      <span className="time">{row ? seconds(row.ns) : "…"}</span>
      <span className="text" data-tip={row && said(row.text)}>
        {row?.failed && <span className="sign">✕ </span>}
        {row && <ServerText text={row.text} />}
        {row?.comment && <em className="comment"> “{row.comment}”</em>}
      </span>
    </div>
  );
}

/** The line whose moment is shown. */
function Mark() {
  return (
    <span className="shown-mark" role="img" aria-label={t("log.shown")}>
      ➤
    </span>
  );
}

function Sign({ kind, sign, count }: { kind: string; sign: string; count: number }) {
  if (count === 0) return null;
  return (
    <span className={`sign ${kind}`} role="img" aria-label={`${t(`time.${kind}`)}: ${count}`}>
      {sign}
      {count}
    </span>
  );
}
