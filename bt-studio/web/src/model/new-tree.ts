// With which path and for which agent a new tree begins.

import type { Project } from "../net/protocol.ts";

type Known = Pick<Project, "agents" | "trees" | "folders">;

/** The one that occurs most often; the first of several. */
function most(all: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The agents that a tree may be for: until agents are known, those that other trees name. */
export function agentsFor({ agents, trees }: Known): string[] {
  if (agents.length > 0) return [...agents];
  return [...new Set(trees.flatMap(({ agent }) => (agent ? [agent] : [])))].sort();
}

/** The built-in agent, which is the base of a game's own. */
const BASE = "action_agent";

/** The agent that most trees are for; without trees the first one of the game's own. */
export function usualAgent(project: Known): string | undefined {
  const agents = agentsFor(project);
  return (
    most(project.trees.flatMap(({ agent }) => (agent && agents.includes(agent) ? [agent] : []))) ??
    agents.find((agent) => agent !== BASE) ??
    agents[0]
  );
}

/** The folder in which most trees are, with a slash behind it; empty if that is the opened one. */
export function usualFolder({ trees, folders }: Known): string {
  const all = trees.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return most(all) ?? (folders.length > 1 ? `${folders[0]!.name}/` : "");
}
