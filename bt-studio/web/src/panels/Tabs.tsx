// The open trees.

import { useRef } from "react";
import { close } from "../commands/file.ts";
import { t } from "../i18n/index.ts";
import { countsOf, isChanged } from "../model/state.ts";
import { useApp, useDocs } from "./app-context.ts";

export function Tabs() {
  const app = useApp();
  const tabs = useDocs((state) => state.tabs);
  const active = useDocs((state) => state.active);
  const list = useRef<HTMLDivElement>(null);
  if (tabs.length === 0) return <div className="tabs" />;

  function onKey(event: React.KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = tabs.findIndex((tab) => tab.path === active);
    if (event.key === "Delete" && active) close(app, [active]);
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    app.session.activate(next.path);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }

  return (
    <div className="tabs" role="tablist" aria-label={t("tabs.label")} ref={list} onKeyDown={onKey}>
      {tabs.map((tab) => {
        const { errors } = countsOf(tab.findings);
        const isActive = tab.path === active;
        const name = tab.path.slice(tab.path.lastIndexOf("/") + 1);
        return (
          <div key={tab.path} className="tab" role="presentation" data-active={isActive}>
            <button
              type="button"
              role="tab"
              aria-selected={isActive}
              tabIndex={isActive ? 0 : -1}
              data-tip={tab.path}
              onClick={() => app.session.activate(tab.path)}
              onAuxClick={(event) => {
                if (event.button === 1) close(app, [tab.path]);
              }}
            >
              {errors > 0 && (
                <span className="error-mark" role="img" aria-label={t("status.errors", { count: errors })}>
                  ✕
                </span>
              )}
              {name}
              {isChanged(tab) && (
                <span role="img" aria-label={t("tabs.changed")}>
                  *
                </span>
              )}
            </button>
            <button
              type="button"
              className="close"
              tabIndex={-1}
              aria-hidden="true"
              data-tip={t("tabs.close", { name })}
              onClick={() => close(app, [tab.path])}
            >
              ×
            </button>
          </div>
        );
      })}
    </div>
  );
}
