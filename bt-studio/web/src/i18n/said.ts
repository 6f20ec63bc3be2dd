// What the runtime and the server say in English, in the language of the person. What is not known stays as it is.

import { language } from "./index.ts";
import { kindName } from "./kinds.ts";
import { saidZh } from "./said.zh.ts";

/**
 * A sentence, and how it is said. In the second, `$1` is a part as it is; `{1}` is a part that is said in its turn,
 * and `{{1}}` a kind of node.
 */
export type Rule = readonly [RegExp, string];

const RULES: Readonly<Record<string, readonly Rule[]>> = { "zh-CN": saidZh };

const known = new Map<string, string | null>();
const MOST_KNOWN = 5000;

/** A text in the person's language; null if there are no words for it. */
export function translated(text: string): string | null {
  const rules = RULES[language()];
  if (!rules) return text;
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size > MOST_KNOWN) known.clear();
  // The page's own texts are in its language already.
  const result = say(text, rules) ?? (/[\u4e00-\u9fff]/.test(text) ? text : null);
  known.set(text, result);
  return result;
}

/** The same; what there are no words for is as it was. */
export function said(text: string): string {
  return translated(text) ?? text;
}

function say(text: string, rules: readonly Rule[]): string | null {
  if (text === "") return "";
  for (const [pattern, words] of rules) {
    const found = pattern.exec(text);
    if (!found) continue;
    let isWhole = true;
    const result = words.replaceAll(/\{\{(\d)\}\}|\{(\d)\}|\$(\d)/g, (_, kind, part, plain) => {
      const own = found[Number(kind ?? part ?? plain)] ?? "";
      if (kind) return kindName(own);
      if (!part) return own;
      const inner = say(own, rules);
      if (inner === null) isWhole = false;
      return inner ?? own;
    });
    // A part that is not there leaves no blank behind.
    if (isWhole) return result.replaceAll(" ）", "）");
  }
  return null;
}
