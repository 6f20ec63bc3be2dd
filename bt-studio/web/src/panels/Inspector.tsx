// What the focused node says, in forms.

import { useEffect, useMemo, useRef, useState } from "react";
import { declareKey } from "../commands/declare.ts";
import { run } from "../commands/table.ts";
import { colour } from "../commands/tree.ts";
import { t } from "../i18n/index.ts";
import {
  fixWords,
  headingOf,
  isTranslated,
  kindDoes,
  kindName,
  settingName,
  titleOf,
} from "../i18n/kinds.ts";
import { alike, everywhere, MOST_ALIKE, type Other, otherOf } from "../model/alike.ts";
import { readExtra } from "../model/arguments.ts";
import { itemsOf } from "../model/catalogue.ts";
import { type Json, step, write } from "../model/json.ts";
import { isRoot } from "../model/kinds.ts";
import { defsOf, nameOf, resolve, type Schema } from "../model/schema.ts";
import type { Tab } from "../model/state.ts";
import { keyOf } from "../model/things.ts";
import { toast } from "../model/ui.ts";
import type { Card, Edit, KeyInfo, NodeInfo } from "../net/protocol.ts";
import { colorOf, fileColor } from "../paint/theme.ts";
import { Attachments } from "./Attachments.tsx";
import { useApp, useDocs, useUi } from "./app-context.ts";
import { CallForm, KeyNote } from "./CallForm.tsx";
import { backToTree, ColorField, JsonField, TextField } from "./fields.tsx";
import { applyFix, Level, Original, ProblemText } from "./Problems.tsx";
import { namesOf, Remove, SchemaForm, type Target } from "./SchemaForm.tsx";

/** Keys of `extra` that have forms of their own, or stand elsewhere in the inspector. */
const ELSEWHERE = new Set(["guards", "effects", "services", "events", "blackboard", "disabled"]);

/** Lists with an item for each child. */
const OF_CHILDREN = new Set(["prob", "cases", "scores"]);

export function Inspector({ tab }: { tab: Tab }) {
  const app = useApp();
  const card = tab.isTree && tab.focus !== null ? tab.cards.get(tab.focus) : undefined;
  return (
    <aside
      className="inspector"
      aria-label={t("inspector.title")}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) backToTree();
      }}
    >
      {card ? (
        <Node tab={tab} card={card} key={`${tab.path}:${card.idx}`} />
      ) : (
        <p className="hint pad">{t("inspector.none")}</p>
      )}
      <button
        type="button"
        className="close corner"
        aria-label={t("dialog.close")}
        onClick={() => run("inspector", app)}
      >
        ×
      </button>
    </aside>
  );
}

/** What the server knows of a node, of its newest text. */
function useInfo(tab: Tab, idx: number): NodeInfo | null {
  const app = useApp();
  const [info, setInfo] = useState<NodeInfo | null>(null);
  const { doc, revision } = tab;
  useEffect(() => {
    let isCurrent = true;
    void revision;
    app.session.server
      .call("node.info", { doc, node: idx })
      .then((found) => {
        if (isCurrent) setInfo(found);
      })
      .catch((error: Error) => {
        if (isCurrent && app.session.state.status === "open") toast(app.ui, "error", error.message);
      });
    return () => {
      isCurrent = false;
    };
  }, [app, doc, revision, idx]);
  return info;
}

