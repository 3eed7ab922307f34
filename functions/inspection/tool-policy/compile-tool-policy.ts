import {
  closestFirst,
  matchesGlob,
  type ThreatType,
  type ToolEffect,
  type ToolPolicy,
  type ToolRule,
  type ToolSource,
} from '../../kernel/model/index.ts';
import { type PathStep, readPath } from './call-arguments.ts';
import { compared } from './compared-value.ts';
import { type FieldSource, readFieldSource } from './result-fields.ts';
import { type GlobText, readGlobText } from './value-glob.ts';

/** Where a value may come from. */
export type ValueSource =
  | { readonly kind: 'user' | 'system'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string; readonly keys: ReadonlySet<string> }
  | { readonly kind: 'field'; readonly name: string; readonly field: FieldSource };

export interface CompiledCondition {
  readonly path: readonly PathStep[];
  /** As the policy names it. */
  readonly argument: string;
  readonly from: readonly ValueSource[] | undefined;
  readonly match: readonly GlobText[] | undefined;
  readonly max: number;
  readonly min: number;
  readonly isNumber: boolean;
  readonly without: readonly ThreatType[];
  /** The kinds of values that are compared; undefined: all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Whether a call without a value violates it. */
  readonly isRequired: boolean;
}

export interface CompiledRule {
  readonly id: string;
  readonly action: ToolRule['action'];
  readonly effects: ToolRule['effects'];
  readonly after: ToolRule['after'];
  readonly isForbidding: boolean;
  readonly needsAsking: boolean;
  readonly conditions: readonly CompiledCondition[];
  /** Without a path, calls are counted. */
  readonly total: (NonNullable<ToolRule['total']> & { readonly path: readonly PathStep[] | undefined }) | undefined;
}

/** Tools whose rules are remembered: a client declares some hundred at most. */
const MAX_KNOWN = 1000;

/** The `tools` of a policy, made ready for many calls. */
export class CompiledToolPolicy {
  readonly unlisted: 'allow' | 'flag' | 'block';
  readonly pin: 'off' | 'flag' | 'block';
  private readonly rules: readonly (readonly [tool: string, rule: CompiledRule])[];
  private readonly effects: readonly (readonly [glob: string, effect: ToolEffect])[];
  private readonly sources: readonly (readonly [glob: string, source: ToolSource])[];
  private readonly rulesByTool = new Map<string, readonly CompiledRule[]>();

  constructor({ unlisted = 'allow', pin = 'off', effects = {}, sources = {}, lists = {}, rules = [] }: ToolPolicy) {
    this.unlisted = unlisted;
    this.pin = pin;
    this.effects = closestFirst(effects);
    this.sources = closestFirst(sources);
    const listKeys = new Map(Object.entries(lists).map(([name, values]) => [name, keysOf(values)]));
    this.rules = rules.map((rule) => [rule.tool, compileRule(rule, listKeys)]);
  }

  /** The actions of all rules. */
  get actions(): readonly ToolRule['action'][] {
    return this.rules.map(([, { action }]) => action);
  }

  /** The rules for a tool, by its name as the client sent it. `effect`: what it does by its declaration, if no glob of the policy says it. */
  rulesFor(tool: string, effect: ToolEffect): readonly CompiledRule[] {
    const listed = this.effectOf(tool) ?? effect;
    return this.rulesByName(tool).filter(({ effects }) => effects?.includes(listed) ?? true);
  }

  private rulesByName(tool: string): readonly CompiledRule[] {
    let rules = this.rulesByTool.get(tool);
    if (rules === undefined) {
      rules = this.rules.filter(([glob]) => matchesGlob(glob, tool)).map(([, rule]) => rule);
      if (this.rulesByTool.size < MAX_KNOWN) this.rulesByTool.set(tool, rules);
    }
    return rules;
  }

  /** The conditions `after` of rules that have occurred in a conversation, as texts. */
  occurredIn(tools: UsedTools): string[] {
    const conditions = this.rules.flatMap(([, { after }]) => after ?? []);
    return [...new Set(conditions.filter((after) => this.hasOccurred(after, tools)).map(conditionOf))];
  }

  /** A result whose call is not known may be one of any tool. */
  hasOccurred({ source, tool }: NonNullable<ToolRule['after']>, { called, returned }: UsedTools): boolean {
    if (returned.has('')) return true;
    if (source !== undefined) return [...returned].some((one) => this.sourceOf(one) === source);
    return [...called, ...returned].some((one) => matchesGlob(tool as string, one));
  }

  /** What the policy says that a tool does; undefined for an unlisted one. */
  effectOf(tool: string): ToolEffect | undefined {
    return this.effects.find(([glob]) => matchesGlob(glob, tool))?.[1];
  }

  /** Who writes the results of a tool; undefined if the policy does not say. */
  sourceOf(tool: string): ToolSource | undefined {
    return this.sources.find(([glob]) => matchesGlob(glob, tool))?.[1];
  }
}

/** Tools that were called, and tools that returned a result. */
interface UsedTools {
  readonly called: ReadonlySet<string>;
  readonly returned: ReadonlySet<string>;
}

/** A condition `after` as a text: the same for all rules with it. */
export function conditionOf({ source, tool }: NonNullable<ToolRule['after']>): string {
  return JSON.stringify([source ?? null, tool ?? null]);
}

const compiled = new WeakMap<ToolPolicy, CompiledToolPolicy>();

/** Compiles the `tools` of a policy once, by the identity of the settings object. */
export function compileToolPolicy(tools: ToolPolicy): CompiledToolPolicy {
  let policy = compiled.get(tools);
  if (policy === undefined) {
    policy = new CompiledToolPolicy(tools);
    compiled.set(tools, policy);
  }
  return policy;
}

function keysOf(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.flatMap((value) => compared(value).keys).filter((key) => key !== ''));
}

function compileRule(rule: ToolRule, lists: ReadonlyMap<string, ReadonlySet<string>>): CompiledRule {
  const { id, action, effects, after, args = {}, needs, total } = rule;
  return {
    id,
    action,
    effects,
    after,
    isForbidding: rule.args === undefined && needs === undefined && total === undefined,
    needsAsking: needs === 'asked',
    conditions: Object.entries(args).map(([argument, condition]) => compileCondition(argument, condition, lists)),
    total: total && { ...total, path: total.arg === undefined ? undefined : readPath(total.arg) },
  };
}

function compileCondition(
  argument: string,
  { from, match, max, min, without = [], kinds, required }: NonNullable<ToolRule['args']>[string],
  lists: ReadonlyMap<string, ReadonlySet<string>>,
): CompiledCondition {
  return {
    path: readPath(argument),
    argument,
    from: from?.map((source) => toSource(source, lists)),
    match: match?.flatMap((glob) => readGlobText(glob) ?? []),
    max: max ?? Number.POSITIVE_INFINITY,
    min: min ?? Number.NEGATIVE_INFINITY,
    isNumber: max !== undefined || min !== undefined,
    without,
    kinds: kinds && new Set(kinds),
    isRequired: required === true,
  };
}

function toSource(name: string, lists: ReadonlyMap<string, ReadonlySet<string>>): ValueSource {
  if (name === 'user' || name === 'system') return { kind: name, name };
  const rest = name.slice(name.indexOf(':') + 1);
  if (name.startsWith('field:')) return { kind: 'field', name, field: readFieldSource(rest) };
  // A list that is missing in an old version has no values.
  return { kind: 'list', name, keys: lists.get(rest) ?? new Set() };
}
