// A form for a value of any schema.

import { useState } from "react";
import { t } from "../i18n/index.ts";
import { choiceName, settingDoes, settingName, settingUnset } from "../i18n/kinds.ts";
import type { Other } from "../model/alike.ts";
import type { Named, Offer } from "../model/expression.ts";
import { isObject, type Json, step, write } from "../model/json.ts";
import {
  boundsOf,
  choiceDoes,
  choicesOf,
  type Defs,
  type Form,
  firstValue,
  formOf,
  literalOf,
  nameOf,
  resolve,
  type Schema,
} from "../model/schema.ts";
import { schemaOfType, typeName, typeNames } from "../model/types.ts";
import type { Finding, KeyInfo, Thing } from "../net/protocol.ts";
import { ArgsForm, ResultsForm, TreeField } from "./CalledTree.tsx";
import { ExpressionField } from "./ExpressionField.tsx";
import { BoolField, ChoiceField, JsonField, NumberField, TextField, useHeld } from "./fields.tsx";

/** What a form does with what is changed in it. */
export interface Target {
  defs: Defs;
  set: (pointer: string, json: string, name: string) => void;
  unset: (pointer: string, name: string) => void;
  rename: (pointer: string, to: string) => void;
  /** Names that fit a key, such as those of trees. */
  suggest: (key: string) => readonly string[] | undefined;
  /** What an item of a list is called, if it has a name. */
  itemName: (key: string, at: number) => string | undefined;
  isReadOnly: boolean;
  /** What is wrong with a value. */
  problemsAt: (pointer: string) => readonly Finding[];
  /** What a name in an expression is of; the names that there are by their sign; keys that nobody declares. */
  thing: (named: Named) => Thing | undefined;
  names: (sign: Named["sign"]) => readonly Offer[];
  isUndeclared: (key: string) => boolean;
  declare: (key: string, type: string) => void;
  /** The keys that the node sees, and those that the tree it runs takes. */
  keys: readonly KeyInfo[];
  takes: readonly KeyInfo[];
  /** The other nodes in which the same is changed: as far as they are known, and all. */
  others: readonly Other[];
  allOthers: () => Promise<readonly Other[]>;
}

interface Props {
  /** The last key on the way to the value. */
  name: string;
  label: string;
  pointer: string;
  schema: Schema | boolean | undefined;
  value: Json | undefined;
  target: Target;
  isFirst?: boolean;
  /** Whether it may be left out. */
  isOptional?: boolean;
  hint?: string;
  /** Whose setting it is: a kind's, or a `guard`'s and the like. Then it has a name and words of its own. */
  owner?: string;
  /** Whose settings are in it. */
  inside?: string;
}

/** How a person calls a setting, and the file's spelling beside it where that is another one. */
export function namesOf(owner: string, name: string): { label: string; code: string | undefined } {
  const label = settingName(owner, name);
  return { label, code: label.toLowerCase() === name ? undefined : name };
}

export function SchemaForm(props: Props) {
  const schema = resolve(props.schema, props.target.defs);
  const literal = literalOf(schema);
  if (literal) return <NumberItem {...props} literal={literal} />;
  return <OtherForm {...props} resolved={schema} />;
}

function OtherForm({ resolved: schema, ...props }: Props & { resolved: Schema }) {
  const form = formOf(schema);
  const { value } = props;
  // A value of another type than the schema's is edited as it is, and so is one that is still being typed.
  const fits = value === undefined || isOfForm(value, form);
  const { held, frame } = useHeld<Form>(fits ? form : "json");
  return (
    <div className="held" ref={frame}>
      <OneForm {...props} schema={schema} of={nameOf(props.schema)} form={held} />
    </div>
  );
}

/** What takes effect where nothing is written. */
function fallbackOf({ schema, owner, name, isOptional }: Known): string | undefined {
  const own = owner === undefined ? undefined : settingUnset(owner, name);
  if (own !== undefined) return t("inspector.default", { value: own });
  if (schema.default !== undefined) return t("inspector.default", { value: write(schema.default) });
  return isOptional ? t("inspector.not-given") : undefined;
}

