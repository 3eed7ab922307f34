import { type Action, type RecordedToolCall, type ResponseCalls, strongerAction } from '../../kernel/model/index.ts';
import { runInSlices, type Scheduler, type Steps } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import { type Policy, underPolicy } from '../policy/index.ts';
import { InspectionReport } from '../report/index.ts';
import {
  argumentsOf,
  type CallFinding,
  type CallingRequest,
  type CallReader,
  loadCallReader,
  type MadeCall,
  REPORT_FROM,
} from '../tool-calls/index.ts';
import { CallGate, type Decision, type PlacedCall, type Uninspected, type Verdict } from './call-gate.ts';
import type { CallMemory, SessionNews } from './call-memory.ts';
import { CallRules, type RuledCall } from './call-rules.ts';
import type { CallAmount, CallSums, OriginOf, PendingCall } from './call-sums.ts';
import { type AskPerson, type DenialOf, decidePending, notKnown } from './decide-pending.ts';
import { addDoubt, type Doubt, ofFinding, removalText } from './doubts.ts';
import { secretsIn } from './reported-in.ts';
import { SaidTexts } from './said-texts.ts';
import { SentCalls } from './sent-calls.ts';
import { UNINSPECTED, uninspected } from './uninspected.ts';
import { type ShadowTally, unlistedTools } from './unlisted-tools.ts';
import { WholeFields } from './whole-fields.ts';

export interface CallInspectorDeps {
  /** The key that the response is sent to; undefined if none is. */
  readonly sender: string | undefined;
  readonly policy: Policy;
  readonly report: InspectionReport;
  readonly scheduler: Scheduler;
  readonly inspector: TextInspector;
  /** Sums of rules beyond the request; absent if calls are only inspected. */
  readonly sums?: CallSums | undefined;
  /** What earlier requests of the session had; undefined, or resolves to undefined, without a session. Never rejects. */
  readonly memory?: Promise<CallMemory | undefined> | undefined;
  /** Asks for an approval; without it a call that needs one is removed. Never rejects. */
  readonly approve?: AskPerson | undefined;
  /** What was denied in the session; undefined, or resolves to undefined, if nothing was. `unknown`: the store failed. Never rejects. */
  readonly denials?: ((said: SaidTexts) => Promise<DenialOf | undefined | 'unknown'>) | undefined;
}

type ScoredValues = readonly RecordedToolCall['arguments'][number][];

interface ComparedCall extends RuledCall {
  readonly originOf: OriginOf | undefined;
  readonly values: ScoredValues;
}

/** A call of the response, with the doubt that removes it and the one that a person is asked about. */
interface DoubtfulCall extends ComparedCall {
  readonly blocking: Doubt | undefined;
  readonly doubt: Doubt | undefined;
}

const OF_RESPONSE = { part: 'output', message: null } as const;
const NO_RULES: RuledCall = { doubts: [], amounts: [] };

/** Calls of one earlier response that are inspected; more are in no real one. */
const MAX_PAST_CALLS = 64;
/** Calls of a response that are kept for captures and shadow policies. */
const MAX_CALLS = 64;
const MANY = `tool calls: more than ${MAX_PAST_CALLS} in one message`;
const NOT_KNOWN = 'tool calls: earlier turns are not part of the request';
const HOSTED = 'tool calls: executed by the provider before the response';
const DENIALS = 'tool calls: earlier denials, since their store is unavailable';
const sentCalls = new SentCalls();

/**
 * Inspects the tool calls of one exchange: those in the request, then those of its response. Each is compared with the conversation before it,
 * and checked by the rules of the policy.
 */
export class CallInspector {
  private readonly request: CallingRequest;
  private readonly isComplete: boolean;
  private readonly deps: CallInspectorDeps;
  private readonly wholeFields: WholeFields;
  private reader: CallReader | undefined;
  private rules: CallRules | undefined;
  private readonly inspector: TextInspector;
  /** The calls of the response so far, the first ones. */
  readonly calls: PlacedCall[] = [];
  /** Conditions `after` of rules that have occurred. */
  private readonly occurred: string[] = [];
  /** Calls of the response that were sent, and those that wait. */
  private sent = 0;
  private waiting = 0;
  private denialOf: DenialOf | undefined;
  isReady = false;

