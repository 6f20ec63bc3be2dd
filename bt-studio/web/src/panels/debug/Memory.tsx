// The keys of an agent's blackboard, or its properties: values, who wrote them, and another value.

import { useEffect, useRef, useState } from "react";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { canChange, isLive } from "../../model/game/state.ts";
import { inLine, seconds } from "../../model/game/times.ts";
import { mistakeIn } from "../../model/json.ts";
import type { Moment, Row } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { NodeLink, Part, useGame, Value } from "./parts.tsx";

type Kind = "key" | "property";

const MANY = 14;
const WRITES = 20;

export function Memory({ moment, of }: { moment: Moment; of: Kind }) {
  const app = useApp();
  const can = useGame((state) => canChange(state) && isLive(state));
  const agent = useGame((state) => state.agent);
  const [filter, setFilter] = useState("");
  const values = of === "key" ? moment.picture.blackboard : moment.picture.properties;
  const names = Object.keys(values).filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const total = Object.keys(values).length;
  const written = new Map(moment.written.map((one) => [of === "key" ? one.key : one.property, one.no]));
  if (of === "property" && total === 0) return null;
  return (
    <Part
      id={of}
      title={t(`memory.${of}`)}
      count={total}
      extra={
        of === "key" &&
        can && (
          <button type="button" className="small" onClick={() => run("set-key", app)}>
            + {t("memory.add")}
          </button>
        )
      }
    >
      {total > MANY && (
        <input
          type="search"
          aria-label={t("memory.filter")}
          placeholder={t("memory.filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {total === 0 && <p className="hint">{t("memory.none")}</p>}
      <ul className="memory">
        {names.map((name) => (
          <One
            key={`${agent} ${name}`}
            kind={of}
            name={name}
            value={values[name]}
            writtenBy={written.get(name) ?? null}
            can={can}
            at={moment.at}
          />
        ))}
      </ul>
    </Part>
  );
}

interface OneProps {
  kind: Kind;
  name: string;
  value: unknown;
  /** The record of the poll that is shown that wrote it. */
  writtenBy: number | null;
  can: boolean;
  at: number;
}

function One({ kind, name, value, writtenBy, can, at }: OneProps) {
  const { game } = useApp();
  const [isEdited, setEdited] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const text = inLine(value, 4000);
  const before = useRef(text);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (before.current === text) return;
    before.current = text;
    // A change flashes; the mark beside it stays as long as its poll is shown.
    line.current?.animate?.([{ backgroundColor: "var(--flash)" }, { backgroundColor: "transparent" }], {
      duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 900,
    });
  }, [text]);

  const whole = name.replace(/@\d+$/, "");
  const set = async (next: unknown) => {
    const agent = game.state.agent ?? "";
    const done = await (kind === "key"
      ? game.change("agent.set_key", { agent, key: whole, value: next })
      : game.change("agent.set_property", { agent, property: name, value: next }));
    if (done) setEdited(false);
  };
  return (
    <li data-name={name} data-written={writtenBy !== null}>
      <div className="memory-line" ref={line}>
        <button
          type="button"
          className="name"
          aria-expanded={isOpen}
          data-tip={t("memory.history")}
          onClick={() => setOpen(!isOpen)}
        >
          {name}
        </button>
        {writtenBy !== null && (
          <button
            type="button"
            className="written"
            aria-label={t("memory.written")}
            data-tip={t("memory.written")}
            onClick={() => void game.try(toRow(game, writtenBy))}
          >
            ✎
          </button>
        )}
        {isEdited ? (
          <Edit text={text} label={name} set={(next) => void set(next)} cancel={() => setEdited(false)} />
        ) : can ? (
          <button
            type="button"
            className="edit-value"
            aria-label={t("memory.edit", { name, value: text })}
            data-tip={text.length > 60 ? text : t("memory.edit-tip")}
            onClick={() => setEdited(true)}
          >
            <Value of={value} />
          </button>
        ) : (
          <Value of={value} />
        )}
      </div>
      {isOpen && <Writes kind={kind} name={name} at={at} />}
    </li>
  );
}

async function toRow(game: ReturnType<typeof useApp>["game"], no: number): Promise<void> {
  game.seek(no);
  await game.log.show(no);
}

/** A value as JSON. A word that is no JSON is a text. */
export function typedValue(text: string): unknown {
  return mistakeIn(text) === null ? JSON.parse(text) : text;
}

function Edit(props: { text: string; label: string; set: (value: unknown) => void; cancel: () => void }) {
  const [text, setText] = useState(props.text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const isText = mistakeIn(text) !== null;
  return (
    <span className="edit">
      <input
        ref={input}
        type="text"
        className="code"
        aria-label={t("memory.value-of", { name: props.label })}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={props.cancel}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") props.set(typedValue(text));
          else if (event.key === "Escape") props.cancel();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isText && <span className="hint">{t("memory.as-text", { text: JSON.stringify(text) })}</span>}
    </span>
  );
}

/** The last writes, the newest first; each leads to its record. */
function Writes({ kind, name, at }: { kind: Kind; name: string; at: number }) {
  const { game } = useApp();
  const [rows, setRows] = useState<Row[] | null>(null);
  const total = useGame((state) => state.history?.polls ?? 0);
  useEffect(() => {
    let isCurrent = true;
    void total;
    game
      .writes(kind === "key" ? { key: name } : { property: name }, WRITES)
      .then((found) => {
        if (isCurrent) setRows(found);
      })
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [game, kind, name, total]);
  if (!rows) return <p className="hint">{t("game.reading")}</p>;
  if (rows.length === 0) return <p className="hint">{t("memory.no-writes")}</p>;
  const now = rows.find((row) => row.no <= at);
  return (
    <ol className="write-list" aria-label={t("memory.history-of", { name })}>
      {rows.map((row) => (
        <li key={row.no} data-now={row === now}>
          <button
            type="button"
            className="link"
            data-tip={t("memory.jump")}
            aria-current={row === now ? "true" : undefined}
            onClick={() => void game.try(toRow(game, row.no))}
          >
            {seconds(row.ns)}
          </button>
          <Value of={written(row)} />
          <span className="hint">
            {typeof row.idx === "number" ? <NodeLink tree={row.tree} idx={row.idx} /> : t("memory.by-host")}{" "}
            {row.by}
          </span>
        </li>
      ))}
    </ol>
  );
}

function written(row: Row): unknown {
  const detail = row.detail as { value?: unknown } | undefined;
  return row.cmd === "bb_remove" ? undefined : detail?.value;
}
