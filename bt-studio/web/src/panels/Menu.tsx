// Menus of commands: the bar at the top and the one at a node.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Group, isAvailable } from "../commands/command.ts";
import { isMac, keysOf, shownKey } from "../commands/keys.ts";
import { COMMANDS, commandOf } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { useApp, useUi } from "./app-context.ts";

const GROUPS: Group[] = ["file", "edit", "tree", "view", "debug", "agent", "help"];

/** Commands that keys alone need: a menu would only be longer by them. */
const NOT_IN_MENUS = /^(go-(up|down|in|out)|log-)/;

export function MenuBar() {
  const app = useApp();
  const menu = useUi((ui) => ui.menu);
  const bar = useRef<HTMLDivElement>(null);

  const open = (group: Group, button: HTMLElement) => {
    const box = button.getBoundingClientRect();
    const listed = COMMANDS.filter((one) => one.group === group && !NOT_IN_MENUS.test(one.id));
    const commands = listed.flatMap(({ id, line }) => (line ? ["", id] : [id]));
    app.ui.setState({ menu: { x: box.left, y: box.bottom, commands, label: t(`group.${group}`) } });
  };

  return (
    <div className="menubar" role="menubar" aria-label={t("menu.label")} ref={bar}>
      {GROUPS.map((group, at) => (
        <button
          key={group}
          type="button"
          role="menuitem"
          aria-haspopup="menu"
          aria-expanded={menu?.label === t(`group.${group}`)}
          tabIndex={at === 0 ? 0 : -1}
          onClick={(event) => open(group, event.currentTarget)}
          onPointerEnter={(event) => {
            if (menu && GROUPS.some((one) => menu.label === t(`group.${one}`)))
              open(group, event.currentTarget);
          }}
          onKeyDown={(event) => {
            const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step !== 0) buttons[(at + step + buttons.length) % buttons.length]?.focus();
            if (event.key === "ArrowDown") open(group, event.currentTarget);
            if (step !== 0 || event.key === "ArrowDown") event.preventDefault();
          }}
        >
          {t(`group.${group}`)}
        </button>
      ))}
    </div>
  );
}

export function PopupMenu() {
  const app = useApp();
  const menu = useUi((ui) => ui.menu);
  const own = useUi((ui) => ui.keys);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const [typed, setTyped] = useState({ text: "", at: 0 });
  const mac = isMac(navigator.platform);

  useLayoutEffect(() => {
    const element = list.current;
    if (!menu || !element) return;
    if (!element.contains(document.activeElement)) before.current = document.activeElement;
    // One that is higher than the window stands in two columns: then all of it is seen.
    element.dataset.columns = "1";
    if (element.scrollHeight > element.clientHeight) element.dataset.columns = "2";
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(menu.x, window.innerWidth - box.width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(menu.y, window.innerHeight - box.height - 4))}px`;
    element.querySelector<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])")?.focus();
  }, [menu]);

  useEffect(() => {
    if (!menu) return;
    const outside = (event: PointerEvent) => {
      const target = event.target as Element;
      if (list.current?.contains(target) || target.closest("[role=menubar]")) return;
      close(false);
      app.ui.setState({ listed: null });
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  });

  if (!menu) return null;

  function close(back: boolean): void {
    app.ui.setState({ menu: null });
    const element = before.current;
    if (back && element instanceof HTMLElement && element.isConnected) element.focus();
  }

  function choose(id: string): void {
    const command = commandOf(id);
    if (!command || !isAvailable(command, app)) return;
    close(true);
    // After a choice from the bar, keys belong to the tree again.
    if (document.activeElement?.closest("[role=menubar]")) {
      document.querySelector<HTMLElement>("[data-scope=tree]")?.focus();
    }
    void command.run(app);
    app.ui.setState({ listed: null });
  }

  function move(to: (items: HTMLElement[], at: number) => number): void {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(to(items, at) + items.length) % items.length]?.focus();
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.key === "ArrowDown") move((_, at) => at + 1);
    else if (event.key === "ArrowUp") move((_, at) => at - 1);
    else if (event.key === "Home") move(() => 0);
    else if (event.key === "End") move((items) => items.length - 1);
    else if (event.key === "Escape" || event.key === "Tab") {
      close(true);
      app.ui.setState({ listed: null });
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft")
      beside(event.key === "ArrowRight" ? 1 : -1);
    else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) byLetter(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The menu beside this one in the bar. */
  function beside(step: number): void {
    const buttons = [...document.querySelectorAll<HTMLElement>("[role=menubar] > [role=menuitem]")];
    const at = buttons.findIndex((button) => button.textContent === menu?.label);
    if (at >= 0) buttons[(at + step + buttons.length) % buttons.length]?.click();
  }

  function byLetter(event: React.KeyboardEvent): void {
    const text = event.timeStamp - typed.at < 700 ? typed.text + event.key : event.key;
    setTyped({ text, at: event.timeStamp });
    move((items, at) => {
      const found = items.findIndex((item) => item.textContent?.toLowerCase().startsWith(text.toLowerCase()));
      return found < 0 ? at : found;
    });
  }

  return (
    <div className="menu" role="menu" aria-label={menu.label} ref={list} onKeyDown={onKey}>
      {menu.commands.map((id, at) => {
        const command = commandOf(id);
        if (!command) return <hr key={`line-${at}`} />;
        const isOn = command.on?.(app);
        const key = keysOf(command, own)[0];
        const canRun = isAvailable(command, app);
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role is one that takes it where it is given
          <button
            key={id}
            type="button"
            role={command.on ? "menuitemcheckbox" : "menuitem"}
            aria-checked={command.on ? isOn : undefined}
            aria-disabled={!canRun}
            tabIndex={-1}
            onClick={() => choose(id)}
          >
            <span className="check" aria-hidden="true">
              {isOn ? "✓" : ""}
            </span>
            <span className="grow">{t(`command.${id}`)}</span>
            {key && <kbd>{shownKey(key, mac)}</kbd>}
          </button>
        );
      })}
    </div>
  );
}
