import type { Action, ThreatType } from './threat.ts';

/** Where CloudWatch keeps our metrics. */
export const METRICS_NAMESPACE = 'svc';

/**
 * What metrics are told apart by. Each value of one is a metric of its own, which is paid for by the month: names of keys, users
 * and routes are fields of log lines. Models are told by name only where the table of models knows them.
 */
export const DIMENSIONS = {
  /** Lambda's own name of it, so that two stages in one account do not count for each other. */
  function: 'FunctionName',
  /** Lambda's number of the code in use: a rollout is judged by what the new version did itself. */
  version: 'FunctionVersion',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  errorType: 'error.type',
} as const;

/**
 * The names of all metrics, for what emits them (functions/adapters/telemetry/metrics.ts) and what looks at them (lib). Those of
 * OpenTelemetry's conventions where there are such: https://github.com/open-telemetry/semantic-conventions-genai. What is told apart
 * there by an attribute ends in its value here (`gen_ai.token.type`): in a document a dimension has one value.
 */
export const METRICS = {
  requests: 'Requests',
  /** 0 or 1 a request: answers of 5xx and streams that broke off, by whoever's fault. */
  failures: 'FailedRequests',
  /** 0 or 1 a request: answers of our own 500 and 503. */
  serverErrors: 'ServerErrors',
  blocked: 'Blocked',
  flagged: 'Flagged',

  /** Seconds, from the request's coming in to the end of its answer. */
  requestDuration: 'gen_ai.server.request.duration',
  /** Seconds, from the request's coming in to the first piece of a stream. */
  timeToFirstToken: 'gen_ai.server.time_to_first_token',
  /** Seconds, from the first call of a provider to the end of its answer, without our own inspection of it. */
  operationDuration: 'gen_ai.client.operation.duration',
  /** Of streams, from the first piece on. */
  outputTokensPerSecond: 'OutputTokensPerSecond',

  /** Milliseconds of our own work, and of its phases. */
  ownDuration: 'OwnDuration',
  authentication: 'AuthenticationDuration',
  admission: 'AdmissionDuration',
  inputInspection: 'InputInspectionDuration',
  outputInspection: 'OutputInspectionDuration',
  outsideInspection: 'OutsideInspectionDuration',

  inputTokens: 'gen_ai.client.token.usage.input',
  outputTokens: 'gen_ai.client.token.usage.output',
  cachedInputTokens: 'gen_ai.client.token.usage.cache_read',
  cacheWriteInputTokens: 'gen_ai.client.token.usage.cache_write',
  reasoningTokens: 'gen_ai.client.token.usage.reasoning',
  costUsd: 'CostUsd',

  providerErrors: 'ProviderErrors',
  fallbacks: 'Fallbacks',
  /** A store did not answer, or what was to be stored is lost. */
  storeFailures: 'StoreFailures',
  admittedWithoutLimits: 'AdmittedWithoutLimits',
  unsettled: 'Unsettled',
  deadDeliveries: 'DeadDeliveries',
  /** Spans that no receiver got. */
  spansLost: 'SpansLost',
} as const;

/** What of a key's limits did not admit a request. */
export const LIMITED_KINDS = ['requests', 'tokens', 'budget', 'concurrent', 'tag_budget'] as const;
export type LimitedKind = (typeof LIMITED_KINDS)[number];

/** Requests that a limit of this kind refused. */
export function limitedMetric(kind: LimitedKind): string {
  return `Limited.${kind}`;
}

/** Findings of a type on which a policy acted like this. */
export function threatMetric(type: ThreatType, action: Exclude<Action, 'allow'>): string {
  return `Threats.${type}.${action}`;
}

/** Where OpenTelemetry's conventions name a provider otherwise: https://github.com/open-telemetry/semantic-conventions-genai */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** The value of `gen_ai.provider.name`; our own name where the conventions have none. */
export function providerNameOf(provider: string): string {
  return WELL_KNOWN[provider] ?? provider;
}

/** The conventions' word for what a route does, by the end of its path; `moderation` and the like are ours. */
const OPERATIONS: readonly (readonly [pathEnd: string, operation: string])[] = [
  ['/chat/completions', 'chat'],
  ['/messages/count_tokens', 'count_tokens'],
  ['/messages', 'chat'],
  ['/responses', 'chat'],
  ['/completions', 'text_completion'],
  ['/embeddings', 'embeddings'],
  ['/images/generations', 'image_generation'],
  ['/audio/transcriptions', 'transcription'],
  ['/moderations', 'moderation'],
  ['/guard', 'guard'],
];

/** The value of `gen_ai.operation.name` for a route's path. */
export function operationOf(route: string): string {
  return OPERATIONS.find(([pathEnd]) => route.endsWith(pathEnd))?.[1] ?? 'generate_content';
}
