import type { ResponseOf } from '../../contract/index.ts';
import {
  closestFirst,
  type DeploymentPolicy,
  deploymentPolicySchema,
  matchesGlob,
  type RequestRecord,
  type ToolEffect,
  type ToolPolicy,
  type ToolRule,
} from '../../kernel/model/index.ts';
import { readSpread, type SpreadDeps, type TimeRange } from './read-spread.ts';
import { SessionTally } from './session-tally.ts';
import { type ArgumentTally, mostFirst, ToolTallies, type ToolTally, type ValuePlace } from './tool-tally.ts';

const MAX_PROPOSALS = 100;
/** An argument with values from more fields has no few sources. */
const MAX_FIELDS = 10;
const MAX_ID_CHARS = 64;
/** The largest share of calls that `unlisted` would flag. */
const MAX_UNLISTED = 0.05;

type ToolSuggestion = ResponseOf<'suggestTools'>;
type Proposal = ToolSuggestion['proposals'][number];

export interface SuggestionQuery extends TimeRange {
  readonly keyId?: string | undefined;
  readonly minCalls: number;
}

/** Proposes rules that no recorded call of the range violates. @throws StoreUnavailable */
export async function suggestTools(
  { minCalls, ...range }: SuggestionQuery,
  policy: DeploymentPolicy,
  deps: SpreadDeps,
): Promise<Omit<ToolSuggestion, 'object' | 'from' | 'to'>> {
  const tallies = new ToolTallies();
  const sessions = new SessionTally();
  const read = await readSpread(range, (record) => addTo(record, range.keyId, tallies, sessions), deps);
  const tools = [...tallies.tools.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
  const current = new CurrentTools(policy.tools ?? {});
  const effects = tools.flatMap((tally) => effectOf(tally, current, minCalls));
  const proposals = [
    ...effects,
    ...unlistedOf(tools, effects, current, minCalls),
    ...tools.flatMap((tally) => sourcesOf(tally, current, minCalls)),
    ...(read.isCut ? [] : aftersOf(tools, sessions, current, minCalls)),
  ];
  const { kept, next } = apply(proposals, policy);
  const unknown = limitsOf(read.isCut, proposals.length - kept.length, current);
  return { ...read, minCalls, policy: next, proposals: kept, unknown };
}

function addTo(record: RequestRecord, keyId: string | undefined, tallies: ToolTallies, sessions: SessionTally): void {
  if (keyId !== undefined && record.keyId !== keyId) return;
  tallies.add(record);
  sessions.add(record);
}

/** What the policy says about tools before the proposals. */
class CurrentTools {
  readonly tools: ToolPolicy;
  readonly namesPublic: boolean;
  private readonly ids: Set<string>;
  private readonly sources: ReturnType<typeof closestFirst<string>>;

  constructor(tools: ToolPolicy) {
    this.tools = tools;
    this.namesPublic = Object.values(tools.sources ?? {}).includes('public');
    this.sources = closestFirst(tools.sources ?? {});
    this.ids = new Set(tools.rules?.map(({ id }) => id));
  }

  isListed(tool: string): boolean {
    return Object.keys(this.tools.effects ?? {}).some((glob) => matchesGlob(glob, tool));
  }

  readonly isPublic = (tool: string): boolean =>
    this.sources.find(([glob]) => matchesGlob(glob, tool))?.[1] === 'public';

  hasRule(tool: string, isSame: (rule: ToolRule) => boolean): boolean {
    return (this.tools.rules ?? []).some((rule) => matchesGlob(rule.tool, tool) && isSame(rule));
  }

  /** An id that no rule has yet. */
  newId(...names: readonly string[]): string {
    const words = names.map((name) => name.toLowerCase().replace(/[^a-z0-9_]+/g, '-'));
    const name = words.join('-').replace(/^[-_]+|-+$/g, '');
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? '' : `-${number}`;
      const id = `${name.slice(0, MAX_ID_CHARS - end.length)}${end}`;
      if (this.ids.has(id)) continue;
      this.ids.add(id);
      return id;
    }
  }
}

/** Names and paths that a policy can have; others were replaced by `*` in records. No schema keeps a member `__proto__`. */
const TOOL = /^(?!__proto__$)[A-Za-z_][\w.-]*$/;
const PATH = /^(?!__proto__$)[A-Za-z_][\w-]*(?:\[\*\])*(?:\.[A-Za-z_][\w-]*(?:\[\*\])*)*$/;
const DOES: Readonly<Record<ToolEffect, string>> = {
  read: 'only reads',
  write: 'writes',
  send: 'sends',
  execute: 'executes',
  remove: 'removes',
};

function effectOf({ tool, calls, effect }: ToolTally, current: CurrentTools, minCalls: number): Proposal[] {
  if (calls < minCalls || !TOOL.test(tool) || current.isListed(tool)) return [];
  const reason = `In ${textOf(calls)} svc took it for a tool that ${DOES[effect]}.`;
  return [{ tool, argument: null, adds: { effects: { [tool]: effect } }, calls, reason }];
}

/** Flags calls of tools without an effect, if they are few. */
function unlistedOf(
  tools: readonly ToolTally[],
  effects: readonly Proposal[],
  current: CurrentTools,
  minCalls: number,
): Proposal[] {
  if (current.tools.unlisted !== undefined) return [];
  const proposed = new Set(effects.map(({ tool }) => tool));
  const others = tools.filter(({ tool }) => !proposed.has(tool) && !current.isListed(tool));
  const sum = (some: readonly ToolTally[]) => some.reduce((all, { calls }) => all + calls, 0);
  const [all, flagged] = [sum(tools), sum(others)];
  if (all - flagged < minCalls || flagged > all * MAX_UNLISTED) return [];
  const reason = `${textOf(all - flagged)} of ${all} were of tools with an effect. The rule would have flagged ${textOf(flagged)} of ${others.length} other tools.`;
  return [{ tool: null, argument: null, adds: { unlisted: 'flag' }, calls: all - flagged, reason }];
}

