import {
  type Action,
  type CallOrigin,
  type RecordedToolCall,
  type ResponseCalls,
  strongerAction,
  type ThreatLocation,
  usualPath,
} from '../../kernel/model/index.ts';
import { runInSlices, type Scheduler, type Steps } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import type { InspectionReport } from '../report/index.ts';
import {
  argumentsOf,
  CALL_RULES,
  type CallFinding,
  type CallingRequest,
  type CallReader,
  loadCallReader,
  type MadeCall,
  REPORT_FROM,
  splitUserText,
} from '../tool-calls/index.ts';
import { CallGate, type PlacedCall, type Verdict } from './call-gate.ts';
import { CallRules } from './call-rules.ts';
import { type Doubt, ofFinding, removalText, sentenceOf, shownName } from './doubts.ts';
import { secretsIn } from './reported-in.ts';
import { SentCalls } from './sent-calls.ts';

/** A call that a person has to approve. */
export interface AskedCall extends Omit<PlacedCall, 'isHeld'> {
  readonly origin: CallOrigin;
  /** Its tool, and why it is doubtful with the start of the value: as a text to the client may contain them. */
  readonly shownName: string;
  readonly why: string;
}

/** The decision. `text`: what the client reads instead of the call. */
export type Approval = 'approved' | { readonly text: string };

export interface CallInspectorDeps {
  /** The key that the response is sent to; undefined if none is. */
  readonly sender: string | undefined;
  readonly policy: Policy;
  readonly report: InspectionReport;
  readonly scheduler: Scheduler;
  readonly inspector: TextInspector;
  /** Asks for an approval; without it a call that needs one is removed. Never rejects. */
  readonly approve?: ((call: AskedCall) => Promise<Approval>) | undefined;
}

type ScoredValues = readonly RecordedToolCall['arguments'][number][];

interface ComparedCall {
  readonly doubts: readonly Doubt[];
  readonly values: ScoredValues;
}

/** Calls of one earlier response that are inspected; more are in no real one. */
const MAX_PAST_CALLS = 64;
const MANY = `tool calls: more than ${MAX_PAST_CALLS} in one message`;
const NOT_KNOWN = 'tool calls: earlier turns are not part of the request';
const HOSTED = 'tool calls: executed by the provider before the response';
const RENAMED = 'tool calls: one changes its name';
const COSTLY = 'tool calls: the CPU budget of the inspection was used up';
const sentCalls = new SentCalls();

/**
 * Inspects the tool calls of one exchange: those in the request, then those of its response. Each is compared with the conversation before it,
 * and checked by the rules of the policy.
 */
export class CallInspector {
  private readonly request: CallingRequest;
  private readonly isComplete: boolean;
  private readonly deps: CallInspectorDeps;
  private reader: CallReader | undefined;
  private rules: CallRules | undefined;
  isReady = false;

  /** @param isComplete whether all that the model reads is in the request */
  constructor(request: CallingRequest, isComplete: boolean, deps: CallInspectorDeps) {
    this.request = request;
    this.isComplete = isComplete;
    this.deps = deps;
  }

  /**
   * Reports the calls of the last response in the request; earlier requests had those before. The client has made them, so a finding is
   * flagged at most.
   */
  async inspectPast(): Promise<void> {
    const at = this.request.messages.findLastIndex(({ role }) => role === 'assistant');
    await this.inspectMade(at, () => 'flag');
  }

  /** Reports the calls of all responses in a recorded conversation, as if each was about to be sent. */
  async inspectAll(): Promise<void> {
    for (const at of this.request.messages.keys()) await this.inspectMade(at, ({ action }) => action);
  }

  private async inspectMade(at: number, actionOf: (doubt: Doubt) => Action): Promise<void> {
    const { messages, callersNames = {} } = this.request;
    const all = messages[at]?.toolCalls ?? [];
    const calls = [...all.entries()].slice(0, MAX_PAST_CALLS).filter(([, call]) => !this.wasSent(call));
    if (all.length > MAX_PAST_CALLS) this.deps.report.skipped(MANY);
    if (calls.length === 0) return;
    await this.load();
    for (const [index, call] of calls) {
      const place = `messages[${at}].tool_calls[${index}].function`;
      const field = callersNames[`${place}.arguments`] ?? `${callersNames[place] ?? place}.arguments`;
      const { doubts } = await runInSlices(this.compare(call, at), this.deps.scheduler);
      for (const doubt of doubts) this.report(doubt, field, actionOf(doubt), { part: 'input', message: at });
    }
  }

  /** What the user wrote in the last message, without what they pasted; empty if the last message is not the user's. */
  get userWrote(): string {
    const last = this.request.messages.at(-1);
    if (last?.role !== 'user') return '';
    return last.parts.map((part) => ('text' in part ? splitUserText(part.text).own : '')).join('\n');
  }

  /** Holds the calls of the response until they are inspected. */
  gate(calls: ResponseCalls): CallGate {
    return new CallGate(calls, this);
  }

  async prepare(): Promise<void> {
    if (!this.isReady) await this.load();
    this.isReady = true;
  }

  mayRemove(tool: string): boolean {
    if (this.rules?.mayRemove(tool)) return true;
    const { action } = this.deps.policy.output.tool_misuse;
    return (action === 'ask' || action === 'block') && this.hasEffect(tool);
  }

