import {
  type ChatMessage,
  type ThreatType,
  type ToolEffect,
  type ToolPolicy,
  usualPath,
} from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import type { TextInspector } from '../matching/index.ts';
import { FLAG_FROM, type Policy } from '../policy/index.ts';
import { CALL_RULES, type CallingRequest, loadCallWords, type MadeCall } from '../tool-calls/index.ts';
import {
  type CallDecision,
  type CompiledToolPolicy,
  compileToolPolicy,
  decideCall,
  Transcript,
  type Violation,
} from '../tool-policy/index.ts';
import type { Doubt } from './doubts.ts';

/** Checks calls by the `tools` of a policy, after the messages of one request. */
export class CallRules {
  private readonly policy: CompiledToolPolicy;
  private readonly messages: readonly ChatMessage[];
  private readonly transcript: Transcript;
  private readonly inspector: TextInspector;
  private readonly toolOf = new Map<string, string>();
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
    return this.policy.rulesFor(tool).some(({ action }) => isStrict(action));
  }

  /** The violations of a call that comes after a number of messages. */
  *doubtsAbout({ name, arguments: written }: MadeCall, end: number): Steps<readonly Doubt[]> {
    for (; this.read < end; this.read++) {
      this.add(this.messages[this.read] as ChatMessage);
      yield;
    }
    const { violations, reservations } = this.decide({ name, arguments: written });
    const exceeded = reservations.filter(({ rule, amount, max }) => (this.spent.get(rule) ?? 0) + amount > max);
    const beyond = exceeded.map(({ rule, action, arg, max }): Violation => {
      return { rule, action, argument: arg, reason: `brings the sum of the conversation above ${max}` };
    });
    return [...violations, ...beyond].map(toDoubt);
  }

  /** Takes a call that is made, for the rules about later ones. */
  made(call: MadeCall): void {
    const hasTotal = this.policy.rulesFor(call.name).some(({ total }) => total !== undefined);
    const { reservations } = hasTotal ? this.decide(call) : { reservations: [] };
    for (const { rule, amount } of reservations) this.spent.set(rule, (this.spent.get(rule) ?? 0) + amount);
    this.transcript.addCall({ tool: call.name });
  }

  private decide({ name, arguments: written }: MadeCall): CallDecision {
    const { policy, transcript } = this;
    const typesIn = (text: string) => this.typesIn(text);
    return decideCall(policy, { tool: name, arguments: written, transcript, typesIn });
  }

  private add({ parts, role, toolCalls = [], toolCallId = '' }: ChatMessage): void {
    const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
    const author = role === 'developer' ? 'system' : role;
    if (text !== '') this.transcript.add({ author, text, tool: this.toolOf.get(toolCallId) });
    for (const call of toolCalls) {
      this.toolOf.set(call.id, call.name);
      this.made(call);
    }
  }

  private typesIn(text: string): ReadonlySet<ThreatType> {
    const found = finish(this.inspector.inspectSteps(text, 'output', []));
    return new Set(found.flatMap(({ rule, score }) => (score >= FLAG_FROM ? [rule.type] : [])));
  }
}

function toDoubt({ rule, action, argument, reason }: Violation): Doubt {
  const what = rule === null ? 'Tools that the policy does not list' : `Rule "${rule}" of the policy`;
  const message = `${what}: ${argument === null ? 'the call' : `the argument "${usualPath(argument)}"`} ${reason}.`;
  return { rule: { ...CALL_RULES.tool_policy, message }, score: 0, action, argument, reason };
}