/** What an expression may look like, where it is no condition. */
const EXAMPLES = new Set(["on", "in", "scores"]);

/** The types of values of expressions, by the setting that they are of. */
const TYPES: Readonly<Record<string, string>> = { if: "bool", scores: "double" };

function OneForm(given: Known & { form: Form; of: string }) {
  const { owner } = given;
  const names = owner === undefined ? { label: given.label, code: undefined } : namesOf(owner, given.name);
  const props = { ...given, ...names };
  const { target, name, pointer, value, schema, form } = props;
  const written = value === undefined ? null : write(value);
  const said = schema.description ?? "";
  const hint = props.hint ?? (owner === undefined ? said : settingDoes(owner, name, said));
  const field = {
    label: props.label,
    code: props.code,
    value: written,
    hint,
    fallback: fallbackOf(props),
    isReadOnly: target.isReadOnly,
    isFirst: props.isFirst,
    set: (json: string) => target.set(pointer, json, name),
  };
  if (owner !== undefined && (name === "sub_tree_name" || name === "tree")) return <TreeField {...field} />;
  if (owner === "declaration" && name === "type") {
    const choices = typeNames([
      typeof value === "string" ? value : "",
      ...target.keys.map((key) => key.type_shown),
    ]);
    return (
      <ChoiceField
        {...field}
        choices={choices.map((type) => ({ json: JSON.stringify(type), shown: typeName(type) }))}
      />
    );
  }
  if (owner === "sub_tree" && name === "args" && target.takes.length > 0)
    return <ArgsForm {...field} pointer={pointer} given={isObject(value) ? value : {}} target={target} />;
  if (owner === "sub_tree" && name === "results" && target.takes.some(({ scope }) => scope === "tree"))
    return <ResultsForm {...field} pointer={pointer} given={isObject(value) ? value : {}} target={target} />;
  const example = EXAMPLES.has(name) ? t(`inspector.example.${name}`) : undefined;
  if (props.of === "node.expression")
    return (
      <ExpressionField {...field} pointer={pointer} target={target} example={example} type={TYPES[name]} />
    );
  if (props.of === "node.argument" && isObject(value)) return <ArgumentItem {...props} given={value} />;
  switch (form) {
    case "json":
      return <JsonField {...field} />;
    case "bool":
      return <BoolField {...field} />;
    case "choice": {
      const choices = choicesOf(schema)!.map((one) => ({
        json: write(one),
        shown: typeof one === "string" ? choiceName(owner ?? "", name, one) : write(one),
        // Those of the kinds' own settings have names that say it.
        does: owner === undefined ? choiceDoes(schema, one) : "",
      }));
      return <ChoiceField {...field} choices={choices} />;
    }
    case "number":
    case "integer": {
      const { min, max, above } = boundsOf(schema);
      const bounds = {
        min: min === null ? null : String(min),
        max: max === null ? null : String(max),
        unit: "",
        step: "1",
        isWhole: form === "integer",
        isAbove: above,
      };
      return <NumberField {...field} bounds={bounds} />;
    }
    case "text": {
      const suggestions = target.suggest(name);
      // Who runs a tree is one of few.
      if (name === "agent_name" && suggestions && suggestions.length > 0) {
        const choices = suggestions.map((one) => ({ json: JSON.stringify(one), shown: one }));
        return <ChoiceField {...field} choices={choices} />;
      }
      return <TextField {...field} suggestions={suggestions} />;
    }
    case "list":
      return <ListForm {...props} schema={schema} hint={hint} />;
    case "map":
      return <MapForm {...props} schema={schema} hint={hint} />;
    case "struct":
      return <StructForm {...props} schema={schema} hint={hint} />;
  }
}

function isOfForm(value: Json, form: Form): boolean {
  switch (form) {
    case "bool":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "number":
    case "integer":
      return (
        typeof value === "number" ||
        (typeof value === "object" && !isObject(value) && !Array.isArray(value) && value !== null)
      );
    case "list":
      return Array.isArray(value);
    case "map":
    case "struct":
      return isObject(value);
    default:
      return true;
  }
}

