// What the server or a game says, in the language of the page; what there are no words for says that it is English.

import { translated } from "../i18n/said.ts";

/** `lead`: what is said before a text that there are no words for. */
export function ServerText({ text, lead }: { text: string; lead?: string }) {
  const own = translated(text);
  if (own !== null) return own;
  return (
    <>
      {lead}
      <span lang="en">{text}</span>
    </>
  );
}
