// Dialogs about a running game.

import { useEffect, useMemo, useState } from "react";
import { forFollowed } from "../../commands/debug.ts";
import { t } from "../../i18n/index.ts";
import { type Callable, callables } from "../../model/game/catalogue.ts";
import { isObject, type Json, read, write } from "../../model/json.ts";
import { defsOf, firstValue, type Schema } from "../../model/schema.ts";
import type { DebugDialog } from "../../model/ui.ts";
import type { BreakpointSpec } from "../../net/port.ts";
import type { StoredBreakpoint } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Buttons, Frame } from "../Dialogs.tsx";
import { SchemaForm, type Target } from "../SchemaForm.tsx";
import { ServerText } from "../ServerText.tsx";
import { AttachDialog } from "./Attach.tsx";
import { typedValue } from "./Memory.tsx";
import { ScenarioDialog } from "./Play.tsx";
import { useAgentName, useGame } from "./parts.tsx";

export function DebugDialogs({ dialog }: { dialog: DebugDialog }) {
  switch (dialog.kind) {
    case "attach":
      return <AttachDialog listen={dialog.listen} />;
    case "fire":
      return <CallDialog list="events" />;
    case "call":
      return <CallDialog list="actions" />;
    case "set-key":
      return <SetKeyDialog />;
    case "breakpoint":
      return <BreakpointDialog spec={dialog.spec} agents={dialog.agents} />;
    case "note":
      return <NoteDialog no={dialog.no} text={dialog.text} />;
    case "record":
      return <RecordDialog />;
    case "scenario":
      return <ScenarioDialog />;
  }
}

/** The catalogue of the game itself: the project's may be another one. */
function useCatalogue(): unknown {
  const { game, session } = useApp();
  const [catalogue, setCatalogue] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    game
      .port("catalogue", {})
      .then((found) => isCurrent && setCatalogue(found.catalogue))
      .catch(() => isCurrent && setCatalogue(session.state.project?.catalogue ?? null));
    return () => {
      isCurrent = false;
    };
  }, [game, session]);
  return catalogue;
}

