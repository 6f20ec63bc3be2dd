// What a node or an attachment calls, and with which arguments.

import { useEffect, useState } from "react";
import { declareKey } from "../commands/declare.ts";
import { t } from "../i18n/index.ts";
import { scopeName } from "../i18n/kinds.ts";
import { argumentIn, differing } from "../model/alike.ts";
import {
  type ArgumentPlace,
  isGiven,
  itemsIn,
  put as putArgument,
  reset as resetArgument,
} from "../model/arguments.ts";
import { type Item, itemsOf } from "../model/catalogue.ts";
import { argumentAsExpression, callAsExpression } from "../model/expression.ts";
import { isObject, type Json, read, step, at as valueAt, write } from "../model/json.ts";
import {
  boundsOf,
  choiceDoes,
  choicesOf,
  firstValue,
  formOf,
  resolve,
  type Schema,
} from "../model/schema.ts";
import { keyOf } from "../model/things.ts";
import { typeName, typeOfArgument, typeTip } from "../model/types.ts";
import type { ArgumentInfo, ArgumentMode, CallInfo, Edit, KeyInfo, NodeInfo } from "../net/protocol.ts";
import { useApp, useDocs, useTab } from "./app-context.ts";
import { ExpressionField } from "./ExpressionField.tsx";
import { BoolField, ChoiceField, JsonField, NumberField, TextField, useHeld } from "./fields.tsx";
import { SchemaForm, type Target } from "./SchemaForm.tsx";
import { Ticks } from "./Ticks.tsx";

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
  composite: "composites",
} as const;

export function CallForm({ node, call, info, extra, target, isFirst }: Props) {
  const app = useApp();
  const tab = useTab();
  const catalogue = useDocs((state) => state.project?.catalogue);
  const isBuilding = useDocs((state) => Boolean(state.project?.building));
  const list = LISTS[call.caller as keyof typeof LISTS] ?? "actions";
  const items = itemsIn(extra, call);
  const isText = call.expression !== undefined && call.expression !== null;

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
        pick: ({ name }) => callBy(name),
        free: callBy,
      },
    });
  }

  /** Calls it, in place of what was called or of an expression. */
  function callBy(name: string): void {
    const at = call.at + step(call.name_key);
    if (!isText) target.set(at, JSON.stringify(name), name);
    else
      ask(name, [
        { do: "set", node, at, value: JSON.stringify(name) },
        { do: "set", node, at: call.at + step(call.args_key), value: "[]" },
        { do: "unset", node, at: `${call.at}/if` },
      ]);
  }

  /** Evaluates an expression in place of a condition, that which calls it as it is called now. */
  function compute(): void {
    const own = valueAt(extra, call.at.replace(/^\/extra/, ""));
    const given = [call.name_key, call.args_key].filter((key) => isObject(own) && key in own);
    ask(t("inspector.expression"), [
      { do: "set", node, at: `${call.at}/if`, value: JSON.stringify(callAsExpression(call)) },
      ...given.map((key): Edit => ({ do: "unset", node, at: call.at + step(key) })),
    ]);
  }

  function ask(name: string, edits: Edit[]): void {
    void app.session.edit(
      { key: "step.value", args: { name } },
      () => edits,
      (now) => [...now.selection],
    );
  }

  /** Changes an argument, here and in the nodes that change with this one. */
  const edit = async (argument: ArgumentInfo, place: number, make: (at: ArgumentPlace) => Edit[]) => {
    const name = argument.name || `#${place + 1}`;
    const others = await target.allOthers();
    const elsewhere = others.map((other) => argumentIn(other, call, argument, place));
    const places = [{ node, call, argument, place, items }, ...elsewhere.filter((one) => one !== undefined)];
    void app.session.edit(
      { key: "step.argument", args: { name } },
      () => places.flatMap(make),
      (now) => [...now.selection],
      `${node}${call.at}/${name}`,
    );
  };

  const asks = (call.caller === "guard" || call.caller === "reset_if") && (
    <ChoiceField
      label={t("inspector.asks")}
      value={isText ? '"expression"' : '"condition"'}
      choices={[
        { json: '"condition"', shown: t("inspector.condition") },
        { json: '"expression"', shown: t("inspector.expression") },
      ]}
      isReadOnly={target.isReadOnly}
      set={(json) => (json === '"expression"' ? compute() : choose())}
    />
  );
  if (isText)
    return (
      <div className="call">
        {asks}
        <ExpressionField
          label={t("inspector.expression")}
          value={JSON.stringify(call.expression)}
          isReadOnly={target.isReadOnly}
          pointer={`${call.at}/if`}
          target={target}
          type="bool"
          set={(json) => target.set(`${call.at}/if`, json, "if")}
        />
      </div>
    );
  return (
    <div className="call">
      {asks}
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
      {call.name !== "" && !call.known && isBuilding && <p className="hint">{t("building.unknown")}</p>}
      {call.name !== "" && !call.known && !isBuilding && (
        <p className="mistake">✕ {t("inspector.unknown", { agent: call.agent ?? tab?.agent ?? "" })}</p>
      )}
      {call.renamed && <p className="warning">▲ {t("inspector.renamed", { name: call.renamed })}</p>}
      {call.deprecated && (
        <p className="warning">
          ▲ {t("inspector.deprecated")}: {call.deprecated}
        </p>
      )}
      {call.brief && (
        <p className="hint">
          <Ticks text={call.brief} />
        </p>
      )}
      {call.returns && (
        <p className="hint">
          {t("inspector.returns")}: <Ticks text={call.returns} />
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
          info={info}
          target={target}
          edit={edit}
          isFirst={isFirst && place === 0}
        />
      ))}
    </div>
  );
}

