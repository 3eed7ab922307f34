import type { ThreatType, ToolEffect, ToolRule, ToolSource } from '../../kernel/model/index.ts';
import { CallArguments, type FoundValue } from './call-arguments.ts';
import { type ComparedValue, compared, normalise, toNumber } from './compared-value.ts';
import {
  type CompiledCondition,
  type CompiledRule,
  type CompiledToolPolicy,
  conditionOf,
  type ValueSource,
} from './compile-tool-policy.ts';
import { mailboxesIn } from './mailboxes.ts';
import type { Transcript } from './transcript.ts';
import { type GlobText, matchesValue, readGlobText } from './value-glob.ts';
import { valuesOfKinds } from './values-of-kinds.ts';

/** A call that the model makes. */
export interface ProposedCall {
  /** As the model wrote it. */
  readonly tool: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
  readonly transcript: Transcript;
  /** Whether a condition `after` of a rule with this action has occurred in an earlier request of the session. */
  readonly hasOccurred?: ((condition: string, action: ToolRule['action']) => boolean) | undefined;
  /** The types of the findings in a text, for `without`. */
  typesIn(text: string): ReadonlySet<ThreatType>;
}

export type CallAction = 'allow' | 'flag' | 'ask' | 'block';

/** Why a call may not be made. `reason` follows the argument's path in a sentence and has none of the call's values. */
export interface Violation {
  /** Null: `unlisted` of the policy. */
  readonly rule: string | null;
  readonly action: Exclude<CallAction, 'allow'>;
  readonly argument: string | null;
  readonly reason: string;
}

/** What to reserve before the call is made; if that fails, the action applies. */
export interface TotalReservation {
  readonly rule: string;
  readonly action: Violation['action'];
  /** Null: calls are counted. */
  readonly arg: string | null;
  readonly max: number;
  readonly per: 'session' | 'day';
  readonly amount: number;
}

export interface CallDecision {
  /** The strictest of the violations. */
  readonly action: CallAction;
  readonly effect: ToolEffect;
  readonly source: ToolSource | undefined;
  readonly violations: readonly Violation[];
  readonly reservations: readonly TotalReservation[];
}

const STRICTNESS: Readonly<Record<CallAction, number>> = { allow: 0, flag: 1, ask: 2, block: 3 };

/** Decides on a call by the `tools` of a policy: all rules are evaluated, and the strictest action applies. */
export function decideCall(policy: CompiledToolPolicy, call: ProposedCall): CallDecision {
  const { transcript } = call;
  const tool = transcript.toolOf(call.tool);
  const check = new CallCheck(policy, { ...call, tool });
  const violations: Violation[] = [];
  const reservations: TotalReservation[] = [];
  if (policy.effectOf(call.tool) === undefined && policy.unlisted !== 'allow') {
    violations.push({
      rule: null,
      action: policy.unlisted,
      argument: null,
      reason: "is not in the policy's 'effects'",
    });
  }
  for (const rule of policy.rulesFor(tool, transcript.effectOf(tool))) {
    if (!check.holds(rule)) continue;
    violations.push(...check.violationsOf(rule));
    const total = check.totalOf(rule);
    if (total === undefined) continue;
    if ('reason' in total) violations.push(total);
    else if (total.amount > 0) reservations.push(total);
  }
  const action = violations.reduce<CallAction>(
    (strictest, one) => (STRICTNESS[one.action] > STRICTNESS[strictest] ? one.action : strictest),
    'allow',
  );
  const effect = policy.effectOf(tool) ?? transcript.effectOf(tool);
  return { action, effect, source: policy.sourceOf(tool), violations, reservations };
}

const UNREADABLE = 'has arguments that are no JSON object, or repeat a name';

/** A call while the rules are evaluated: many look at the same values. */
class CallCheck {
  private readonly policy: CompiledToolPolicy;
  private readonly call: ProposedCall;
  private readonly args: CallArguments;
  private readonly isCommand: boolean;
  private readonly compared = new Once(compared);
  private readonly globTexts = new Once(readGlobText);
  private readonly types: Once<string, ReadonlySet<ThreatType>>;

  constructor(policy: CompiledToolPolicy, call: ProposedCall) {
    this.policy = policy;
    this.call = call;
    this.args = new CallArguments(call.arguments);
    const effect = policy.effectOf(call.tool) ?? call.transcript.effectOf(call.tool);
    this.isCommand = effect === 'execute';
    this.types = new Once((text) => call.typesIn(text));
  }

  /** Whether what a rule waits for has happened. */
  holds({ after, action }: CompiledRule): boolean {
    if (after === undefined) return true;
    const { transcript, hasOccurred } = this.call;
    return hasOccurred?.(conditionOf(after), action) === true || this.policy.hasOccurred(after, transcript);
  }

