// Says when the tree on the canvas is not the one that the game runs.

import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { sessionOf, treeNameOf } from "../../model/game/state.ts";
import { isChanged } from "../../model/state.ts";
import { useApp, useTab } from "../app-context.ts";
import { useGame } from "./parts.tsx";

export function GameBanner() {
  const app = useApp();
  const tab = useTab();
  const session = useGame(sessionOf);
  if (!tab) return null;
  if (tab.game) {
    const tree = session?.trees[tab.game.tree];
    return (
      <p className="banner info game-banner">
        <span>
          ▤ {t("game.banner-fixed", { game: session?.title ?? "" })}{" "}
          {t(tree?.path ? "game.banner-differs" : "game.banner-none")}
        </span>
        {tree?.path && (
          <button type="button" onClick={() => void app.game.try(app.session.open(tree.path!))}>
            {t("game.banner-open")}
          </button>
        )}
      </p>
    );
  }
  const name = treeNameOf(session, tab);
  if (!session || name === null || session.kind !== "game") return null;
  const changed = isChanged(tab);
  if (!changed && session.trees[name]?.same !== false) return null;
  return (
    <p className="banner warning game-banner">
      <span>▲ {t(changed ? "game.banner-unsaved" : "game.banner-other", { game: session.title })}</span>
      {changed && !session.read_only && (
        <button type="button" onClick={() => run("save", app)}>
          {t("game.banner-save")}
        </button>
      )}
      <button type="button" onClick={() => run("game-tree", app)}>
        {t("game.banner-show")}
      </button>
    </p>
  );
}
