import {
  type ChatMessage,
  type ThreatType,
  type ToolEffect,
  type ToolPolicy,
  usualPath,
} from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { TextInspector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import { CALL_RULES, type CallingRequest, loadCallWords, type MadeCall, MessageReader } from '../tool-calls/index.ts';
import {
  type CallDecision,
  type CompiledToolPolicy,
  compileToolPolicy,
  decideCall,
  Transcript,
  type Violation,
} from '../tool-policy/index.ts';
import type { Doubt } from './doubts.ts';
import { reportedIn } from './reported-in.ts';

const NO_TYPES: ReadonlySet<ThreatType> = new Set();

/** Checks calls by the `tools` of a policy, after the messages of one request. */
export class CallRules {
  private readonly policy: CompiledToolPolicy;
  private readonly messages: readonly ChatMessage[];
  private readonly transcript: Transcript;
  private readonly inspector: TextInspector;
  private readonly reader = new MessageReader();
  /** Sums of the rules with `total`, over the calls so far. */
  private readonly spent = new Map<string, number>();
  /** Whether the policy names what is private: all else is not. */
  private readonly namesPrivate: boolean;
  private read = 0;

  private constructor(
    tools: ToolPolicy,
    { messages }: CallingRequest,
    transcript: Transcript,
    inspector: TextInspector,
  ) {
    this.policy = compileToolPolicy(tools);
    this.namesPrivate = Object.values(tools.sources ?? {}).includes('private');
    this.messages = messages;
    this.transcript = transcript;
    this.inspector = inspector;
  }

  /** Undefined if the policy has no `tools`. */
  static async of(
    { tools }: Policy,
    request: CallingRequest,
    inspector: TextInspector,
  ): Promise<CallRules | undefined> {
    if (tools === undefined) return undefined;
    const transcript = new Transcript(request.tools ?? [], await loadCallWords());
    return new CallRules(tools, request, transcript, inspector);
  }

  effectOf(tool: string): ToolEffect | undefined {
    return this.policy.effectOf(tool);
  }

  /** Whether the results of a tool are private; undefined if the policy does not say. */
  isPrivate(tool: string): boolean | undefined {
    const source = this.policy.sourceOf(tool);
    return source === undefined && !this.namesPrivate ? undefined : source === 'private';
  }

  mayRemove(tool: string): boolean {
    const { unlisted } = this.policy;
    const isStrict = (action: string) => action === 'ask' || action === 'block';
    if (isStrict(unlisted) && this.effectOf(tool) === undefined) return true;
    return this.policy.rulesFor(tool, this.transcript.effectOf(tool)).some(({ action }) => isStrict(action));
  }

  /** The violations of a call that comes after a number of messages. */
  *doubtsAbout({ name, arguments: written }: MadeCall, end: number): Steps<readonly Doubt[]> {
    for (; this.read < end; this.read++) {
      yield* this.add(this.messages[this.read] as ChatMessage);
      yield;
    }
    const { violations, reservations } = yield* this.decide({ name, arguments: written });
    const exceeded = reservations.filter(({ rule, amount, max }) => (this.spent.get(rule) ?? 0) + amount > max);
    const beyond = exceeded.map(({ rule, action, arg, max }): Violation => {
      return { rule, action, argument: arg, reason: `brings the sum of the conversation above ${max}` };
    });
    return [...violations, ...beyond].map(toDoubt);
  }

  /** Takes a call that is made, for the rules about later ones. */
  *made(call: MadeCall): Steps<void> {
    const rules = this.policy.rulesFor(call.name, this.transcript.effectOf(call.name));
    const hasTotal = rules.some(({ total }) => total !== undefined);
    const { reservations } = hasTotal ? yield* this.decide(call) : { reservations: [] };
    for (const { rule, amount } of reservations) this.spent.set(rule, (this.spent.get(rule) ?? 0) + amount);
    this.transcript.addCall({ tool: call.name });
  }

  /** Decides twice if a rule asks for the types in texts: these are inspected in between, since that takes long for long texts. */
  private *decide({ name, arguments: written }: MadeCall): Steps<CallDecision> {
    const { policy, transcript, inspector } = this;
    const known = new Map<string, ReadonlySet<ThreatType>>();
    const asked = new Set<string>();
    const typesIn = (text: string) => {
      asked.add(text);
      return known.get(text) ?? NO_TYPES;
    };
    const call = { tool: name, arguments: written, transcript, typesIn };
    const decision = decideCall(policy, call);
    if (asked.size === 0) return decision;
    for (const text of asked)
      known.set(text, new Set((yield* reportedIn(inspector, text)).map(({ rule }) => rule.type)));
    return decideCall(policy, call);
  }

  private *add(message: ChatMessage): Steps<void> {
    const { turn, calls } = this.reader.read(message);
    if (turn !== undefined) this.transcript.add(turn);
    for (const call of calls) yield* this.made(call);
  }
}

function toDoubt({ rule, action, argument, reason }: Violation): Doubt {
  const what = rule === null ? 'Tools that the policy does not list' : `Rule "${rule}" of the policy`;
  const message = `${what}: ${argument === null ? 'the call' : `the argument "${usualPath(argument)}"`} ${reason}.`;
  return { rule: { ...CALL_RULES.tool_policy, message }, score: 0, action, argument, reason };
}