/** Limits arguments whose value was always from the user, the operator or some fields. Fields of flagged and held calls alone are no sources. */
function sourcesOf(tally: ToolTally, current: CurrentTools, minCalls: number): Proposal[] {
  const { tool, effect } = tally;
  // Arguments of a tool that executes are compared in parts, and a rule compares the whole one.
  if (effect === 'read' || effect === 'execute' || !TOOL.test(tool)) return [];
  return mostFirst([...tally.arguments].map(([path, { calls }]) => [path, calls])).flatMap(([argument, calls]) => {
    const { from, parts, allowedPlaces } = tally.arguments.get(argument) as ArgumentTally;
    const isLimited = current.hasRule(tool, ({ args = {} }) => args[argument]?.from !== undefined);
    if (calls < minCalls || from.prose + from.none + parts > 0 || isLimited || !PATH.test(argument)) return [];
    const fields = [...allowedPlaces].map((place) => fieldOf(JSON.parse(place) as ValuePlace, current));
    if (fields.length > MAX_FIELDS || fields.includes(undefined)) return [];
    // Records do not distinguish the user's text from the operator's.
    const sources = [...(from.user > 0 ? ['user', 'system'] : []), ...(fields as string[]).sort()];
    if (sources.length === 0) return [];
    const rule: ToolRule = {
      ...{ id: current.newId(tool, argument), tool, action: 'flag' },
      args: { [argument]: { from: sources } },
    };
    const reason = `In ${calls} of ${textOf(calls)} its value was from the user or the operator (${from.user}), or a whole field (${from.field}).`;
    return [{ tool, argument, adds: { rules: [rule] }, calls, reason }];
  });
}

/** The source of a rule for a place; undefined if a rule cannot name it, or if anyone may write there. */
function fieldOf({ tool, field, as }: ValuePlace, { isPublic }: CurrentTools): string | undefined {
  const isNamed = as === 'field' && tool !== null && TOOL.test(tool) && !tool.includes('.') && !isPublic(tool);
  const path = field.startsWith('[*]') ? `items${field}` : field;
  return isNamed && PATH.test(path) ? `field:${tool}.${field}` : undefined;
}

/** Flags tools after third-party text, if they were never called after it. */
function aftersOf(
  tools: readonly ToolTally[],
  sessions: SessionTally,
  current: CurrentTools,
  minCalls: number,
): Proposal[] {
  if (!current.namesPublic) return [];
  const all = sessions.callsAfter(current.isPublic);
  const publicTools = tools.filter(({ tool }) => current.isPublic(tool));
  return tools.flatMap(({ tool, effect, callsByKey }) => {
    const { calls, after } = all.get(tool) ?? { calls: 0, after: 0 };
    const reads = publicTools.flatMap((one) => [...callsByKey.keys()].map((key) => one.callsByKey.get(key) ?? 0));
    const read = reads.reduce((sum, one) => sum + one, 0);
    const isKnown = current.hasRule(tool, (rule) => rule.after?.source === 'public');
    if (effect === 'read' || !TOOL.test(tool) || isKnown || after > 0 || calls < minCalls || read < minCalls) return [];
    const rule: ToolRule = {
      ...{ id: current.newId(tool, 'after-public'), tool, action: 'flag' },
      after: { source: 'public' },
    };
    const reason = `None of ${textOf(calls)} in sessions came after a call of a tool with public results. The same keys called those ${read} times.`;
    return [{ tool, argument: null, adds: { rules: [rule] }, calls, reason }];
  });
}

/** The policy with the proposals that keep it valid. */
function apply(
  proposals: readonly Proposal[],
  policy: DeploymentPolicy,
): { readonly kept: Proposal[]; readonly next: DeploymentPolicy } {
  const kept: Proposal[] = [];
  let next = policy;
  for (const proposal of proposals.slice(0, MAX_PROPOSALS)) {
    const { effects, rules = [], ...others } = proposal.adds;
    const tools: ToolPolicy = {
      ...next.tools,
      ...others,
      ...(effects && { effects: { ...next.tools?.effects, ...effects } }),
      ...(rules.length > 0 && { rules: [...(next.tools?.rules ?? []), ...rules] }),
    };
    const changed = { ...next, tools };
    if (!deploymentPolicySchema.safeParse(changed).success) continue;
    kept.push(proposal);
    next = changed;
  }
  return { kept, next };
}

function limitsOf(isCut: boolean, leftOut: number, { namesPublic }: CurrentTools): string[] {
  return [
    'Values are compared more exactly by a rule than in records, so a rule may flag some of these calls.',
    'Records do not distinguish the text of the user from the text of the operator.',
    'A field may be written by outsiders, such as a sender or a file name: remove those from the rules.',
    ...(isCut ? ['Not all requests of the range were read, so no rule about earlier calls is proposed.'] : []),
    ...(namesPublic
      ? []
      : ['No tool has the source public in the policy, so no rule about earlier calls is proposed.']),
    ...(leftOut > 0 ? [`${leftOut} more proposals are left out: the policy would be too large or invalid.`] : []),
  ];
}

function textOf(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}
