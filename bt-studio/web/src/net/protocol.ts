// What the page and the server of bt-studio say to each other, version 1.
// Made from the table of methods: `cargo xtask bless` writes it anew.

/** The version of the protocol. */
export const VERSION = 1;

/** An active node. */
export interface ActiveNode {
  /** Its `idx` in the file. */
  idx: number;
  /** The name of its action, event or tree; empty where it has none. */
  name: string;
  /** The number of the run of its tree. */
  run: number;
  /** The name of its tree. */
  tree: string;
  /** The file's word for its kind. */
  type: string;
}

/** An active node. */
export interface ActiveSince {
  /** Its `idx`. */
  idx: number;
  /** The record by which it was entered. */
  no?: number | null;
  /** The run of its tree. */
  run: number;
  /** The time of its entry, in nanoseconds of the game's clock; omitted if that was before the first record. */
  since_ns?: number | null;
  /** Its tree. */
  tree: string;
  /** The reason for its wait, in words, if it is a leaf that waits. */
  waits?: string | null;
}

/** A column of the table of agents. */
export type AgentColumn =
  /** The id. */
  | "id"
  /** The name. */
  | "name"
  /** The type. */
  | "agent_type"
  /** The tree. */
  | "tree"
  /** The state. */
  | "state"
  /** The leaf that waits. */
  | "leaf"
  /** By the time of their wait. */
  | "waits"
  /** The number of times that its nodes failed. */
  | "failures"
  /** By their diagnostics. */
  | "problems";

/** An agent. */
export interface AgentEntry {
  /** The registered name of its type. */
  agent_type: string;
  /** The id for requests. */
  id: string;
  /** The name for people. */
  name: string;
  /** True if it is paused. */
  paused: boolean;
  /** True if the tree runs, or is about to. */
  running: boolean;
  /** Its current tree. */
  tree: string;
}

/** A leaf that waits. */
export interface AgentLeaf {
  /** For how long, in nanoseconds of the game's clock. */
  for_ns: number;
  /** Its `idx`. */
  idx: number;
  /** The name of its action or event; empty where it has none. */
  name: string;
  /** Since when it waits, in nanoseconds of the game's clock. */
  since_ns: number;
  /** Its tree. */
  tree: string;
  /** The file's word for its kind. */
  type: string;
}

/** The state of an agent. */
export interface AgentPicture {
  /** The nodes that are active, in the order of their runs and `idx`. */
  active: ActiveNode[];
  /** The agent. */
  agent: AgentEntry;
  /** The blackboard; a key of a running tree's own is `key@run`. */
  blackboard: Record<string, unknown>;
  /** The parts that had no room. `agent.value` shows values whole, a page at a time. */
  cut?: Cut[];
  /** The diagnostics, the newest last. */
  diagnostics: string[];
  /** The nodes whose result is forced. */
  forced: ForcedEntry[];
  /** The leaves that wait. */
  leaves: WaitingLeaf[];
  /** The properties. */
  properties: Record<string, unknown>;
  /** The stop of the agent. */
  stop?: StopEntry | null;
  /** The names of the trees, by the numbers of their runs. */
  trees: string[];
}

/** An agent in the table. */
export interface AgentRow {
  /** The registered name of its type; empty where that is not known. */
  agent_type: string;
  /** For how long its tree has failed in every poll, as far as the studio has looked, in nanoseconds of the game's clock. */
  fails_for_ns?: number | null;
  /** The number of times that a node of it has failed since the profile was started; omitted where none runs. */
  failures?: number | null;
  /** True if it is followed. */
  followed: boolean;
  /** The number of its nodes that have a forced result. */
  forced: number;
  /** The id for requests. */
  id: string;
  /** The leaf that waits; the first of them. */
  leaf?: AgentLeaf | null;
  /** The number of leaves that wait. */
  leaves: number;
  /** The name for people. */
  name: string;
  /** The number of diagnostics, of the last 32. */
  problems: number;
  /** `runs`, `fails` (its tree failed in the last poll), `paused`, `stopped` at a breakpoint, `idle`, `ended`, or `unknown`. */
  state: string;
  /** Its current tree. */
  tree: string;
}

/** Rows of the table of agents. */
export interface AgentTable {
  /** The place of the first of these. */
  from: number;
  /** The rows. */
  rows: AgentRow[];
  /** The number of rows that the filter takes. */
  total: number;
  /** The time of the game's answer, in milliseconds since 1970. It is requested again when the table is requested, at most once a second. */
  when: number;
}

/** The answer of a method that stands. */
export interface AnswerPlay {
  /** The answer in the words of `bt-meta play`: `success`, `failure`, `running`, `after 2s failure`, `run 1`, a query's value as JSON; `wait` of an action that somebody ends. */
  answer: string;
  /** The method's name. */
  method: string;
  /** The session's id. */
  session: number;
}

/** An argument. */
export interface ArgumentInfo {
  /** Its place in the file's list; none if it is not given. */
  at?: number | null;
  /** The only values. */
  choices?: unknown[] | null;
  /** Its purpose. */
  comment: string;
  /** Its value where it is omitted. */
  default?: unknown;
  /** True if it should not be given any more. */
  deprecated: boolean;
  /** The expression that it is computed by. */
  expression?: string | null;
  /** The key that it is read from or written to. */
  key?: string | null;
  /** The largest value. */
  max?: unknown;
  /** The smallest value. */
  min?: unknown;
  /** The source of its value; none if it is not given. */
  mode?: ArgumentMode | null;
  /** Its name; empty of one that the method does not have. */
  name: string;
  /** True if it may be left out. */
  optional: boolean;
  /** The property that it is read from. */
  property?: string | null;
  /** The item of the file's list, as it is written. */
  raw?: string | null;
  /** Its JSON Schema; refers to the catalogue's `$defs`. */
  schema: unknown;
  /** By how much an editor changes it. */
  step?: unknown;
  /** Its type, for people. */
  type_shown: string;
  /** The unit of measure. */
  unit?: string | null;
  /** The value, as it is written, of a literal. */
  value?: string | null;
  /** True if the call writes it: then it needs a key. */
  writes: boolean;
}

/** The source of an argument's value. */
export type ArgumentMode =
  /** It stands in the file. */
  | "literal"
  /** A key of the blackboard. */
  | "key"
  /** A property of the agent. */
  | "property"
  /** The value of an expression. */
  | "expression";

/** The game to attach to: one of these. */
export interface AttachGame {
  /** A running game, by its id. */
  game?: string | null;
  /** The number of a port of this machine where `POST /post/ai_debug/` is listened for, as the original's debugger does; 0 for any that is free. */
  listen?: number | null;
  /** A log of the original's debugger, by its path. */
  log?: string | null;
  /** A recording, by its path: below the opened folders, or as the studio was started with it. */
  recording?: string | null;
}

/** A line about something that is attached to a node. */
export interface AttachedLine {
  /** The effect. */
  what: string;
  /** The name or the occasion. */
  when: string;
}

/** The place where an agent is to stop. */
export interface BreakpointSpec {
  /** The ids of the agents; all of them, but no more than 10,000, if it is not said. */
  agents?: string[] | null;
  /** Only if a key compares so with a JSON value, as in `health < 10`. */
  condition?: string | null;
  /** Only at some hits of each agent: `>= 3`, or `% 10` for every tenth. */
  hits?: string | null;
  /** Of `guard`: only if the guard holds, or only if it does not. */
  holds?: boolean | null;
  /** The node's `idx`: of the first five and `guard`. */
  idx?: number | null;
  /** A text that is noted in the records; then no agent stops. */
  log?: string | null;
  /** The name of the others; the text of an `expression`, such as `$health < 10`. */
  name?: string | null;
  /** On what: `enter`, `exit`, `success`, `failure` or `abort` of a node, `call` of a method, `guard`, `key`, `property`, `event`, `expression`: one over keys and properties that turns true. */
  on: string;
  /** The node's tree: of the first five and `guard`. */
  tree?: string | null;
}

/** The breakpoints of the project: `.bt-studio.json` in the first folder has them. */
export interface Breakpoints {
  /** All of them. */
  breakpoints: StoredBreakpoint[];
  /** The problem of the file, or of a breakpoint that a game refuses. */
  problem?: string | null;
  /** True if the file has them. With `--read-only` they are kept until the studio ends. */
  saved: boolean;
  /** True if a stop at one of them also sets the game's speed to 0. */
  stop_all: boolean;
}