  violationsOf(rule: CompiledRule): Violation[] {
    const { id, action, conditions } = rule;
    const because = (reason: string, argument: string | null = null): Violation => ({
      rule: id,
      action,
      argument,
      reason,
    });
    if (rule.isForbidding) return [because('is not allowed')];
    const violations: Violation[] = [];
    if (this.args.root === undefined && (conditions.length > 0 || rule.total?.path))
      violations.push(because(UNREADABLE));
    for (const condition of conditions) {
      const fault = this.faultOf(condition);
      if (fault !== undefined) violations.push(because(fault.reason, fault.path));
    }
    if (rule.needsAsking && !this.isAsked(conditions))
      violations.push(because("is not what the user's message asks for"));
    return violations;
  }

  /** The first value that violates a condition, and how many more do. */
  private faultOf(condition: CompiledCondition): { readonly path: string; readonly reason: string } | undefined {
    const { values, missing } = this.args.at(condition.path);
    const { kinds } = condition;
    const compared = kinds === undefined ? values : values.flatMap((found) => valuesOfKinds(found, kinds));
    if (condition.isRequired && (missing !== undefined || (compared.length === 0 && this.args.root !== undefined)))
      return { path: missing ?? condition.argument, reason: 'is missing' };
    const [first, ...more] = compared.flatMap((found) => {
      const reason = 'fault' in found ? found.fault : this.reasonAgainst(found.value, condition);
      return reason === undefined ? [] : [{ path: found.path, reason }];
    });
    if (first === undefined || more.length === 0) return first;
    return {
      path: first.path,
      reason: `${first.reason}, like ${more.length} more ${more.length > 1 ? 'values' : 'value'}`,
    };
  }

  private reasonAgainst(value: string | number | boolean, condition: CompiledCondition): string | undefined {
    const { from, match, isNumber, max, min, without } = condition;
    if (isNumber) {
      const amount = toNumber(value);
      if (amount === undefined) return 'is no plain number';
      if (amount > max) return `is above ${max}`;
      if (amount < min) return `is below ${min}`;
    }
    const text = String(value);
    if (text.trim() === '') return undefined;
    // A text that has addresses alone is as many values.
    const all = typeof value === 'string' ? (mailboxesIn(value) ?? [value]) : [value];
    if (match !== undefined && !all.every((one) => this.matchesOne(match, String(one)))) {
      return 'matches none of the allowed patterns';
    }
    if (from !== undefined && !all.every((one) => this.isFromOne(from, one))) {
      return `is not from ${from.map(({ name }) => name).join(' or ')}`;
    }
    const type = without.find((one) => this.types.get(text).has(one));
    return type && `contains ${type}`;
  }

  private matchesOne(globs: readonly GlobText[], text: string): boolean {
    const value = this.globTexts.get(text);
    return value !== undefined && globs.some((glob) => matchesValue(glob, value, this.isCommand));
  }

  private isFromOne(sources: readonly ValueSource[], value: string | number | boolean): boolean {
    const key = this.compared.get(toKey(value));
    return sources.some((source) => this.isFrom(source, key));
  }

  private isFrom(source: ValueSource, value: ComparedValue): boolean {
    const { user, system, fields } = this.call.transcript;
    switch (source.kind) {
      case 'user':
        return user.has(value);
      case 'system':
        return system.has(value);
      case 'list':
        return value.keys.some((key) => source.keys.has(key));
      case 'field': {
        const keys = fields.keysOf(source.field);
        return value.keys.some((key) => keys.has(key));
      }
    }
  }

  /** The latest message names what the tool does, or all values of the rule's arguments. */
  private isAsked(conditions: readonly CompiledCondition[]): boolean {
    const { tool, transcript } = this.call;
    if (transcript.asksFor(tool)) return true;
    const values = conditions.flatMap(({ path }) => this.args.at(path).values).filter(isFilled);
    return (
      values.length > 0 &&
      values.every((one) => 'value' in one && transcript.names(this.compared.get(toKey(one.value))))
    );
  }

  totalOf({ id, action, total }: CompiledRule): Violation | TotalReservation | undefined {
    if (total === undefined) return undefined;
    const { arg = null, max, per, path } = total;
    if (path === undefined) return { rule: id, action, arg, max, per, amount: 1 };
    let amount = 0;
    for (const found of this.args.at(path).values) {
      const one = 'value' in found ? toNumber(found.value) : undefined;
      // A negative amount would make room for others.
      if (one === undefined || one < 0) {
        return { rule: id, action, argument: found.path, reason: 'is no plain number from 0 on' };
      }
      amount += one;
    }
    return { rule: id, action, arg, max, per, amount };
  }
}

function isFilled(found: FoundValue): boolean {
  return !('value' in found) || normalise(String(found.value)) !== '';
}

function toKey(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? String(value) : value;
}

/** Computes each result once. */
class Once<Key, Result> {
  private readonly known = new Map<Key, Result>();
  private readonly compute: (key: Key) => Result;

  constructor(compute: (key: Key) => Result) {
    this.compute = compute;
  }

  get(key: Key): Result {
    if (!this.known.has(key)) this.known.set(key, this.compute(key));
    return this.known.get(key) as Result;
  }
}
