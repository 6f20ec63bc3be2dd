// All commands with their keys, which can be changed here.

import { useState } from "react";
import type { Command, Group } from "../../commands/command.ts";
import { isMac, keysOf, namesOf, shownKey } from "../../commands/keys.ts";
import { COMMANDS } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { useApp, useUi } from "../app-context.ts";
import { Frame } from "../Dialogs.tsx";
import { useKeys } from "../Small.tsx";

const GROUPS: Group[] = ["file", "edit", "tree", "view", "debug", "agent", "help"];
const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta"]);

export function HelpDialog() {
  const app = useApp();
  const own = useUi((ui) => ui.keys);
  const [waiting, setWaiting] = useState<string | null>(null);
  const find = useKeys("find");
  const save = useKeys("save");
  const mac = isMac(navigator.platform);

  const setKeys = (id: string, keys: string[] | null) =>
    app.ui.setState((ui) => {
      const next = { ...ui.keys };
      if (keys === null) delete next[id];
      else next[id] = keys;
      return { keys: next };
    });

  function press(event: React.KeyboardEvent, command: Command): void {
    event.preventDefault();
    event.stopPropagation();
    if (MODIFIERS.has(event.key)) return;
    setWaiting(null);
    const name = namesOf(event, mac)[0];
    if (event.key === "Escape" || !name) return;
    // Nobody else keeps the keys.
    for (const other of COMMANDS) {
      const keys = keysOf(other, own);
      const isBeside = other.scope === command.scope || [other.scope, command.scope].includes("page");
      if (other.id !== command.id && isBeside && keys.includes(name)) {
        setKeys(
          other.id,
          keys.filter((key) => key !== name),
        );
      }
    }
    setKeys(command.id, [name]);
  }

  return (
    <Frame title={t("help.title")} wide>
      <p className="hint">{t("help.mouse")}</p>
      <p className="hint">
        <strong>{t("help.ten")}:</strong> {t("help.ten-how", { find, save })}
      </p>
      {GROUPS.map((group) => (
        <section key={group} className="help-group">
          <h3>{t(`group.${group}`)}</h3>
          <table>
            <thead className="unseen">
              <tr>
                <th scope="col">{t("help.command")}</th>
                <th scope="col">{t("help.keys")}</th>
                <th scope="col">{t("help.change")}</th>
              </tr>
            </thead>
            <tbody>
              {COMMANDS.filter((command) => command.group === group).map((command) => (
                <tr key={command.id}>
                  <td>{t(`command.${command.id}`)}</td>
                  <td>
                    {keysOf(command, own).map((key) => (
                      <kbd key={key}>{shownKey(key, mac)}</kbd>
                    ))}{" "}
                    {command.scope !== "page" && (
                      <span className="unseen">{t(`help.scope.${command.scope}`)}</span>
                    )}
                  </td>
                  <td>
                    <button
                      type="button"
                      className="small"
                      aria-label={`${t("help.change")}: ${t(`command.${command.id}`)}`}
                      onClick={() => setWaiting(command.id)}
                      onKeyDown={(event) => {
                        if (waiting === command.id) press(event, command);
                      }}
                    >
                      {waiting === command.id ? t("help.press") : t("help.change")}
                    </button>
                    {own[command.id] && (
                      <button type="button" className="small" onClick={() => setKeys(command.id, null)}>
                        {t("help.reset")}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </Frame>
  );
}
