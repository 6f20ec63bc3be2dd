// Dialogs about nodes.

import { useState } from "react";
import { colour } from "../../commands/tree.ts";
import { t } from "../../i18n/index.ts";
import { fixWords } from "../../i18n/kinds.ts";
import { focusOn } from "../../model/ui.ts";
import { colorOf, fileColor } from "../../paint/theme.ts";
import { useApp, useTab } from "../app-context.ts";
import { Buttons, Frame } from "../Dialogs.tsx";
import { applyFix, Level, ProblemText } from "../Problems.tsx";

export function GotoDialog() {
  const app = useApp();
  const tab = useTab();
  const [text, setText] = useState("");
  const number = Number(text);
  const isThere = /^\d+$/.test(text) && (tab?.cards.has(number) ?? false);
  return (
    <Frame
      title={t("goto.title")}
      submit={() => {
        if (!isThere) return;
        app.ui.setState({ dialog: null });
        app.session.select([number]);
        focusOn(app.ui, "canvas");
      }}
      buttons={<Buttons main={t("goto.go")} isOff={!isThere} />}
    >
      <div className="field">
        <label htmlFor="goto-number">{t("goto.number")}</label>
        <input
          id="goto-number"
          type="text"
          inputMode="numeric"
          value={text}
          autoComplete="off"
          aria-describedby="goto-problem"
          onChange={(event) => setText(event.target.value.replace(/^#/, ""))}
        />
        <span className="mistake" id="goto-problem">
          {text !== "" && !isThere ? `✕ ${t("goto.none", { number: text })}` : ""}
        </span>
      </div>
    </Frame>
  );
}

export function FixesDialog({ node }: { node: number | null }) {
  const app = useApp();
  const tab = useTab();
  const all = tab?.findings.filter((finding) => finding.fix) ?? [];
  const here = all.filter((finding) => finding.node === node);
  const fixes = here.length > 0 ? here : all;
  return (
    <Frame title={t("fixes.title")}>
      {fixes.length === 0 && <p>{t("fixes.none")}</p>}
      <ul className="problem-list">
        {fixes.map((finding) => (
          <li key={`${finding.code}:${finding.pointer}`} data-level={finding.level}>
            <button
              type="button"
              className="problem"
              onClick={() => {
                app.ui.setState({ dialog: null });
                if (tab) applyFix(app, tab.path, finding);
              }}
            >
              <Level level={finding.level} />
              <span className="code">
                {finding.node !== undefined && finding.node !== null ? `#${finding.node}` : ""}
              </span>
              <span className="grow">
                <strong>{fixWords(finding.fix ?? "")}</strong>
                <span className="help">
                  {" "}
                  <ProblemText of={finding} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

/** Colours as 0xRRGGBBAA that differ visibly on light and on dark. */
const COLORS = [
  0xe5484dff, 0xf76808ff, 0xe2a600ff, 0x46a758ff, 0x12a594ff, 0x0090ffff, 0x8e4ec6ff, 0xd6409fff,
];

export function ColorDialog() {
  const app = useApp();
  const tab = useTab();
  const card = tab && tab.focus !== null ? tab.cards.get(tab.focus) : undefined;
  const now = fileColor(card?.color);

  function take(color: number): void {
    app.ui.setState({ dialog: null });
    void colour(app, color);
  }

  return (
    <Frame title={t("color.title")}>
      <div className="colors">
        <button type="button" className="color none" onClick={() => take(colorOf(""))}>
          {t("color.none")}
        </button>
        {COLORS.map((color) => {
          const css = fileColor(color)!;
          return (
            <button
              key={color}
              type="button"
              className="color"
              aria-pressed={css === now}
              aria-label={css}
              ref={(element) => {
                if (element) element.style.backgroundColor = css;
              }}
              onClick={() => take(color)}
            />
          );
        })}
        <label className="color own">
          {t("color.own")}
          <input type="color" onChange={(event) => take(colorOf(event.target.value))} />
        </label>
      </div>
    </Frame>
  );
}