/** A part of a history. */
export interface Bucket {
  /** The number of nodes that were aborted. */
  aborts: number;
  /** The number of nodes that failed. */
  failures: number;
  /** The number of its first record. */
  first: number;
  /** The number of notes, of actions and of logpoints. */
  notes: number;
  /** The time of its first poll, in nanoseconds of the game's clock. */
  ns: number;
  /** The place of its first poll. */
  place: number;
  /** The number of its polls. */
  polls: number;
  /** The number of diagnostics. */
  problems: number;
  /** The number of its records. */
  records: number;
  /** The number of times that the agent was stopped at a breakpoint or by a step. */
  stops: number;
  /** The number of writes of keys and properties. */
  writes: number;
}

/** A package that is being built. Until then nothing is a problem that its agents may have made right. */
export interface Building {
  /** The source of the agents that are known until then: an exported file, or the last build; none if none are. */
  known_from?: string | null;
  /** Cargo's status, in its words; empty at the beginning. */
  status: string;
}

/** A request to a game: any method of its port but `hello`, `agent.follow`, `agent.unfollow` and `breakpoints.set`, which the studio says itself. */
export interface CallGame {
  /** The method of the port. */
  method: string;
  /** Its parameters. */
  params?: unknown;
  /** The session's id. */
  session: number;
}

/** A call of a method. */
export interface CallInfo {
  /** The agent that has the method. */
  agent?: string | null;
  /** The key of the list of arguments in that object. */
  args_key: string;
  /** Its arguments, in the order of the method; then those that the file gives beside. */
  arguments: ArgumentInfo[];
  /** The JSON pointer of the object with the name and the arguments, inside of the node. */
  at: string;
  /** Its behaviour, on one line. */
  brief: string;
  /** `action`, `condition`, `decorator`, `guard`, `effect`, `service` or `reset_if`. */
  caller: string;
  /** The replacement, if it should not be used any more. */
  deprecated?: string | null;
  /** The expression that is evaluated in place of a method. */
  expression?: string | null;
  /** True if the agent has such a method. */
  known: boolean;
  /** The method's name, as the file has it. */
  name: string;
  /** The key of the name in that object. */
  name_key: string;
  /** The place of its definition, as `file:line`. */
  origin?: string | null;
  /** Its name now, if the file has an old one. */
  renamed?: string | null;
  /** Its result. */
  returns: string;
}

/** The game's answer. */
export interface CalledGame {
  /** The method's result. */
  result: unknown;
}

/** A node as it is shown. */
export interface Card {
  /** A call's arguments. */
  arguments: string;
  /** The attachments, from the outside in. */
  attached: AttachedLine[];
  /** The path of the tree that it runs, if there is one of that name. */
  calls?: string | null;
  /** The `idx` of each node below it, in the order in which they run. */
  children: number[];
  /** True if what is below it is hidden. */
  collapsed: boolean;
  /** Its colour as 0xRRGGBBAA; none if it is white. */
  color?: number | null;
  /** The comment that a person wrote on it. */
  comment: string;
  /** True if it is disabled itself. */
  disabled: boolean;
  /** `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree`, `control` or `unknown`. */
  group: string;
  /** Its number in the file. */
  idx: number;
  /** Its kind, as the file spells it. */
  kind: string;
  /** True if it is not built: it is disabled, or a node above it is, or what it is around. */
  left_out: boolean;
  /** The other parameters of its kind. */
  parameters: string;
  /** The `idx` of the node above it; none of the root. */
  parent?: number | null;
  /** Its JSON pointer in the file. */
  pointer: string;
  /** One or two characters for its kind. */
  symbol: string;
  /** The title: a call's name, else its kind. */
  title: string;
  /** True if there is no such kind. */
  unknown_kind: boolean;
}

/** Nodes look different, although the text is the same. */
export interface CardsChanged {
  /** Those that do. */
  cards: Card[];
  /** The document's number. */
  doc: number;
}

/** Another catalogue. */
export interface CatalogueChanged {
  /** The full names of the agents. */
  agents: string[];
  /** While the package is being built. */
  building?: Building | null;
  /** The catalogue, as `agents.json` has it; if there is none, its `$defs` of nodes alone. */
  catalogue: unknown;
  /** The kinds of nodes. */
  kinds: KindInfo[];
  /** The reason why it could not be refreshed; it is the one before then. */
  problem?: string | null;
}

/** The cause. */
export interface Cause {
  /** The reason: what the action said, which guard did not hold, or what happened right before. */
  because?: Row | null;
  /** The exits from there up to the node, the leaf's first. */
  path: Row[];
  /** The record by which it came about: the write; the exit of the leaf by whose failure the node failed; the guard that did not hold; the node's own exit if it was aborted; what ran in its place if it was not entered. None if there is none among those that are kept. */
  row?: Row | null;
  /** It in words. */
  text: string;
}

/** The result of a change. */
export interface Changed {
  /** The agent that the root names. */
  agent?: string | null;
  /** The nodes that are new or look different. */
  cards: Card[];
  /** The `idx` of each node that an edit made, in the order of the edits. */
  created: number[];
  /** Other documents that it changed, as `extract` does. */
  documents?: Document[];
  /** True if the text is a tree. If it is not, the nodes before are no longer shown, and the findings say why; when it is one again, `cards` has all of its nodes. */
  is_tree: boolean;
  /** The `idx` of each node that is gone. */
  removed: number[];
  /** The new revision. */
  revision: number;
  /** The `idx` of the root, if it is another one. */
  root?: number | null;
  /** The changes of the text before, in its order. */
  splices: Splice[];
}

/** The document that is no longer needed. */
export interface CloseDocument {
  /** True if unsaved changes are thrown away; else they stay as a draft. */
  discard: boolean;
  /** The document's number. */
  doc: number;
}

/** The comment that a person wrote on a record. */
export interface Comment {
  /** The number of the record. */
  no: number;
  /** The text. */
  text: string;
}

/** The comment for a record. */
export interface CommentRow {
  /** The agent's id. */
  agent: string;
  /** The number of the record. */
  no: number;
  /** The session's id. */
  session: number;
  /** The text; empty to remove it. */
  text: string;
}

/** The comments of a history. */
export interface Comments {
  /** By the numbers of the records. */
  comments: Comment[];
  /** The file that keeps them, beside the recording; none if they are kept until the session ends. */
  file?: string | null;
}

/** The tree file to copy. */
export interface CopyTree {
  /** Its path. */
  path: string;
  /** The path of the copy, where nothing is yet. */
  to: string;
}

/** The part of the outcomes of a node that was seen. */
export type Covered =
  /** Everything. */
  | "all"
  /** A part. */
  | "some"
  /** It was never entered. */
  | "none";

/** Something that had no room, and is shown in part: texts, arrays and objects say at their end how much is missing. */
export interface Cut {
  /** Its place, as a JSON pointer. */
  at: string;
  /** The number of bytes of a text, items or entries that are missing. */
  missing: number;
}

/** The session. */
export interface DetachGame {
  /** Its id. */
  session: number;
}

/** The two versions to compare. */
export interface DiffTrees {
  /** The one before. */
  left: Side;
  /** The one after. */
  right: Side;
}

/** An open file has changed on the disk. */
export interface DiskChanged {
  /** The document's number. */
  doc: number;
  /** True if it is there. */
  exists: boolean;
  /** The hash of the file on the disk; empty if it is gone. */
  hash: string;
}

/** An open file. */
export interface Document {
  /** Its number, which requests name. */
  doc: number;
  /** The draft: changes that were not saved when it was edited last. */
  draft?: Draft | null;
  /** Its problems, as far as they are known at once. */
  findings: Finding[];
  /** The hash of its text on the disk; empty if it is not on the disk. */
  hash: string;
  /** Its name in other trees. */
  name: string;
  /** Its path. */
  path: string;
  /** True if its file may not be written, as files are that a version control keeps locked: `doc.save` refuses until that changes, which the event `trees` says. */
  read_only: boolean;
  /** The number of times that it was changed since it was opened. */
  revision: number;
  /** True if it is an indented script: it is edited as text, and saved as a tree under another name. */
  script: boolean;
  /** Its text. */
  text: string;
  /** The view of it; null where the text is not a tree. */
  view?: View | null;
}

/** It is done, or has begun. */
export interface Done {
}

/** A text that was not saved. */
export interface Draft {
  /** The hash of the file on the disk when it was edited; empty if there was none. */
  hash: string;
  /** The text. */
  text: string;
  /** The time at which it was kept, in milliseconds since 1970. */
  when: number;
}

