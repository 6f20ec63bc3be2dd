// The page's texts in the language of the person.

import i18next from "i18next";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

const texts = i18next.createInstance();
void texts.init({
  lng: "en",
  fallbackLng: "en",
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  resources: { en: { translation: en }, "zh-CN": { translation: zh } },
  initAsync: false,
});

const known = new Map<string, boolean>();

/** Whether the language has a text of its own. */
export function has(key: string): boolean {
  const place = `${texts.language}:${key}`;
  let found = known.get(place);
  if (found === undefined) {
    found = texts.exists(key, { fallbackLng: [] });
    known.set(place, found);
  }
  return found;
}

/** The language that the page speaks now. */
export function language(): string {
  return texts.language;
}

export function t(key: string, args?: Record<string, unknown>): string {
  return texts.t(key, args ?? {});
}

export function speak(language: string): void {
  void texts.changeLanguage(language);
}
