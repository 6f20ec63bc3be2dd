// What the page and the server of bt-studio say to each other, version 1.
// Made from the table of methods: `cargo xtask bless` writes it anew.

/** The version of the protocol. */
export const VERSION = 1;

/** An argument. */
export interface ArgumentInfo {
  /** Its place in the file's list; none if it is not given. */
  at?: number | null;
  /** The only values. */
  choices?: unknown[] | null;
  /** What it is for. */
  comment: string;
  /** What it is where it is left out. */
  default?: unknown;
  /** Whether it should not be given any more. */
  deprecated: boolean;
  /** The key that it is read from or written to. */
  key?: string | null;
  /** The largest value. */
  max?: unknown;
  /** The smallest value. */
  min?: unknown;
  /** Where its value comes from; none if it is not given. */
  mode?: ArgumentMode | null;
  /** Its name; empty of one that the method does not have. */
  name: string;
  /** Whether it may be left out. */
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
  /** Whether the call writes it: then it needs a key. */
  writes: boolean;
}

/** Where the value of an argument comes from. */
export type ArgumentMode =
  /** It stands in the file. */
  | "literal"
  /** A key of the blackboard. */
  | "key"
  /** A property of the agent. */
  | "property";

/** A line about something that is attached to a node. */
export interface AttachedLine {
  /** What happens. */
  what: string;
  /** What it is, or when it happens. */
  when: string;
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
  /** What it does, on one line. */
  brief: string;
  /** `action`, `condition`, `decorator`, `guard`, `effect`, `service` or `reset_if`. */
  caller: string;
  /** What to use instead, if it should not be used any more. */
  deprecated?: string | null;
  /** Whether the agent has such a method. */
  known: boolean;
  /** The method's name, as the file has it. */
  name: string;
  /** The key of the name in that object. */
  name_key: string;
  /** Where it is defined, as `file:line`. */
  origin?: string | null;
  /** Its name now, if the file has an old one. */
  renamed?: string | null;
  /** What it returns. */
  returns: string;
}

/** A node as it is shown. */
export interface Card {
  /** A call's arguments. */
  arguments: string;
  /** What is attached to it, from the outside in. */
  attached: AttachedLine[];
  /** The path of the tree that it runs, if there is one of that name. */
  calls?: string | null;
  /** The `idx` of each node below it, in the order in which they run. */
  children: number[];
  /** Whether what is below it is hidden. */
  collapsed: boolean;
  /** Its colour as 0xRRGGBBAA; none if it is white. */
  color?: number | null;
  /** What a person wrote on it. */
  comment: string;
  /** Whether it is passed over when the tree runs. */
  disabled: boolean;
  /** `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree`, `control` or `unknown`. */
  group: string;
  /** Its number in the file. */
  idx: number;
  /** Its kind, as the file spells it. */
  kind: string;
  /** What else its kind takes. */
  parameters: string;
  /** The `idx` of the node above it; none of the root. */
  parent?: number | null;
  /** Its JSON pointer in the file. */
  pointer: string;
  /** One or two characters for its kind. */
  symbol: string;
  /** What it is called: a call's name, else its kind. */
  title: string;
  /** Whether there is no such kind. */
  unknown_kind: boolean;
}

/** Another catalogue. */
export interface CatalogueChanged {
  /** The full names of the agents. */
  agents: string[];
  /** The catalogue, as `agents.json` has it; null if there is none. */
  catalogue: unknown;
  /** The kinds of nodes. */
  kinds: KindInfo[];
  /** Why it could not be refreshed; it is the one before then. */
  problem?: string | null;
}

/** What a change did. */
export interface Changed {
  /** The agent that the root names. */
  agent?: string | null;
  /** The nodes that are new or look different. */
  cards: Card[];
  /** The `idx` of each node that an edit made, in the order of the edits. */
  created: number[];
  /** Other documents that it changed, as `extract` does. */
  documents?: Document[];
  /** Whether the text is a tree. If it is not, the nodes before are no longer shown, and the findings say why; when it is one again, `cards` has all of its nodes. */
  is_tree: boolean;
  /** The `idx` of each node that is gone. */
  removed: number[];
  /** The new revision. */
  revision: number;
  /** The `idx` of the root, if it is another one. */
  root?: number | null;
  /** What changed in the text before, in its order. */
  splices: Splice[];
}

/** Which document is no longer needed. */
export interface CloseDocument {
  /** Whether what was not saved is thrown away; else it stays as a draft. */
  discard: boolean;
  /** The document's number. */
  doc: number;
}

