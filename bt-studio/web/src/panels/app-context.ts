// What all panels share.

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Context } from "../commands/command.ts";
import { speak } from "../i18n/index.ts";
import { activeTab, type State, type Tab } from "../model/state.ts";
import type { Ui } from "../model/ui.ts";

export const AppContext = createContext<Context | null>(null);

export function useApp(): Context {
  const app = useContext(AppContext);
  if (!app) throw new Error("a panel outside of the application");
  return app;
}

export function useDocs<T>(pick: (state: State) => T): T {
  return useStore(useApp().session.store, pick);
}

export function useUi<T>(pick: (ui: Ui) => T): T {
  return useStore(useApp().ui, pick);
}

export function useTab(): Tab | undefined {
  return useDocs(activeTab);
}

/** The panel's texts change with the language. */
export function useLanguage(): string {
  const language = useUi((ui) => ui.language);
  speak(language);
  return language;
}
