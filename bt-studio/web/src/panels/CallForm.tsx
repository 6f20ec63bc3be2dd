// What a node or an attachment calls, and with which arguments.

import { useState } from "react";
import { t } from "../i18n/index.ts";
import { type Item, itemsOf } from "../model/catalogue.ts";
import { isObject, type Json, read, step, at as valueAt, write } from "../model/json.ts";
import { boundsOf, choicesOf, firstValue, formOf, resolve, type Schema } from "../model/schema.ts";
import type { ArgumentInfo, ArgumentMode, CallInfo, Edit, KeyInfo, NodeInfo } from "../net/protocol.ts";
import { useApp, useDocs, useTab } from "./app-context.ts";
import { BoolField, ChoiceField, JsonField, NumberField, TextField } from "./fields.tsx";
import { SchemaForm, type Target } from "./SchemaForm.tsx";

interface Props {
  node: number;
  call: CallInfo;
  info: NodeInfo;
  extra: Json;
  target: Target;
  /** Its first field gets the focus when one begins to edit the node. */
  isFirst: boolean;
}

const LISTS = {
  action: "actions",
  effect: "actions",
  service: "actions",
  condition: "conditions",
  guard: "conditions",
  reset_if: "conditions",
  decorator: "decorators",
} as const;

export function CallForm({ node, call, info, extra, target, isFirst }: Props) {
  const app = useApp();
  const tab = useTab();
  const catalogue = useDocs((state) => state.project?.catalogue);
  const list = LISTS[call.caller as keyof typeof LISTS] ?? "actions";
  const inExtra = call.at.replace(/^\/extra/, "");
  const items = isItems(valueAt(extra, inExtra + step(call.args_key)));

  function choose(): void {
    const found: Item[] = itemsOf(catalogue, tab?.agent ?? "")[list];
    app.ui.setState({
      picker: {
        title: t("picker.call"),
        query: "",
        choices: found.map((item) => ({
          id: item.name,
          name: item.name,
          detail: [item.display, item.brief].filter(Boolean).join(" · "),
          also: `${item.display} ${item.brief} ${item.category}`,
        })),
        pick: ({ name }) => target.set(call.at + step(call.name_key), JSON.stringify(name), name),
        free: (name) => target.set(call.at + step(call.name_key), JSON.stringify(name), name),
      },
    });
  }

  const edit = (name: string, edits: Edit[]) =>
    void app.session.edit(
      { key: "step.argument", args: { name } },
      () => edits,
      (now) => [...now.selection],
      `${node}${call.at}/${name}`,
    );

  return (
    <div className="call">
      <div className="field">
        <span className="label">{t("inspector.calls")}</span>
        <button
          type="button"
          className="chooser"
          disabled={target.isReadOnly}
          data-empty-call={call.name === "" ? "" : undefined}
          onClick={choose}
        >
          {call.name || t("inspector.choose")}
        </button>
      </div>
      {call.name !== "" && !call.known && (
        <p className="mistake">✕ {t("inspector.unknown", { agent: call.agent ?? tab?.agent ?? "" })}</p>
      )}
      {call.renamed && <p className="warning">▲ {t("inspector.renamed", { name: call.renamed })}</p>}
      {call.deprecated && (
        <p className="warning">
          ▲ {t("inspector.deprecated")}: {call.deprecated}
        </p>
      )}
      {call.brief && <p className="hint">{call.brief}</p>}
      {call.returns && (
        <p className="hint">
          {t("inspector.returns")}: {call.returns}
        </p>
      )}
      {call.origin && (
        <p className="hint">
          {t("inspector.origin")}: <code>{call.origin}</code>
        </p>
      )}
      {call.arguments.map((argument, place) => (
        <ArgumentForm
          key={`${argument.name}:${place}`}
          argument={argument}
          place={place}
          call={call}
          items={items}
          info={info}
          target={target}
          edit={edit}
          isFirst={isFirst && place === 0}
        />
      ))}
    </div>
  );
}

