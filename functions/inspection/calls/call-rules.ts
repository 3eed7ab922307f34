import {
  type ChatMessage,
  type ThreatType,
  type ToolEffect,
  type ToolPolicy,
  usualPath,
} from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Rule, TextInspector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  CALL_RULES,
  type CallingRequest,
  type CallWords,
  loadCallWords,
  type MadeCall,
  MessageReader,
} from '../tool-calls/index.ts';
import {
  type CallDecision,
  type CompiledToolPolicy,
  compileToolPolicy,
  decideCall,
  Transcript,
  type Violation,
} from '../tool-policy/index.ts';
import type { CallMemory } from './call-memory.ts';
import type { CallAmount } from './call-sums.ts';
import type { Doubt } from './doubts.ts';
import { reportedIn } from './reported-in.ts';

/** What the rules say about a call. */
export interface RuledCall {
  readonly doubts: readonly Doubt[];
  readonly amounts: readonly CallAmount[];
}

type HasOccurred = Parameters<typeof decideCall>[1]['hasOccurred'];

const NO_TYPES: ReadonlySet<ThreatType> = new Set();

/** Checks calls by the `tools` of a policy, after the messages of one request. */
export class CallRules {
  private readonly policy: CompiledToolPolicy;
  private readonly messages: readonly ChatMessage[];
  private readonly transcript: Transcript;
  private readonly inspector: TextInspector;
  private readonly reader: MessageReader;
  /** Sums of the rules with `total`, over the calls so far. */
  private readonly spent = new Map<string, number>();
  /** Whether the policy names what is private: all else is not. */
  private readonly namesPrivate: boolean;
  private readonly hasOccurred: HasOccurred;
  private read = 0;

  private constructor(
    tools: ToolPolicy,
    { messages, tools: declared = [] }: CallingRequest,
    words: CallWords,
    memory: CallMemory | undefined,
    inspector: TextInspector,
    hasOccurred: HasOccurred,
  ) {
    this.policy = compileToolPolicy(tools);
    this.namesPrivate = Object.values(tools.sources ?? {}).includes('private');
    this.messages = messages;
    this.transcript = new Transcript(declared, words, memory);
    this.reader = new MessageReader(words);
    this.inspector = inspector;
    this.hasOccurred = hasOccurred;
  }

  /**
   * Undefined if the policy has no `tools`.
   * @param memory of the session; undefined if that is not known
   * @param hasOccurred whether a condition `after` has occurred in an earlier request
   */
  static async of(
    { tools }: Policy,
    request: CallingRequest,
    inspector: TextInspector,
    memory?: CallMemory,
    hasOccurred?: HasOccurred,
  ): Promise<CallRules | undefined> {
    if (tools === undefined) return undefined;
    return new CallRules(tools, request, await loadCallWords(), memory, inspector, hasOccurred);
  }

  effectOf(tool: string): ToolEffect | undefined {
    return this.policy.effectOf(this.transcript.toolOf(tool));
  }

  /** Whether the results of a tool are private; undefined if the policy does not say. */
  isPrivate(tool: string): boolean | undefined {
    const source = this.policy.sourceOf(this.transcript.toolOf(tool));
    return source === undefined && !this.namesPrivate ? undefined : source === 'private';
  }

  /** @param tool empty if its name is not known yet */
  mayRemove(tool: string): boolean {
    const { unlisted, actions } = this.policy;
    const isStrict = (action: string) => action === 'ask' || action === 'block';
    if (tool === '') return [unlisted, ...actions].some(isStrict);
    if (isStrict(unlisted) && this.policy.effectOf(tool) === undefined) return true;
    return this.rulesFor(tool).some(({ action }) => isStrict(action));
  }

  private rulesFor(tool: string): ReturnType<CompiledToolPolicy['rulesFor']> {
    return this.policy.rulesFor(this.transcript.toolOf(tool), this.transcript.effectOf(tool));
  }