/** A change of a tree. Everything in the text that it need not change stays as it is. */
export type Edit =
  /** Makes a new node below another. */
  | {
      /** Its place among the children, from 0; the last if it is omitted. */
      at?: number | null;
      do: "insert";
      /** Further keys of its `extra`. */
      extra?: Record<string, unknown> | null;
      /** Its kind. */
      kind: string;
      /** The name of what its kind calls: an action, a condition, a decorator, an event or a tree. */
      name?: string | null;
      /** The node that it is below. */
      parent: number;
    }
  /** Makes a new node between nodes that are siblings, next to each other, and the node above them. */
  | {
      do: "wrap";
      /** The keys of its `extra`. */
      extra?: Record<string, unknown> | null;
      /** The new node's kind. */
      kind: string;
      /** The nodes. */
      nodes: number[];
    }
  /** Removes nodes, and all that is below them. */
  | {
      do: "remove";
      /** True if what is below them takes their places instead. */
      keep_children?: boolean;
      /** The nodes. */
      nodes: number[];
    }
  /** Moves nodes below another. */
  | {
      /** Their place among its other children, from 0, those that move not counted; the last if it is omitted. */
      at?: number | null;
      do: "move";
      /** The nodes, in the order in which they are to stand. */
      nodes: number[];
      /** The node that they are below afterwards. */
      parent: number;
    }
  /** Makes a node one of another kind. Its children stay, and of its `extra` what the new kind takes. */
  | {
      do: "kind";
      /** Its new kind. */
      kind: string;
      /** The name of what the new kind calls. */
      name?: string | null;
      /** The node. */
      node: number;
    }
  /** Writes a value. Objects around it that are missing are made. */
  | {
      /** A JSON pointer, such as `/extra/action_args/0/arg_value`. Its last part may be `-`: then the value comes last in an array. */
      at: string;
      do: "set";
      /** The node; without one the pointer is of the file. */
      node?: number | null;
      /** A JSON text. */
      value: string;
    }
  /** Removes a key of an object, or an item of an array. */
  | {
      /** A JSON pointer. */
      at: string;
      do: "unset";
      /** The node; without one the pointer is of the file. */
      node?: number | null;
    }
  /** Renames a key of an object. */
  | {
      /** The JSON pointer of its value. */
      at: string;
      do: "key";
      /** The node; without one the pointer is of the file. */
      node?: number | null;
      /** Its new name. */
      to: string;
    }
  /** Makes nodes from a text that `doc.fragment` gave. */
  | {
      /** Their place among its children, from 0; the last if it is omitted. */
      at?: number | null;
      do: "paste";
      /** True if the nodes keep their numbers, as those that were cut from this tree do. They get new ones where one of them is taken. */
      keep?: boolean;
      /** The node that they are below. */
      parent: number;
      /** The text. */
      text: string;
    }
  /** Makes a copy of each node, with what is below it, right behind it. */
  | {
      do: "duplicate";
      /** The nodes. */
      nodes: number[];
    }
  /** Makes a new tree of a node and what is below it; a call of that tree takes its place. */
  | {
      do: "extract";
      /** The node. */
      node: number;
      /** The path where the new tree is to be saved. */
      path: string;
    }
  /** Puts the nodes of a tree in the place of a call of it. */
  | {
      do: "inline";
      /** The node, a `sub_tree`. */
      node: number;
    }
  /** Numbers the nodes from 0, each before those below it. */
  | {
      do: "renumber";
    }
  /** Does what a finding says. */
  | {
      /** Its code. */
      code: string;
      do: "fix";
      /** The JSON pointer of the finding. */
      pointer: string;
    };

/** The edits, and their document. */
export interface EditDocument {
  /** The document's number. */
  doc: number;
  /** Made one after the other; if one is refused, none is made. */
  edits: Edit[];
  /** The revision that the edits are of. */
  revision: number;
}

/** The result of a node. */
export type EndedAs =
  /** With success. */
  | "success"
  /** With failure. */
  | "failure"
  /** Something else took over before it ended. */
  | "aborted"
  /** In a way that the log does not say. */
  | "ended";

/** An event. */
export interface EventInfo {
  /** The occasion on which it happens. */
  brief: string;
  /** Its name. */
  name: string;
  /** Its parameters. */
  parameters: ParameterInfo[];
}

/** The reason why a request was refused. */
export interface Failure {
  /** The sort of reason, as a number: one of JSON-RPC, of the port of a game, or 10 stale, 11 conflict, 12 lost. */
  code: number;
  /** Data that helps to continue: of a stale revision the document's `revision` and `text`; of a conflict the `text` and `hash` of what is on the disk, and whether the file `exists`. */
  data?: unknown;
  /** The reason, in words. */
  message: string;
}

/** The changes in one file. */
export interface FileChange {
  /** The result of the change in the document; none in a preview. */
  changed?: Changed | null;
  /** The document that it is open as; without one the file on the disk is changed. */
  doc?: number | null;
  /** The nodes that change. */
  nodes: number[];
  /** Its path. */
  path: string;
  /** The changes of the text before, in its order. */
  splices: Splice[];
}

/** The records that a filter takes. All conditions have to hold. */
export interface FilterRows {
  /** The agent's id. */
  agent: string;
  /** It is one of these: `node_enter`, `bb_set` … */
  cmds?: string[];
  /** It has a comment. */
  commented?: boolean;
  /** None of these is. */
  exclude?: string[];
  /** It is about the node of that `idx`. */
  idx?: number | null;
  /** One of these texts is in the row's words; upper and lower case are the same. */
  include?: string[];
  /** It writes or unsets that key. */
  key?: string | null;
  /** It is a new value of that property. */
  property?: string | null;
  /** The session's id. */
  session: number;
  /** It is about a node of that tree. */
  tree?: string | null;
}

/** The records that a filter has taken so far. There are eight at a time in a session: the oldest goes. */
export interface Filtered {
  /** The agent's id. */
  agent: string;
  /** True if all records were read. */
  complete: boolean;
  /** The id of the filter for requests. */
  filter: number;
  /** The session's id. */
  session: number;
  /** The number of records that it takes. */
  total: number;
}

/** The thing to search for. */
export interface Find {
  /** True if capital letters count. */
  case?: boolean;
  /** The places to search; everywhere if it is empty. */
  in?: FindIn[];
  /** True if the text is a regular expression. */
  regex?: boolean;
  /** The text. */
  text: string;
}

/** The thing to explain: one of `key`, `property` and `node`. */
export interface FindCause {
  /** The agent's id. */
  agent: string;
  /** The number of the last record that has happened; the last of all if it is not said. */
  at?: number | null;
  /** The key whose last write is explained. */
  key?: string | null;
  /** The node whose last failure, abort or refusal is explained. */
  node?: NodeOf | null;
  /** The property whose last change is explained. */
  property?: string | null;
  /** The session's id. */
  session: number;
}

/** The places to search. */
export type FindIn =
  /** The names of actions, conditions, events and trees, and kinds. */
  | "name"
  /** Texts, numbers and expressions of arguments and guards. */
  | "argument"
  /** Comments. */
  | "comment"
  /** Keys of the blackboard and properties. */
  | "key"
  /** All other texts and numbers. */
  | "other";

/** The next record with a text. */
export interface FindRow {
  /** The agent's id. */
  agent: string;
  /** True if the search goes to earlier records from there, not to later ones. */
  back?: boolean;
  /** Only among those that a filter leaves. */
  filter?: number | null;
  /** The number of the first record that is read. */
  from: number;
  /** The session's id. */
  session: number;
  /** The text, which is in the row's words; upper and lower case are the same. */
  text: string;
}

/** The thing to search for. */
export interface FindUsages {
  /** The thing. */
  of: Thing;
}

/** Something that is wrong with a tree, or probably not meant. */
export interface Finding {
  /** The code, such as `BT0034`. */
  code: string;
  /** The column in the text, from 1, in characters. */
  column?: number | null;
  /** The column after the last character of the value. */
  end_column?: number | null;
  /** The effect of the edit `fix`, in words; none where nothing is certain. */
  fix?: string | null;
  /** The advice. */
  help?: string | null;
  /** `error` or `warning`. */
  level: string;
  /** The line in the text, from 1. */
  line?: number | null;
  /** The text of what was expected and what was found. */
  message: string;
  /** The code's name. */
  name: string;
  /** The node's `idx`, if it is about one. */
  node?: number | null;
  /** The JSON pointer of the value in the file; empty for the whole file. */
  pointer: string;
}