/** Which two versions. */
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
  /** Whether it is there. */
  exists: boolean;
  /** What the file on the disk is known by; empty if it is gone. */
  hash: string;
}

/** An open file. */
export interface Document {
  /** Its number, which requests name. */
  doc: number;
  /** What was not saved when it was edited last. */
  draft?: Draft | null;
  /** Its problems, as far as they are known at once. */
  findings: Finding[];
  /** What its text on the disk is known by; empty if it is not on the disk. */
  hash: string;
  /** What other trees call it. */
  name: string;
  /** Its path. */
  path: string;
  /** How often it was changed since it was opened. */
  revision: number;
  /** Whether it is an indented script: it is edited as text, and saved as a tree under another name. */
  script: boolean;
  /** Its text. */
  text: string;
  /** What is shown of it; null where the text is no tree. */
  view?: View | null;
}

/** It is done, or has begun. */
export interface Done {
}

/** A text that was not saved. */
export interface Draft {
  /** What the file on the disk was known by when it was edited; empty if there was none. */
  hash: string;
  /** The text. */
  text: string;
  /** When it was kept, in milliseconds since 1970. */
  when: number;
}

/** A change of a tree. Everything in the text that it need not change stays as it is. */
export type Edit =
  /** Makes a new node below another. */
  | {
      /** Its place among the children, from 0; the last if it is left out. */
      at?: number | null;
      do: "insert";
      /** What else its `extra` has. */
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
      /** What its `extra` has. */
      extra?: Record<string, unknown> | null;
      /** The new node's kind. */
      kind: string;
      /** The nodes. */
      nodes: number[];
    }
  /** Removes nodes, and all that is below them. */
  | {
      do: "remove";
      /** Whether what is below them takes their places instead. */
      keep_children?: boolean;
      /** The nodes. */
      nodes: number[];
    }
  /** Moves nodes below another. */
  | {
      /** Their place among its other children, from 0, those that move not counted; the last if it is left out. */
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
      /** Their place among its children, from 0; the last if it is left out. */
      at?: number | null;
      do: "paste";
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

/** Which edits of which document. */
export interface EditDocument {
  /** The document's number. */
  doc: number;
  /** Made one after the other; if one is refused, none is made. */
  edits: Edit[];
  /** The revision that the edits are of. */
  revision: number;
}

/** An event. */
export interface EventInfo {
  /** When it happens. */
  brief: string;
  /** Its name. */
  name: string;
  /** Its parameters. */
  parameters: ParameterInfo[];
}

/** Why a request was refused. */
export interface Failure {
  /** What kind of reason it is, as a number: one of JSON-RPC, of the port of a game, or 10 stale, 11 conflict. */
  code: number;
  /** What helps to go on: of a stale revision the document's `revision` and `text`; of a conflict the `text` and `hash` of what is on the disk, and whether the file `exists`. */
  data?: unknown;
  /** The reason, in words. */
  message: string;
}

/** What is changed in one file. */
export interface FileChange {
  /** What the change did in the document; none in a preview. */
  changed?: Changed | null;
  /** The document that it is open as; without one the file on the disk is changed. */
  doc?: number | null;
  /** The nodes that change. */
  nodes: number[];
  /** Its path. */
  path: string;
  /** What changes in the text before, in its order. */
  splices: Splice[];
}

/** What is looked for. */
export interface Find {
  /** Whether capital letters count. */
  case?: boolean;
  /** Where; everywhere if it is empty. */
  in?: FindIn[];
  /** Whether the text is a regular expression. */
  regex?: boolean;
  /** The text. */
  text: string;
}

/** Where a text is looked for. */
export type FindIn =
  /** The names of actions, conditions, events and trees, and kinds. */
  | "name"
  /** Texts and numbers of arguments. */
  | "argument"
  /** Comments. */
  | "comment"
  /** Keys of the blackboard and properties. */
  | "key"
  /** All other texts and numbers. */
  | "other";

/** What is looked for. */
export interface FindUsages {
  /** What. */
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
  /** What the edit `fix` would do, in words; none where nothing is certain. */
  fix?: string | null;
  /** What to do about it. */
  help?: string | null;
  /** `error` or `warning`. */
  level: string;
  /** The line in the text, from 1. */
  line?: number | null;
  /** What was expected and what was found. */
  message: string;
  /** The code's name. */
  name: string;
  /** The node's `idx`, if it is about one. */
  node?: number | null;
  /** The JSON pointer of the value in the file; empty for the whole file. */
  pointer: string;
}

/** An opened folder. */
export interface FolderEntry {
  /** What the paths of its trees begin with, if several are open. */
  name: string;
  /** Where it is, for people. */
  path_shown: string;
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
  /** What stands there, for people. */
  shown: string;
}

/** Nodes as a text. */
export interface Fragment {
  /** A JSON text that the edit `paste` takes, in any document. */
  text: string;
}

/** Which nodes are to be copied. */
export interface GetFragment {
  /** The document's number. */
  doc: number;
  /** The nodes; what is below them belongs to them. */
  nodes: number[];
}

/** Which node. */
export interface GetNode {
  /** The document's number. */
  doc: number;
  /** The node. */
  node: number;
}

/** Nothing. */
export interface GetProject {
}

/** Begins a conversation. */
export interface Hello {
  /** The version of the protocol that the page speaks. */
  protocol: number;
  /** The token of the address that the studio printed. */
  token: string;
}

/** A key of the blackboard. */
export interface KeyInfo {
  /** The node that declares it. */
  declared_by?: number | null;
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
  /** What a node does, on one line. */
  brief: string;
  /** What to use instead, if it should not be used. */
  deprecated?: string | null;
  /** `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree` or `control`. */
  group: string;
  /** Whether it takes no children. */
  leaf: boolean;
  /** The most children; there is no limit where it is left out. */
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

/** Of which tree. */
export interface ListRevisions {
  /** Its path. */
  path: string;
}

/** What is to be made. */
export interface NewDocument {
  /** The agent that its root names. */
  agent: string;
  /** The comment of its root. */
  comment?: string | null;
  /** The path where it is to be saved. */
  path: string;
}

/** What became of a node. */
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

/** A node of one or both. */
export interface NodeDiff {
  /** What became of it. */
  change: NodeChange;
  /** Its `idx` on the left. */
  left?: number | null;
  /** Its `idx` on the right. */
  right?: number | null;
  /** What differs, a line for each. */
  what: string[];
}

/** A node. */
export interface NodeInfo {
  /** The methods that its attachments call. */
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
}

/** Something that a person should know. */
export interface Notice {
  /** `info`, `warning` or `error`. */
  level: string;
  /** What. */
  text: string;
}

/** Which file. */
export interface OpenDocument {
  /** Its path, as the project lists it. */
  path: string;
}

/** A parameter of an event. */
export interface ParameterInfo {
  /** What it is. */
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
  /** Whether an SVG is drawn. */
  svg?: boolean;
}

/** The places where something is. */
export interface Places {
  /** In the order of the paths and of the texts; at most 10,000. */
  places: FoundPlace[];
  /** How many more there are. */
  unlisted: number;
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

/** What is open. */
export interface Project {
  /** The full names of the agents. */
  agents: string[];
  /** The catalogue, as `agents.json` has it; null if there is none. */
  catalogue: unknown;
  /** The opened folders. */
  folders: FolderEntry[];
  /** The kinds of nodes, in the order in which an editor offers them. */
  kinds: KindInfo[];
  /** The package whose agents the trees are for. */
  package?: string | null;
  /** Why there is no catalogue, or why it is an old one. */
  problem?: string | null;
  /** Whether no file is written. */
  read_only: boolean;
  /** What the window is called. */
  title: string;
  /** The trees, sorted by path. */
  trees: TreeEntry[];
}

/** A property of an agent. */
export interface PropertyInfo {
  /** What it is. */
  brief: string;
  /** Its name. */
  name: string;
  /** Whether it can only be read. */
  read_only: boolean;
  /** Its type, for people. */
  type_shown: string;
}

/** Nothing. */
export interface RefreshCatalogue {
}

/** Which document is to be read again. */
export interface ReloadDocument {
  /** The document's number. */
  doc: number;
}

/** What gets another name. */
export interface Rename {
  /** What. */
  of: Thing;
  /** Whether nothing is changed. */
  preview: boolean;
  /** Its new name; of a tree, its new path. */
  to: string;
}

/** What is changed, file by file. */
export interface Renamed {
  /** The files that change. */
  files: FileChange[];
  /** The new path of a tree that was renamed. */
  path?: string | null;
}

/** What is to be replaced, and by what. */
export interface Replace {
  /** Whether capital letters count. */
  case?: boolean;
  /** Where; everywhere if it is empty. */
  in?: FindIn[];
  /** Whether nothing is changed. */
  preview: boolean;
  /** Whether the text is a regular expression; `$1` in `with` then stands for its first group. */
  regex?: boolean;
  /** The text that is looked for. */
  text: string;
  /** What takes its place. */
  with: string;
}

/** Which stretches of which text. */
export interface ReplaceText {
  /** The document's number. */
  doc: number;
  /** The revision that the places are of. */
  revision: number;
  /** In the order of the text, not overlapping. */
  splices: Splice[];
}

/** A git revision. */
export interface Revision {
  /** Who made it. */
  author: string;
  /** Its id. */
  id: string;
  /** The first line of its message. */
  subject: string;
  /** When it was made, as `2026-11-23T14:05:00+01:00`. */
  when: string;
}

/** The git revisions that changed a file. */
export interface Revisions {
  /** The newest first, at most 200. */
  revisions: Revision[];
}

/** Which document, and where to. */
export interface SaveDocument {
  /** The document's number. */
  doc: number;
  /** What the file on the disk is known by, if it is to be overwritten although it has changed; empty if there is none. */
  hash?: string | null;
  /** Another path, where it is to be saved from now on. */
  path?: string | null;
  /** A picture that is written beside it. */
  picture?: Picture | null;
  /** The revision that is to be saved. */
  revision: number;
}

/** Where it was saved. */
export interface Saved {
  /** What the file is known by now. */
  hash: string;
  /** What other trees call it. */
  name: string;
  /** Its path. */
  path: string;
  /** The paths of the pictures. */
  pictures: string[];
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

/** A stretch of a text, and what takes its place. All splices of a change have places in the text before it. */
export interface Splice {
  /** The first place, in UTF-16 code units. */
  from: number;
  /** What stands there instead. */
  text: string;
  /** The place after the last one. */
  to: number;
}

/** Something with a name that trees use. */
export interface Thing {
  /** The agent that it belongs to, if others may have the same name. */
  agent?: string | null;
  /** What it is. */
  kind: ThingKind;
  /** Its name; of a tree, what other trees call it. */
  name: string;
  /** Of a key: the path of the tree that it is looked for in; all trees if it is left out. */
  path?: string | null;
}

/** What something with a name is. */
export type ThingKind =
  /** A tree. */
  | "tree"
  /** An action. */
  | "action"
  /** A condition. */
  | "condition"
  /** A decorator. */
  | "decorator"
  /** A key of the blackboard. */
  | "key"
  /** An event. */
  | "event"
  /** A property of an agent. */
  | "property"
  /** An agent. */
  | "agent";

/** What differs. */
export interface TreeDiff {
  /** The one before. */
  left: View;
  /** What differs, in words. */
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
  /** Whether it was changed on the disk since it was opened. */
  changed_on_disk: boolean;
  /** The comment of its root. */
  comment: string;
  /** How many errors it has; 0 until it has been looked at. */
  errors: number;
  /** What other trees call it. */
  name: string;
  /** Its path in its folder, with `/` between the parts; the folder's name comes first if several are open. */
  path: string;
  /** How many warnings it has. */
  warnings: number;
}

/** Trees that have changed. */
export interface TreesChanged {
  /** Those that are new or have changed. */
  changed: TreeEntry[];
  /** The paths of those that are gone. */
  removed: string[];
}

/** A tree as it is shown. */
export interface View {
  /** The agent that its root names. */
  agent?: string | null;
  /** The nodes, each before those below it. */
  cards: Card[];
  /** What other trees call it. */
  name: string;
  /** The `idx` of the root. */
  root: number;
}

/** Who answers. */
export interface Welcome {
  /** The version of the protocol. */
  protocol: number;
  /** `bt-studio`. */
  server: string;
  /** The version of bt-studio. */
  version: string;
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
  /** Finds the places where something is used, in all trees. */
  "usages": [FindUsages, Places];
  /** Gives something another name, in all trees: in open documents as a change, in other files on the disk. */
  "rename": [Rename, Renamed];
  /** Finds a text in all trees. */
  "find": [Find, Places];
  /** Replaces a text in all trees: in open documents as a change, in other files on the disk. */
  "replace": [Replace, Renamed];
  /** Lists the git revisions that changed a tree. */
  "git.revisions": [ListRevisions, Revisions];
  /** Compares two versions of a tree. */
  "diff.tree": [DiffTrees, TreeDiff];
  /** Reads the catalogue anew, or exports the package again. The event `catalogue` says when it is there. */
  "catalogue.refresh": [RefreshCatalogue, Done];
}

/** The events: the parameters of each. */
export interface Events {
  /** The problems of a file, after it has changed or been looked at again. */
  "problems": Problems;
  /** Tree files are new, have changed, or are gone. */
  "trees": TreesChanged;
  /** An open file has changed on the disk. */
  "disk": DiskChanged;
  /** There is another catalogue. */
  "catalogue": CatalogueChanged;
  /** Something that a person should know. */
  "notice": Notice;
}