interface ArgumentProps {
  argument: ArgumentInfo;
  place: number;
  call: CallInfo;
  info: NodeInfo;
  target: Target;
  edit: (argument: ArgumentInfo, place: number, make: (at: ArgumentPlace) => Edit[]) => Promise<void>;
  isFirst: boolean;
}

function ArgumentForm(props: ArgumentProps) {
  const { argument, place, call, info, target, edit } = props;
  // A key or a property is written once it has a name: a file with an empty one cannot be read.
  // What is wanted stays until the file has it, so that its field stays as well.
  const [wanted, setWanted] = useState<ArgumentMode | null>(null);
  const isThere = wanted !== null && wanted === argument.mode;
  useEffect(() => {
    if (isThere) setWanted(null);
  }, [isThere]);
  const mode: ArgumentMode = wanted ?? argument.mode ?? (argument.writes ? "key" : "literal");
  const schema = resolve(argument.schema as Schema, target.defs);
  const name = argument.name || `#${place + 1}`;
  const others = differing(target.others, call, argument, place);
  const first = write((argument.default as Json | undefined) ?? firstValue(schema, target.defs));
  const asExpression = argumentAsExpression(argument, first);

  function put(kind: ArgumentMode, value: string): void {
    if ((kind === "key" || kind === "property") && value === '""') return;
    void edit(argument, place, (at) => putArgument(at, kind, value));
  }

  function turn(next: ArgumentMode): void {
    if (next === "expression") {
      setWanted(next === argument.mode ? null : next);
      if (next !== argument.mode) put(next, JSON.stringify(asExpression));
      return;
    }
    if (next !== "literal") {
      setWanted(next === argument.mode ? null : next);
      return;
    }
    if (argument.mode === "literal") {
      setWanted(null);
      return;
    }
    setWanted("literal");
    put(next, first);
  }

  return (
    <div className="argument" data-given={isGiven(argument)}>
      <div className="argument-head">
        <span className="argument-name">
          {name}
          {argument.deprecated && <span className="warning"> ▲ {t("inspector.deprecated")}</span>}
        </span>
        <span className="type" data-tip={typeTip(argument.type_shown)}>
          {typeName(argument.type_shown)}
        </span>
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
          {(!argument.writes || mode === "expression") && (
            <option value="expression">{t("inspector.expression")}</option>
          )}
        </select>
        {isGiven(argument) && argument.optional && !target.isReadOnly && (
          <button
            type="button"
            className="close"
            aria-label={`${t("inspector.reset")}: ${name}`}
            data-tip={t("inspector.reset")}
            onClick={() => void edit(argument, place, resetArgument)}
          >
            ↺
          </button>
        )}
      </div>
      <Value {...props} mode={mode} schema={schema} put={put} keys={info.keys} asExpression={asExpression} />
      {others.length > 0 && (
        <p className="warning">▲ {t("inspector.differs", { values: shortList(others) })}</p>
      )}
    </div>
  );
}

