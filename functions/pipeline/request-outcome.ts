import type { LimitStates, Refusal, Verdict } from '../control/limits/index.ts';
import type { SessionMemory, SessionRef } from '../control/sessions/index.ts';
import { type AskingRequest, type CallInspector, InspectionReport, type Policy } from '../inspection/index.ts';
import type { ChatRequest, GatewayEvent, SecurityInfo, Warning } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { ModelRouter, Target } from '../translation/index.ts';
import type { Continued, Conversation, SessionPast } from './conversation.ts';
import type { RequestContext } from './request-context.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { ProviderCalls, RequestTimes } from './request-times.ts';
import { Transcript } from './transcript.ts';
import { UsageMeter } from './usage-meter.ts';

/** How a request ended. */
export type Ending = 'completed' | 'blocked' | 'refused' | 'failed';

/** Where a request may go. */
export type Routed = Awaited<ReturnType<ModelRouter['route']>>;

/** What the policy asks to record, besides findings. */
export interface Recording {
  /** The captured texts; undefined if none are captured. */
  readonly transcript: Transcript | undefined;
  /** What the policy's shadow would have done; undefined if it has none. */
  readonly shadow: ReturnType<Policy['tallyShadow']>;
  readonly shadowPolicy: Policy['shadow'];
  /** The score from which the policy flags its session; infinite if there is none. */
  readonly flagsSessionFrom: number;
}

const NO_RECORDING: Recording = {
  transcript: undefined,
  shadow: undefined,
  shadowPolicy: undefined,
  flagsSessionFrom: Number.POSITIVE_INFINITY,
};

/** Starts the recording that the policy asks for. */
export function recordingUnder(policy: Policy): Recording {
  const { capture, flagsAttacksFrom } = policy;
  return {
    transcript: capture === 'none' ? undefined : new Transcript(capture),
    shadow: policy.tallyShadow(),
    shadowPolicy: policy.shadow,
    flagsSessionFrom: flagsAttacksFrom,
  };
}

/**
 * What came of one request. The function that runs the stages adds each stage's result here when the stage returns. What a stage does
 * step by step goes into `times`, `inspection`, `calls`, `usage` and the notes: a stage gets those that it fills as an argument, so that
 * what it has done counts however it ends. `finish` makes the record, event and log line of all this; the headers and `svc` show what is
 * known so far. No stage reads it.
 */
export class Outcome {
  readonly times: RequestTimes;
  readonly inspection = new InspectionReport();
  readonly calls: ProviderCalls;
  readonly usage = new UsageMeter();

  /** The model as the caller named it, and whether the response is a stream. */
  asked: Pick<ChatRequest, 'model' | 'stream'> = { model: '', stream: false };
  recording = NO_RECORDING;
  /** Undefined until a target is chosen. */
  routed: Routed | undefined;
  /** Its member is undefined until the limits respond. */
  admission: { readonly verdict: Verdict | undefined } | undefined;
  /** Undefined for a request without a session, and until it has joined one. */
  session: SessionRef | undefined;
  /** What the session remembers for tool calls; undefined without one. */
  memory: SessionPast['memory'];
  /** What the response's calls take of sums of rules; undefined before it is inspected. */
  sums: { settle(): void } | undefined;
  /** What the session learns for the calls of later requests; undefined if that is nothing. */
  news: SessionNews | undefined;
  /** The MCP server that the request is for; undefined for other requests, and for the list of all servers. */
  mcpServer: string | undefined;
  /** The tool of a call of MCP, as `server/tool`; undefined for other requests, and until it is found. */
  tool: string | undefined;
  /** A changed tool of an MCP server that this process has not reported yet; undefined if there is none. */
  changedTool: ChangedTool | undefined;
  /** For an API whose responses have ids. */
  conversation: Conversation | undefined;
  /** What inspects the tool calls of the response; undefined until the request is inspected. */
  toolCalls: CallInspector | undefined;
  /** Whether a stored response was found; undefined if none was looked for. */
  cache: 'hit' | 'miss' | undefined;
  /** Warnings of the request: tools that the policy removed, and an override. */
  warningsOfRequest: readonly Warning[] = [];
  /** What the translation for the target that responded has dropped or adjusted so far. */
  warningsOfTranslation: () => readonly Warning[] = () => [];

  private end: { readonly ending: Ending; readonly errorCode: string | null } = { ending: 'failed', errorCode: null };
  private sent: number | null = null;
  private readonly notes: string[] = [];

  /** `startedAt`: when the request arrived, monotonic. */
  constructor(clock: Clock, startedAt: number) {
    this.times = new RequestTimes(clock, startedAt);
    this.calls = new ProviderCalls(this.times);
  }

  get warnings(): readonly Warning[] {
    return [...this.warningsOfRequest, ...this.warningsOfTranslation()];
  }

  /** The target of the last call, or else that which would have been called first. */
  get target(): Target | undefined {
    return this.calls.lastTarget ?? this.routed?.targets[0];
  }

