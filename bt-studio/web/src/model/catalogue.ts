// What agents can do, from `agents.json`.

export interface Item {
  name: string;
  brief: string;
  display: string;
  category: string;
  agent: string;
  deprecated: boolean;
}

interface RawItem {
  name: string;
  brief?: string;
  display?: string;
  category?: string;
  deprecated?: unknown;
}

interface RawAgent {
  name: string;
  full_name?: string;
  base?: string | null;
  brief?: string;
  display?: string;
  actions?: RawItem[];
  conditions?: RawItem[];
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
  decorators: Item[];
  composites: Item[];
  events: Item[];
  properties: Item[];
}

const KINDS = ["actions", "conditions", "decorators", "composites", "events", "properties"] as const;

/** Everything that an agent has, its own first, then what it inherits. */
export function itemsOf(catalogue: unknown, agent: string): Items {
  const agents = (catalogue as RawCatalogue | null)?.agents ?? [];
  const items: Items = {
    actions: [],
    conditions: [],
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
  };
}