function isItems(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

interface ArgumentProps {
  argument: ArgumentInfo;
  place: number;
  call: CallInfo;
  items: Json[];
  info: NodeInfo;
  target: Target;
  edit: (name: string, edits: Edit[]) => void;
  isFirst: boolean;
}

const TYPES: Record<ArgumentMode, string> = { literal: "plain", key: "blackboard", property: "property" };

function ArgumentForm(props: ArgumentProps) {
  const { argument, place, call, items, info, target, edit } = props;
  const tab = useTab();
  const node = tab?.focus ?? 0;
  const list = call.at + step(call.args_key);
  const isGiven = argument.at !== undefined && argument.at !== null;
  // A key or a property is written once it has a name: a file with an empty one cannot be read.
  const [wanted, setWanted] = useState<ArgumentMode | null>(null);
  const mode: ArgumentMode = wanted ?? argument.mode ?? (argument.writes ? "key" : "literal");
  const schema = resolve(argument.schema as Schema, target.defs);
  const name = argument.name || `#${place + 1}`;

  /** Writes the value; an argument that is not given yet gets its place, or its name where others are left out. */
  function put(kind: ArgumentMode, value: string): void {
    if (kind !== "literal" && value === '""') return;
    setWanted(null);
    const type = JSON.stringify(TYPES[kind]);
    if (isGiven) {
      const item = list + step(argument.at!);
      const edits: Edit[] = [{ do: "set", node, at: `${item}/arg_value`, value }];
      if (kind !== argument.mode) edits.unshift({ do: "set", node, at: `${item}/arg_type`, value: type });
      edit(name, edits);
      return;
    }
    const isNext = items.length === place && items.every((item) => !(isObject(item) && "arg_name" in item));
    const named = isNext ? "" : `, "arg_name": ${JSON.stringify(argument.name)}`;
    edit(name, [
      { do: "set", node, at: `${list}/-`, value: `{"arg_type": ${type}, "arg_value": ${value}${named}}` },
    ]);
  }

  /** Takes it away; those after it that go by their places get names. */
  function reset(): void {
    const at = argument.at!;
    const edits: Edit[] = [];
    for (const other of call.arguments) {
      if (other.at === undefined || other.at === null || other.at <= at) continue;
      const item = items[other.at];
      if (isObject(item) && !("arg_name" in item) && other.name !== "") {
        edits.push({
          do: "set",
          node,
          at: `${list}${step(other.at)}/arg_name`,
          value: JSON.stringify(other.name),
        });
      }
    }
    edit(name, [...edits, { do: "unset", node, at: list + step(at) }]);
  }

  function turn(next: ArgumentMode): void {
    if (next !== "literal") {
      setWanted(next === argument.mode ? null : next);
      return;
    }
    setWanted(null);
    if (argument.mode === "literal") return;
    const known = argument.default as Json | undefined;
    put(next, write(known ?? firstValue(schema, target.defs)));
  }

  return (
    <div className="argument" data-given={isGiven}>
      <div className="argument-head">
        <span className="argument-name">
          {name}
          {argument.deprecated && <span className="warning"> ▲ {t("inspector.deprecated")}</span>}
        </span>
        <span className="type">{argument.type_shown}</span>
        <select
          aria-label={t("inspector.mode", { name })}
          value={mode}
          disabled={target.isReadOnly}
          onChange={(event) => turn(event.target.value as ArgumentMode)}
        >
          {!argument.writes && <option value="literal">{t("inspector.literal")}</option>}
          {argument.writes && mode === "literal" && <option value="literal">{t("inspector.literal")}</option>}
          <option value="key">{t("inspector.key")}</option>
          <option value="property">{t("inspector.property")}</option>
        </select>
        {isGiven && argument.optional && !target.isReadOnly && (
          <button
            type="button"
            className="close"
            aria-label={`${t("inspector.reset")}: ${name}`}
            data-tip={t("inspector.reset")}
            onClick={reset}
          >
            ↺
          </button>
        )}
      </div>
      <Value {...props} mode={mode} schema={schema} put={put} keys={info.keys} />
    </div>
  );
}

interface ValueProps extends ArgumentProps {
  mode: ArgumentMode;
  schema: Schema;
  put: (mode: ArgumentMode, value: string) => void;
  keys: KeyInfo[];
}

function Value({ argument, mode, schema, put, keys, info, target, isFirst, call }: ValueProps) {
  const fallback =
    argument.default !== undefined
      ? t("inspector.default", { value: write(argument.default as Json) })
      : argument.optional
        ? t("inspector.not-given")
        : undefined;
  const base = {
    label: argument.name,
    hint: argument.comment,
    fallback,
    isReadOnly: target.isReadOnly,
    isFirst,
  };
  if (mode === "key") {
    const sorted = [...keys].sort((one, other) => fitting(other, argument) - fitting(one, argument));
    const known = keys.find((key) => key.name === argument.key);
    return (
      <>
        <TextField
          {...base}
          value={argument.key === undefined || argument.key === null ? null : JSON.stringify(argument.key)}
          suggestions={sorted.map((key) => key.name)}
          set={(json) => put("key", json)}
        />
        {known && <KeyNote of={known} />}
      </>
    );
  }
  if (mode === "property") {
    return (
      <TextField
        {...base}
        value={
          argument.property === undefined || argument.property === null
            ? null
            : JSON.stringify(argument.property)
        }
        suggestions={info.properties.map((property) => property.name)}
        set={(json) => put("property", json)}
      />
    );
  }
  const field = { ...base, value: argument.value ?? null, set: (json: string) => put("literal", json) };
  const choices = argument.choices ?? choicesOf(schema);
  if (choices) {
    const shown = (choices as Json[]).map((one) => ({
      json: write(one),
      shown: typeof one === "string" ? one : write(one),
    }));
    return <ChoiceField {...field} choices={shown} />;
  }
  const form = formOf(schema);
  switch (form) {
    case "bool":
      return <BoolField {...field} />;
    case "number":
    case "integer": {
      const own = boundsOf(schema);
      const bound = (given: unknown, other: number | null) =>
        given !== undefined && given !== null ? write(given as Json) : other === null ? null : String(other);
      const bounds = {
        min: bound(argument.min, own.min),
        max: bound(argument.max, own.max),
        unit: argument.unit ?? "",
        step: argument.step === undefined || argument.step === null ? "1" : write(argument.step as Json),
        isWhole: form === "integer",
      };
      return <NumberField {...field} bounds={bounds} />;
    }
    case "text":
      return <TextField {...field} />;
    case "list":
    case "struct":
    case "map": {
      if (argument.value === undefined || argument.value === null) return <JsonField {...field} />;
      const pointer = `${call.at}${step(call.args_key)}${step(argument.at ?? 0)}/arg_value`;
      return (
        <SchemaForm
          name={argument.name}
          label={argument.name}
          pointer={pointer}
          schema={schema}
          value={read(argument.value)}
          target={target}
          isFirst={isFirst}
        />
      );
    }
    default:
      return <JsonField {...field} />;
  }
}

function fitting(key: KeyInfo, argument: ArgumentInfo): number {
  return key.type_shown === argument.type_shown ? 2 : key.type_shown === "" ? 1 : 0;
}

/** Where a key comes from and who else uses it. */
export function KeyNote({ of }: { of: KeyInfo }) {
  const nodes = (list: number[]) => list.map((idx) => `#${idx}`).join(", ");
  const parts = [
    [of.type_shown, of.scope].filter(Boolean).join(", "),
    of.written_by.length > 0 ? t("inspector.written", { nodes: nodes(of.written_by) }) : "",
    of.read_by.length > 0 ? t("inspector.read", { nodes: nodes(of.read_by) }) : "",
  ];
  return <p className="hint">{parts.filter(Boolean).join(" · ")}</p>;
}