/** Fires an event, or calls an action: which, and with what. */
function CallDialog({ list }: { list: "actions" | "events" }) {
  const app = useApp();
  const { game } = app;
  const catalogue = useCatalogue();
  const type = useGame((state) => state.moment?.picture.agent.agent_type ?? "");
  const agent = useGame((state) => state.agent ?? "");
  const name = useAgentName();
  const [chosen, setChosen] = useState("");
  const [values, setValues] = useState<{ [key: string]: Json }>({});
  const [said, setSaid] = useState<{ text: string; isWrong: boolean } | null>(null);
  const defs = useMemo(() => defsOf(catalogue), [catalogue]);
  const all = useMemo(() => callables(catalogue, type, list), [catalogue, type, list]);
  const item: Callable | undefined = all.find((one) => one.name === chosen);

  function choose(next: string): void {
    setChosen(next);
    setSaid(null);
    const fresh: { [key: string]: Json } = {};
    for (const one of all.find((other) => other.name === next)?.parameters ?? []) {
      if (!one.optional) fresh[one.name] = firstValue(one.schema as Schema, defs);
    }
    setValues(fresh);
  }

  async function send(): Promise<void> {
    if (chosen === "") return;
    // Exact numbers travel as they were written, as far as JavaScript can hold them.
    const args = JSON.parse(write(values)) as Record<string, unknown>;
    try {
      if (list === "events") {
        await game.port("agent.fire", { agent, event: chosen, params: args });
        setSaid({ text: t("call.fired", { name: chosen }), isWrong: false });
      } else {
        const { outcome } = await game.port("agent.call", { agent, action: chosen, args });
        setSaid({ text: t(`call.outcome.${outcome}`, { name: chosen }), isWrong: outcome === "failure" });
      }
      game.look();
    } catch (error) {
      setSaid({ text: (error as Error).message, isWrong: true });
    }
  }

  const target: Target = {
    defs,
    set: (pointer, json) => setValues((now) => placed(now, pointer, read(json)) as { [key: string]: Json }),
    unset: (pointer) => setValues((now) => placed(now, pointer, undefined) as { [key: string]: Json }),
    rename: () => undefined,
    suggest: () => undefined,
    problemsAt: () => [],
    thing: () => undefined,
    names: () => [],
    isUndeclared: () => false,
    declare: () => undefined,
    itemName: () => undefined,
    keys: [],
    takes: [],
    isReadOnly: false,
    others: [],
    allOthers: async () => [],
  };
  return (
    <Frame
      title={t(list === "events" ? "call.fire" : "call.call", { name })}
      submit={send}
      buttons={
        <Buttons main={t(list === "events" ? "call.fire-now" : "call.call-now")} isOff={chosen === ""} />
      }
    >
      <div className="field">
        <label htmlFor="call-name">{t(list === "events" ? "call.event" : "call.action")}</label>
        <input
          id="call-name"
          type="text"
          list="call-names"
          value={chosen}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => choose(event.target.value)}
        />
        <datalist id="call-names">
          {all.map((one) => (
            <option key={one.name} value={one.name}>
              {[one.display, one.brief].filter(Boolean).join(" · ")}
            </option>
          ))}
        </datalist>
      </div>
      {item?.brief && <p className="hint">{item.brief}</p>}
      {chosen !== "" && !item && <p className="warning">▲ {t("call.unknown")}</p>}
      {item?.parameters.map((one) => (
        <SchemaForm
          key={`${item.name} ${one.name}`}
          name={one.name}
          label={`${one.name}${one.unit ? ` (${one.unit})` : ""}`}
          pointer={`/${one.name}`}
          schema={one.schema as Schema}
          value={values[one.name]}
          target={target}
          hint={[one.comment, one.optional ? t("call.optional", { value: write(one.fallback as Json) }) : ""]
            .filter(Boolean)
            .join(" · ")}
        />
      ))}
      {list === "actions" && <p className="hint">{t("call.hint")}</p>}
      {said && (
        <p className={said.isWrong ? "mistake" : "done"} role="status">
          {said.isWrong ? "✕" : "✓"} <ServerText text={said.text} />
        </p>
      )}
    </Frame>
  );
}

/** The value with another one at a pointer; undefined takes it away. */
export function placed(value: Json | undefined, pointer: string, next: Json | undefined): Json {
  const [, first, ...rest] = pointer.split("/");
  if (first === undefined) return next ?? null;
  const key = first.replaceAll("~1", "/").replaceAll("~0", "~");
  const deeper = rest.length > 0 ? `/${rest.join("/")}` : "";
  if (Array.isArray(value)) {
    const list = [...value];
    const at = key === "-" ? list.length : Number(key);
    if (deeper === "" && next === undefined) list.splice(at, 1);
    else list[at] = deeper === "" ? next! : placed(list[at], deeper, next);
    return list;
  }
  const entries = { ...(isObject(value) ? value : {}) };
  if (deeper === "" && next === undefined) delete entries[key];
  else entries[key] = deeper === "" ? next! : placed(entries[key], deeper, next);
  return entries;
}

