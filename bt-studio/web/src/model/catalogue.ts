// What agents can do, from `agents.json`.

export interface Item {
  name: string;
  brief: string;
  display: string;
  category: string;
  agent: string;
  deprecated: boolean;
  /** The type of a property, or of what an expression gets that calls it; empty if it has none. */
  type: string;
}

interface RawItem {
  name: string;
  brief?: string;
  display?: string;
  category?: string;
  deprecated?: unknown;
  kind?: string;
  type?: string;
  answer?: { type?: string };
}

interface RawAgent {
  name: string;
  full_name?: string;
  base?: string | null;
  brief?: string;
  display?: string;
  actions?: RawItem[];
  conditions?: RawItem[];
  queries?: RawItem[];
  decorators?: RawItem[];
  composites?: RawItem[];
  events?: RawItem[];
  properties?: RawItem[];
}

interface RawCatalogue {
  agents?: RawAgent[];
}

export interface Items {
  actions: Item[];
  conditions: Item[];
  queries: Item[];
  decorators: Item[];
  composites: Item[];
  events: Item[];
  properties: Item[];
}

const KINDS = [
  "actions",
  "conditions",
  "queries",
  "decorators",
  "composites",
  "events",
  "properties",
] as const;

/** Everything that an agent has, its own first, then what it inherits. */
export function itemsOf(catalogue: unknown, agent: string): Items {
  const agents = (catalogue as RawCatalogue | null)?.agents ?? [];
  const items: Items = {
    actions: [],
    conditions: [],
    queries: [],
    decorators: [],
    composites: [],
    events: [],
    properties: [],
  };
  const seen = new Set<RawAgent>();
  let raw = named(agents, agent);
  while (raw && !seen.has(raw)) {
    seen.add(raw);
    for (const kind of KINDS) {
      const names = new Set(items[kind].map((item) => item.name));
      for (const item of raw[kind] ?? []) {
        if (!names.has(item.name)) items[kind].push(itemOf(item, raw.name));
      }
    }
    raw = raw.base ? named(agents, raw.base) : undefined;
  }
  // A query that answers yes or no is a condition, too.
  const known = new Set(items.conditions.map((item) => item.name));
  items.conditions.push(...items.queries.filter((item) => item.type === "bool" && !known.has(item.name)));
  return items;
}

export function briefOf(catalogue: unknown, agent: string): string {
  const raw = named((catalogue as RawCatalogue | null)?.agents ?? [], agent);
  return [raw?.display, raw?.brief].filter(Boolean).join(" · ");
}

function named(agents: RawAgent[], name: string): RawAgent | undefined {
  return agents.find((agent) => agent.full_name === name) ?? agents.find((agent) => agent.name === name);
}

function itemOf(item: RawItem, agent: string): Item {
  return {
    name: item.name,
    brief: item.brief ?? "",
    display: item.display ?? "",
    category: item.category ?? "",
    agent,
    deprecated: item.deprecated !== undefined && item.deprecated !== false && item.deprecated !== null,
    type: item.type ?? item.answer?.type ?? (item.kind === "condition" ? "bool" : ""),
  };
}