  /** @param isComplete whether all that the model reads is in the request */
  constructor(request: CallingRequest, isComplete: boolean, deps: CallInspectorDeps) {
    this.request = request;
    this.isComplete = isComplete;
    this.deps = deps;
    this.wholeFields = new WholeFields(request.messages);
    this.inspector = underPolicy(deps.inspector, deps.policy, undefined);
  }

  /** What the user replies, and what the assistant has said before. */
  get said(): SaidTexts {
    return new SaidTexts(this.request.messages);
  }

  static readonly unlistedTools = unlistedTools;

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
    const calls = [...all.entries()]
      .slice(0, MAX_PAST_CALLS)
      .filter(([, { name, arguments: args }]) => !sentCalls.has(this.deps.sender, name, argumentsOf(args)));
    if (all.length > MAX_PAST_CALLS) this.deps.report.skipped(MANY);
    if (calls.length === 0) return;
    await this.load();
    for (const [index, call] of calls) {
      const place = `messages[${at}].tool_calls[${index}].function`;
      const field = callersNames[`${place}.arguments`] ?? `${callersNames[place] ?? place}.arguments`;
      const { doubts } = await runInSlices(this.compare(call, at), this.deps.scheduler);
      for (const doubt of doubts)
        addDoubt(this.deps.report.findings, doubt, actionOf(doubt), { part: 'input', message: at, field });
    }
  }

  /** Holds the calls of the response until they are inspected. */
  gate(calls: ResponseCalls): CallGate {
    return new CallGate(calls, this);
  }

  async prepare(): Promise<void> {
    if (this.isReady) return;
    const [denials] = await Promise.all([this.mayAsk ? this.deps.denials?.(this.said) : undefined, this.load()]);
    const isUnknown = denials === 'unknown';
    if (isUnknown) this.deps.report.skipped(DENIALS);
    if (!isUnknown) this.denialOf = denials;
    else if (this.deps.policy.onUnfinishedInspection === 'block')
      this.denialOf = async ({ shownName }) => notKnown(shownName);
    this.isReady = true;
  }

  /** Whether a call may wait for a person, and so be denied. */
  private get mayAsk(): boolean {
    const { output, tools } = this.deps.policy;
    return output.tool_misuse.action === 'ask' || tools?.rules?.some(({ action }) => action === 'ask') === true;
  }

  /** @param tool empty if its name is not known yet */
  mayRemove(tool: string): boolean {
    if (this.rules?.mayRemove(tool)) return true;
    const { action } = this.deps.policy.output.tool_misuse;
    return (action === 'ask' || action === 'block') && (tool === '' || this.hasEffect(tool));
  }

  /**
   * Inspects a call of the response. One that waits for a sum or a person is reported by `decide`. Later calls wait for it too where a rule
   * may remove them: the rules count the calls that are sent.
   *
   * Example: `pay` has a daily sum, and may be called once (`after: {"tool": "pay"}`). Of two calls in one response the first waits for the
   * sum; the second is decided again once the first is sent, and removed.
   */
  *inspect(call: PlacedCall): Steps<Verdict> {
    sentCalls.add(this.deps.sender, call.name, argumentsOf(call.arguments));
    this.keep(call);
    const found = yield* this.compareResponse(call);
    const { doubts, values, amounts, blocking, doubt } = found;
    const isBehind = this.waiting > 0 && call.isHeld && this.rules !== undefined;
    const mayBeDenied = this.denialOf !== undefined && call.isHeld;
    if (blocking === undefined && (isBehind || mayBeDenied || amounts.length > 0 || doubt !== undefined)) {
      this.waiting += 1;
      return { pending: { ...found, sentBefore: this.sent } };
    }
    this.reportCall(call, doubts, { values });
    if (blocking !== undefined) return { text: removalText(call.name, blocking) };
    yield* this.made(call);
    return 'send';
  }

  /** Compares a call of the response. Of the doubts, the first that blocks it and the first that a person is asked about. */
  private *compareResponse(call: PlacedCall): Steps<DoubtfulCall> {
    const found = yield* this.compare(call, this.request.messages.length, this.deps.sums);
    const first = (wanted: Doubt['action']) =>
      call.isHeld ? found.doubts.find(({ action }) => action === wanted) : undefined;
    return { ...found, blocking: first('block'), doubt: first('ask') };
  }

  /**
   * Reports on a call of a response that was received before, as if it was about to be sent.
   * @param reports where findings are added
   */
  *inspectReceived(call: Omit<PlacedCall, 'isHeld'>, reports = [this.deps.report.findings]): Steps<void> {
    const held = { ...call, isHeld: this.mayRemove(call.name) };
    this.keep(held);
    const { doubts, values } = yield* this.compare(held, this.request.messages.length);
    this.reportCall(held, doubts, { values }, reports);
    const isRemoved = held.isHeld && doubts.some(({ action }) => action !== 'flag');
    if (!isRemoved) yield* this.made(held);
  }

  async inspectAllReceived(calls: readonly Omit<PlacedCall, 'isHeld'>[]): Promise<void> {
    if (calls.length === 0) return;
    await this.prepare();
    for (const call of calls) await runInSlices(this.inspectReceived(call), this.deps.scheduler);
  }

  /** Counts what the shadow policy would do with the calls of the response, of which nothing is changed. */
  async tallyShadow(tally: ShadowTally | undefined): Promise<void> {
    const { policy } = this.deps;
    if (tally === undefined || policy.shadow === undefined || this.calls.length === 0) return;
    const report = new InspectionReport();
    // Nothing is reserved or asked.
    const deps = {
      ...this.deps,
      sender: undefined,
      policy: policy.shadow,
      report,
      sums: undefined,
      approve: undefined,
      denials: undefined,
    };
    const shadow = new CallInspector(this.request, this.isComplete, deps);
    shadow.reader = this.reader;
    await shadow.inspectAllReceived(this.calls);
    tally.addCalls(report.findings);
  }

  /** Reserves the amounts of a call, and asks a person if one has to approve it. What it does not get is given back. */
  async decide(call: PlacedCall, pending: PendingCall): Promise<Decision> {
    this.waiting -= 1;
    const { scheduler } = this.deps;
    const isStale = pending.sentBefore !== this.sent;
    const found = isStale
      ? await runInSlices(this.compareResponse(call), scheduler)
      : { ...pending, blocking: undefined };
    const { doubts, values, blocking } = found;
    if (blocking !== undefined) {
      this.reportCall(call, doubts, { values });
      return { text: removalText(call.name, blocking), isBlocked: true };
    }
    const decided = await decidePending(call, found, { ...this.deps, denialOf: this.denialOf, said: this.said });
    this.reportCall(call, decided.doubts, { values, approval: decided.approval });
    if ('onSent' in decided.decision) await runInSlices(this.made(call), scheduler);
    return decided.decision;
  }

  /** Records a call that the user has released by its code, and counts it: it is sent whatever the sums are. */
  async release(call: MadeCall & { readonly approvalId: string }): Promise<void> {
    const { sums, scheduler } = this.deps;
    await this.prepare();
    const approval = { id: call.approvalId, releasedBy: 'user' } as const;
    this.reportCall({ ...call, id: null, field: '', isHeld: true }, [], { approval });
    if (this.rules === undefined || sums === undefined) return;
    const steps = this.rules.doubtsAbout(call, this.request.messages.length, ({ per }) => sums.has(per));
    const { amounts } = await runInSlices(steps, scheduler);
    for (const amount of amounts) (await sums.reserve(amount)).sent();
  }

  private keep({ id, name, arguments: written, field, isHeld }: PlacedCall): void {
    if (this.calls.length < MAX_CALLS) this.calls.push({ id, name, arguments: written, field, isHeld });
  }

  /** Reports and records a call of the response: one that cannot be removed is flagged at most. */
  private reportCall(
    call: PlacedCall,
    doubts: readonly Doubt[],
    { values = [], approval }: { readonly values?: ScoredValues; readonly approval?: RecordedToolCall['approval'] },
    reports = [this.deps.report.findings],
  ): void {
    let strongest: Action = 'allow';
    for (const doubt of doubts) {
      const action = call.isHeld ? doubt.action : 'flag';
      strongest = strongerAction(strongest, action);
      for (const report of reports) addDoubt(report, doubt, action, { ...OF_RESPONSE, field: call.field });
    }
    const effect = this.rules?.effectOf(call.name) ?? this.reader?.effectOf(call.name) ?? 'write';
    this.deps.report.calledTool({
      tool: call.name,
      effect,
      action: strongest,
      arguments: this.wholeFields.mark(values, call.arguments),
      ...(approval !== undefined && { approval }),
    });
  }

  skip({ name, field, isHeld }: Pick<PlacedCall, 'name' | 'field' | 'isHeld'>, why: Uninspected): string {
    this.deps.report.skipped(UNINSPECTED[why].skipped);
    const doubt = uninspected(why);
    if (isHeld) this.reportCall({ id: null, name, arguments: '', field, isHeld }, [doubt], {});
    return removalText(name, doubt);
  }

  skipHosted(): void {
    this.deps.report.skipped(HOSTED);
  }

  /** Compares a call with the messages before it, and with the rules. `sums`: those beyond the request; none for calls that were made. */
  private *compare(call: MadeCall, end: number, sums?: CallSums): Steps<ComparedCall> {
    const { reader, rules } = this;
    if (!this.isComplete) this.deps.report.skipped(NOT_KNOWN);
    const isKept = ({ per }: CallAmount) => sums?.has(per) === true;
    const ruled = rules === undefined ? NO_RULES : yield* rules.doubtsAbout(call, end, isKept);
    const { doubts: byRules, amounts } = ruled;
    const isScored = this.hasEffect(call.name);
    if (reader === undefined || (!isScored && byRules.length === 0))
      return { doubts: byRules, values: [], amounts, originOf: undefined };
    yield* reader.readTo(end);
    const { finding, values, originOf } = yield* reader.scoreSteps(call, this.knowledge, this.reportFrom);
    if (!isScored) return { doubts: byRules, values: [], amounts, originOf };
    const action = finding === undefined ? 'allow' : this.actionFor(finding);
    if (finding === undefined || action === 'allow') return { doubts: byRules, values, amounts, originOf };
    return { doubts: [...byRules, ofFinding(call.name, finding, action)], values, amounts, originOf };
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
    secretsIn: (text) => secretsIn(this.inspector, text),
  };

  private async load(): Promise<void> {
    const memory = await this.deps.memory;
    const { policy } = this.deps;
    // A rule that holds a call back must not end where a store does not respond.
    const isUnknownHeld = policy.onUnfinishedInspection === 'block';
    const hasOccurred = (condition: string, action: Doubt['action']) =>
      memory !== undefined && (memory.hasOccurred(condition) ?? (isUnknownHeld && action !== 'flag'));
    this.rules ??= await CallRules.of(policy, this.request, this.inspector, memory, hasOccurred);
    if (this.isComplete) this.reader ??= await this.newReader(memory);
  }

  private newReader(memory: CallMemory | undefined): Promise<CallReader> {
    return loadCallReader(this.request, memory, Object.values(this.deps.policy.tools?.lists ?? {}).flat());
  }

  /** What later requests of the session need to know of this one. Calls of the response that are sent later add to `occurred`. */
  async learn(): Promise<SessionNews> {
    const { policy, memory, scheduler } = this.deps;
    if (policy.tools?.rules?.some(({ after }) => after !== undefined)) {
      await this.load();
      await runInSlices(this.noteOccurred(), scheduler);
    }
    const { messages, tools = [] } = this.request;
    const mayCall = tools.length > 0 || messages.some(({ role }) => role === 'tool');
    if (!mayCall || !this.isComplete) return { seen: [], typed: [], occurred: this.occurred };
    const reader = await this.newReader(await memory);
    return { ...(await runInSlices(reader.newValues(), scheduler)), occurred: this.occurred };
  }

  /** Takes a call that is sent, for the rules about later ones. */
  private *made(call: MadeCall): Steps<void> {
    this.sent += 1;
    if (this.rules === undefined) return;
    yield* this.rules.made(call);
    yield* this.noteOccurred();
  }

  private *noteOccurred(): Steps<void> {
    const all = this.rules === undefined ? [] : yield* this.rules.occurred();
    this.occurred.push(...all.filter((one) => !this.occurred.includes(one)));
  }

  private actionFor({ rule, score }: CallFinding): Exclude<Action, 'redact'> {
    const finding: Finding = { rule, score, start: 0, end: 0, decodedFrom: [] };
    const action = this.deps.policy.decide(finding, 'output');
    return action === 'redact' ? 'flag' : action;
  }
}