  /** Models that the provider may have called instead of the target's. */
  get alternativeModels(): readonly string[] {
    return this.routed?.alternativeModels ?? [];
  }

  /** The state of the key's limits; undefined until the request is admitted by them. */
  get limitStates(): LimitStates | undefined {
    const verdict = this.admission?.verdict;
    return verdict?.admitted ? verdict.states : undefined;
  }

  /** Why the limits refused it; undefined if they did not. */
  get refusal(): Refusal | undefined {
    const verdict = this.admission?.verdict;
    return verdict?.admitted === false ? verdict.refusal : undefined;
  }

  /** `failed` until it ends. */
  get ending(): Ending {
    return this.end.ending;
  }

  get errorCode(): string | null {
    return this.end.errorCode;
  }

  /** null until it is sent. */
  get status(): number | null {
    return this.sent;
  }

  /** Internal details for an operator; null if there are none. */
  get internal(): string | null {
    return this.notes.length === 0 ? null : this.notes.join('; ');
  }

  /** Adds an internal detail for an operator. */
  readonly note = (note: string): void => {
    this.notes.push(note);
  };

  /** Sets the session once it is known. @returns the suspicion of its earlier turns */
  async joins(past: Promise<SessionPast>): Promise<number> {
    const { session, suspicion, memory } = await past;
    this.session = session;
    this.memory = memory;
    return suspicion;
  }

  /** Finds what the session learns from the request, while its provider is called. Never rejects: the notes list failures. */
  async learns(find: () => Promise<SessionNews>): Promise<void> {
    if (this.memory === undefined) return;
    try {
      this.news = await find();
    } catch (error) {
      this.note(`session learned nothing: ${error instanceof Error ? error.message : typeof error}`);
    }
  }

  /** Sets the conversation once it is known. @returns its suspicion */
  async continues(past: Promise<Continued>): Promise<number> {
    const { conversation, suspicion } = await past;
    this.conversation = conversation;
    return suspicion;
  }

  /** The last end counts: a response may fail after all of it was inspected. */
  endsAs(ending: Ending, errorCode: string | null = this.end.errorCode): void {
    this.end = { ending, errorCode };
  }

  /** The status that was sent; only the first counts. */
  sentStatus(status: number): void {
    this.sent ??= status;
  }
}

/** The data of an event, and the call once it is one. */
export interface ChangedTool {
  readonly data: Extract<GatewayEvent, { readonly type: 'mcp.tool_changed' }>['data'];
  published(): void;
}

type SessionNews = Parameters<SessionMemory['learn']>[0];

/** What inspections fill. */
export type InspectionProgress = Pick<Outcome, 'inspection' | 'times'>;

/** A request that is being served: what it is, its lifetime, and what has come of it so far. */
export interface RunningRequest {
  readonly context: RequestContext;
  readonly lifetime: RequestLifetime;
  readonly outcome: Outcome;
}

const ADMITTED = Promise.resolve();

/** The request as outside detectors know it; `admitted` rejects if it is refused. */
export function askingRequest(
  { context, lifetime, outcome }: RunningRequest,
  admitted: Promise<void> = ADMITTED,
): AskingRequest {
  const { inspection } = outcome;
  return {
    sender: context.key.id,
    signal: lifetime.signal,
    admitted,
    addCost: (nanoUsd) => inspection.judged(nanoUsd),
  };
}

/** @param startedAt when the request arrived, monotonic milliseconds */
export function startRequest(context: RequestContext, clock: Clock, startedAt: number): RunningRequest {
  return { context, lifetime: new RequestLifetime(), outcome: new Outcome(clock, startedAt) };
}

/** The session that the caller names, or the one that was joined for the end user; null without one. */
export function sessionIdOf({ tracking }: RequestContext, { session }: Pick<Outcome, 'session'>): string | null {
  return session !== undefined && 'sessionId' in session ? session.sessionId : tracking.sessionId;
}

/** The object `svc` of the response, of what is known so far. */
export function securityInfo(
  context: RequestContext,
  shown: Pick<Outcome, 'inspection' | 'times' | 'session' | 'warnings'>,
): SecurityInfo {
  const { inspection, times, warnings } = shown;
  const { findings, coverage } = inspection;
  return {
    threat_score: findings.threatScore,
    detected_threats: findings.shownThreats,
    processing_time_ms: times.ownMs,
    action: findings.action,
    request_id: context.requestId,
    session_id: sessionIdOf(context, shown),
    coverage,
    ...(inspection.approvals.length > 0 && { approvals: inspection.approvals }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The request whose response is fetched and written, and what that fills. */
export interface Responding {
  readonly context: RequestContext;
  readonly lifetime: RequestLifetime;
  readonly progress: Pick<Outcome, 'inspection' | 'times' | 'calls' | 'usage'>;
  /** The object `svc`, of what is known so far. */
  readonly svc: () => SecurityInfo;
}

export function respondingTo({ context, lifetime, outcome }: RunningRequest): Responding {
  return { context, lifetime, progress: outcome, svc: () => securityInfo(context, outcome) };
}