  /** @param reports where findings are added */
  *inspect(call: PlacedCall, reports = [this.deps.report.findings]): Steps<Verdict> {
    sentCalls.add(this.deps.sender, call.name, argumentsOf(call.arguments));
    const { doubts, values } = yield* this.compare(call, this.request.messages.length);
    let strongest: Action = 'allow';
    for (const doubt of doubts) {
      const action = call.isHeld ? doubt.action : 'flag';
      strongest = strongerAction(strongest, action);
      this.report(doubt, call.field, action, { part: 'output', message: null }, reports);
    }
    const effect = this.rules?.effectOf(call.name) ?? this.reader?.effectOf(call.name) ?? 'write';
    this.deps.report.calledTool({ tool: call.name, effect, action: strongest, arguments: [...values] });
    const blocking = doubts.find(({ action }) => action === 'block');
    const asking = doubts.find(({ action }) => action === 'ask');
    if (!call.isHeld || (blocking ?? asking) === undefined) {
      if (this.rules !== undefined) yield* this.rules.made(call);
      return 'send';
    }
    if (blocking !== undefined) return { text: removalText(call.name, blocking) };
    return { ask: asking as Doubt };
  }

  async ask(call: PlacedCall, doubt: Doubt): Promise<string | undefined> {
    const { approve } = this.deps;
    if (approve === undefined) return removalText(call.name, doubt);
    const { id, name, arguments: written, field } = call;
    const origin = doubt.origin ?? { call: name, argument: doubt.argument, user: false, sources: [], ordered: false };
    const why = sentenceOf(doubt, startOfValue(call, doubt));
    const approval = await approve({ id, name, arguments: written, field, origin, shownName: shownName(name), why });
    return approval === 'approved' ? undefined : approval.text;
  }

  skipCostly(tool: string): string {
    this.deps.report.skipped(COSTLY);
    return `[The call of ${shownName(tool)} was blocked by the security policy: it could not be inspected in time.]`;
  }

  skipRenamed(tool: string): string {
    this.deps.report.skipped(RENAMED);
    return `[The call of ${shownName(tool)} was blocked by the security policy: the response has another name for it, too.]`;
  }

  skipHosted(): void {
    this.deps.report.skipped(HOSTED);
  }

  /** Compares a call with the messages before it, and with the rules. */
  private *compare(call: MadeCall, end: number): Steps<ComparedCall> {
    const { reader, rules } = this;
    if (!this.isComplete) this.deps.report.skipped(NOT_KNOWN);
    const byRules = rules === undefined ? [] : yield* rules.doubtsAbout(call, end);
    if (reader === undefined || !this.hasEffect(call.name)) return { doubts: byRules, values: [] };
    yield* reader.readTo(end);
    const { finding, values } = yield* reader.scoreSteps(call, this.knowledge, this.reportFrom);
    const action = finding === undefined ? 'allow' : this.actionFor(finding);
    if (finding === undefined || action === 'allow') return { doubts: byRules, values };
    return { doubts: [...byRules, ofFinding(call.name, finding, action)], values };
  }

  /** Whether a call of this tool does more than read, or may take data out. The policy knows better than its name. */
  private hasEffect(tool: string): boolean {
    const effect = this.rules?.effectOf(tool);
    return effect === undefined ? this.reader?.hasEffect(tool) === true : effect !== 'read';
  }

  /** The score from which calls are reported, if the policy acts on weaker signs than are flagged. */
  private get reportFrom(): number | undefined {
    const { action, threshold } = this.deps.policy.output.tool_misuse;
    return action === 'ask' || action === 'block' ? Math.min(threshold, REPORT_FROM) : undefined;
  }

  /** What the policy and the rules know about data. */
  private readonly knowledge: Parameters<CallReader['scoreSteps']>[1] = {
    isPrivate: (tool) => this.rules?.isPrivate(tool),
    secretsIn: (text) => secretsIn(this.deps.inspector, text),
  };

  private report(
    { rule, score, argument, origin, reasons }: Doubt,
    field: string,
    action: Action,
    where: Pick<ThreatLocation, 'part' | 'message'>,
    reports = [this.deps.report.findings],
  ): void {
    const location = {
      ...where,
      field: argument === null ? field : `${field}.${usualPath(argument)}`,
      start: 0,
      end: 0,
    };
    const finding = { rule, score, start: 0, end: 0, decodedFrom: [] };
    for (const report of reports) report.add(finding, action, location, { origin, reasons });
  }

  private wasSent({ name, arguments: written }: MadeCall): boolean {
    return sentCalls.has(this.deps.sender, name, argumentsOf(written));
  }

  private async load(): Promise<void> {
    const { policy, inspector } = this.deps;
    this.rules ??= await CallRules.of(policy, this.request, inspector);
    if (this.isComplete) this.reader ??= await loadCallReader(this.request);
  }

  private actionFor({ category, score }: CallFinding): Exclude<Action, 'redact'> {
    const finding: Finding = { rule: CALL_RULES[category], score, start: 0, end: 0, decodedFrom: [] };
    const action = this.deps.policy.decide(finding, 'output');
    return action === 'redact' ? 'flag' : action;
  }
}

const MAX_SHOWN = 200;

/** The start of the value at the doubtful argument, as one line; undefined if the call as a whole is doubtful. */
function startOfValue({ arguments: written }: MadeCall, { argument }: Doubt): string | undefined {
  if (argument === null) return undefined;
  const steps = argument.split(/[.[\]]/).filter((step) => step !== '');
  const value = steps.reduce<unknown>(
    (one, step) => (Object.hasOwn(Object(one), step) ? Object(one)[step] : undefined),
    argumentsOf(written),
  );
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, MAX_SHOWN).replace(/\s/g, ' ');
}
