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

export function t(key: string, args?: Record<string, unknown>): string {
  return texts.t(key, args ?? {});
}

export function speak(language: string): void {
  void texts.changeLanguage(language);
}