/** The end of an action that waits. */
export interface FinishPlay {
  /** The card's number. */
  card: number;
  /** The session's id. */
  session: number;
  /** True if it succeeds. */
  success: boolean;
}

/** An event of a play. */
export interface FirePlay {
  /** The event. */
  event: string;
  /** Its parameters by their names. */
  params?: unknown;
  /** The session's id. */
  session: number;
}

/** An opened folder. */
export interface FolderEntry {
  /** The start of its trees' paths, if several folders are open. */
  name: string;
  /** Its path, for people. */
  path_shown: string;
}

/** The agent whose records are to be kept. */
export interface FollowAgent {
  /** The agent's id. */
  agent: string;
  /** The session's id. */
  session: number;
}

/** An agent whose history there is. */
export interface Followed {
  /** The id for requests. */
  agent: string;
  /** True if records still come. A history of a game before its restart continues under another id. */
  live: boolean;
  /** The name for people. */
  name: string;
}

/** A node whose result is forced. */
export interface ForcedEntry {
  /** `success`, `failure` or `disabled`. */
  forced: string;
  /** Its `idx`. */
  idx: number;
  /** Its tree. */
  tree: string;
}

/** A node of an agent whose result is forced. */
export interface ForcedNode {
  /** The agent's id. */
  agent: string;
  /** `success`, `failure` or `disabled`. */
  forced: string;
  /** Its `idx`. */
  idx: number;
  /** Its tree. */
  tree: string;
}

/** A place in a tree. */
export interface FoundPlace {
  /** The line, from 1. */
  line: number;
  /** The node, if it is in one. */
  node?: number | null;
  /** The tree's path. */
  path: string;
  /** The JSON pointer in the file. */
  pointer: string;
  /** The text there, for people. */
  shown: string;
}

/** The place of the text. */
export interface FoundRow {
  /** Its place: its number, or with a filter its place among those that it leaves. */
  place?: number | null;
  /** The record, if there is one. */
  row?: Row | null;
}

/** Nodes as a text. */
export interface Fragment {
  /** A JSON text that the edit `paste` takes, in any document. */
  text: string;
}

/** Something that a game said unasked. */
export interface GameEvent {
  /** The name of the port's event. */
  event: string;
  /** Its parameters. */
  params: unknown;
  /** The session's id. */
  session: number;
}

/** A recording or a log that can be opened. */
export interface GameFile {
  /** The number of its bytes. */
  bytes: number;
  /** The sort: `recording` or `log`. */
  kind: SessionKind;
  /** The id for `game.attach`. */
  path: string;
}

/** A game's own facts. */
export interface GameInfo {
  /** The version of bt-live that it has. */
  bt_live: string;
  /** The hash of its catalogue. */
  catalogue: string;
  /** The packages that registered agents. */
  crates: string[];
  /** Its name. */
  game: string;
}

/** The effects of a tree that was saved while a game runs it. */
export interface GameReloaded {
  /** The nodes that were exited, as they were before. */
  aborted: NodeCount[];
  /** New nodes around such. */
  adopted: NodeCount[];
  /** The nodes that were entered in their place. */
  entered: NodeCount[];
  /** The nodes that stayed active. */
  kept: NodeCount[];
  /** The values that could not be kept, in words. */
  lost: string[];
  /** The number of agents that run other trees by now. */
  moved: number;
  /** The problems of it among the game's trees; the game continues as before if there are any. */
  problems: TreeProblem[];
  /** The session's id. */
  session: number;
  /** The number of those that continue with the old trees, because one that they run is gone. */
  stayed: number;
  /** The tree's name. */
  tree: string;
  /** The number of those that will, when they are polled next. */
  waiting: number;
  /** The reason why there is no answer of the game. */
  why?: string | null;
}

/** A tree as a game has it. */
export interface GameTree {
  /** The hash of its text. */
  hash: string;
  /** Its name. */
  name: string;
  /** The path of the project's tree of that name. */
  path?: string | null;
  /** True if that has the same text on the disk. Of a log nobody knows. */
  same?: boolean | null;
  /** Its text. Of a log, which has none, that of the project's tree of that name. */
  text: string;
  /** The view of it; null where the text is not a tree. */
  view?: View | null;
}

/** The games to attach to, and the sessions that are attached. */
export interface Games {
  /** The recordings and logs that the studio was started with, and those in the opened folders. */
  files: GameFile[];
  /** The games with a port that run as this user. */
  running: RunningGame[];
  /** The sessions, of all pages. */
  sessions: Session[];
}

/** Nothing. */
export interface GetBreakpoints {
}

/** The nodes to copy. */
export interface GetFragment {
  /** The document's number. */
  doc: number;
  /** The nodes; what is below them belongs to them. */
  nodes: number[];
}

/** The tree of a game. */
export interface GetGameTree {
  /** The tree's name. */
  name: string;
  /** The session's id. */
  session: number;
}

/** The document whose keys are wanted. */
export interface GetKeys {
  /** The document's number. */
  doc: number;
}

/** The moment to show. */
export interface GetMoment {
  /** The agent's id. */
  agent: string;
  /** The number of the last record that has happened; the last of all if it is not said. */
  at?: number | null;
  /** The session's id. */
  session: number;
}

/** The node. */
export interface GetNode {
  /** The document's number. */
  doc: number;
  /** The node. */
  node: number;
}

/** A play. */
export interface GetPlay {
  /** The session's id. */
  session: number;
}

/** A play that is wanted as a scenario. */
export interface GetPlayScenario {
  /** The session's id. */
  session: number;
}

/** The polls to fetch. */
export interface GetPolls {
  /** The agent's id. */
  agent: string;
  /** The poll of that record, and those around it, in place of `from`. */
  at?: number | null;
  /** The number of polls, at most 1,000. */
  count: number;
  /** The place of the first. */
  from?: number;
  /** The session's id. */
  session: number;
}

/** Nothing. */
export interface GetProject {
}

/** The records to fetch. */
export interface GetRows {
  /** The agent's id. */
  agent: string;
  /** The record of that number, or the next one that the filter leaves, and those around it, in place of `from`. */
  at?: number | null;
  /** The number of polls, at most 1,000. */
  count: number;
  /** Only those that a filter leaves. */
  filter?: number | null;
  /** The first: its number, or with a filter its place among those that it leaves. */
  from?: number;
  /** The session's id. */
  session: number;
}

/** The timeline of a history. */
export interface GetTimeline {
  /** The agent's id. */
  agent: string;
  /** Into how many parts it is divided, at most 4,000. There are fewer if there are fewer polls. */
  buckets: number;
  /** The place of the first poll; the first that is kept if it is not said. */
  from?: number | null;
  /** The session's id. */
  session: number;
  /** The place after the last poll; after the last that there is if it is not said. */
  to?: number | null;
}

/** The expressions to evaluate over a moment. Nothing of the game runs for it: conditions and queries have no value. */
export interface GetValues {
  /** The agent's id. */
  agent: string;
  /** The number of the last record that has happened; the last of all if it is not said. */
  at?: number | null;
  /** The session's id. */
  session: number;
  /** The expressions, at most 200. A key's name and an `@property` are some, too. */
  texts: string[];
  /** The tree whose own keys are meant: those of its innermost run. Those of the innermost node that is active if it is not said, or does not run. */
  tree?: string | null;
}

/** Begins a conversation. */
export interface Hello {
  /** The version of the protocol that the page speaks. */
  protocol: number;
  /** The token of the address that the studio printed. */
  token: string;
}

/** The records that are kept of an agent. Records have numbers from 0, polls places from 0: they stay as they are when the oldest are dropped. */
export interface History {
  /** The agent's id. */
  agent: string;
  /** True if all that there is was read. A large recording takes a moment. */
  complete: boolean;
  /** The number of the oldest records that were dropped to make room. */
  dropped: number;
  /** The number of the first record that is kept. */
  first: number;
  /** The place of the first poll that is kept. */
  first_poll: number;
  /** The time of the first record, in nanoseconds of the game's clock. */
  from_ns: number;
  /** True if more records come: the game runs. */
  live: boolean;
  /** The number of records that never arrived: the game had no room for them. */
  missed: number;
  /** The name for people. */
  name: string;
  /** The number of polls that are kept. */
  polls: number;
  /** The number of records that are kept: the last has the number `first + records - 1`. */
  records: number;
  /** The session's id. */
  session: number;
  /** The time of the last record. */
  to_ns: number;
}

