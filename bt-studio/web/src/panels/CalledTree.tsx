// The tree that a node runs, and a field for each key that it takes.

import { pickCalled } from "../commands/pickers.ts";
import { t } from "../i18n/index.ts";
import { written } from "../model/expression.ts";
import { isObject, type Json, step, write } from "../model/json.ts";
import { firstValue } from "../model/schema.ts";
import { schemaOfType, typeName, typeTip } from "../model/types.ts";
import { toast } from "../model/ui.ts";
import type { KeyInfo } from "../net/protocol.ts";
import { useApp, useDocs } from "./app-context.ts";
import { ExpressionField } from "./ExpressionField.tsx";
import { ChoiceField, type FieldProps, TextField, textOf } from "./fields.tsx";
import { Frame, Remove, SchemaForm, type Target } from "./SchemaForm.tsx";

/** A tree, chosen from the list of all. */
export function TreeField(props: FieldProps) {
  const app = useApp();
  const trees = useDocs((state) => state.project?.trees);
  const name = props.value === null ? "" : textOf(props.value);
  const path = trees?.find((tree) => tree.name === name || tree.name === `${name}.json`)?.path;
  const choose = () => pickCalled(app, (chosen) => props.set(JSON.stringify(chosen)));
  return (
    <div className="field">
      <span className="label">
        {props.label}
        {props.code && <code> {props.code}</code>}
      </span>
      <span className="with-button">
        <button
          type="button"
          className="chooser"
          aria-label={`${props.label}: ${name || t("inspector.choose")}`}
          disabled={props.isReadOnly}
          data-first={props.isFirst ? "" : undefined}
          data-empty-call={name === "" ? "" : undefined}
          onClick={choose}
        >
          {name || props.fallback || t("inspector.choose")}
        </button>
        {path !== undefined && (
          <button
            type="button"
            className="small"
            onClick={() =>
              void app.session.open(path).catch((error: Error) => toast(app.ui, "error", error.message))
            }
          >
            {t("inspector.open-tree")}
          </button>
        )}
      </span>
      {props.hint && <span className="hint">{props.hint}</span>}
    </div>
  );
}

interface ArgsProps {
  label: string;
  code?: string | undefined;
  hint?: string;
  pointer: string;
  given: { [key: string]: Json };
  target: Target;
}

/** What is handed to the called tree: each of its keys, then what it does not take. */
export function ArgsForm({ label, code, hint, pointer, given, target }: ArgsProps) {
  const known = new Set(target.takes.map((key) => key.name));
  const others = Object.keys(given).filter((name) => !known.has(name));
  return (
    <Frame label={label} code={code} hint={hint}>
      {target.takes.map((key) => (
        <Taken
          key={key.name}
          of={key}
          at={pointer + step(key.name)}
          value={given[key.name]}
          target={target}
        />
      ))}
      {others.map((name) => (
        <div className="item" key={name}>
          <SchemaForm
            name="args"
            label={name}
            pointer={pointer + step(name)}
            schema={{ $ref: "#/$defs/node.argument" }}
            value={given[name]}
            target={target}
            hint=""
          />
          {!target.isReadOnly && <Remove what={name} run={() => target.unset(pointer + step(name), name)} />}
        </div>
      ))}
    </Frame>
  );
}

/** The visible key that fits best: of the same name, else of the same type. */
function fitting(key: KeyInfo, keys: readonly KeyInfo[]): string {
  const same = keys.find(({ name }) => name === key.name);
  return (same ?? keys.find((one) => one.type_shown === key.type_shown))?.name ?? key.name;
}

/** What is handed over now, as an expression gives it; where nothing is, the key that fits. */
function asExpression(mode: string, value: Json | undefined, key: string): string {
  if (mode === "plain" && value !== undefined) return write(value);
  const sign = mode === "property" ? "@" : "$";
  return written({ sign, name: mode !== "" && typeof value === "string" ? value : key });
}

