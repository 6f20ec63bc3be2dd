// The blackboard of the tree: all its keys, their types and values, who writes and who reads them.

import { useEffect, useRef, useState } from "react";
import { treeOf } from "../commands/command.ts";
import { declareKey } from "../commands/declare.ts";
import { t } from "../i18n/index.ts";
import { scopeName } from "../i18n/kinds.ts";
import { inLine } from "../model/game/times.ts";
import type { Tab } from "../model/state.ts";
import { keyOf } from "../model/things.ts";
import { typeName, typeNames } from "../model/types.ts";
import { focusOn, toast } from "../model/ui.ts";
import type { KeyInfo } from "../net/protocol.ts";
import { useApp, useDocs, useTab, useUi } from "./app-context.ts";
import { useGame } from "./debug/parts.tsx";

/** The keys of a tree, of its newest text. */
function useKeysOf(tab: Tab | undefined): readonly KeyInfo[] | null {
  const app = useApp();
  const [keys, setKeys] = useState<readonly KeyInfo[] | null>(null);
  const isTree = tab !== undefined && treeOf(app) === tab;
  const { doc, revision } = tab ?? { doc: -1, revision: 0 };
  useEffect(() => {
    let isCurrent = true;
    void revision;
    if (!isTree) {
      setKeys(null);
      return;
    }
    app.session.server
      .call("tree.keys", { doc })
      .then(({ keys: found }) => {
        if (isCurrent) setKeys(found);
      })
      .catch((error: Error) => {
        if (isCurrent && app.session.state.status === "open") toast(app.ui, "error", error.message);
      });
    return () => {
      isCurrent = false;
    };
  }, [app, isTree, doc, revision]);
  return keys;
}

export function KeysPanel() {
  const tab = useTab();
  const keys = useKeysOf(tab);
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false);
  const live = useGame((state) => state.moment?.picture.blackboard);
  if (!tab || tab.game || !tab.isTree || tab.isScript) return <p className="hint pad">{t("keys.no-tree")}</p>;
  if (!keys) return null;
  return (
    <div className="keys-panel">
      {!isReadOnly && <AddKey tab={tab} keys={keys} />}
      {keys.length === 0 && <p className="hint">{t("keys.none")}</p>}
      <ul aria-label={t("command.keys")}>
        {keys.map((key) => (
          <Key
            key={`${key.name}:${key.declared_by}`}
            of={key}
            tab={tab}
            live={live && key.name in live ? inLine(live[key.name], 200) : null}
            isReadOnly={isReadOnly}
          />
        ))}
      </ul>
    </div>
  );
}

function AddKey({ tab, keys }: { tab: Tab; keys: readonly KeyInfo[] }) {
  const app = useApp();
  const focus = useUi((ui) => ui.focus);
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [type, setType] = useState("double");
  const isTaken = keys.some((key) => key.name === name.trim() && key.declared_by === tab.root);
  useEffect(() => {
    if (focus.part === "keys") input.current?.focus();
  }, [focus]);

  function add(): void {
    if (name.trim() === "" || isTaken) return;
    declareKey(app, tab.root, name.trim(), type);
    setName("");
  }

  return (
    <form
      className="add-key"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <input
        ref={input}
        type="text"
        aria-label={t("keys.name")}
        placeholder={t("keys.name")}
        value={name}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isTaken}
        onChange={(event) => setName(event.target.value)}
      />
      <TypeChoice
        label={t("setting.type")}
        value={type}
        set={setType}
        used={keys.map((key) => key.type_shown)}
      />
      <button type="submit" className="small" disabled={name.trim() === "" || isTaken}>
        + {t("keys.add")}
      </button>
      {isTaken && <span className="mistake">✕ {t("keys.taken")}</span>}
    </form>
  );
}

interface TypeChoiceProps {
  label: string;
  value: string;
  set: (type: string) => void;
  used: readonly string[];
}

function TypeChoice({ label, value, set, used }: TypeChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(event.target.value)}>
      {typeNames([...used, value]).map((type) => (
        <option key={type} value={type}>
          {typeName(type)}
        </option>
      ))}
    </select>
  );
}

function Key(props: { of: KeyInfo; tab: Tab; live: string | null; isReadOnly: boolean }) {
  const { of: key, tab, live, isReadOnly } = props;
  const app = useApp();
  const isHere = key.declared_by !== undefined && key.declared_by !== null;
  const isDeclared = key.scope !== "undeclared";
  const rename = () =>
    app.ui.setState({
      dialog: { kind: "rename", of: keyOf(tab, key), path: tab.path, node: key.declared_by ?? tab.root },
    });
  return (
    <li className="key">
      <div className="key-head">
        <strong>{key.name}</strong>
        <span className={isDeclared ? "hint" : "warning"}>
          {isDeclared ? `${typeName(key.type_shown)} · ${scopeName(key.scope)}` : `▲ ${scopeName(key.scope)}`}
        </span>
      </div>
      {(live !== null || (key.initial !== undefined && key.initial !== null)) && (
        <div className="key-values">
          {live !== null && (
            <span className="key-live">
              {t("keys.live")} <code>{live}</code>
            </span>
          )}
          {key.initial !== undefined && key.initial !== null && (
            <span className="hint">
              {t("keys.initial")} <code>{key.initial}</code>
            </span>
          )}
        </div>
      )}
      <Nodes title={t("keys.written")} nodes={key.written_by} />
      <Nodes title={t("keys.read")} nodes={key.read_by} />
      {key.written_by.length + key.read_by.length === 0 && <p className="hint">{t("keys.unused")}</p>}
      {isDeclared && !isHere && <p className="hint">{t("keys.elsewhere")}</p>}
      {!isReadOnly && (
        <div className="buttons">
          {isHere && (
            <button
              type="button"
              className="small"
              onClick={() => {
                app.session.select([key.declared_by!]);
                app.ui.setState({ right: true, beside: "node" });
                focusOn(app.ui, `declaration:${key.name}`);
              }}
            >
              {t("keys.edit")}
            </button>
          )}
          {!isDeclared && (
            <button
              type="button"
              className="small"
              onClick={() => declareKey(app, tab.root, key.name, "any_value")}
            >
              + {t("keys.declare")}
            </button>
          )}
          <button type="button" className="small" onClick={rename}>
            {t("keys.rename")}
          </button>
        </div>
      )}
    </li>
  );
}

/** Nodes that one can go to. */
function Nodes({ title, nodes }: { title: string; nodes: readonly number[] }) {
  const app = useApp();
  if (nodes.length === 0) return null;
  return (
    <p className="key-nodes">
      <span className="hint">{title}</span>
      {nodes.map((idx) => (
        <button
          key={idx}
          type="button"
          className="small"
          onClick={() => {
            app.session.select([idx]);
            focusOn(app.ui, "canvas");
          }}
        >
          #{idx}
        </button>
      ))}
    </p>
  );
}
