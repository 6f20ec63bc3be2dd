// What can be called and fired, with parameters, from a game's catalogue.

export interface Parameter {
  name: string;
  comment: string;
  schema: unknown;
  optional: boolean;
  fallback: unknown;
  unit: string;
}

export interface Callable {
  name: string;
  brief: string;
  display: string;
  parameters: Parameter[];
}

interface RawParameter {
  name: string;
  comment?: string;
  schema?: unknown;
  optional?: boolean;
  default?: unknown;
  unit?: string;
}

interface RawItem {
  name: string;
  brief?: string;
  display?: string;
  args?: RawParameter[];
  params?: RawParameter[];
}

interface RawAgent {
  name: string;
  full_name?: string;
  base?: string | null;
  actions?: RawItem[];
  conditions?: RawItem[];
  events?: RawItem[];
}

/** The actions or events of an agent's type, its own first, then what it inherits. */
export function callables(catalogue: unknown, type: string, list: "actions" | "events"): Callable[] {
  const agents = (catalogue as { agents?: RawAgent[] } | null)?.agents ?? [];
  const named = (name: string) =>
    agents.find((one) => one.full_name === name) ?? agents.find((one) => one.name === name);
  const found = new Map<string, Callable>();
  const seen = new Set<RawAgent>();
  for (
    let agent = named(type);
    agent && !seen.has(agent);
    agent = agent.base ? named(agent.base) : undefined
  ) {
    seen.add(agent);
    const items =
      list === "actions" ? [...(agent.actions ?? []), ...(agent.conditions ?? [])] : (agent.events ?? []);
    for (const item of items) if (!found.has(item.name)) found.set(item.name, callable(item));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function callable(item: RawItem): Callable {
  return {
    name: item.name,
    brief: item.brief ?? "",
    display: item.display ?? "",
    parameters: (item.args ?? item.params ?? []).map((one) => ({
      name: one.name,
      comment: one.comment ?? "",
      schema: one.schema ?? true,
      optional: one.optional === true || one.default !== undefined,
      fallback: one.default,
      unit: one.unit ?? "",
    })),
  };
}
