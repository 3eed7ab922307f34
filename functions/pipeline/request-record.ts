import { MCP_TARGET } from '../kernel/configuration/index.ts';
import {
  type DetectedThreat,
  environmentOf,
  type RecordedFinding,
  type RequestRecord,
  type ThreatType,
  toUsd,
  type UnknownCharge,
  type Usage,
  usualPath,
  usualToolCall,
  withoutUnusualNames,
} from '../kernel/model/index.ts';
import type { ModelCatalog } from '../translation/index.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import { type Outcome, type RunningRequest, sessionIdOf } from './request-outcome.ts';
import type { ProviderCall } from './request-times.ts';
import { costInNanoUsd, unknownCharges } from './usage-meter.ts';

/** The record of a request that has ended. Contains no text, and no name that the caller put into the body. */
export function toRequestRecord({ context, lifetime, outcome }: RunningRequest): RequestRecord {
  const { tracking, key, models } = context;
  const { inspection, calls, times, target, ending, recording, mcpServer, changedTool } = outcome;
  const { findings, judgeNanoUsd } = inspection;
  const { stream } = outcome.asked;
  const { stopped } = lifetime;
  const upstreamRequestId = calls.lastHead?.requestId;
  const { lastCredentialId: credentialId } = calls;
  const refused = ending === 'refused' && stopped === undefined;
  return {
    id: context.requestId,
    traceId: context.trace.traceId,
    time: new Date(context.receivedAt).toISOString(),
    keyId: key.id,
    ...callerOf(context),
    environment: environmentOf(tracking.environment ?? key.environment),
    sessionId: sessionIdOf(context, outcome),
    endUserId: tracking.endUserId,
    appVersion: tracking.appVersion,
    route: context.route,
    provider: target?.provider ?? (mcpServer === undefined ? null : `${MCP_TARGET}${mcpServer}`),
    model: target?.model ?? null,
    attempts: calls.count,
    ...variantOf(outcome),
    ...(credentialId !== undefined && { credentialId }),
    ...(upstreamRequestId != null && { upstreamRequestId }),
    stream,
    state: stopped ?? (ending === 'refused' ? 'failed' : ending),
    status: statusOf(outcome, lifetime),
    errorCode: outcome.errorCode,
    action: findings.action,
    threatScore: findings.threatScore,
    // A refused request was not served, so it does not count in its session.
    turnScore: refused ? 0 : inspection.lastTurnScore,
    findings: findingsOf(findings.threats),
    threats: { ...findings.counts },
    tokens: tokensOf(outcome.usage.reported),
    ...costsOf(outcome, models),
    ...cacheOf(outcome, models),
    ...(judgeNanoUsd !== undefined && { judgeCostUsd: toUsd(judgeNanoUsd) }),
    latencyMs: times.durationMs,
    timeToFirstTokenMs: stream ? times.firstPieceMs : null,
    processingMs: times.ownMs,
    stages: times.stages,
    ...(calls.list.some(({ failure }) => failure !== null) || calls.count > 1 ? { calls: callsOf(calls.list) } : {}),
    ...(outcome.tool !== undefined && { tool: outcome.tool }),
    ...(changedTool && { toolChange: changedTool.data.digest === null ? 'removed' : 'changed' }),
    ...(inspection.toolCalls.length > 0 && { toolCalls: inspection.toolCalls.map(usualToolCall) }),
    capture: recording.transcript?.kept ?? 'none',
    shadow: recording.shadow?.toRecord() ?? null,
    ...(context.isObserved && { override: 'observe' }),
    ...(context.rollout !== undefined && { rollout: context.rollout }),
  };
}

type Caller = Pick<RequestRecord, 'teamId' | 'identity' | 'tags' | 'requestTags'>;

/** Who made a request, beside its key, and its tags; absent what there is not. */
export function callerOf({ key, tracking }: Pick<RequestContext, 'key' | 'tracking'>): Caller {
  const { teamId, identity } = key;
  return {
    ...(teamId != null && { teamId }),
    ...(identity !== undefined && { identity }),
    ...(Object.keys(key.tags).length > 0 && { tags: key.tags }),
    ...(Object.keys(tracking.tags).length > 0 && { requestTags: tracking.tags }),
  };
}

/** The deployment's route, and which of its targets it chose. */
function variantOf({ routed }: Outcome): Pick<RequestRecord, 'alias' | 'variant'> {
  if (routed?.route === undefined) return {};
  const { chosen, route } = routed;
  const hasVariant = chosen !== undefined && route.targets.length > 1;
  return { alias: route.models, ...(hasVariant && { variant: `${chosen.provider}/${chosen.model}` }) };
}

/** Calls in a record; routes have fewer targets. */
const MAX_CALLS = 10;

function callsOf(calls: readonly ProviderCall[]): NonNullable<RequestRecord['calls']> {
  return calls.slice(0, MAX_CALLS).map(({ provider, model, fromMs, toMs, failure }) => ({
    provider,
    model,
    startMs: fromMs,
    endMs: toMs,
    failure: failure?.type ?? null,
  }));
}

/** Counts that are rarely more than zero are absent then. */
function tokensOf(usage: Usage | null): RequestRecord['tokens'] {
  const { inputTokens, outputTokens, searches = 0, otherSearches = 0 } = usage ?? {};
  const others = {
    cachedInput: usage?.cachedInputTokens,
    cacheWriteInput: usage?.cacheWriteInputTokens,
    cacheWriteInputHour: usage?.cacheWriteHourInputTokens,
    inputAudio: usage?.audioInputTokens,
    outputAudio: usage?.audioOutputTokens,
    reasoning: usage?.reasoningTokens,
    searches: searches + otherSearches,
  };
  const counted = Object.entries(others).filter(([, count]) => count);
  return { input: inputTokens ?? null, output: outputTokens ?? null, ...Object.fromEntries(counted) };
}