/** The other selected nodes that are alike, in which the same is changed: as far as they are known, and all. */
function useOthers(tab: Tab, nodes: readonly number[]): [readonly Other[], () => Promise<readonly Other[]>] {
  const app = useApp();
  const [others, setOthers] = useState<readonly Other[]>(NONE);
  const all = useRef<Promise<readonly Other[]>>(Promise.resolve(NONE));
  const { doc, revision } = tab;
  const wanted = nodes.join(",");
  useEffect(() => {
    let isCurrent = true;
    void revision;
    const asked = wanted === "" ? [] : wanted.split(",").map(Number);
    const ask = async (node: number) =>
      otherOf(node, await app.session.server.call("node.info", { doc, node }));
    // One that is gone a moment later is selected no more.
    all.current = Promise.all(asked.map(ask)).catch(() => NONE);
    void all.current.then((found) => {
      if (isCurrent) setOthers(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [app, doc, revision, wanted]);
  return [others, () => all.current];
}

const NONE: readonly Other[] = [];

/** Says what a change changes while several nodes are selected. */
function Together({ selected, count }: { selected: number; count: number }) {
  const app = useApp();
  const isOn = useUi((ui) => ui.together);
  if (count === 0) return <p className="hint">{t("inspector.many", { count: selected })}</p>;
  if (count > MOST_ALIKE) return <p className="hint">{t("inspector.too-many", { count: MOST_ALIKE })}</p>;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => app.ui.setState({ together: event.target.checked })}
      />
      {t("inspector.together", { count: count + 1 })}
    </label>
  );
}

function Node({ tab, card }: { tab: Tab; card: Card }) {
  const app = useApp();
  const info = useInfo(tab, card.idx);
  const together = useUi((ui) => ui.together);
  const same = useMemo(() => alike(tab, card), [tab, card]);
  const [peers, allPeers] = useOthers(tab, together && same.length <= MOST_ALIKE ? same : []);
  const project = useDocs((state) => state.project);
  const focus = useUi((ui) => ui.focus);
  const frame = useRef<HTMLDivElement>(null);
  const kind = project?.kinds.find((one) => one.name === card.kind);
  const defs = useMemo(() => defsOf(project?.catalogue), [project?.catalogue]);
  const extra = useMemo(() => readExtra(info?.extra_raw), [info]);
  const isReady = info !== null;

  // The field that one wants gets the focus once it is there.
  useEffect(() => {
    if (!isReady || focus.count === 0) return;
    const find = (selector: string) => frame.current?.querySelector<HTMLElement>(selector);
    if (focus.part === "inspector")
      (find("[data-empty-call]") ?? find("[data-first]") ?? find("textarea"))?.focus();
    if (focus.part.startsWith("declaration:")) {
      const name = CSS.escape(focus.part.slice("declaration:".length));
      find(`[data-declares="${name}"] :is(textarea, input, select)`)?.focus();
    }
    if (focus.part.startsWith("attached:"))
      focusAttached(frame.current, focus.part.slice("attached:".length));
    if (focus.part !== "comment") return;
    const field = frame.current?.querySelector<HTMLTextAreaElement>("[data-comment] textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [focus, isReady]);

  const change = async (key: string, name: string, at: string, value: string | null) => {
    const make = (node: number): Edit =>
      value === null ? { do: "unset", node, at } : { do: "set", node, at, value };
    const elsewhere = at.startsWith("/extra/") ? everywhere(await allPeers(), extra, at, make) : [];
    void app.session.edit(
      { key, args: { name: settingName(card.kind, name) } },
      () => [make(card.idx), ...elsewhere],
      (now) => [...now.selection],
      `${card.idx}${at}`,
    );
  };
  const problems = tab.findings.filter((finding) => finding.node === card.idx);
  const keys = info?.keys.map((key) => key.name) ?? [];
  const suggestions: Record<string, readonly string[]> = {
    sub_tree_name: project?.trees.map((tree) => tree.name) ?? [],
    tree: project?.trees.map((tree) => tree.name) ?? [],
    event: info?.events.map((event) => event.name) ?? [],
    agent_name: project?.agents ?? [],
    name_key: keys,
    params: keys,
  };
  const target: Target = {
    defs,
    set: (pointer, json, name) => void change("step.value", name, pointer, json),
    unset: (pointer, name) => void change("step.remove", name, pointer, null),
    rename: (pointer, to) =>
      void app.session.edit(
        { key: "step.rename", args: { name: to } },
        () => [{ do: "key", node: card.idx, at: pointer, to }],
        (now) => [...now.selection],
      ),
    suggest: (key) => suggestions[key],
    itemName: (key, at) => {
      const child = tab.cards.get(card.children[at] ?? -1);
      return OF_CHILDREN.has(key) && child ? headingOf(child) : undefined;
    },
    problemsAt: (pointer) => problems.filter((finding) => pointerIn(finding.pointer) === pointer),
    thing: ({ sign, name }) => {
      const agent = tab.agent || null;
      if (sign === "@") return { kind: "property", name, agent };
      if (sign === "") return { kind: "condition", name, agent };
      const key = info?.keys.find((one) => one.name === name);
      return key && keyOf(tab, key);
    },
    names: (sign) => {
      // What nobody declares or writes may be half of a name.
      const isThere = (key: KeyInfo) => key.scope !== "undeclared" || key.written_by.length > 0;
      const offer = ({ name, type_shown: type }: { name: string; type_shown: string }) => ({
        sign,
        name,
        type,
      });
      if (sign === "$") return (info?.keys ?? []).filter(isThere).map(offer);
      if (sign === "@") return info?.properties.map(offer) ?? [];
      const { conditions, queries } = itemsOf(project?.catalogue, tab.agent ?? "");
      const calls = [...conditions, ...queries.filter(({ type }) => type !== "bool")];
      return calls.map(({ name, type }) => ({ sign, name, type }));
    },
    isUndeclared: (name) => {
      const key = info?.keys.find((one) => one.name === name);
      return info !== null && (!key || key.scope === "undeclared");
    },
    declare: (name, type) => declareKey(app, tab.root, name, type),
    keys: info?.keys ?? [],
    takes: info?.takes ?? [],
    isReadOnly: tab.isScript || (project?.read_only ?? false),
    others: peers,
    allOthers: allPeers,
  };

  const schema = resolve(kind?.schema as Schema | undefined, defs);
  const called = new Set(info?.call ? [info.call.name_key, info.call.args_key] : []);
  const resets = new Set(info?.attached.some((call) => call.caller === "reset_if") ? ["reset_if"] : []);
  const settings = Object.keys(schema.properties ?? {}).filter(
    (key) => !ELSEWHERE.has(key) && !called.has(key) && !resets.has(key),
  );
  // What must be there comes first, then what is: when one begins, for no field moves while one types in it.
  const first = useRef<{ [key: string]: Json } | null>(null);
  if (isReady) first.current ??= extra;
  const given = first.current ?? extra;
  const isFirst = (key: string) => schema.required?.includes(key) || key === "sub_tree_name";
  // What the items of a list are compared with stands above it.
  const isCompared = (key: string) => nameOf(schema.properties?.[key]) === "node.expression";
  const weight = (key: string) =>
    isFirst(key) ? (isCompared(key) ? -1 : 0) : given[key] !== undefined ? 1 : 2;
  settings.sort((one, other) => weight(one) - weight(other));
  const known = new Set([...settings, ...ELSEWHERE, ...called, ...resets]);
  // What the runtime does not know is not offered.
  const canDisable = schema.properties?.disabled !== undefined && !isRoot(card);
  if (!canDisable) known.delete("disabled");
  const others = Object.keys(extra).filter((key) => !known.has(key));
  return (
    <div className="node" ref={frame}>
      <header className="node-head">
        <span className="symbol" data-group={card.group} aria-hidden="true">
          {card.symbol}
        </span>
        <h2 data-tip={headingOf(card)}>{titleOf(card)}</h2>
        <span className="number">#{card.idx}</span>
      </header>
      {tab.selection.size > 1 && <Together selected={tab.selection.size} count={same.length} />}
      {kind && (
        <p className="hint">
          {kindName(kind.name)}
          {kindName(kind.name).toLowerCase() !== kind.name && <code> {kind.name}</code>}: {kindDoes(kind)}
        </p>
      )}
      {kind?.deprecated && (
        <p className="warning">
          ▲ {t("inspector.deprecated")}: {kind.deprecated}
        </p>
      )}
      <div className="buttons">
        {!isRoot(card) && !target.isReadOnly && (
          <button type="button" className="small" onClick={() => run("kind", app)}>
            {t("command.kind")}
          </button>
        )}
        {card.calls && (
          <button type="button" className="small" onClick={() => run("enter-tree", app)}>
            {t("command.enter-tree")}
          </button>
        )}
      </div>
      {problems.length > 0 && (
        <ul className="problem-list">
          {problems.map((finding, at) => (
            <li key={`${finding.code}:${at}`} data-level={finding.level}>
              <Level level={finding.level} />
              <span className="grow">
                {finding.code}: <ProblemText of={finding} />
                {finding.help && !isTranslated(finding) && `; ${finding.help}`}
                <Original of={finding} />
              </span>
              {finding.fix && !target.isReadOnly && (
                <button
                  type="button"
                  className="small"
                  data-tip={fixWords(finding.fix)}
                  onClick={() => applyFix(app, tab.path, finding)}
                >
                  {t("problems.fix")}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {info?.call && (
        <Part title={t("inspector.arguments")}>
          <CallForm node={card.idx} call={info.call} info={info} extra={extra} target={target} isFirst />
        </Part>
      )}
      {settings.length > 0 && info && (
        <Part title={t("inspector.settings")}>
          {settings.map((key, at) => (
            <div className="item" key={key}>
              <SchemaForm
                name={key}
                {...namesOf(card.kind, key)}
                owner={card.kind}
                pointer={`/extra${step(key)}`}
                schema={schema.properties?.[key]}
                value={extra[key]}
                target={target}
                isFirst={at === 0 && !info.call}
                isOptional={!schema.required?.includes(key)}
              />
              {!target.isReadOnly && extra[key] !== undefined && !schema.required?.includes(key) && (
                <Remove
                  what={settingName(card.kind, key)}
                  run={() => target.unset(`/extra${step(key)}`, key)}
                />
              )}
            </div>
          ))}
        </Part>
      )}
      <div data-comment="">
        <TextField
          label={t("inspector.comment")}
          value={JSON.stringify(card.comment)}
          isLong
          isReadOnly={target.isReadOnly}
          set={(json) => void change("step.comment", "", "/comment", json)}
        />
      </div>
      <ColorField
        label={t("inspector.color")}
        value={fileColor(card.color)}
        isReadOnly={target.isReadOnly}
        set={(css) => void colour(app, colorOf(css), `${card.idx}/color`)}
        choose={() => run("color", app)}
      />
      {canDisable && (
        <label className="check">
          <input
            type="checkbox"
            checked={card.disabled}
            disabled={target.isReadOnly}
            onChange={(event) =>
              void change("step.value", "disabled", "/extra/disabled", event.target.checked ? "true" : null)
            }
          />
          {t("inspector.disabled")}
        </label>
      )}
      {info && (
        <Attachments node={card.idx} info={info} extra={extra} target={target} isRoot={isRoot(card)} />
      )}
      {others.length > 0 && (
        <Part title={t("inspector.other")}>
          <p className="hint">{t("inspector.other-why")}</p>
          {others.map((key) => (
            <div className="item" key={key}>
              <JsonField
                label={key}
                value={write(extra[key])}
                isReadOnly={target.isReadOnly}
                set={(json) => target.set(`/extra${step(key)}`, json, key)}
              />
              {!target.isReadOnly && (
                <Remove what={key} run={() => target.unset(`/extra${step(key)}`, key)} />
              )}
            </div>
          ))}
        </Part>
      )}
      {info && info.keys.length > 0 && (
        <details>
          <summary>{t("inspector.visible")}</summary>
          <dl className="keys">
            {info.keys.map((key) => (
              <div key={key.name}>
                <dt>{key.name}</dt>
                <dd>
                  <KeyNote of={key} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}

/** Puts the focus into the last attachment of a list: where it is given something, else into its first field. */
function focusAttached(frame: HTMLElement | null, list: string): void {
  const all = frame?.querySelectorAll<HTMLElement>(`[data-at^="${CSS.escape(list)}/"]`) ?? [];
  const last = [...all].at(-1);
  const field = (inside: string) =>
    last?.querySelector<HTMLElement>(`${inside} :is(input, textarea, select)`);
  (field(".argument :is(.field, .item)") ?? field("[data-expression]") ?? field(".item"))?.focus();
}

/** A pointer into the file as one into the node. */
function pointerIn(pointer: string): string {
  return pointer.replace(/^\/nodes\/\d+/, "");
}

export function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
