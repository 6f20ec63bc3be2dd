// Commands about trees that are played without their game.

import { type Command, type Context, fileOf, isWritable } from "./command.ts";

const isPlaying = ({ game }: Context) => game.plays.shown !== undefined;
const canGoOn = (context: Context) => isPlaying(context) && !context.game.plays.shown?.over;

export const playCommands: Command[] = [
  {
    id: "play",
    line: true,
    group: "debug",
    keys: ["Mod+F7"],
    scope: "page",
    when: (context) => fileOf(context)?.isTree === true,
    run: (context) => {
      const { game, ui } = context;
      void game.try(game.play(fileOf(context)!.doc).then(() => ui.setState({ bottom: "play" })));
    },
  },
  {
    id: "play-step",
    group: "debug",
    keys: ["Mod+Alt+Shift+2"],
    scope: "page",
    when: canGoOn,
    run: ({ game }) => game.plays.do("play.pace", { pace: "step" }),
  },
  {
    id: "play-run",
    group: "debug",
    keys: ["Mod+Alt+Shift+3"],
    scope: "page",
    when: canGoOn,
    on: ({ game }) => game.plays.shown?.pace === "run",
    run: ({ game: { plays } }) => {
      const { pace, speed } = plays.shown!;
      return plays.do("play.pace", pace === "run" ? { pace: "pause" } : { pace: "run", speed });
    },
  },
  {
    id: "play-fast",
    group: "debug",
    keys: ["Mod+Alt+Shift+4"],
    scope: "page",
    when: canGoOn,
    on: ({ game }) => game.plays.shown?.pace === "fast",
    run: ({ game: { plays } }) =>
      plays.do("play.pace", { pace: plays.shown?.pace === "fast" ? "pause" : "fast" }),
  },
  {
    id: "play-again",
    group: "debug",
    keys: ["Mod+Shift+F7"],
    scope: "page",
    when: isPlaying,
    run: ({ game }) => game.plays.do("play.again", {}),
  },
  {
    id: "run-scenarios",
    line: true,
    group: "debug",
    keys: ["Mod+Alt+Shift+6"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ game, ui }) => game.try(game.runScenarios().then(() => ui.setState({ bottom: "scenarios" }))),
  },
  {
    id: "save-scenario",
    group: "debug",
    keys: ["Mod+Alt+Shift+5"],
    scope: "page",
    when: (context) => isPlaying(context) && isWritable(context),
    run: ({ ui }) => ui.setState({ dialog: { kind: "scenario" } }),
  },
];
