// What a port of bt-live and its clients say to each other, version 1.
// Made from the table of methods: `cargo xtask bless` writes it anew.

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

/** Some agents. */
export interface AgentPage {
  /** The agents. */
  agents: AgentEntry[];
  /** The start of the next page; none if this is the last. */
  next?: string | null;
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

/** The state of an agent. */
export interface AgentState {
  /** The registered name of its type. */
  agent_type: string;
  /** True if the tree failed in the last poll. */
  failed: boolean;
  /** The number of times that a node of it failed since the profile was started; omitted where none runs. */
  failures?: number | null;
  /** The number of its nodes that have a forced result. */
  forced: number;
  /** The id for requests. */
  id: string;
  /** The first leaf that waits. */
  leaf?: LeafState | null;
  /** The number of leaves that wait. */
  leaves: number;
  /** The name for people. */
  name: string;
  /** True if it is paused. */
  paused: boolean;
  /** The number of diagnostics, of the last 32. */
  problems: number;
  /** True if the tree runs, or is about to. */
  running: boolean;
  /** True if it is stopped at a breakpoint or by a step. */
  stopped: boolean;
  /** Its current tree. */
  tree: string;
}

/** The agent. */
export interface Break {
  /** The agent's id. */
  agent: string;
}

/** A breakpoint. */
export interface BreakpointEntry {
  /** Its id, which no other of this port has. */
  id: number;
  /** True if it is this client's. */
  own: boolean;
  /** The breakpoint. */
  spec: BreakpointSpec;
}

/** The breakpoints of all clients, or those that were set. */
export interface BreakpointList {
  /** In the order in which they were set. */
  breakpoints: BreakpointEntry[];
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

/** The action. */
export interface CallAction {
  /** The action's name. */
  action: string;
  /** The agent's id. */
  agent: string;
  /** Its arguments: an array by position, or an object by name. */
  args?: unknown;
}

/** The outcome of a call. */
export interface CallOutcome {
  /** `success`, `failure`, or `pending` if it has begun something that takes its time. */
  outcome: string;
}

/** The catalogue. */
export interface CatalogueText {
  /** The content of `agents.json`. */
  catalogue: unknown;
  /** The hash of its text. */
  hash: string;
}

/** The texts. */
export interface CheckTrees {
  /** By the names of the trees; those that are not named stay as they are. */
  trees: Record<string, string>;
}

/** The problems of trees. */
export interface Checked {
  /** The number of agents that move to other trees. */
  moved: number;
  /** Everything that is wrong, as `bt-meta validate` says it; nothing was changed if there is something. */
  problems: TreeProblem[];
}

/** An agent that was stopped continues. */
export interface Continued {
  /** Its id. */
  agent: string;
}

/** Something that had no room, and is shown in part: texts, arrays and objects say at their end how much is missing. */
export interface Cut {
  /** Its place, as a JSON pointer. */
  at: string;
  /** The number of bytes of a text, items or entries that are missing. */
  missing: number;
}

/** An agent is no more. */
export interface Despawned {
  /** Its id. */
  agent: string;
}

/** It is done. */
export interface Done {
}

/** Records were dropped. */
export interface Dropped {
  /** The agent's id. */
  agent: string;
  /** The number of records. */
  records: number;
}

/** The agent, and of a recording the time. */
export interface Explain {
  /** The agent's id. */
  agent: string;
  /** Of a recording: the time, in nanoseconds of the game's clock; its end if it is not said. */
  at?: number | null;
}

/** The reasons why an agent waits. */
export interface Explained {
  /** The parts that had no room. */
  cut?: Cut[];
  /** For programs: what `bt-meta explain-run --json` prints. */
  explanation: unknown;
  /** For people. */
  text: string;
}

/** The file, and the part of it. */
export interface FetchRecording {
  /** The file's name. */
  name: string;
  /** From which byte on. */
  offset: number;
}

/** A part of a file. */
export interface Fetched {
  /** The bytes, in Base64; none at the end of the file. */
  base64: string;
  /** The present number of bytes of the file. */
  bytes: number;
}

/** The leaf, and its result. */
export interface Finish {
  /** The agent's id. */
  agent: string;
  /** The leaf's `idx` in the file. */
  idx: number;
  /** True if with success. */
  success: boolean;
  /** The name of the leaf's tree. */
  tree: string;
}

/** The event. */
export interface Fire {
  /** The agent's id. */
  agent: string;
  /** The event's name. */
  event: string;
  /** Its parameters, by name. */
  params?: Record<string, unknown>;
}

/** The agent, and the form of its records. */
export interface Follow {
  /** The agent's id. */
  agent: string;
  /** True if its records are kept, as in a recording: a snapshot comes every 2,000 records, and the records say why the agent waits whenever that changes. */
  recorded?: boolean;
}

/** The node, and its forced result. */
export interface Force {
  /** The agent's id. */
  agent: string;
  /** `success`, `failure` or `disabled`; as before if it is not said. */
  forced?: string | null;
  /** The node's `idx`. */
  idx: number;
  /** The node's tree. */
  tree: string;
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

/** The nodes whose result is forced, of all agents. */
export interface ForcedList {
  /** In the order of the agents' ids. */
  forced: ForcedOf[];
}

/** A node of an agent whose result is forced. */
export interface ForcedOf {
  /** The agent's id. */
  agent: string;
  /** `success`, `failure` or `disabled`. */
  forced: string;
  /** Its `idx`. */
  idx: number;
  /** Its tree. */
  tree: string;
}

/** Nothing. */
export interface GetCatalogue {
}

/** Of which agent, and of a recording when. */
export interface GetPicture {
  /** The agent's id. */
  agent: string;
  /** Of a recording: the time, in nanoseconds of the game's clock; its end if it is not said. */
  at?: number | null;
}

/** Nothing. */
export interface GetProfile {
}

/** Nothing. */
export interface GetReloadReport {
}

/** Nothing. */
export interface GetStatistics {
}

/** The tree. */
export interface GetTree {
  /** Its name. */
  name: string;
  /** The number of the page, from 0: `next` of the page before. */
  page?: number | null;
}

/** The value of an agent, and the part of it. */
export interface GetValue {
  /** Only what comes after that: `next` of the page before. */
  after?: string | null;
  /** The agent's id. */
  agent: string;
  /** Its place in the agent's picture, as a JSON pointer: `/blackboard/KEY`, `/properties/NAME` or something in them; `/blackboard` for all keys. */
  at: string;
}

/** Begins a conversation. */
export interface Hello {
  /** The client's own name. */
  client?: string | null;
  /** The token of the port, if the connection's header did not have it. */
  token?: string | null;
}

/** A leaf that waits. */
export interface LeafState {
  /** Its `idx` in the file. */
  idx: number;
  /** The name of its action or event; empty where it has none. */
  name: string;
  /** Since when it waits, in nanoseconds of the game's clock. */
  since: number;
  /** The name of its tree. */
  tree: string;
  /** The file's word for its kind. */
  type: string;
}

/** The agents to list. */
export interface ListAgents {
  /** Only those after that id: `next` of the page before. */
  after?: string | null;
  /** Only those whose name, type or tree contains this. */
  filter?: string | null;
  /** The number of agents, at most 1,000; the default is 100. */
  limit?: number | null;
}

/** Nothing. */
export interface ListBreakpoints {
}

/** Nothing. */
export interface ListForced {
}

/** Nothing. */
export interface ListRecordings {
}

/** The agents to list. */
export interface ListStates {
  /** Only those after that id: `next` of the page before. */
  after?: string | null;
  /** The number of agents, at most 1,000; the default is 100. */
  limit?: number | null;
}

/** Nothing. */
export interface ListStops {
}

/** Nothing. */
export interface ListTrees {
}

/** The tree. */
export interface Load {
  /** The agent's id. */
  agent: string;
  /** The tree's name. */
  tree: string;
}

/** The place of a node. */
export interface NodePosition {
  /** The column, from 1. */
  column: number;
  /** Its `idx`. */
  idx: number;
  /** The line, from 1. */
  line: number;
  /** The file's word for its kind. */
  type: string;
}

/** The agent. */
export interface Pause {
  /** The agent's id. */
  agent: string;
  /** True if it stays so when this client goes. */
  keep?: boolean;
}

/** The counts of nodes. */
export interface ProfileTable {
  /** The number of agents that are counted. */
  agents: number;
  /** The nodes that ran, by tree and number. */
  nodes: ProfiledNode[];
}

/** The counts of a node. */
export interface ProfiledNode {
  /** The number of times that it was aborted. */
  aborted: number;
  /** The number of calls that were made for it, those of its guards included. */
  calls: number;
  /** The number of times that it was entered. */
  entered: number;
  /** The number of times that it ended with failure. */
  failed: number;
  /** Its number. */
  idx: number;
  /** The time of its own calls and decisions, without those of its children, in nanoseconds. */
  ns: number;
  /** The number of times that it ended with success. */
  succeeded: number;
  /** Its tree. */
  tree: string;
}

/** A recording. */
export interface RecordingEntry {
  /** The number of its bytes. */
  bytes: number;
  /** The file's name. */
  name: string;
}

/** The recordings. */
export interface RecordingList {
  /** In the order of their names. */
  recordings: RecordingEntry[];
}

/** The effects of the last reload on all agents, but no more than 10,000. */
export interface ReloadReport {
  /** The nodes that were exited, as they were before. */
  aborted: ReloadedNode[];
  /** New nodes around such, active from then on. */
  adopted: ReloadedNode[];
  /** The nodes that were entered in their place. */
  entered: ReloadedNode[];
  /** The nodes that stayed active. */
  kept: ReloadedNode[];
  /** The number of agents that run other trees by now. */
  moved: number;
  /** The values that could not be kept, in words; at most 100. */
  problems: string[];
  /** The number of those that continue with the old trees, because one that they run is gone. */
  stayed: number;
  /** The number of those that will, when they are polled next. */
  waiting: number;
}

/** The texts. */
export interface ReloadTrees {
  /** By the names of the trees; those that are not named stay as they are. */
  trees: Record<string, string>;
}

/** Trees were replaced. */
export interface Reloaded {
  /** The new hashes of all trees, by name. */
  trees: Record<string, string>;
}

/** A node, and of how many agents. */
export interface ReloadedNode {
  /** The number of agents. */
  agents: number;
  /** Its `idx`. */
  idx: number;
  /** Its tree. */
  tree: string;
  /** The file's word for its kind. */
  type: string;
}

/** The agent. */
export interface Reset {
  /** The agent's id. */
  agent: string;
}

/** The agent. */
export interface Resume {
  /** The agent's id. */
  agent: string;
}

/** The breakpoints. */
export interface SetBreakpoints {
  /** All breakpoints of this client from now on. */
  breakpoints: BreakpointSpec[];
  /** True if a stop at one of them also sets the game's speed to 0. */
  stop_all?: boolean;
}

/** The key. */
export interface SetKey {
  /** The agent's id. */
  agent: string;
  /** The key. */
  key: string;
  /** The new value. */
  value: unknown;
}

/** The property. */
export interface SetProperty {
  /** The agent's id. */
  agent: string;
  /** The property's registered name. */
  property: string;
  /** The new value. */
  value: unknown;
}

/** The speed. */
export interface SetSpeed {
  /** True if it stays so when this client goes. */
  keep?: boolean;
  /** From 0 to 16; 1 is normal. */
  speed: number;
}

/** Time passes at another speed. */
export interface SpeedChanged {
  /** The speed; 1 is normal. */
  speed: number;
}

/** The agent. */
export interface Start {
  /** The agent's id. */
  agent: string;
}

/** Of whom. */
export interface StartProfile {
  /** The agents' ids, at most 10,000; all that there are without it, but no more than that. */
  agents?: string[] | null;
}

/** Of whom. */
export interface StartRecording {
  /** The agents' ids, at most 1,000. */
  agents: string[];
  /** True if it continues when this client goes. */
  keep?: boolean;
  /** The file's name, without a folder: letters, digits, `-`, `_` and `.`. */
  name: string;
}

/** The states of some agents. */
export interface StatePage {
  /** The agents. */
  agents: AgentState[];
  /** The start of the next page; none if this is the last. */
  next?: string | null;
  /** The time on the game's clock, in nanoseconds. */
  now: number;
}

/** The port's statistics. */
export interface Statistics {
  /** The number of agents. */
  agents: number;
  /** The number of bytes of the records that were sent. */
  bytes: number;
  /** The number of clients that are connected. */
  clients: number;
  /** The number of records that were dropped, because a buffer was full. */
  dropped: number;
  /** The number of agents that are followed or recorded. */
  followed: number;
  /** The number of times that the host polled the port. */
  polls: number;
  /** The number of records that were sent. */
  records: number;
  /** The number of connections that were refused. */
  refused: number;
  /** The number of requests that it answered. */
  requests: number;
}

/** The agent, and the form of its records. */
export interface Step {
  /** The agent's id. */
  agent: string;
  /** Of `to`: the node's `idx`. */
  idx?: number | null;
  /** The number of the stop that it is at. */
  number: number;
  /** `continue`; `record`, to the next place where it can stop; `into`, to the next node; `over`, not below this one; `out`, to the end of the node above; `poll`, to the next poll; `to` a node. */
  step: string;
  /** Of `to`: the node's tree. */
  tree?: string | null;
}

/** The agent. */
export interface Stop {
  /** The agent's id. */
  agent: string;
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

/** The agents that are stopped. */
export interface StopList {
  /** In the order of their ids. */
  stops: StopEntry[];
}

/** Nothing. */
export interface StopProfile {
}

/** The recording. */
export interface StopRecording {
  /** The file's name. */
  name: string;
}

/** The trees. */
export interface TreeList {
  /** Their hashes, by name. */
  trees: Record<string, string>;
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

/** A tree. */
export interface TreeText {
  /** The hash of its text. */
  hash: string;
  /** Its name. */
  name: string;
  /** The number of the next page, of a tree that is too long for one: its text and nodes are what these have, one after the other. */
  next?: number | null;
  /** The places of its nodes. */
  nodes: NodePosition[];
  /** Its text. */
  text: string;
}

/** The agent. */
export interface Unfollow {
  /** The agent's id. */
  agent: string;
}

/** A page of a value. */
export interface ValuePage {
  /** The parts that had no room in this page: they have pages of their own. The places are in `value`. */
  cut?: Cut[];
  /** The start of the next page; none if this is the last. */
  next?: string | null;
  /** A part of a text, some items of an array, some entries of an object; or all of it. */
  value: unknown;
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

/** The game's greeting. */
export interface Welcome {
  /** The version of bt-live. */
  bt_live: string;
  /** The hash of the catalogue's text. */
  catalogue: string;
  /** The packages that registered agents. */
  crates: string[];
  /** The game's name. */
  game: string;
  /** True if methods that change the game are refused. */
  read_only: boolean;
  /** True if this is a recording, and no game. */
  recording: boolean;
  /** The speed of the game's time: 1 is normal. */
  speed: number;
  /** The hashes of the trees' texts, by name. */
  trees: Record<string, string>;
  /** The version of the protocol. */
  version: number;
}

/** The methods: parameters and result of each. */
export interface Methods {
  /** Begins a conversation: the first request of every connection. The token is not needed where the connection's `Authorization` header had it. */
  "hello": [Hello, Welcome];
  /** Lists agents in the order of their ids, a page at a time. */
  "agents.list": [ListAgents, AgentPage];
  /** Shows how agents stand, in the order of their ids, a page at a time: state, tree, the leaf that waits. */
  "agents.states": [ListStates, StatePage];
  /** Shows what there is in an agent now: trees, active nodes, waiting leaves, blackboard, properties. */
  "agent.picture": [GetPicture, AgentPicture];
  /** Shows a value of an agent's picture that had no room in it, a page at a time. */
  "agent.value": [GetValue, ValuePage];
  /** Explains why an agent waits. */
  "agent.explain": [Explain, Explained];
  /** Follows an agent: its records come as binary messages, a snapshot first. */
  "agent.follow": [Follow, Done];
  /** Follows an agent no more. */
  "agent.unfollow": [Unfollow, Done];
  /** Lists the trees with their hashes. */
  "trees.list": [ListTrees, TreeList];
  /** Shows the text of a tree, and where in it its nodes are. */
  "tree.text": [GetTree, TreeText];
  /** Finds what is wrong with texts of trees, among all others that there are, and changes nothing. */
  "trees.check": [CheckTrees, Checked];
  /** Replaces trees by others, if nothing is wrong with them; agents move to them when they are polled next. */
  "trees.reload": [ReloadTrees, Checked];
  /** Shows what the last reload did to the agents that have moved so far. */
  "trees.report": [GetReloadReport, ReloadReport];
  /** Shows the catalogue: what agents, actions, properties and events there are. */
  "catalogue": [GetCatalogue, CatalogueText];
  /** Counts what the port has done. */
  "statistics": [GetStatistics, Statistics];
  /** Counts from now on how often nodes run, how they end, and how long they take. There is one profile for all clients; it ends when the client goes that started it, and another start begins at zero. */
  "profile.start": [StartProfile, Done];
  /** Shows what was counted so far. */
  "profile.get": [GetProfile, ProfileTable];
  /** Ends the profile, and shows what was counted. */
  "profile.stop": [StopProfile, ProfileTable];
  /** Writes a key of an agent's blackboard. A declared type is checked. */
  "agent.set_key": [SetKey, Done];
  /** Writes a property of an agent. */
  "agent.set_property": [SetProperty, Done];
  /** Fires an event at an agent. Parameters of a registered event are checked. */
  "agent.fire": [Fire, Done];
  /** Calls an action of an agent, outside of its trees. One that would wait is not waited for, and its exit method is not called. */
  "agent.call": [CallAction, CallOutcome];
  /** Finishes a waiting leaf of an agent with success or failure. */
  "agent.finish": [Finish, Done];
  /** Starts an agent's tree, if it does not run. */
  "agent.start": [Start, Done];
  /** Stops an agent's tree: everything is aborted. */
  "agent.stop": [Stop, Done];
  /** Aborts everything, clears the blackboard and starts the tree again. */
  "agent.reset": [Reset, Done];
  /** Lets an agent run another tree. */
  "agent.load": [Load, Done];
  /** Pauses an agent. It is resumed when this client goes, unless that is not wanted. */
  "agent.pause": [Pause, Done];
  /** Resumes an agent. */
  "agent.resume": [Resume, Done];
  /** Replaces the breakpoints of this client. They go when it goes, and what they stopped continues. */
  "breakpoints.set": [SetBreakpoints, BreakpointList];
  /** Lists the breakpoints of all clients. */
  "breakpoints.list": [ListBreakpoints, BreakpointList];
  /** Lists the agents that are stopped. */
  "agents.stopped": [ListStops, StopList];
  /** Stops an agent at the next place where it can. When this client goes, it does not stop, or continues. */
  "agent.break": [Break, Done];
  /** Lets a stopped agent continue, as far as is said. */
  "agent.step": [Step, Done];
  /** Forces the result of a node until further notice: it is not entered. */
  "agent.force": [Force, Done];
  /** Lists the nodes whose result is forced, of all agents. */
  "agents.forced": [ListForced, ForcedList];
  /** Sets how fast the game's time passes: 1 is normal, 0 stops it. The host may not follow. When this client goes, it passes as before, unless that is not wanted. */
  "game.speed": [SetSpeed, Done];
  /** Starts a recording of agents in the folder that the host named. It ends when this client goes, unless that is not wanted. */
  "recording.start": [StartRecording, Done];
  /** Ends a recording. */
  "recording.stop": [StopRecording, RecordingEntry];
  /** Lists the recordings in the folder that the host named. */
  "recording.list": [ListRecordings, RecordingList];
  /** Reads a part of a recording's file. */
  "recording.fetch": [FetchRecording, Fetched];
}

/** The events: the parameters of each. */
export interface Events {
  /** Records did not fit into a client's buffer. A snapshot follows, and makes the stream whole. */
  "dropped": Dropped;
  /** An agent that is followed is no more. */
  "despawned": Despawned;
  /** An agent has stopped, by whichever client's breakpoint or step. */
  "stopped": StopEntry;
  /** An agent that was stopped continues. */
  "continued": Continued;
  /** Trees were replaced, by whichever client. */
  "reloaded": Reloaded;
  /** The game's time passes at another speed, by whichever client. */
  "speed": SpeedChanged;
}
