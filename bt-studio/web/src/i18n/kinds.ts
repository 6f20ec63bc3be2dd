// Kinds, settings, choices and problems in the language of the person.

import type { Card, Finding, KindInfo } from "../net/protocol.ts";
import { has, t } from "./index.ts";
import { kindsEn } from "./kinds.en.ts";
import { kindsZh } from "./kinds.zh.ts";

/** The kind's name as a person says it; of a kind that nobody knows the file's own. */
export function kindName(kind: string): string {
  return t(`kind.${kind}`, { defaultValue: kind });
}

/** The behaviour of a node of the kind, on one line. */
export function kindDoes(kind: KindInfo): string {
  return t(`does.${kind.name}`, { defaultValue: kind.brief });
}

/** The words by which a kind is found, beside its name: the file's, those of both languages and of other engines. */
export function kindWords(kind: string): string[] {
  const names: Record<string, string> = kindsEn;
  const words = [kind, names[`kind.${kind}`], kindsZh[`kind.${kind}`], ...(ELSEWHERE[kind] ?? [])];
  return words.filter((word) => word !== undefined);
}

/** The names that BehaviorTree.CPP, Unreal, LimboAI, behaviac and Unity's packages have for our kinds. */
const ELSEWHERE: Record<string, readonly string[]> = {
  sequence: ["sequencer", "and then"],
  select: ["selector", "fallback", "priority selector", "or else"],
  memory_sequence: ["sequence with memory"],
  memory_select: ["selector with memory", "fallback with memory"],
  reactive_sequence: ["active sequence", "dynamic sequence"],
  reactive_select: ["reactive fallback", "active selector", "dynamic selector", "selector monitor"],
  always_seq: ["run all", "sequence ignoring failure"],
  random_seq: ["shuffle", "random sequence", "sequence stochastic"],
  random_select: ["shuffle", "random selector", "selector stochastic"],
  probility: ["probability selector", "weighted random", "selector probability", "random"],
  parallel: ["simple parallel", "parallel all", "simultaneous"],
  switch: ["switch case", "case", "switch2", "switch3", "match"],
  utility: ["utility selector", "scores", "considerations", "utility ai"],
  if_else: ["branch", "if then else", "ternary"],
  while_loop: ["while", "while do else"],
  composite: ["custom composite", "custom control", "control node"],
  and: ["all conditions", "conjunction"],
  or: ["any condition", "disjunction"],
  negative: ["inverter", "invert", "not", "negate"],
  always_true: ["succeeder", "force success", "always succeed"],
  always_false: ["failer", "force failure", "always fail"],
  repeat: ["repeater", "for"],
  retry: ["retry until successful"],
  until_success: ["repeat until success", "until succeed"],
  until_failure: ["repeat until failure", "until fail", "keep running until failure"],
  loop: ["for ever", "forever", "loop until"],
  for_each: ["foreach", "iterate", "loop over a list", "for"],
  timeout: ["time limit", "time out"],
  delay: ["delay before", "wait before"],
  cooldown: ["cool down"],
  run_limit: ["limiter", "count limit", "run n times"],
  frames: ["frames", "ticks"],
  once: ["run once", "do once", "one shot"],
  decorator: ["custom decorator", "wrapper"],
  action: ["task", "leaf", "method", "custom node"],
  check: ["expression", "compare", "comparison", "blackboard comparison", "script condition", "if"],
  set: ["assign", "assignment", "set variable", "compute", "set blackboard", "script"],
  condition: ["predicate", "conditional", "blackboard condition", "if"],
  wait_event: ["event", "wait for signal", "signal", "message", "trigger"],
  sub_tree: ["subtree", "run behavior", "behavior tree", "reference", "referenced behavior", "call"],
  reset: ["restart"],
  end: ["return", "finish", "finish with result", "stop"],
  always_running: ["idle", "noop", "wait for ever", "running"],
};

/** What a setting is called. `owner`: the kind, or `guard`, `effect`, `service`, `event`, `declaration`. */
export function settingName(owner: string, key: string): string {
  return special("setting", owner, key) ?? key;
}

/** What a setting does; empty if nothing is known. */
export function settingDoes(owner: string, key: string, description: string): string {
  return special("hint", owner, key) ?? description;
}

/** What takes effect where the setting is left out, in words. */
export function settingUnset(owner: string, key: string): string | undefined {
  return special("unset", owner, key);
}

/** What a choice means, in words; the file's own if there are none. */
export function choiceName(owner: string, key: string, choice: string): string {
  for (const name of [`choice.${owner}.${key}.${choice}`, `choice.${key}.${choice}`])
    if (has(name)) return t(name);
  return choice;
}

function special(sort: string, owner: string, key: string): string | undefined {
  for (const name of [`${sort}.${owner}.${key}`, `${sort}.${key}`]) if (has(name)) return t(name);
  return undefined;
}