function SetKeyDialog() {
  const { game, ui } = useApp();
  const agent = useGame((state) => state.agent ?? "");
  const keys = useGame((state) => state.moment?.picture.blackboard ?? {});
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const isReady = name.trim() !== "" && text !== "";
  return (
    <Frame
      title={t("command.set-key")}
      submit={async () => {
        if (!isReady) return;
        const done = await game.change("agent.set_key", { agent, key: name.trim(), value: typedValue(text) });
        if (done) ui.setState({ dialog: null });
      }}
      buttons={<Buttons main={t("memory.set")} isOff={!isReady} />}
    >
      <div className="field">
        <label htmlFor="key-name">{t("memory.name")}</label>
        <input
          id="key-name"
          type="text"
          list="key-names"
          value={name}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id="key-names">
          {Object.keys(keys).map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      </div>
      <div className="field">
        <label htmlFor="key-value">{t("memory.value")}</label>
        <input
          id="key-value"
          type="text"
          className="code"
          value={text}
          placeholder={name in keys ? JSON.stringify(keys[name]) : "JSON"}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="hint">{t("memory.value-hint")}</span>
      </div>
    </Frame>
  );
}

const ON_NODE = ["enter", "exit", "success", "failure", "abort", "guard"] as const;
const ON_NAME = ["key", "property", "event", "call"] as const;

function isSame(one: BreakpointSpec, other: BreakpointSpec): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whom a breakpoint is for. */
type For = "this" | "all" | "named";

function BreakpointDialog({ spec, agents }: { spec: BreakpointSpec; agents: string | null }) {
  const { game, ui } = useApp();
  const points = useGame((state) => state.breakpoints);
  const old = points.find((one) => isSame(one.spec, spec) && (one.agents ?? null) === agents);
  const followed = useGame((state) => forFollowed(state).agents ?? "");
  const first: For = agents === null ? "all" : agents === followed ? "this" : "named";
  const [who, setWho] = useState<For>(first);
  const [names, setNames] = useState(agents ?? "");
  const [on, setOn] = useState(spec.on);
  const [tree, setTree] = useState(spec.tree ?? "");
  const [idx, setIdx] = useState(spec.idx === undefined || spec.idx === null ? "" : String(spec.idx));
  const [name, setName] = useState(spec.name ?? "");
  const [holds, setHolds] = useState(spec.holds ?? null);
  const [condition, setCondition] = useState(spec.condition ?? "");
  const [hits, setHits] = useState(spec.hits ?? "");
  const [log, setLog] = useState(spec.log ?? "");
  const [note, setNote] = useState(old?.note ?? "");
  const isOfNode = (ON_NODE as readonly string[]).includes(on);
  const isSomewhere = isOfNode ? tree !== "" && /^\d+$/.test(idx) : name.trim() !== "";
  const isReady = isSomewhere && (who !== "named" || names.trim() !== "");
  const whom = who === "all" ? null : who === "this" ? followed : names.trim();
  const areHits = hits === "" || /^(>=|%)\s*[1-9]\d*$/.test(hits.trim());

  function save(): void {
    if (!isReady || !areHits) return;
    const next: BreakpointSpec = {
      on,
      ...(isOfNode ? { tree, idx: Number(idx) } : { name: name.trim() }),
      ...(on === "guard" && holds !== null && { holds }),
      ...(condition.trim() !== "" && { condition: condition.trim() }),
      ...(hits.trim() !== "" && { hits: hits.trim() }),
      ...(log.trim() !== "" && { log: log.trim() }),
    };
    const made: StoredBreakpoint = {
      enabled: old?.enabled ?? true,
      spec: next,
      ...(whom !== null && { agents: whom }),
      ...(note.trim() !== "" && { note: note.trim() }),
    };
    void game.points.set(old ? points.map((one) => (one === old ? made : one)) : [...points, made]);
    ui.setState({ dialog: null });
  }

  const text = (
    id: string,
    label: string,
    value: string,
    set: (text: string) => void,
    hint: string,
    invalid = false,
  ) => (
    <div className="field">
      <label htmlFor={`point-${id}`}>{label}</label>
      <input
        id={`point-${id}`}
        type="text"
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={invalid}
        aria-describedby={`point-${id}-hint`}
        onChange={(event) => set(event.target.value)}
      />
      <span className="hint" id={`point-${id}-hint`}>
        {hint}
      </span>
    </div>
  );
  return (
    <Frame
      title={t(old ? "points.edit-title" : "points.new-title")}
      submit={save}
      buttons={
        <>
          {old && (
            <button
              type="button"
              className="danger"
              onClick={() => {
                void game.points.set(points.filter((one) => one !== old));
                ui.setState({ dialog: null });
              }}
            >
              {t("inspector.remove")}
            </button>
          )}
          <Buttons main={t("points.save")} isOff={!isReady || !areHits} />
        </>
      }
    >
      <div className="field">
        <label htmlFor="point-on">{t("points.stops")}</label>
        <select id="point-on" value={on} onChange={(event) => setOn(event.target.value)}>
          {[...ON_NODE, ...ON_NAME].map((one) => (
            <option key={one} value={one}>
              {t(`points.on.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {isOfNode ? (
        <div className="two">
          {text("tree", t("points.tree"), tree, setTree, "")}
          {text("idx", t("points.idx"), idx, setIdx, "", !/^\d*$/.test(idx))}
        </div>
      ) : (
        text("name", t("points.name"), name, setName, t(`points.name-hint.${on}`))
      )}
      {on === "guard" && (
        <div className="field">
          <label htmlFor="point-holds">{t("points.guard")}</label>
          <select
            id="point-holds"
            value={String(holds)}
            onChange={(event) =>
              setHolds(event.target.value === "null" ? null : event.target.value === "true")
            }
          >
            <option value="null">{t("points.either")}</option>
            <option value="true">{t("points.holds")}</option>
            <option value="false">{t("points.holds-not")}</option>
          </select>
        </div>
      )}
      <div className="field">
        <label htmlFor="point-for">{t("points.agents")}</label>
        <select id="point-for" value={who} onChange={(event) => setWho(event.target.value as For)}>
          {followed !== "" && <option value="this">{t("points.for.this", { name: followed })}</option>}
          <option value="all">{t("points.for.all")}</option>
          <option value="named">{t("points.for.named")}</option>
        </select>
      </div>
      {who === "named" && text("names", t("points.names"), names, setNames, t("points.names-hint"))}
      {text("condition", t("points.condition"), condition, setCondition, t("points.condition-hint"))}
      {text("hits", t("points.hits"), hits, setHits, t("points.hits-hint"), !areHits)}
      {text("log", t("points.log"), log, setLog, t("points.log-hint"))}
      {text("note", t("points.note"), note, setNote, t("points.note-hint"))}
    </Frame>
  );
}

function NoteDialog({ no, text: given }: { no: number; text: string }) {
  const { game, ui } = useApp();
  const [text, setText] = useState(given);
  return (
    <Frame
      title={t("log.comment-title", { no })}
      submit={async () => {
        ui.setState({ dialog: null });
        await game.try(game.comment(no, text));
      }}
      buttons={<Buttons main={t("log.comment-save")} isOff={false} />}
    >
      <div className="field">
        <label htmlFor="note-text">{t("log.comment")}</label>
        <input id="note-text" type="text" value={text} onChange={(event) => setText(event.target.value)} />
        <span className="hint">{t("log.comment-hint")}</span>
      </div>
    </Frame>
  );
}

function RecordDialog() {
  const { game, ui, session } = useApp();
  const name = useAgentName();
  const folders = session.state.project?.folders ?? [];
  const first = folders.length > 1 ? `${folders[0]?.name ?? ""}/` : "";
  const [path, setPath] = useState(`${first}${name.replaceAll(/[^\w.-]+/g, "-") || "agent"}.btrec`);
  const [wrong, setWrong] = useState("");
  return (
    <Frame
      title={t("command.record")}
      submit={async () => {
        try {
          const saved = await game.record(path.trim());
          ui.setState({ dialog: null });
          game.explain(t("record.saved", { path: saved.path, count: saved.records }));
        } catch (error) {
          setWrong((error as Error).message);
        }
      }}
      buttons={<Buttons main={t("record.save")} isOff={!path.trim().endsWith(".btrec")} />}
    >
      <div className="field">
        <label htmlFor="record-path">{t("record.path")}</label>
        <input
          id="record-path"
          type="text"
          value={path}
          spellCheck={false}
          aria-invalid={wrong !== ""}
          onChange={(event) => {
            setPath(event.target.value);
            setWrong("");
          }}
        />
        <span className="hint">{t("record.hint")}</span>
      </div>
      {wrong !== "" && (
        <p className="mistake">
          ✕ <ServerText text={wrong} />
        </p>
      )}
    </Frame>
  );
}