/** The charges that are not in the cost of a request, or not exactly. */
export function unknownChargesOf(outcome: Outcome, models: ModelCatalog): UnknownCharge[] {
  const { usage, calls, cache } = outcome;
  if (cache === 'hit') return [];
  const ofResponse = unknownCharges(outcome, usage.reported, models);
  return [...new Set([...ofResponse, ...(calls.hasTimedOutBefore ? (['furtherModel'] as const) : [])])];
}

type Costs = Pick<RequestRecord, 'costUsd' | 'unknownCharges' | 'inputCostUsd' | 'searchCostUsd'>;

/** The parts are by list prices: a cost that the provider reports has none. */
function costsOf(outcome: Outcome, models: ModelCatalog): Costs {
  const total = costUsd(outcome, models);
  const unknown = unknownChargesOf(outcome, models);
  const costs = { costUsd: total, ...(unknown.length > 0 && { unknownCharges: unknown }) };
  if (total === null || total === 0) return costs;
  const { reportedNanoUsd: _, reservedNanoUsd: __, ...counts } = outcome.usage.reported ?? {};
  const { inputTokens, searches = 0, otherSearches = 0, ...rest } = counts;
  const input =
    inputTokens === undefined ? null : costInNanoUsd(outcome, { ...rest, inputTokens, outputTokens: 0 }, models);
  const fees = costInNanoUsd(outcome, { searches, otherSearches }, models) ?? 0;
  return {
    ...costs,
    ...(input !== null && { inputCostUsd: toUsd(input) }),
    ...(fees > 0 && { searchCostUsd: toUsd(fees) }),
  };
}

/** Whether a stored response was found, and what it would have cost at today's prices. */
function cacheOf(outcome: Outcome, models: ModelCatalog): Pick<RequestRecord, 'cache' | 'savedUsd'> {
  const { cache, usage } = outcome;
  if (cache === undefined) return {};
  const saved = usage.saved && costInNanoUsd(outcome, usage.saved, models);
  return { cache, ...(saved !== null && { savedUsd: toUsd(saved) }) };
}

/** The sent status; null if the caller disconnected before. */
export function statusOf({ status }: Outcome, { stopped }: RequestLifetime): number | null {
  return status ?? (stopped === 'cancelled' ? null : 200);
}

/** The known part of the cost in US dollars; null if nothing is known. */
export function costUsd(outcome: Outcome, models: ModelCatalog): number | null {
  if (outcome.cache === 'hit') return 0;
  const { reported } = outcome.usage;
  const nanoUsd = reported && costInNanoUsd(outcome, reported, models);
  return nanoUsd === null ? null : toUsd(nanoUsd);
}

function findingsOf(threats: readonly DetectedThreat[]): RecordedFinding[] {
  return strongest(threats).map(({ type, rule, severity, score, action, location, origin, policyRule }) => ({
    type,
    rule,
    severity,
    score,
    action,
    location: { ...location, field: recordedField(type, location.field) },
    ...(origin !== undefined && { origin: withoutUnusualNames(origin) }),
    ...(policyRule !== undefined && { policyRule }),
  }));
}

/** Maximum findings in records and events; all are counted. */
const MAX_FINDINGS = 20;

/** The strongest findings of a request, in descending order. */
export function strongest<T extends { readonly score: number }>(findings: readonly T[]): T[] {
  return [...findings].sort((a, b) => b.score - a.score).slice(0, MAX_FINDINGS);
}

/** Names of the protocols' fields that contain texts. */
const FIXED = new Set([
  ...['messages', 'content', 'text', 'refusal', 'reasoning', 'name', 'audio', 'transcript', 'image_url', 'input_audio'],
  ...[
    'file',
    'filename',
    'tool_calls',
    'function_call',
    'function',
    'custom',
    'arguments',
    'input',
    'output',
    'system',
  ],
  ...['tools', 'description', 'parameters', 'properties', 'items', 'enum', 'required', 'title', 'default', 'format'],
  ...['response_format', 'json_schema', 'schema', 'instructions', 'prompt', 'suffix', 'stop', 'user', 'metadata'],
  ...['thinking', 'source', 'data', 'context', 'citations', 'cited_text', 'document_title', 'stdout', 'stderr', 'url'],
  ...['input_schema', 'input_examples', 'output_config', 'stop_sequences', 'stop_details', 'explanation'],
  ...[
    'summary',
    'code',
    'action',
    'results',
    'outputs',
    'logs',
    'queries',
    'annotations',
    'commands',
    'operation',
    'diff',
  ],
  ...['variables', 'response', 'error', 'message', 'events', 'delta', 'server_description', 'server_url', 'path'],
  ...['prediction', 'tool_choice', 'grammar', 'definition', 'choices', 'contents', 'parts', 'query', 'documents'],
  ...['params', 'result', 'structuredContent', 'resource', 'blob', '_meta', 'inputRequests', 'inputResponses'],
  ...['annotations', 'url_citation', 'candidates', 'functionCall', 'functionResponse', 'args', 'response'],
]);

/** The field of a finding as records and events have it: arguments of tool calls keep their usual names, as in `origin`. */
export function recordedField(type: ThreatType, field: string): string {
  return type === 'tool_misuse' ? usualPath(field) : withoutCallersNames(field);
}

/** A field's path with `*` for every name that the caller chose: field names may reveal as much as their text. */
export function withoutCallersNames(field: string): string {
  // No list in a body is so long that its index has more digits; a card number has.
  return field.replace(/\[\d{1,7}\]|[^.[\]]+/g, (step) => (step.startsWith('[') || FIXED.has(step) ? step : '*'));
}