/** A key of the blackboard. */
export interface KeyInfo {
  /** The node that declares it. */
  declared_by?: number | null;
  /** The initial value, as JSON; none if none is declared. */
  initial?: string | null;
  /** Its name. */
  name: string;
  /** The nodes of this tree that read it. */
  read_by: number[];
  /** `node`, `tree`, `agent` or `shared`; `undeclared` if nobody declares it. */
  scope: string;
  /** Its declared type; empty if none is declared. */
  type_shown: string;
  /** The nodes of this tree that write it. */
  written_by: number[];
}

/** A kind of nodes. */
export interface KindInfo {
  /** The behaviour of a node, on one line. */
  brief: string;
  /** The replacement, if it should not be used. */
  deprecated?: string | null;
  /** `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree` or `control`. */
  group: string;
  /** True if it takes no children. */
  leaf: boolean;
  /** The most children; there is no limit where it is omitted. */
  max_children?: number | null;
  /** The fewest children. */
  min_children: number;
  /** Its name in files. */
  name: string;
  /** The JSON Schema of a node's `extra`; refers to the catalogue's `$defs`. */
  schema: unknown;
  /** One or two characters for drawings. */
  symbol: string;
}

/** The agents to list, and their order. */
export interface ListAgents {
  /** The number of rows, at most 1,000. */
  count: number;
  /** True if the largest comes first. */
  descending?: boolean;
  /** Only those whose id, name, type, tree, state or leaf contains this; upper and lower case are the same. */
  filter?: string | null;
  /** From which row on, from 0. */
  from: number;
  /** The session's id. */
  session: number;
  /** By which column; by id if it is not said. */
  sort?: AgentColumn | null;
}

/** Nothing. */
export interface ListGames {
}

/** Of which tree. */
export interface ListRevisions {
  /** Its path. */
  path: string;
}

/** The state after a record. */
export interface Moment {
  /** The active nodes, with since when. */
  active: ActiveSince[];
  /** The number of the record. */
  at: number;
  /** The reasons why the agent waited, in words, if its records have them. */
  explain?: string | null;
  /** The same for programs: what `bt-meta explain-run --json` prints. */
  explanation?: unknown;
  /** Its time, in nanoseconds of the game's clock. */
  ns: number;
  /** The state of the agent. Of a past moment the stop and the forced nodes are not known, nor are properties before they were shown first. */
  picture: AgentPicture;
  /** The place of that poll. */
  place: number;
  /** The number of its poll. */
  poll: number;
  /** The last record up to then after which a node was active: this one, or the last by which a node was entered. None if there is none among those that are kept. */
  ran?: number | null;
  /** The nodes that ended in that poll up to then: how each ended last. */
  results: NodeResult[];
  /** True if nothing is known of what was before: records are missing, and no snapshot has come since. */
  unknown?: boolean;
  /** The keys and properties that were written in that poll up to then. */
  written: Written[];
}

/** The document to make. */
export interface NewDocument {
  /** The agent that its root names. */
  agent: string;
  /** The comment of its root. */
  comment?: string | null;
  /** The path where it is to be saved. */
  path: string;
}

/** A node that is above another one. */
export interface NodeAbove {
  /** Its children, in order. */
  children: number[];
  /** Its `idx`. */
  idx: number;
}

/** The change of a node. */
export type NodeChange =
  /** It is on the right alone. */
  | "added"
  /** It is on the left alone. */
  | "removed"
  /** It has another place; it may have changed as well. */
  | "moved"
  /** It says something else. */
  | "changed"
  /** It is as it was. */
  | "same";

/** A node, and of how many agents. */
export interface NodeCount {
  /** The number of agents. */
  agents: number;
  /** Its `idx`. */
  idx: number;
  /** Its tree. */
  tree: string;
  /** The file's word for its kind. */
  type: string;
}

/** The outcomes of a node that were seen. */
export interface NodeCovered {
  /** The part of them. */
  covered: Covered;
  /** Those that were not: `entry`, `success`, `failure`, `guard true`, … */
  missing: string[];
}

/** A node of one or both. */
export interface NodeDiff {
  /** The change. */
  change: NodeChange;
  /** Its `idx` on the left. */
  left?: number | null;
  /** Its `idx` on the right. */
  right?: number | null;
  /** The differences, a line for each. */
  what: string[];
}

/** A node. */
export interface NodeInfo {
  /** The methods that its attachments call, and the guards that are expressions. */
  attached: CallInfo[];
  /** The method that it calls itself. */
  call?: CallInfo | null;
  /** The events that its agent knows. */
  events: EventInfo[];
  /** Its `extra`, as the file has it; null if it has none. */
  extra_raw?: string | null;
  /** The keys that it sees. */
  keys: KeyInfo[];
  /** The properties of its agent. */
  properties: PropertyInfo[];
  /** The keys that the tree it runs declares, and that its arguments may set. */
  takes: KeyInfo[];
}

/** A node of a tree. */
export interface NodeOf {
  /** The nodes above it, the nearest first: by them it is found why it was not entered. */
  above?: NodeAbove[];
  /** The node's `idx`. */
  idx: number;
  /** The tree's name. */
  tree: string;
}

/** The result of a node. */
export interface NodeResult {
  /** Its `idx`. */
  idx: number;
  /** The record that says so. */
  no: number;
  /** The result. */
  result: EndedAs;
  /** The run of its tree. */
  run: number;
  /** Its tree. */
  tree: string;
}

/** Something that a person should know. */
export interface Notice {
  /** `info`, `warning` or `error`. */
  level: string;
  /** The text. */
  text: string;
}

/** The file. */
export interface OpenDocument {
  /** Its path, as the project lists it. */
  path: string;
}

/** A parameter of an event. */
export interface ParameterInfo {
  /** Its purpose. */
  comment: string;
  /** Its name. */
  name: string;
  /** Its type, for people. */
  type_shown: string;
}

/** A picture of a tree. */
export interface Picture {
  /** A PNG, in Base64. */
  png?: string | null;
  /** True if an SVG is drawn. */
  svg?: boolean;
}

/** The places where something is. */
export interface Places {
  /** In the order of the paths and of the texts; at most 10,000. */
  places: FoundPlace[];
  /** The number of more. */
  unlisted: number;
}

/** An action that waits for its end. */
export interface PlayCard {
  /** Its arguments. */
  args: PlayValue[];
  /** Its number. */
  card: number;
  /** Its node. */
  idx: number;
  /** The action. */
  name: string;
  /** Since when it waits, in seconds. */
  since: number;
  /** The name of its tree. */
  tree: string;
}

/** An event. */
export interface PlayEvent {
  /** The name. */
  name: string;
  /** The parameters with first values. */
  params: PlayValue[];
}

/** A method that the trees call. */
export interface PlayMethod {
  /** The answer that stands. */
  answer: string;
  /** Its docs, on one line. */
  brief: string;
  /** The attribute that registered it: `action`, `condition`, `query`, `decorator` or `composite`. */
  kind: string;
  /** The name. */
  name: string;
  /** The meaning of its result: `bool`, `unit`, `async`, `status`, `next`, `next_child` or `value`. */
  result: unknown;
}

/** The pace of a play's time. */
export type PlayPace =
  /** It stands still. */
  | "pause"
  /** It moves to the next poll, and stands still. */
  | "step"
  /** It passes as real time does, at a speed. */
  | "run"
  /** It passes as fast as it can until somebody has to do something. */
  | "fast";

/** A play as a scenario. */
export interface PlayScenario {
  /** The text of the file. */
  text: string;
}

/** A play as it is now. */
export interface PlayState {
  /** The id of its agent for requests. One that begins anew has another agent. */
  agent: string;
  /** The actions that wait for their ends. */
  cards: PlayCard[];
  /** The agent's events. */
  events: PlayEvent[];
  /** The methods that the trees call. */
  methods: PlayMethod[];
  /** The time, in seconds. */
  now: number;
  /** The tree's result, if it has ended: `success`, `failure` or `stopped`. */
  over?: string | null;
  /** The pace. */
  pace: PlayPace;
  /** The properties that the trees use. */
  properties: PlayValue[];
  /** The lines that the play said, the newest last. */
  said: string[];
  /** The session's id. */
  session: number;
  /** Of `run`: so many seconds in one. */
  speed: number;
  /** The name of its tree. */
  tree: string;
  /** True if nothing comes by itself: an action waits to be ended, or the tree for an event or a value. */
  waits: boolean;
  /** The reason why the trees as they are edited now are not played. */
  wrong?: string | null;
}

