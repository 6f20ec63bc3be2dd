import { describe, expect, it } from "vitest";
import { agentsFor, usualAgent, usualFolder } from "../../src/model/new-tree.ts";
import type { Project } from "../../src/net/protocol.ts";

function project(agents: string[], trees: [path: string, agent: string][], folders = ["game"]) {
  return {
    agents,
    trees: trees.map(([path, agent]) => ({ path, agent })),
    folders: folders.map((name) => ({ name })),
  } as unknown as Project;
}

const TREES: [string, string][] = [
  ["a.json", "dog"],
  ["trees/b.json", "guard"],
  ["trees/c.json", "guard"],
];

describe("a new tree", () => {
  it("is for the agent that most trees are for, also while agents are not known", () => {
    expect(usualAgent(project(["cat", "dog", "guard"], TREES))).toBe("guard");
    expect(usualAgent(project(["cat"], TREES))).toBe("cat");
    expect(usualAgent(project([], TREES))).toBe("guard");
    expect(agentsFor(project([], TREES))).toEqual(["dog", "guard"]);
    expect(usualAgent(project([], []))).toBeUndefined();
  });

  it("is for an agent of the game where there are no trees yet, and not for the base of all", () => {
    expect(usualAgent(project(["action_agent", "guard"], []))).toBe("guard");
    expect(usualAgent(project(["action_agent"], []))).toBe("action_agent");
  });

  it("begins in the folder in which most trees are", () => {
    expect(usualFolder(project([], TREES))).toBe("trees/");
    expect(usualFolder(project([], [["a.json", "dog"]]))).toBe("");
    expect(usualFolder(project([], [], ["one", "two"]))).toBe("one/");
    expect(usualFolder(project([], []))).toBe("");
  });
});