type Known = Props & { schema: Schema; code?: string | undefined };

export function Frame(props: {
  label: string;
  code?: string | undefined;
  hint?: string | undefined;
  children: React.ReactNode;
}) {
  return (
    <fieldset className="nested">
      <legend>
        {props.label}
        {props.code && <code> {props.code}</code>}
      </legend>
      {props.hint && <p className="hint">{props.hint}</p>}
      {props.children}
    </fieldset>
  );
}

/** Where the value of an argument, or a number of a node, may come from. */
function sources() {
  return [
    { json: '"plain"', shown: t("inspector.literal") },
    { json: '"blackboard"', shown: t("inspector.key") },
    { json: '"property"', shown: t("inspector.property") },
    { json: '"expression"', shown: t("inspector.expression") },
  ];
}

/** A number of a node: itself, or where it is read from while the node runs. */
function NumberItem(props: Props & { literal: Schema }) {
  const { literal, owner, name, pointer, value, target } = props;
  const label = owner === undefined ? props.label : namesOf(owner, name).label;
  const given = isObject(value) && value.arg_type !== "plain" ? value : undefined;
  const mode = {
    label: t("inspector.mode", { name: label }),
    choices: sources(),
    isReadOnly: target.isReadOnly,
  };
  function read(type: string): void {
    // A literal is an expression, too.
    const first = type === '"expression"' ? write(typeof value === "number" ? value : 1) : "";
    const source = `{"arg_type": ${type}, "arg_value": ${JSON.stringify(first)}}`;
    target.set(pointer, type === '"plain"' ? write(firstValue(literal, target.defs)) : source, name);
  }
  if (given) return <ArgumentItem {...props} label={label} given={given} toLiteral={() => read('"plain"')} />;
  return (
    <>
      <OtherForm {...props} schema={literal} resolved={literal} />
      <ChoiceField {...mode} value='"plain"' set={read} />
    </>
  );
}

/** An argument of a called tree, or a number: where its value comes from, and the value. */
function ArgumentItem({
  label,
  pointer,
  target,
  given,
  name,
  toLiteral,
}: Props & { given: { [key: string]: Json }; toLiteral?: () => void }) {
  const types = sources();
  const isExpression = given.arg_type === "expression";
  const field = {
    label: t(isExpression ? "inspector.expression" : "inspector.literal"),
    value: given.arg_value === undefined ? null : write(given.arg_value),
    isReadOnly: target.isReadOnly,
    set: (json: string) => target.set(`${pointer}/arg_value`, json, label),
  };
  return (
    <Frame label={label}>
      <ChoiceField
        label={t("inspector.mode", { name: label })}
        value={given.arg_type === undefined ? null : write(given.arg_type)}
        choices={types}
        isReadOnly={target.isReadOnly}
        set={(json) => {
          if (json === '"plain"' && toLiteral) toLiteral();
          else target.set(`${pointer}/arg_type`, json, name);
        }}
      />
      {isExpression ? (
        <ExpressionField
          {...field}
          pointer={`${pointer}/arg_value`}
          target={target}
          type={toLiteral && "double"}
        />
      ) : given.arg_type === "plain" ? (
        <JsonField {...field} />
      ) : (
        <TextField
          {...field}
          suggestions={given.arg_type === "blackboard" ? target.suggest("name_key") : undefined}
        />
      )}
    </Frame>
  );
}

function ListForm({ schema, value, pointer, target, label, code, name, hint, isFirst }: Known) {
  const items = Array.isArray(value) ? value : [];
  return (
    <Frame label={label} code={code} hint={hint}>
      {items.map((item, at) => (
        <div className="item" key={at}>
          <SchemaForm
            name={name}
            label={target.itemName(name, at) ?? t("inspector.item", { number: at + 1 })}
            pointer={pointer + step(at)}
            schema={schema.items}
            value={item}
            target={target}
            hint=""
            isFirst={isFirst && at === 0}
          />
          {!target.isReadOnly && (
            <Remove what={`${label} ${at + 1}`} run={() => target.unset(pointer + step(at), name)} />
          )}
        </div>
      ))}
      {!target.isReadOnly && (
        <button
          type="button"
          className="small"
          onClick={() => target.set(`${pointer}/-`, write(firstValue(schema.items, target.defs)), name)}
        >
          + {t("inspector.add")}
        </button>
      )}
    </Frame>
  );
}