/** The words that the server draws with, in this language: what stands between names and values. */
const DRAWN: readonly [RegExp, string][] = [
  [/^afresh if /, "drawn.afresh-if"],
  [/^if not /, "drawn.if-not"],
  [/^if /, "drawn.if"],
  [/^at enter /, "drawn.at-enter"],
  [/^at success /, "drawn.at-success"],
  [/^at failure /, "drawn.at-failure"],
  [/^at exit /, "drawn.at-exit"],
  [/^every (\S+) s /, "drawn.every"],
  [/^on (\S+) call /, "drawn.on-call"],
  [/^on (\S+) go to /, "drawn.on-go"],
  [/^key /, "drawn.key"],
  [/, aborts self(?=$|,)/, "drawn.aborts-self"],
  [/, aborts lower(?=$|,)/, "drawn.aborts-lower"],
  [/, aborts both(?=$|,)/, "drawn.aborts-both"],
  [/, evaluated each poll$/, "drawn.each-poll"],
  [/, one for each tree$/, "drawn.each-tree"],
  [/, one for all$/, "drawn.for-all"],
  [/, once(?=$|,)/, "drawn.once"],
];

/** A line about something that is attached to a node. */
export function attachedWords(when: string, what: string): string {
  return drawn(`${when} ${what}`, DRAWN);
}

const PARAMETERS: readonly [RegExp, string][] = [
  [/^(\S+) s$/, "drawn.seconds"],
  [/^on success$/, "drawn.on-success"],
  [/^on failure$/, "drawn.on-failure"],
  [/^of the agent's tree$/, "drawn.outside"],
  [/^keeps the blackboard$/, "drawn.keeps-blackboard"],
  [/^keeps its place$/, "drawn.keeps-place"],
  [/^left to others$/, "drawn.broadcast"],
  [/^even if it came before$/, "drawn.latch"],
  [/^once$/, "drawn.once-mode"],
  [/^transfer$/, "drawn.transfer"],
  [/^success$/, "choice.status.success"],
  [/^failure$/, "choice.status.failure"],
  [/^for ever$/, "unset.count"],
  [/^until any ends$/, "drawn.until-any"],
  [/^until (\d+) succeeds? or (\d+) fails?$/, "drawn.until-both"],
  [/^until (\d+) succeeds?$/, "drawn.until-succeed"],
  [/^until (\d+) fails?$/, "drawn.until-fail"],
];

function drawn(text: string, words: readonly [RegExp, string][]): string {
  // English has no words of its own: the server's are English.
  if (!has("drawn.if")) return text;
  let now = text;
  for (const [pattern, key] of words) {
    now = now.replace(pattern, (_, one: string, other: string) => t(key, { one, other }));
  }
  return now;
}

/** The parameters of a card. Those that are not known stay as the server has them. */
export function parameterWords(parameters: string): string {
  const parts = parameters.split(", ");
  return parts.map((part) => drawn(part, PARAMETERS)).join(", ");
}

/** The title of a card: a call's name, else the kind's. In English it is the file's word, as in texts and problems. */
export function titleOf(card: Card): string {
  return card.title === card.kind && has("drawn.if") ? kindName(card.kind) : card.title;
}

/** A problem in words: its message; in another language than English its title, and the names that the message has. */
export function problemParts(finding: Pick<Finding, "code" | "message">): { text: string; names: string[] } {
  if (!has(`code.${finding.code}`)) return { text: finding.message, names: [] };
  const names = [...finding.message.matchAll(/`([^`]*)`/g)].map(([, name]) => name!);
  return { text: t(`code.${finding.code}`), names: [...new Set(names)] };
}

/** The same on one line. */
export function problemWords(finding: Pick<Finding, "code" | "message">): string {
  const { text, names } = problemParts(finding);
  return names.length === 0 ? text : `${text}: ${names.join(", ")}`;
}

/** Whether a problem's own message and advice are in another language than the page. */
export function isTranslated(finding: Pick<Finding, "code">): boolean {
  return has(`code.${finding.code}`);
}

/** The node's own words in one line. */
export function headingOf(card: Card): string {
  const title = titleOf(card);
  const call = card.arguments ? `${title}(${card.arguments})` : title;
  return card.parameters ? `${call} · ${parameterWords(card.parameters)}` : call;
}

const FIXES: readonly [RegExp, string][] = [
  [/^write (.*)$/, "drawn.fix-write"],
  [/^call it `(.*)`$/, "drawn.fix-call"],
  [/^add `(.*)`: (.*)$/, "drawn.fix-add"],
  [/^arrange the items$/, "drawn.fix-items"],
];

/** The effect of a fix. */
export function fixWords(fix: string): string {
  return drawn(fix, FIXES);
}

/** How the server names where a key's value lives. */
export function scopeName(scope: string): string {
  return t(`scope.${scope}`, { defaultValue: scope });
}
