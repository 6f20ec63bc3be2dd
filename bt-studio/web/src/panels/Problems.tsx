// The problems of the active tree, then those of all others.

import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { fixWords, isTranslated, problemParts } from "../i18n/kinds.ts";
import { focusOn, toast } from "../model/ui.ts";
import type { Finding } from "../net/protocol.ts";
import { useApp, useDocs, useTab } from "./app-context.ts";

const MOST_OF_OTHERS = 200;

export function Problems() {
  const app = useApp();
  const tab = useTab();
  const problems = useDocs((state) => state.problems);
  const own = tab?.findings ?? [];
  const others = Object.entries(problems)
    .filter(([path]) => path !== tab?.path)
    .flatMap(([path, findings]) => findings.map((finding) => ({ path, finding })))
    .slice(0, MOST_OF_OTHERS);

  async function go(path: string, finding: Finding): Promise<void> {
    try {
      await app.session.open(path, finding.node ?? undefined);
      focusOn(app.ui, "canvas");
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  return (
    <section className="bottom" aria-label={t("problems.title")}>
      <header>
        <h2>{t("problems.title")}</h2>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => run("problems", app)}
        >
          ×
        </button>
      </header>
      <div className="scroll">
        {own.length === 0 && <p className="hint">{t("problems.none")}</p>}
        <List of={own.map((finding) => ({ path: tab?.path ?? "", finding }))} go={go} isOwn />
        {others.length > 0 && <h3>{t("problems.others")}</h3>}
        <List of={others} go={go} isOwn={false} />
      </div>
    </section>
  );
}

interface Place {
  path: string;
  finding: Finding;
}

function List(props: { of: Place[]; go: (path: string, finding: Finding) => unknown; isOwn: boolean }) {
  const app = useApp();
  if (props.of.length === 0) return null;
  return (
    <ul className="problem-list">
      {props.of.map(({ path, finding }, at) => (
        <li key={`${path}:${finding.code}:${finding.pointer}:${at}`} data-level={finding.level}>
          <button type="button" className="problem" onClick={() => props.go(path, finding)}>
            <Level level={finding.level} />
            <span className="code" data-tip={isTranslated(finding) ? undefined : finding.name}>
              {finding.code}
            </span>
            <span className="grow">
              <ProblemText of={finding} />
              {finding.help && !isTranslated(finding) && <span className="help"> {finding.help}</span>}
            </span>
            <span className="where">
              {!props.isOwn && `${path} `}
              {finding.node !== undefined && finding.node !== null ? `#${finding.node}` : ""}
              {finding.line ? ` ${t("problems.line", { line: finding.line })}` : ""}
            </span>
          </button>
          <Original of={finding} />
          {finding.fix && props.isOwn && (
            <button
              type="button"
              data-tip={fixWords(finding.fix)}
              onClick={() => applyFix(app, path, finding)}
            >
              {t("problems.fix")}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Level({ level }: { level: string }) {
  return (
    <span className={`count ${level}`} role="img" aria-label={t(`problems.level.${level}`)}>
      {level === "error" ? "✕" : level === "todo" ? "○" : "▲"}
    </span>
  );
}

/** What is wrong. */
export function ProblemText({ of }: { of: Pick<Finding, "code" | "message"> }) {
  const { text, names } = problemParts(of);
  return (
    <>
      {text}
      {names.length > 0 && <code> {names.join(", ")}</code>}
    </>
  );
}

/** What the checker says in its own language, where the page speaks another one. */
export function Original({ of }: { of: Pick<Finding, "code" | "message" | "help"> }) {
  if (!isTranslated(of)) return null;
  return (
    <details className="original">
      <summary>{t("problems.original")}</summary>
      <p lang="en">{[of.message, of.help].filter(Boolean).join("; ")}</p>
    </details>
  );
}

/** Does what the fix of a problem says. */
export function applyFix(app: ReturnType<typeof useApp>, path: string, finding: Finding): void {
  void app.session.editIn(
    path,
    { key: "step.fix", args: { what: fixWords(finding.fix ?? "") } },
    () => [{ do: "fix", pointer: finding.pointer, code: finding.code }],
    (tab) => [...tab.selection],
  );
}