export function Remove({ what, run }: { what: string; run: () => void }) {
  return (
    <button
      type="button"
      className="close"
      aria-label={`${t("inspector.remove")} ${what}`}
      data-tip={`${t("inspector.remove")} ${what}`}
      onClick={run}
    >
      ×
    </button>
  );
}

function MapForm({ schema, value, pointer, target, label, code, name, hint, isFirst }: Known) {
  const entries = isObject(value) ? Object.entries(value) : [];
  return (
    <Frame label={label} code={code} hint={hint}>
      {entries.map(([key, one], at) => (
        <div className="item" key={key}>
          <SchemaForm
            name={name}
            label={key}
            pointer={pointer + step(key)}
            schema={schema.additionalProperties}
            value={one}
            target={target}
            hint=""
            isFirst={isFirst && at === 0}
          />
          {!target.isReadOnly && <Remove what={key} run={() => target.unset(pointer + step(key), key)} />}
        </div>
      ))}
      {!target.isReadOnly && (
        <AddNamed
          add={(key) =>
            target.set(pointer + step(key), write(firstValue(schema.additionalProperties, target.defs)), key)
          }
          suggestions={target.suggest(`${name}.key`)}
        />
      )}
    </Frame>
  );
}

/** A name for something new. */
export function AddNamed({
  add,
  suggestions,
}: {
  add: (name: string) => void;
  suggestions?: readonly string[] | undefined;
}) {
  const [name, setName] = useState("");
  const take = () => {
    if (name.trim() === "") return;
    add(name.trim());
    setName("");
  };
  return (
    <div className="add">
      <input
        type="text"
        aria-label={t("inspector.name")}
        placeholder={t("inspector.name")}
        value={name}
        list={suggestions ? `add-${suggestions.length}` : undefined}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) take();
        }}
      />
      {suggestions && (
        <datalist id={`add-${suggestions.length}`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <button type="button" className="small" onClick={take}>
        + {t("inspector.add")}
      </button>
    </div>
  );
}

function StructForm({
  schema,
  value,
  pointer,
  target,
  label,
  code,
  hint,
  isFirst,
  inside,
  of,
}: Known & { of: string }) {
  const given = isObject(value) ? value : {};
  const own = inside ?? (of.startsWith("node.") ? of.slice("node.".length) : undefined);
  const schemaAt = (key: string): Schema | boolean =>
    own === "declaration" && key === "initial" && typeof given.type === "string"
      ? schemaOfType(given.type)
      : (schema.properties?.[key] ?? true);
  const known = Object.keys(schema.properties ?? {});
  const rest = Object.keys(given).filter((key) => !known.includes(key));
  return (
    <Frame label={label} code={code} hint={hint}>
      {[...known, ...rest].map((key, at) => (
        <div className="item" key={key}>
          <SchemaForm
            name={key}
            label={key}
            pointer={pointer + step(key)}
            schema={schemaAt(key)}
            value={given[key]}
            target={target}
            {...(own !== undefined && { owner: own })}
            isFirst={isFirst && at === 0}
            isOptional={!schema.required?.includes(key)}
          />
          {!target.isReadOnly && own === "declaration" && key === "initial" && given[key] === undefined && (
            <button
              type="button"
              className="small"
              onClick={(event) => {
                const field = event.currentTarget.parentElement?.querySelector("input, select, textarea");
                (field as HTMLElement | null)?.focus();
                target.set(pointer + step(key), write(firstValue(schemaAt(key), target.defs)), key);
              }}
            >
              {t("inspector.give")}
            </button>
          )}
          {!target.isReadOnly && given[key] !== undefined && !schema.required?.includes(key) && (
            <Remove
              what={own === undefined ? key : settingName(own, key)}
              run={() => target.unset(pointer + step(key), key)}
            />
          )}
        </div>
      ))}
    </Frame>
  );
}