/** A value with its name. */
export interface PlayValue {
  /** The name. */
  name: string;
  /** The name of its type for people. */
  type: string;
  /** The value; null if it has none. */
  value: unknown;
}

/** Some polls. */
export interface PollPage {
  /** The place of the first of these. */
  from: number;
  /** The polls. */
  polls: PollRow[];
  /** The place after the last poll that there is. */
  total: number;
}

/** A poll, and what was done in it. */
export interface PollRow {
  /** The number of nodes that were aborted. */
  aborts: number;
  /** The comment that a person wrote on one of its records. */
  comment?: string | null;
  /** The number of nodes that failed. */
  failures: number;
  /** The number of its first record. */
  first: number;
  /** The number of notes, of actions and of logpoints. */
  notes: number;
  /** Its time, in nanoseconds of the game's clock. */
  ns: number;
  /** Its number, as the agent counts them. */
  number: number;
  /** The number of diagnostics. */
  problems: number;
  /** The number of its records. */
  records: number;
  /** The number of writes of keys and properties. */
  writes: number;
}

/** The problems of a file. */
export interface Problems {
  /** The document that it is open as. */
  doc?: number | null;
  /** All of them. */
  findings: Finding[];
  /** Its path. */
  path: string;
  /** The revision of the document that they are of. */
  revision?: number | null;
}

/** The open project. */
export interface Project {
  /** The full names of the agents. */
  agents: string[];
  /** While the package is being built. */
  building?: Building | null;
  /** The catalogue, as `agents.json` has it; if there is none, its `$defs` of nodes alone. */
  catalogue: unknown;
  /** The opened folders. */
  folders: FolderEntry[];
  /** The kinds of nodes, in the order in which an editor offers them. */
  kinds: KindInfo[];
  /** The package whose agents the trees are for. */
  package?: string | null;
  /** The reason why there is no catalogue, or why it is an old one. */
  problem?: string | null;
  /** True if no file is written. */
  read_only: boolean;
  /** Nodes that are kept to be inserted again, sorted by name. */
  snippets: Snippet[];
  /** The title of the window. */
  title: string;
  /** The trees, sorted by path. */
  trees: TreeEntry[];
  /** New trees that were never saved and are kept as drafts, the latest first: `doc.open` opens them. */
  unsaved: UnsavedTree[];
}

/** A property of an agent. */
export interface PropertyInfo {
  /** Its purpose. */
  brief: string;
  /** Its name. */
  name: string;
  /** True if it can only be read. */
  read_only: boolean;
  /** Its type, for people. */
  type_shown: string;
}

/** The breakpoints of the project from now on. */
export interface PutBreakpoints {
  /** All of them. */
  breakpoints: StoredBreakpoint[];
  /** True if a stop at one of them also sets the game's speed to 0. */
  stop_all?: boolean;
}

/** Nothing. */
export interface RefreshCatalogue {
}

/** The document to read again. */
export interface ReloadDocument {
  /** The document's number. */
  doc: number;
}

/** The snippet that is no longer needed. */
export interface RemoveSnippet {
  /** Its name. */
  name: string;
}

/** The tree file to remove. */
export interface RemoveTree {
  /** Its path. */
  path: string;
}

/** The thing to rename. */
export interface Rename {
  /** The thing. */
  of: Thing;
  /** True if nothing is changed. */
  preview: boolean;
  /** Its new name; of a tree, its new path. */
  to: string;
}

/** The changes, file by file. */
export interface Renamed {
  /** The files that change. */
  files: FileChange[];
  /** The new path of a tree that was renamed. */
  path?: string | null;
}

/** The text to replace, and its replacement. */
export interface Replace {
  /** True if capital letters count. */
  case?: boolean;
  /** The places to search; everywhere if it is empty. */
  in?: FindIn[];
  /** True if nothing is changed. */
  preview: boolean;
  /** True if the text is a regular expression; `$1` in `with` then stands for its first group. */
  regex?: boolean;
  /** The text that is looked for. */
  text: string;
  /** The replacement. */
  with: string;
}

/** The stretches to replace, and their text. */
export interface ReplaceText {
  /** The document's number. */
  doc: number;
  /** The revision that the places are of. */
  revision: number;
  /** In the order of the text, not overlapping. */
  splices: Splice[];
}

/** A play that begins anew. */
export interface RestartPlay {
  /** The session's id. */
  session: number;
}

/** A git revision. */
export interface Revision {
  /** The author. */
  author: string;
  /** Its id. */
  id: string;
  /** The first line of its message. */
  subject: string;
  /** The time of its making, as `2026-11-23T14:05:00+01:00`. */
  when: string;
}

/** The git revisions that changed a file. */
export interface Revisions {
  /** The newest first, at most 200. */
  revisions: Revision[];
}

/** A record. */
export interface Row {
  /** Of a write: the method of the agent that made it, if it was one. */
  by?: string | null;
  /** The sort of record, as a trace has it: `node_enter`, `bb_set` … */
  cmd: string;
  /** The comment that a person wrote on it. */
  comment?: string | null;
  /** All of the record. */
  detail: unknown;
  /** True if a node failed or was aborted, or something went wrong. */
  failed: boolean;
  /** The node's `idx`. */
  idx?: number | null;
  /** Its number. */
  no: number;
  /** Its time, in nanoseconds of the game's clock. */
  ns: number;
  /** The number of its poll. */
  poll: number;
  /** The run of the node's tree. */
  run?: number | null;
  /** The same in words. */
  text: string;
  /** The node's tree. */
  tree?: string | null;
}

/** Some records. */
export interface RowPage {
  /** The number, or the place, of the first of these. */
  from: number;
  /** Of `at`: the place of that record among these rows. */
  here?: number | null;
  /** The records. */
  rows: Row[];
  /** The number after the last record that there is; with a filter, how many it leaves. */
  total: number;
}

/** Nothing. */
export interface RunScenarios {
}

/** A game with a port that runs as this user. */
export interface RunningGame {
  /** Its name. */
  game: string;
  /** The id for `game.attach`. */
  id: string;
  /** The session that is attached to it. */
  session?: number | null;
}

/** The document, and the path to save to. */
export interface SaveDocument {
  /** The document's number. */
  doc: number;
  /** The hash of the file on the disk, if it is to be overwritten although it has changed; empty if there is none. */
  hash?: string | null;
  /** Another path, where it is to be saved from now on. */
  path?: string | null;
  /** A picture that is written beside it. */
  picture?: Picture | null;
  /** The revision that is to be saved. */
  revision: number;
}

/** The path to save a history to. */
export interface SaveHistory {
  /** The agents; all that are followed if it is not said. */
  agents?: string[] | null;
  /** The path of the new file, which ends in `.btrec`. */
  path: string;
  /** The session's id. */
  session: number;
}

/** The file for a scenario of a play. */
export interface SavePlay {
  /** The path, which ends in `.scenario.toml` and is taken by no file. */
  path: string;
  /** The session's id. */
  session: number;
}

/** The nodes, and the name of the snippet. */
export interface SaveSnippet {
  /** The document's number. */
  doc: number;
  /** The name. A snippet that has it already is replaced. */
  name: string;
  /** The nodes; what is below them belongs to them. */
  nodes: number[];
}

/** The place where it was saved. */
export interface Saved {
  /** The new hash of the file. */
  hash: string;
  /** Its name in other trees. */
  name: string;
  /** Its path. */
  path: string;
  /** The paths of the pictures. */
  pictures: string[];
}

/** It was saved. */
export interface SavedHistory {
  /** The number of its bytes. */
  bytes: number;
  /** The path of the file. */
  path: string;
  /** The number of its records. */
  records: number;
}

/** The outcomes of all scenarios below the opened folders. */
export interface ScenarioReport {
  /** Those that there can be. */
  all: number;
  /** The scenarios, by their paths. */
  scenarios: ScenarioResult[];
  /** The outcomes of nodes and guards that were seen. */
  seen: number;
  /** The trees, by their names. */
  trees: Record<string, TreeCovered>;
}

/** The outcome of a scenario. */
export interface ScenarioResult {
  /** True if everything was as expected. */
  passed: boolean;
  /** Its path. */
  path: string;
  /** The failed expectations, each with what happened instead and why, for people. */
  text: string;
  /** The name of its tree; empty if the file says none. */
  tree: string;
}

