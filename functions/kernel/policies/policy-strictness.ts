import {
  type PolicySettings,
  PRESETS,
  THREAT_TYPES,
  type ThreatType,
  TYPE_ACTIONS,
  type TypeAction,
} from '../model/index.ts';
import { FLAG_FROM, PRESET_POLICIES, type TypePolicy } from './policy-presets.ts';

/**
 * Which of two values of a policy's field is the stricter one. Each combination is never weaker than either value; of `rules`, `bannedTopics`
 * and `tools` it has both.
 *
 *     team  {input: {pii: block from 0.9}, allow: [A]}
 *     key   {input: {pii: redact from 0.6}, allow: [A, B]}
 *     both  {input: {pii: block from 0.6}, allow: [A]}
 */
type Strictest<Value> = (a: Value, b: Value) => Value;

/** Of values in an order, the weakest first. */
function ordered<Value>(...order: readonly Value[]): Strictest<Value> {
  return (a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b);
}

type Value<Name extends keyof PolicySettings> = NonNullable<PolicySettings[Name]>;

/** Of each field; null: it changes no request, so a key decides it. A new field of a policy needs its order here. */
const STRICTEST: { readonly [Name in keyof Required<PolicySettings>]: Strictest<Value<Name>> | 'own function' | null } =
  {
    preset: ordered(...PRESETS),
    input: 'own function',
    output: 'own function',
    onBlock: ordered('refusal', 'error'),
    rules: 'own function',
    allow: 'own function',
    bannedTopics: 'own function',
    tools: 'own function',
    // It shows a part of what was found.
    evidence: ordered(true, false),
    onDetectorFailure: 'own function',
    unreadable: ordered('allow', 'flag', 'block'),
    canary: ordered(false, true),
    maxOutputTokens: Math.min,
    unknownPrice: ordered('tokensOnly', 'alias', 'refuse'),
    // Less text is stored.
    cache: ordered<boolean | 'team'>('team', true, false),
    capture: ordered('full', 'redacted', 'none'),
    identitySubject: ordered('plain', 'hashed'),
    shadow: null,
  };

/** A policy, and the fields in which `own` alone would have been weaker. */
interface Held {
  readonly policy: PolicySettings;
  /** Paths such as `input.pii`. */
  readonly weaker: readonly string[];
}

/**
 * `policy` with what `floor` has in the fields that `set` sets, where that is stricter.
 * @param floor the policy in force of those who set `set`
 * @param own what `policy` was made of over `floor`
 */
export function notWeaker(
  policy: PolicySettings,
  floor: PolicySettings,
  set: PolicySettings,
  own: PolicySettings,
): Held {
  const held: Writable = { ...policy };
  const weaker: string[] = [];
  for (const name of Object.keys(STRICTEST) as (keyof PolicySettings)[]) {
    const strictest = STRICTEST[name];
    if (set[name] === undefined || typeof strictest !== 'function') continue;
    const [mine, theirs] = [held[name] ?? (name === 'preset' ? 'balanced' : undefined), floor[name]];
    const value = mine === undefined ? theirs : (strictest as Strictest<unknown>)(mine, theirs);
    if (value !== mine && own[name] !== undefined) weaker.push(name);
    held[name] = value;
  }
  holdFailure(held, floor, set, own, weaker);
  for (const direction of ['input', 'output'] as const) holdTypes(direction, held, floor, set, own, weaker);
  if (set.rules !== undefined) held.rules = union('id', floor.rules, policy.rules, own.rules, 'rules', weaker);
  if (set.bannedTopics !== undefined)
    held.bannedTopics = union(
      'name',
      floor.bannedTopics,
      policy.bannedTopics,
      own.bannedTopics,
      'bannedTopics',
      weaker,
    );
  if (FINDINGS.some((name) => set[name] !== undefined)) holdAllowed(held, floor, weaker);
  if (set.tools !== undefined) holdTools(held, floor, set.tools, own, weaker);
  return { policy: held as PolicySettings, weaker };
}

type Writable = { -readonly [Name in keyof PolicySettings]?: unknown };

/** Fields whose findings an allow list would drop. */
const FINDINGS = ['preset', 'input', 'output', 'rules', 'bannedTopics', 'allow'] as const;

/** Without a value the preset decides. */
const FAILURE_OF_PRESET = { monitor: 0, balanced: 1, strict: 2 } as const;

function failureRank({ onDetectorFailure, preset = 'balanced' }: PolicySettings): number {
  if (onDetectorFailure !== undefined) return onDetectorFailure === 'block' ? 2 : 0;
  return FAILURE_OF_PRESET[preset];
}

function holdFailure(
  held: Writable,
  floor: PolicySettings,
  set: PolicySettings,
  own: PolicySettings,
  weaker: string[],
): void {
  if (set.preset === undefined && set.onDetectorFailure === undefined) return;
  if (failureRank(held as PolicySettings) >= failureRank(floor)) return;
  if (own.onDetectorFailure !== undefined) weaker.push('onDetectorFailure');
  if (floor.onDetectorFailure === undefined) delete held.onDetectorFailure;
  else held.onDetectorFailure = floor.onDetectorFailure;
}