function Taken(props: { of: KeyInfo; at: string; value: Json | undefined; target: Target }) {
  const { of: key, at, value, target } = props;
  const given = isObject(value) ? value : null;
  const mode = given && typeof given.arg_type === "string" ? given.arg_type : "";
  const schema = schemaOfType(key.type_shown);
  const initial =
    key.initial === undefined || key.initial === null
      ? t("inspector.not-given")
      : t("inspector.initial-is", { value: key.initial });

  function turn(json: string): void {
    const type = JSON.parse(json) as string;
    if (type === mode) return;
    const first: Json =
      type === "plain"
        ? firstValue(schema, target.defs)
        : type === "expression"
          ? asExpression(mode, given?.arg_value, fitting(key, target.keys))
          : fitting(key, target.keys);
    target.set(at, write({ arg_type: type, arg_value: first }), key.name);
  }

  return (
    <div className="argument" data-given={given !== null}>
      <div className="argument-head">
        <span className="argument-name">{key.name}</span>
        <span className="type" data-tip={typeTip(key.type_shown)}>
          {typeName(key.type_shown)}
        </span>
        {given && !target.isReadOnly && (
          <button
            type="button"
            className="close"
            aria-label={`${t("inspector.reset")}: ${key.name}`}
            data-tip={t("inspector.reset")}
            onClick={() => target.unset(at, key.name)}
          >
            ↺
          </button>
        )}
      </div>
      <ChoiceField
        label={t("inspector.mode", { name: key.name })}
        value={mode === "" ? null : JSON.stringify(mode)}
        fallback={initial}
        choices={[
          { json: '"plain"', shown: t("inspector.literal") },
          { json: '"blackboard"', shown: t("inspector.key") },
          { json: '"property"', shown: t("inspector.property") },
          { json: '"expression"', shown: t("inspector.expression") },
        ]}
        isReadOnly={target.isReadOnly}
        set={turn}
      />
      {mode === "plain" && (
        <SchemaForm
          name={key.name}
          label={t("inspector.literal")}
          pointer={`${at}/arg_value`}
          schema={schema}
          value={given?.arg_value}
          target={target}
        />
      )}
      {mode === "expression" && (
        <ExpressionField
          label={t("inspector.expression")}
          value={given?.arg_value === undefined ? null : write(given.arg_value)}
          isReadOnly={target.isReadOnly}
          set={(json) => target.set(`${at}/arg_value`, json, key.name)}
          pointer={`${at}/arg_value`}
          target={target}
          type={key.type_shown}
        />
      )}
      {(mode === "blackboard" || mode === "property") && (
        <TextField
          label={t(mode === "property" ? "inspector.property" : "inspector.key")}
          value={given?.arg_value === undefined ? null : write(given.arg_value)}
          suggestions={mode === "blackboard" ? target.keys.map(({ name }) => name) : undefined}
          isReadOnly={target.isReadOnly}
          set={(json) => {
            if (json !== '""') target.set(`${at}/arg_value`, json, key.name);
          }}
        />
      )}
    </div>
  );
}

/** Which keys take what the called tree's own keys hold when it has ended. */
export function ResultsForm({ label, code, hint, pointer, given, target }: ArgsProps) {
  const own = target.takes.filter(({ scope }) => scope === "tree").map(({ name }) => name);
  const names = [...own, ...Object.keys(given).filter((name) => !own.includes(name))];
  return (
    <Frame label={label} code={code} hint={hint}>
      {names.map((name) => (
        <TextField
          key={name}
          label={t("inspector.result-of", { name })}
          value={given[name] === undefined ? null : write(given[name])}
          fallback={t("inspector.not-given")}
          suggestions={target.keys.map((key) => key.name)}
          isReadOnly={target.isReadOnly}
          set={(json) => {
            if (json === '""') target.unset(pointer + step(name), name);
            else target.set(pointer + step(name), json, name);
          }}
        />
      ))}
    </Frame>
  );
}