/** A session of the studio. It outlives the page: several pages share it. */
export interface Session {
  /** Of `listen`: the address that takes the posts. */
  address?: string | null;
  /** The number of agents. */
  agents: number;
  /** The agents whose histories there are. */
  followed: Followed[];
  /** The nodes whose result is forced, of all agents. */
  forced: ForcedNode[];
  /** The game's own facts; of one that is lost, the last ones. */
  game?: GameInfo | null;
  /** The id for requests. */
  id: number;
  /** The sort of session. */
  kind: SessionKind;
  /** True if a tree is played in it without its game. */
  play?: boolean;
  /** True if nothing can be changed. */
  read_only: boolean;
  /** The number of times that the game was started anew since the session began. */
  restarts: number;
  /** Since when it is in that state, in milliseconds since 1970. */
  since: number;
  /** The speed of the game's time: 1 is normal, 0 stops it. */
  speed: number;
  /** The state, which says if the view is up to date. */
  state: SessionState;
  /** The agents that are stopped at breakpoints or by steps, as far as it is known now. */
  stops: StopEntry[];
  /** The name for people. */
  title: string;
  /** Its trees by name. Those of a log are known by their names alone. */
  trees: Record<string, SessionTree>;
  /** The reason why it is lost or has ended. */
  why?: string | null;
}

/** The sort of a session. */
export type SessionKind =
  /** A running game. */
  | "game"
  /** A file of a port. */
  | "recording"
  /** A file of the original's debugger. */
  | "log"
  /** Posts as to the original's debugger. */
  | "listen";

/** The state of a session. */
export type SessionState =
  /** The view is up to date. */
  | "attached"
  /** The game does not answer: what is shown was so, and what is so now is not known. It is looked for every second. */
  | "lost"
  /** It does not come back. */
  | "ended";

/** A tree that a game has. */
export interface SessionTree {
  /** The hash of its text; empty where that is not known. */
  hash: string;
  /** The path of the project's tree of that name. */
  path?: string | null;
  /** True if that has the same text on the disk. Of a log nobody knows. */
  same?: boolean | null;
}

/** A value of a play. */
export interface SetInPlay {
  /** A key, or a property with an `@`. */
  name: string;
  /** The session's id. */
  session: number;
  /** The value. */
  value: unknown;
}

/** The time of a play. */
export interface SetPlayPace {
  /** The pace. */
  pace: PlayPace;
  /** The session's id. */
  session: number;
  /** Of `run`: so many seconds in one, above 0 and at most 1,000; 1 if it is omitted. */
  speed?: number | null;
}

/** A version of a tree: a document, a file on the disk, or a file at a git revision. */
export interface Side {
  /** The document's number. */
  doc?: number | null;
  /** The file's path. */
  path?: string | null;
  /** The id of the git revision. */
  revision_id?: string | null;
}

/** Nodes that are kept under a name. */
export interface Snippet {
  /** Its name. */
  name: string;
  /** The number of its nodes. */
  nodes: number;
  /** A JSON text that the edit `paste` takes. */
  text: string;
}

/** The snippets have changed. */
export interface SnippetsChanged {
  /** All of them, sorted by name. */
  snippets: Snippet[];
}

/** A stretch of a text, and what takes its place. All splices of a change have places in the text before it. */
export interface Splice {
  /** The first place, in UTF-16 code units. */
  from: number;
  /** The new text. */
  text: string;
  /** The place after the last one. */
  to: number;
}

/** The tree to play, and the way. */
export interface StartPlay {
  /** The agent, where the tree names none. */
  agent?: string | null;
  /** The document of the tree. The trees that it calls are those of the project as they are edited now. */
  doc: number;
  /** True if the tree begins again when it has ended. */
  loop?: boolean;
  /** The seed of the agent's random stream; 0 if it is omitted. */
  seed?: number;
}

/** The place of an agent's stop, and its reason. */
export interface StopEntry {
  /** The agent's id. */
  agent: string;
  /** The id of the breakpoint. */
  breakpoint?: number | null;
  /** The `idx` of the node that it is about. */
  idx?: number | null;
  /** The number of the stop, which a step names. */
  number: number;
  /** The number of the poll. */
  poll: number;
  /** The command of the record that stopped it, such as `node_enter`. */
  record: string;
  /** The tree of the node that it is about. */
  tree?: string | null;
  /** The requests that wait for the end of the poll: `load`, `reset`, `reload`. */
  waiting: string[];
  /** `breakpoint`, `step`, or `requested`. */
  why: string;
}

/** A breakpoint of the project. */
export interface StoredBreakpoint {
  /** The name of the agent that it is for, with `*` for any letters; all agents if it is omitted. */
  agents?: string | null;
  /** True if games get it. */
  enabled: boolean;
  /** The note that a person wrote on it. */
  note?: string | null;
  /** The place where agents are to stop. It names no agents: their ids are others in each run of a game. */
  spec: BreakpointSpec;
}

/** Something with a name that trees use. */
export interface Thing {
  /** The agent that it belongs to, if others may have the same name. */
  agent?: string | null;
  /** The sort of thing. */
  kind: ThingKind;
  /** Its name; of a tree, what other trees call it. */
  name: string;
  /** Of a key: the path of the tree that it is looked for in; all trees if it is omitted. */
  path?: string | null;
}

/** The sort of a thing with a name. */
export type ThingKind =
  /** A tree. */
  | "tree"
  /** An action. */
  | "action"
  /** A condition. */
  | "condition"
  /** A decorator. */
  | "decorator"
  /** A composite of an agent. */
  | "composite"
  /** A key of the blackboard. */
  | "key"
  /** An event. */
  | "event"
  /** A property of an agent. */
  | "property"
  /** An agent. */
  | "agent";

/** A history in parts of as many polls each. */
export interface Timeline {
  /** The parts, in order. */
  buckets: Bucket[];
  /** The place of the first poll. */
  from: number;
  /** The place after the last poll. */
  to: number;
}

/** The outcomes of a tree that were seen. */
export interface TreeCovered {
  /** The number of those that there can be. */
  all: number;
  /** The nodes, by their numbers. */
  nodes: Record<string, unknown>;
  /** Their number. */
  seen: number;
}

/** The differences. */
export interface TreeDiff {
  /** The one before. */
  left: View;
  /** The differences in words. */
  list: string[];
  /** The nodes of both, in the order of the right one, each that is gone after the one before it. */
  nodes: NodeDiff[];
  /** The one after. */
  right: View;
}

/** A tree file. */
export interface TreeEntry {
  /** The agent that its root names. */
  agent?: string | null;
  /** True if it was changed on the disk since it was opened. */
  changed_on_disk: boolean;
  /** The comment of its root. */
  comment: string;
  /** The number of its errors; 0 until it has been checked. */
  errors: number;
  /** Its name in other trees. */
  name: string;
  /** Its path in its folder, with `/` between the parts; the folder's name comes first if several are open. */
  path: string;
  /** True if its file may not be written, as files are that a version control keeps locked. */
  read_only: boolean;
  /** The form of the tree, for a small picture: a letter for the group of each node, and what is below it in round brackets. It has the first 60 nodes level by level, and is empty if the file is no tree. The letters: `r` root, `c` composite, `d` decorator, `a` action, `q` condition, `e` event, `t` tree, `x` control, `u` unknown. */
  shape: string;
  /** The number of its warnings. */
  warnings: number;
}

/** The keys of a tree. */
export interface TreeKeys {
  /** Sorted by name; a name that several nodes declare comes once for each. */
  keys: KeyInfo[];
}

/** Something that is wrong with a tree. */
export interface TreeProblem {
  /** The code, such as `BT0034`. */
  code: string;
  /** The column in the text, from 1. */
  column?: number | null;
  /** The tree's name. */
  file: string;
  /** The advice. */
  help?: string | null;
  /** The line in the text, from 1. */
  line?: number | null;
  /** The problem. */
  message: string;
  /** The node's `idx`. */
  node?: number | null;
}

/** Trees that have changed. */
export interface TreesChanged {
  /** Those that are new or have changed. */
  changed: TreeEntry[];
  /** The paths of those that are gone. */
  removed: string[];
}

/** The agent whose records are no longer needed. */
export interface UnfollowAgent {
  /** The agent's id. */
  agent: string;
  /** The session's id. */
  session: number;
}

/** A draft without a file. */
export interface UnsavedTree {
  /** The path that its file will have. */
  path: string;
  /** The time at which it was edited last, in milliseconds since 1970. */
  when: number;
}

/** An expression and its value. */
export interface ValueOf {
  /** The reason why it has none. */
  mistake?: string | null;
  /** The operands in it, from left to right, without literals. */
  operands?: ValueOf[];
  /** The expression. */
  text: string;
  /** Its value; omitted if there is a mistake. */
  value?: unknown;
}