/** Every type, if the preset is set, else those that are set. */
function holdTypes(
  direction: 'input' | 'output',
  held: Writable,
  floor: PolicySettings,
  set: PolicySettings,
  own: PolicySettings,
  weaker: string[],
): void {
  const types: Partial<Record<ThreatType, object>> = { ...(held[direction] as object | undefined) };
  for (const type of THREAT_TYPES) {
    const isSet = set[direction]?.[type] !== undefined;
    if (!isSet && set.preset === undefined) continue;
    const mine = ruleOf(held as PolicySettings, direction, type);
    const value = strictestRule(mine, ruleOf(floor, direction, type));
    // A rule with itself has the threshold that counts.
    const alone = strictestRule(mine, mine);
    const isRaised = value.action !== alone.action || value.threshold !== alone.threshold;
    if (isRaised && own[direction]?.[type] !== undefined) weaker.push(`${direction}.${type}`);
    if (isRaised || isSet) types[type] = value;
  }
  if (Object.keys(types).length > 0) held[direction] = types;
}

/** A type's rule with the threshold that is in force. */
function ruleOf(settings: PolicySettings, direction: 'input' | 'output', type: ThreatType): TypePolicy {
  const preset = PRESET_POLICIES[settings.preset ?? 'balanced'][direction][type];
  const change = settings[direction]?.[type];
  return change === undefined ? preset : { action: change.action, threshold: change.threshold ?? preset.threshold };
}

/**
 * The stronger action, from the lower threshold on. Every rule but `off` flags from FLAG_FROM on, so that the threshold of a `flag` counts only
 * below it.
 */
export function strictestRule(a: TypePolicy, b: TypePolicy): TypePolicy {
  const action = ordered<TypeAction>(...TYPE_ACTIONS)(a.action, b.action);
  if (action === 'off') return { action, threshold: FLAG_FROM };
  const threshold = Math.min(...[a, b].map((one) => reachOf(one, action)));
  return { action, threshold: Number.isFinite(threshold) ? threshold : FLAG_FROM };
}

function reachOf({ action, threshold }: TypePolicy, strongest: TypeAction): number {
  if (action === 'off') return Number.POSITIVE_INFINITY;
  const onlyFlags = action === 'flag' && threshold >= FLAG_FROM;
  if (onlyFlags) return strongest === 'flag' ? FLAG_FROM : Number.POSITIVE_INFINITY;
  return threshold;
}

type Named = Readonly<Record<string, unknown>>;

/** All of `floor`, and others of `mine`. One with a name of `floor` and another content gets another name. */
function union(
  name: 'id' | 'name',
  floor: readonly Named[] = [],
  mine: readonly Named[] = [],
  own: readonly Named[] | undefined,
  path: string,
  weaker: string[],
): Named[] {
  const all = [...floor];
  for (const one of mine) {
    if (isIn(floor, one)) continue;
    const isTaken = floor.some((other) => other[name] === one[name]);
    if (isTaken && own !== undefined) weaker.push(path);
    all.push(isTaken ? { ...one, [name]: freeName(String(one[name]), [...all, ...mine], name) } : one);
  }
  return all;
}

const MAX_NAME = 64;

function freeName(name: string, taken: readonly Named[], member: 'id' | 'name'): string {
  for (let at = 1; ; at += 1) {
    const ending = `-key${at}`;
    const free = `${name.slice(0, MAX_NAME - ending.length)}${ending}`;
    if (!taken.some((one) => one[member] === free)) return free;
  }
}

function isIn(list: readonly unknown[], one: unknown): boolean {
  return list.some((other) => JSON.stringify(other) === JSON.stringify(one));
}

/** What the key allows only as far as the floor does. */
function holdAllowed(held: Writable, floor: PolicySettings, weaker: string[]): void {
  const mine = (held.allow ?? []) as readonly unknown[];
  const kept = mine.filter((one) => isIn(floor.allow ?? [], one));
  if (kept.length === mine.length) return;
  weaker.push('allow');
  held.allow = kept;
}

type Tools = NonNullable<PolicySettings['tools']>;
const CLASSIFICATIONS = ['effects', 'sources'] as const;

/** Rules of both. What decides about the set rules, and which tools are listed, is the floor's. */
function holdTools(held: Writable, floor: PolicySettings, set: Tools, own: PolicySettings, weaker: string[]): void {
  const [mine, theirs] = [(held.tools ?? {}) as Tools, floor.tools ?? {}];
  const tools: { -readonly [Name in keyof Tools]?: unknown } = { ...mine };
  const report = (name: string) => {
    if (own.tools !== undefined) weaker.push(`tools.${name}`);
  };
  for (const [name, strictest] of [
    ['unlisted', ordered('allow', 'flag', 'block')],
    ['pin', ordered('off', 'flag', 'block')],
  ] as const) {
    const least = theirs[name];
    if (least === undefined) continue;
    const value = mine[name] === undefined ? least : (strictest as Strictest<string>)(mine[name], least);
    if (mine[name] !== undefined && value !== mine[name]) report(name);
    tools[name] = value;
  }
  for (const name of CLASSIFICATIONS) {
    const decides =
      set[name] !== undefined || set.rules !== undefined || (name === 'effects' && set.unlisted !== undefined);
    if (!decides || JSON.stringify(mine[name]) === JSON.stringify(theirs[name])) continue;
    if (mine[name] !== undefined) report(name);
    tools[name] = theirs[name];
  }
  const lists = { ...mine.lists, ...theirs.lists };
  for (const [name, values] of Object.entries(theirs.lists ?? {}))
    if (mine.lists?.[name] !== undefined && JSON.stringify(mine.lists[name]) !== JSON.stringify(values))
      report('lists');
  if (Object.keys(lists).length > 0) tools.lists = lists;
  const rules = union('id', theirs.rules, mine.rules, own.tools?.rules, 'tools.rules', weaker);
  if (rules.length > 0) tools.rules = rules;
  held.tools = Object.fromEntries(Object.entries(tools).filter(([, value]) => value !== undefined));
}
