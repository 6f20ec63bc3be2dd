// What is attached to a node: guards, effects, services, events, and the keys that it declares.

import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { settingName } from "../i18n/kinds.ts";
import { isObject, type Json, step, at as valueAt } from "../model/json.ts";
import { resolve, type Schema } from "../model/schema.ts";
import type { CallInfo, NodeInfo } from "../net/protocol.ts";
import { useApp } from "./app-context.ts";
import { CallForm } from "./CallForm.tsx";
import { Part } from "./Inspector.tsx";
import { AddNamed, namesOf, Remove, SchemaForm, type Target } from "./SchemaForm.tsx";

interface Props {
  node: number;
  info: NodeInfo;
  extra: { [key: string]: Json };
  target: Target;
  isRoot: boolean;
}

export function Attachments({ node, info, extra, target, isRoot }: Props) {
  const app = useApp();
  const calls = (caller: string) => info.attached.filter((call) => call.caller === caller);
  const add = (command: string) =>
    target.isReadOnly ? null : (
      <button type="button" className="small" onClick={() => run(command, app)}>
        + {t(`command.${command}`)}
      </button>
    );
  const form = (call: CallInfo, schema: string) => (
    <Attached
      key={call.at}
      call={call}
      schema={schema}
      node={node}
      info={info}
      extra={extra}
      target={target}
    />
  );
  const events = Array.isArray(extra.events) ? extra.events : [];
  const keys = isObject(extra.blackboard) ? Object.keys(extra.blackboard) : [];
  return (
    <>
      <Part title={t("inspector.attachments")}>
        {calls("guard").map((call) => form(call, "node.guard"))}
        {calls("reset_if").map((call) => form(call, "node.guard"))}
        {calls("effect").map((call) => form(call, "node.effect"))}
        {calls("service").map((call) => form(call, "node.service"))}
        {events.map((event, at) => (
          <div className="item" key={at} data-at={`/extra/events/${at}`}>
            <SchemaForm
              name="events"
              label={`${t("inspector.events")} ${at + 1}`}
              pointer={`/extra/events/${at}`}
              schema={{ $ref: "#/$defs/node.event" }}
              value={event}
              target={target}
              hint=""
            />
            {!target.isReadOnly && (
              <Remove what={t("inspector.events")} run={() => target.unset(`/extra/events/${at}`, "event")} />
            )}
          </div>
        ))}
        <div className="buttons">
          {add("add-guard")}
          {add("add-effect")}
          {add("add-service")}
          {add("add-event")}
        </div>
      </Part>
      {(keys.length > 0 || !target.isReadOnly) && (
        <Part title={t("inspector.keys")}>
          {keys.map((key) => (
            <div className="item" key={key} data-declares={key}>
              <SchemaForm
                name="blackboard"
                label={key}
                pointer={`/extra/blackboard${step(key)}`}
                schema={declaration(target, isRoot)}
                inside="declaration"
                value={valueAt(extra, `/blackboard${step(key)}`)}
                target={target}
                hint=""
              />
              {!target.isReadOnly && (
                <Remove what={key} run={() => target.unset(`/extra/blackboard${step(key)}`, key)} />
              )}
            </div>
          ))}
          {!target.isReadOnly && (
            <AddNamed
              add={(key) => target.set(`/extra/blackboard${step(key)}`, '{"type": "any_value"}', key)}
            />
          )}
        </Part>
      )}
    </>
  );
}

/** A key is declared with a scope at the root alone. */
function declaration(target: Target, isRoot: boolean): Schema {
  const schema = resolve({ $ref: "#/$defs/node.declaration" }, target.defs);
  if (isRoot) return schema;
  const { scope: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

const NAMES: Record<string, string> = {
  guard: "inspector.guards",
  effect: "inspector.effects",
  service: "inspector.services",
};

interface AttachedProps {
  call: CallInfo;
  schema: string;
  node: number;
  info: NodeInfo;
  extra: { [key: string]: Json };
  target: Target;
}

function Attached({ call, schema, node, info, extra, target }: AttachedProps) {
  const known = resolve({ $ref: `#/$defs/${schema}` }, target.defs);
  const value = valueAt(extra, call.at.replace(/^\/extra/, ""));
  const given = isObject(value) ? value : {};
  const isText = call.expression !== undefined && call.expression !== null;
  // A file may have both; then what does not count is shown as it is.
  const isShown = (key: string) =>
    key === call.name_key || key === call.args_key ? isText && key in given : key !== "if";
  const own = [...new Set([...Object.keys(known.properties ?? {}), ...Object.keys(given)])].filter(isShown);
  const parts = call.at.split("/");
  const when = call.caller === "effect" ? ` · ${t(`when.${parts.at(-2)}`)}` : "";
  const name = NAMES[call.caller];
  const title = `${name ? t(name) : settingName("", call.caller)}${when}`;
  const owner = schema.slice("node.".length);
  return (
    <fieldset className="nested" data-at={call.at}>
      <legend>{title}</legend>
      <CallForm node={node} call={call} info={info} extra={extra} target={target} isFirst={false} />
      {own.map((key) => (
        <div className="item" key={key}>
          <SchemaForm
            name={key}
            {...namesOf(owner, key)}
            owner={owner}
            pointer={call.at + step(key)}
            schema={known.properties?.[key]}
            value={given[key]}
            target={target}
            isOptional={!known.required?.includes(key)}
          />
          {!target.isReadOnly && given[key] !== undefined && !known.required?.includes(key) && (
            <Remove what={settingName(owner, key)} run={() => target.unset(call.at + step(key), key)} />
          )}
        </div>
      ))}
      {!target.isReadOnly && (
        <button
          type="button"
          className="small"
          onClick={() => target.unset(call.at, call.name || call.caller)}
        >
          {t("inspector.remove")}
        </button>
      )}
    </fieldset>
  );
}