/** The first values of a list. */
function shortList(values: readonly string[]): string {
  const shown = values.slice(0, 5).map((value) => value || t("inspector.not-given"));
  return shown.join(", ") + (values.length > shown.length ? ", …" : "");
}

interface ValueProps extends ArgumentProps {
  mode: ArgumentMode;
  schema: Schema;
  put: (mode: ArgumentMode, value: string) => void;
  keys: KeyInfo[];
  /** Its value as an expression gives it, also before the file has that. */
  asExpression: string;
}

function Value({ asExpression, argument, mode, schema, put, keys, info, target, isFirst, call }: ValueProps) {
  const hasValue = argument.value !== undefined && argument.value !== null;
  const { held: isForm, frame } = useHeld(hasValue);
  const tab = useTab();
  const app = useApp();
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
          thing={known && tab && keyOf(tab, known)}
          set={(json) => put("key", json)}
        />
        {known && <KeyNote of={known} />}
        {tab && argument.key && !target.isReadOnly && (!known || known.scope === "undeclared") && (
          <button
            type="button"
            className="small"
            onClick={() =>
              declareKey(
                app,
                tab.root,
                argument.key!,
                typeOfArgument(argument.type_shown, schema, argument.choices as Json[] | null),
              )
            }
          >
            {t("inspector.add-key", { name: argument.key })}
          </button>
        )}
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
  if (mode === "expression") {
    const pointer = `${call.at}${step(call.args_key)}${step(argument.at ?? 0)}/arg_value`;
    return (
      <ExpressionField
        {...base}
        value={JSON.stringify(asExpression)}
        pointer={pointer}
        target={target}
        type={argument.type_shown}
        set={(json) => put("expression", json)}
      />
    );
  }
  const field = { ...base, value: argument.value ?? null, set: (json: string) => put("literal", json) };
  const choices = argument.choices ?? choicesOf(schema);
  if (choices) {
    const shown = (choices as Json[]).map((one) => ({
      json: write(one),
      shown: typeof one === "string" ? one : write(one),
      does: choiceDoes(schema, one),
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
      const pointer = `${call.at}${step(call.args_key)}${step(argument.at ?? 0)}/arg_value`;
      return (
        <div className="held" ref={frame}>
          {isForm && hasValue ? (
            <SchemaForm
              name={argument.name}
              label={argument.name}
              pointer={pointer}
              schema={schema}
              value={read(argument.value!)}
              target={target}
              isFirst={isFirst}
            />
          ) : (
            <JsonField {...field} />
          )}
        </div>
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
    [of.type_shown && typeName(of.type_shown), scopeName(of.scope)].filter(Boolean).join(", "),
    of.written_by.length > 0 ? t("inspector.written", { nodes: nodes(of.written_by) }) : "",
    of.read_by.length > 0 ? t("inspector.read", { nodes: nodes(of.read_by) }) : "",
  ];
  return <p className="hint">{parts.filter(Boolean).join(" · ")}</p>;
}