/** The values of expressions. */
export interface Values {
  /** The number of the record. */
  at: number;
  /** One for each text. */
  values: ValueOf[];
}

/** A tree as it is shown. */
export interface View {
  /** The agent that its root names. */
  agent?: string | null;
  /** The nodes, each before those below it. */
  cards: Card[];
  /** Its name in other trees. */
  name: string;
  /** The `idx` of the root. */
  root: number;
}

/** A leaf that waits. */
export interface WaitingLeaf {
  /** Its `idx` in the file. */
  idx: number;
  /** The name of its tree. */
  tree: string;
  /** The leaf and the reason for its wait, in words. */
  waits: string;
}

/** The studio's greeting. */
export interface Welcome {
  /** The version of the protocol. */
  protocol: number;
  /** `bt-studio`. */
  server: string;
  /** The version of bt-studio. */
  version: string;
}

/** A key or a property that was written. */
export interface Written {
  /** The key, as the picture's blackboard has it. */
  key?: string | null;
  /** The record that wrote it last. */
  no: number;
  /** The property. */
  property?: string | null;
}

/** The methods: parameters and result of each. */
export interface Methods {
  /** Begins a conversation: the first request of every connection. */
  "hello": [Hello, Welcome];
  /** Shows what is open: folders, trees, kinds and the catalogue. */
  "project.get": [GetProject, Project];
  /** Opens a tree file. */
  "doc.open": [OpenDocument, Document];
  /** Makes a new tree of a root alone. It is on the disk once it is saved. */
  "doc.new": [NewDocument, Document];
  /** Edits the tree of a document. */
  "doc.edit": [EditDocument, Changed];
  /** Replaces stretches of a document's text: undo, redo, and edits of the text itself. */
  "doc.replace": [ReplaceText, Changed];
  /** Saves a document. It is refused if the file has changed on the disk since it was opened. */
  "doc.save": [SaveDocument, Saved];
  /** Reads a document from the disk again. */
  "doc.reload": [ReloadDocument, Document];
  /** Closes a document. */
  "doc.close": [CloseDocument, Done];
  /** Copies nodes as a text. */
  "doc.fragment": [GetFragment, Fragment];
  /** Shows what there is to know of a node. */
  "node.info": [GetNode, NodeInfo];
  /** Shows the keys that a tree declares and uses. */
  "tree.keys": [GetKeys, TreeKeys];
  /** Makes a copy of a tree file. */
  "tree.copy": [CopyTree, Done];
  /** Removes a tree file. A document of it stays open, and can be saved again. */
  "tree.remove": [RemoveTree, Done];
  /** Finds the places where something is used, in all trees. */
  "usages": [FindUsages, Places];
  /** Gives something another name, in all trees: in open documents as a change, in other files on the disk. */
  "rename": [Rename, Renamed];
  /** Finds a text in all trees. */
  "find": [Find, Places];
  /** Replaces a text in all trees: in open documents as a change, in other files on the disk. */
  "replace": [Replace, Renamed];
  /** Keeps nodes under a name, in the project's settings. */
  "snippet.save": [SaveSnippet, Done];
  /** Removes nodes that are kept under a name. */
  "snippet.remove": [RemoveSnippet, Done];
  /** Lists the git revisions that changed a tree. */
  "git.revisions": [ListRevisions, Revisions];
  /** Compares two versions of a tree. */
  "diff.tree": [DiffTrees, TreeDiff];
  /** Reads the catalogue anew, or exports the package again. The event `catalogue` says when it is there. */
  "catalogue.refresh": [RefreshCatalogue, Done];
  /** Lists the games that run, and what the studio is attached to. */
  "games.list": [ListGames, Games];
  /** Attaches to a running game, opens a recording or a log, or listens for the original's posts. What is attached to already is the same session. */
  "game.attach": [AttachGame, Session];
  /** Ends a session, for all pages. Without that it ends a minute after the last page is gone. */
  "game.detach": [DetachGame, Done];
  /** Asks a game what its port knows, or changes something in it. Recordings answer what they can. */
  "game.call": [CallGame, CalledGame];
  /** Shows a tree as a game has it. */
  "game.tree": [GetGameTree, GameTree];
  /** Shows rows of the table of a game's agents. */
  "game.agents": [ListAgents, AgentTable];
  /** Keeps what an agent does from now on; of a recording, all that it did. The event `game.progress` says what has come. */
  "game.follow": [FollowAgent, History];
  /** Forgets what an agent did, unless another page follows it. */
  "game.unfollow": [UnfollowAgent, Done];
  /** Shows polls of an agent, by their places. */
  "game.polls": [GetPolls, PollPage];
  /** Shows records of an agent, by their numbers. */
  "game.rows": [GetRows, RowPage];
  /** Finds the records that a filter leaves. It looks at them in pieces; the event `game.filtered` says how far it is. */
  "game.filter": [FilterRows, Filtered];
  /** Finds the next record with a text. */
  "game.find": [FindRow, FoundRow];
  /** Shows what there was in an agent after a record. */
  "game.moment": [GetMoment, Moment];
  /** Evaluates expressions over what there was in an agent after a record, each with its operands. */
  "game.values": [GetValues, Values];
  /** Shows a history in parts, to be drawn. */
  "game.timeline": [GetTimeline, Timeline];
  /** Finds who wrote a key or a property last, or why a node failed, was aborted or was not entered. */
  "game.cause": [FindCause, Cause];
  /** Saves what is kept of agents as a recording. */
  "game.record": [SaveHistory, SavedHistory];
  /** Writes a comment on a record. Those on recordings and logs are kept in a file beside them. */
  "game.comment": [CommentRow, Comments];
  /** Plays a tree without its game: a session as of a game, in which actions wait to be ended. Its state comes with the event `play`; `game.detach` ends it. */
  "play.start": [StartPlay, Session];
  /** Shows a play as it is now. */
  "play.get": [GetPlay, PlayState];
  /** Lets the time of a play pass, or stand still. */
  "play.pace": [SetPlayPace, Done];
  /** Gives a method an answer that stands. */
  "play.answer": [AnswerPlay, Done];
  /** Ends an action that waits. */
  "play.finish": [FinishPlay, Done];
  /** Sets a key or a property of a play. */
  "play.set": [SetInPlay, Done];
  /** Fires an event in a play. */
  "play.fire": [FirePlay, Done];
  /** Begins a play anew, at 0; answers stay. */
  "play.again": [RestartPlay, Done];
  /** Writes a play as a scenario, for `bt-meta test`. */
  "play.scenario": [GetPlayScenario, PlayScenario];
  /** Saves a play as a scenario. */
  "play.save": [SavePlay, PlayScenario];
  /** Plays all scenarios below the folders, and says what they show of the trees. */
  "scenarios.run": [RunScenarios, ScenarioReport];
  /** Shows the breakpoints of the project. */
  "breakpoints.get": [GetBreakpoints, Breakpoints];
  /** Replaces the breakpoints of the project. Every game that is attached gets them, now and when it is back. */
  "breakpoints.put": [PutBreakpoints, Breakpoints];
}

/** The events: the parameters of each. */
export interface Events {
  /** The problems of a file, after it has changed or been checked again. */
  "problems": Problems;
  /** Tree files are new, have changed, or are gone. */
  "trees": TreesChanged;
  /** An open file has changed on the disk. */
  "disk": DiskChanged;
  /** Nodes of a document look different for what changed in other files. */
  "cards": CardsChanged;
  /** The snippets have changed. */
  "snippets": SnippetsChanged;
  /** There is another catalogue. */
  "catalogue": CatalogueChanged;
  /** A package is still being built. */
  "building": Building;
  /** Something that a person should know. */
  "notice": Notice;
  /** A session is new, or stands otherwise: lost, back, with other trees, stopped agents or forced nodes. */
  "game": Session;
  /** A session is no more. */
  "game.detached": DetachGame;
  /** Records of an agent that this page follows have come, at most 20 times a second. */
  "game.progress": History;
  /** A game said something unasked: an event of its port. */
  "game.event": GameEvent;
  /** A game was given a tree that was saved. It comes again when agents that had to wait have moved. */
  "game.reloaded": GameReloaded;
  /** A filter of this page has read more records, at most 20 times a second. */
  "game.filtered": Filtered;
  /** A play is as it says, at most 20 times a second. */
  "play": PlayState;
  /** The breakpoints of the project are others. */
  "breakpoints": Breakpoints;
}