  /**
   * The violations of a call that comes after a number of messages, and the amounts that it adds to sums beyond the request.
   * @param isKept whether a sum is kept beyond the request; others are of the conversation
   */
  *doubtsAbout(
    { name, arguments: written }: MadeCall,
    end: number,
    isKept: (amount: CallAmount) => boolean,
  ): Steps<RuledCall> {
    yield* this.readTo(end);
    const { violations, reservations } = yield* this.decide({ name, arguments: written });
    const amounts = reservations.filter(isKept);
    const exceeded = reservations.filter(
      (one) => !amounts.includes(one) && (this.spent.get(one.rule) ?? 0) + one.amount > one.max,
    );
    return { doubts: [...violations.map(toDoubt), ...exceeded.map((one) => exceededBy(one, 'conversation'))], amounts };
  }

  /** The conditions `after` that have occurred in the request, and in the calls of its response so far. */
  *occurred(): Steps<string[]> {
    yield* this.readTo(this.messages.length);
    return this.policy.occurredIn(this.transcript);
  }

  private *readTo(end: number): Steps<void> {
    for (; this.read < end; this.read++) {
      yield* this.add(this.messages[this.read] as ChatMessage);
      yield;
    }
  }

  /** Takes a call that is made, for the rules about later ones. */
  *made(call: MadeCall): Steps<void> {
    const hasTotal = this.rulesFor(call.name).some(({ total }) => total !== undefined);
    const { reservations } = hasTotal ? yield* this.decide(call) : { reservations: [] };
    for (const { rule, amount } of reservations) this.spent.set(rule, (this.spent.get(rule) ?? 0) + amount);
    this.transcript.addCall({ tool: call.name });
  }

  /** Decides twice if a rule asks for the types in texts: these are inspected in between, since that takes long for long texts. */
  private *decide({ name, arguments: written }: MadeCall): Steps<CallDecision> {
    const { policy, transcript, inspector, hasOccurred } = this;
    const known = new Map<string, ReadonlySet<ThreatType>>();
    const asked = new Set<string>();
    const typesIn = (text: string) => {
      asked.add(text);
      return known.get(text) ?? NO_TYPES;
    };
    const call = { tool: name, arguments: written, transcript, hasOccurred, typesIn };
    const decision = decideCall(policy, call);
    if (asked.size === 0) return decision;
    for (const text of asked)
      known.set(text, new Set((yield* reportedIn(inspector, text)).map(({ rule }) => rule.type)));
    return decideCall(policy, call);
  }

  private *add(message: ChatMessage): Steps<void> {
    const { turn, calls, madeBy } = this.reader.read(message);
    if (turn !== undefined) this.transcript.add({ ...turn, madeBy });
    for (const call of calls) yield* this.made(call);
  }
}

const UNLISTED = 'Tools that the policy does not list';

/** For a tool that the provider executes. */
export const UNLISTED_TOOL_RULE: Rule = {
  ...CALL_RULES.tool_policy,
  message: `${UNLISTED}: the provider executes this tool, and its type is not in the policy's 'effects'.`,
};
type Period = CallAmount['per'] | 'conversation';

/** A user cannot allow what a sum has no room for. */
const ADVICE: Readonly<Record<Period, string>> = {
  day: 'Wait until the next UTC day before you try again.',
  session: 'Do not try again in this session: only a new session has a new sum.',
  conversation: 'Do not try again in this conversation: only a new conversation has a new sum.',
};

/** A call that brings a sum above its limit. */
export function exceededBy({ rule, action, arg, max }: CallAmount, per: Period): Doubt {
  const reason = `brings the ${arg === null ? 'calls' : 'sum'} of the ${per} above ${max}`;
  return { ...toDoubt({ rule, action, argument: arg, reason }), advice: ADVICE[per] };
}

/** A call whose sum is not known. */
export function unknownSum({ rule, action, arg }: CallAmount): Doubt {
  const reason = 'adds to a sum that could not be checked';
  return { ...toDoubt({ rule, action, argument: arg, reason }), advice: 'Try again later.' };
}

function toDoubt({ rule, action, argument, reason }: Violation): Doubt {
  const what = rule === null ? UNLISTED : `Rule "${rule}" of the policy`;
  const message = `${what}: ${argument === null ? 'the call' : `the argument "${usualPath(argument)}"`} ${reason}.`;
  const policyRule = rule ?? undefined;
  return { rule: { ...CALL_RULES.tool_policy, message }, score: 0, action, argument, reason, policyRule };
}
