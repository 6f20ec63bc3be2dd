// Two versions of a tree side by side.

import { useEffect, useState } from "react";
import { t } from "../../i18n/index.ts";
import { heading } from "../../model/tree.ts";
import type { Card, NodeDiff, Revision, Side, TreeDiff, View } from "../../net/protocol.ts";
import { SIGNS } from "../../paint/changes.ts";
import { useApp } from "../app-context.ts";
import { Frame } from "../Dialogs.tsx";
import { ComparePictures } from "./ComparePictures.tsx";

export function CompareDialog({ path }: { path: string }) {
  const app = useApp();
  const [revisions, setRevisions] = useState<Revision[]>([]);
  const [side, setSide] = useState<string>("disk");
  const [diff, setDiff] = useState<TreeDiff | null>(null);
  const [problem, setProblem] = useState("");

  useEffect(() => {
    app.session.server
      .call("git.revisions", { path })
      .then((found) => setRevisions(found.revisions))
      // Without git there is the file on the disk.
      .catch(() => setRevisions([]));
  }, [app, path]);
  useEffect(() => {
    const tab = app.session.tab(path);
    if (!tab) return;
    const left: Side = side === "disk" ? { path } : { path, revision_id: side };
    setDiff(null);
    setProblem("");
    app.session.server
      .call("diff.tree", { left, right: { doc: tab.doc } })
      .then(setDiff)
      .catch((error: Error) => setProblem(error.message));
  }, [app, path, side]);

  const name = side === "disk" ? t("compare.disk") : side.slice(0, 10);
  const isSame = diff?.nodes.every((node) => node.change === "same") && diff.list.length === 0;
  return (
    <Frame title={t("compare.title", { path })} wide full={diff !== null && !isSame}>
      <div className="field">
        <label htmlFor="compare-with">{t("compare.with")}</label>
        <select id="compare-with" value={side} onChange={(event) => setSide(event.target.value)}>
          <option value="disk">{t("compare.disk")}</option>
          {revisions.map((revision) => (
            <option key={revision.id} value={revision.id}>
              {`${revision.id.slice(0, 10)} · ${revision.when.slice(0, 16).replace("T", " ")} · ${revision.subject}`}
            </option>
          ))}
        </select>
      </div>
      {problem !== "" && <p className="mistake">✕ {problem}</p>}
      {isSame && <p>{t("compare.none")}</p>}
      {diff && !isSame && <Both diff={diff} name={name} />}
    </Frame>
  );
}

/** The differences, and below them the two versions as pictures or node by node. */
function Both({ diff, name }: { diff: TreeDiff; name: string }) {
  const differing = diff.nodes.flatMap((node, at) => (node.change === "same" ? [] : [at]));
  const [at, setAt] = useState(differing[0] ?? 0);
  const [isList, setList] = useState(false);
  return (
    <>
      <div className="compare-head">
        <h3>{t("compare.differences")}</h3>
        <label className="check">
          <input type="checkbox" checked={isList} onChange={(event) => setList(event.target.checked)} />
          {t("compare.as-list")}
        </label>
      </div>
      <ul className="problem-list compare-list">
        {diff.list.map((line, place) => (
          <li key={place}>
            <button
              type="button"
              className="problem"
              aria-pressed={differing[place] === at}
              onClick={() => setAt(differing[place] ?? 0)}
            >
              <span className="change" aria-hidden="true">
                {SIGNS[diff.nodes[differing[place] ?? 0]?.change ?? "same"]}
              </span>
              <span className="grow">{line}</span>
            </button>
          </li>
        ))}
      </ul>
      {isList ? (
        <Rows diff={diff} name={name} />
      ) : (
        <ComparePictures diff={diff} name={name} at={at} go={setAt} />
      )}
    </>
  );
}

function Rows({ diff, name }: { diff: TreeDiff; name: string }) {
  const left = cardsOf(diff.left);
  const right = cardsOf(diff.right);
  return (
    <table className="compare">
      <thead>
        <tr>
          <th scope="col">{t("compare.before", { what: name })}</th>
          <th scope="col">{t("compare.after")}</th>
        </tr>
      </thead>
      <tbody>
        {diff.nodes.map((node, at) => (
          <tr key={at} data-change={node.change}>
            <Cell
              node={node}
              card={node.left === undefined || node.left === null ? undefined : left.get(node.left)}
              cards={left}
            />
            <Cell
              node={node}
              card={node.right === undefined || node.right === null ? undefined : right.get(node.right)}
              cards={right}
              isRight
            />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cardsOf(view: View): Map<number, Card> {
  return new Map(view.cards.map((card) => [card.idx, card]));
}

function Cell(props: {
  node: NodeDiff;
  card: Card | undefined;
  cards: Map<number, Card>;
  isRight?: boolean;
}) {
  const { node, card, cards, isRight } = props;
  if (!card) return <td />;
  let depth = 0;
  for (let one = card; one.parent !== undefined && one.parent !== null; depth++) {
    const parent = cards.get(one.parent);
    if (!parent) break;
    one = parent;
  }
  return (
    <td>
      <span
        className="compare-node"
        ref={(element) => {
          if (element) element.style.paddingLeft = `${depth * 14}px`;
        }}
      >
        {node.change !== "same" && (
          <span
            className="change"
            role="img"
            aria-label={t(`compare.${node.change}`)}
            data-tip={t(`compare.${node.change}`)}
          >
            {SIGNS[node.change]}
          </span>
        )}
        <span className="symbol" data-group={card.group} aria-hidden="true">
          {card.symbol}
        </span>
        {heading(card)} <span className="number">#{card.idx}</span>
        {isRight && node.what.length > 0 && <span className="help"> {node.what.join("; ")}</span>}
      </span>
    </td>
  );
}
