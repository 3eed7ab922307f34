import type { Action, ThreatType } from './threat.ts';

/** The CloudWatch namespace of our metrics. */
export const METRICS_NAMESPACE = 'svc';

/**
 * Dimensions of metrics. Each value is a separate metric with a monthly price, so keys, users and routes are fields of log lines
 * instead. A model is a dimension only if the model table has its name.
 */
export const DIMENSIONS = {
  /** Lambda's function name, which separates two stages in one account. */
  function: 'FunctionName',
  /** Lambda's version number: rollback alarms watch the new version. */
  version: 'FunctionVersion',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  errorType: 'error.type',
} as const;

/**
 * The names of all metrics, for code that emits them (functions/adapters/telemetry/metrics.ts) and alarms (lib). OpenTelemetry's names
 * are used if they exist: https://github.com/open-telemetry/semantic-conventions-genai. Values of its attribute `gen_ai.token.type` end
 * the name, because a document has one value per dimension.
 */
export const METRICS = {
  requests: 'Requests',
  /** 0 or 1 per request: 5xx responses and interrupted streams, whatever the cause. */
  failures: 'FailedRequests',
  /** 0 or 1 per request: our 500 and 503 responses. */
  serverErrors: 'ServerErrors',
  blocked: 'Blocked',
  flagged: 'Flagged',

  /** Seconds from the request's arrival to the end of its response. */
  requestDuration: 'gen_ai.server.request.duration',
  /** Seconds from the request's arrival to the first piece of a stream. */
  timeToFirstToken: 'gen_ai.server.time_to_first_token',
  /** Seconds from the first call of a provider to the end of its response, without our inspection. */
  operationDuration: 'gen_ai.client.operation.duration',
  /** Of streams, from the first piece. */
  outputTokensPerSecond: 'OutputTokensPerSecond',

  /** Milliseconds of the gateway's work, and of its phases. */
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
  /** Of the detector model. */
  judgeCostUsd: 'JudgeCostUsd',

  providerErrors: 'ProviderErrors',
  fallbacks: 'Fallbacks',
  /** A store did not respond, or a write was lost. */
  storeFailures: 'StoreFailures',
  /** Records of requests that could not be written: they are in no total. */
  recordsLost: 'RecordsLost',
  /** Requests without a valid key or token. */
  unknownKeys: 'UnknownKeys',
  admittedWithoutLimits: 'AdmittedWithoutLimits',
  unsettled: 'Unsettled',
  /** At each failed exchange: how long the last access token of the credential is still valid. */
  credentialExpirySeconds: 'CredentialExpirySeconds',
  /** Failed reads of the public keys of an issuer of tokens. */
  issuerKeysUnreadable: 'IssuerKeysUnreadable',
  deadDeliveries: 'DeadDeliveries',
  /** Stream records that can never be processed. */
  skippedRecords: 'SkippedRecords',
  /** Tags of requests with a value, or a name, that totals do not distinguish. */
  uncountedTags: 'UncountedTags',
  /** Seconds since a document of the configuration was last read, while it cannot be read: older than new versions may be. */
  configurationLag: 'ConfigurationLag',
  /** Spans that no receiver got. */
  spansLost: 'SpansLost',

  /** Tool calls that began to wait for a person, and those that were approved or denied: the others wait, or have expired. */
  approvalsRequested: 'ApprovalsRequested',
  approvalsDecided: 'ApprovalsDecided',
  /** Those that wait, each minute. */
  approvalsWaiting: 'ApprovalsWaiting',
  /** Alerts that a run could not evaluate: each keeps its state. */
  alertFailures: 'AlertFailures',

  /** 0 or 1 per run. */
  syntheticCheckSucceeded: 'SyntheticCheckSucceeded',
  /** Milliseconds of the slower request of a run. */
  syntheticCheckDuration: 'SyntheticCheckDuration',
} as const;

/** The limit that rejected a request. */
export const LIMITED_KINDS = ['requests', 'tokens', 'budget', 'concurrent', 'tag_budget', 'team', 'tools'] as const;
export type LimitedKind = (typeof LIMITED_KINDS)[number];

/** Requests that a limit of this kind rejected. */
export function limitedMetric(kind: LimitedKind): string {
  return `Limited.${kind}`;
}

/** Findings of a type with this action of the policy. */
export function threatMetric(type: ThreatType, action: Exclude<Action, 'allow'>): string {
  return `Threats.${type}.${action}`;
}

/** Providers with another name in OpenTelemetry's conventions: https://github.com/open-telemetry/semantic-conventions-genai */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** The value of `gen_ai.provider.name`; our name if the conventions have none. */
export function providerNameOf(provider: string): string {
  return WELL_KNOWN[provider] ?? provider;
}

/** The conventions' name of a route's operation, by the end of its path; `moderation`, `guard` and others are ours. */
const OPERATIONS: readonly (readonly [pathEnd: string, operation: string])[] = [
  ['/chat/completions', 'chat'],
  ['/messages/count_tokens', 'count_tokens'],
  ['/messages', 'chat'],
  ['/messages/batches', 'batch'],
  ['/messages/batches/{id}/results', 'batch'],
  ['/responses', 'chat'],
  ['/responses/compact', 'chat'],
  ['/responses/input_tokens', 'count_tokens'],
  ['/responses/{id}', 'stored_response'],
  ['/responses/{id}/cancel', 'stored_response'],
  ['/responses/{id}/input_items', 'stored_response'],
  ['/completions', 'text_completion'],
  ['/embeddings', 'embeddings'],
  [':embedContent', 'embeddings'],
  [':batchEmbedContents', 'embeddings'],
  [':countTokens', 'count_tokens'],
  ['/rerank', 'rerank'],
  ['/images/generations', 'image_generation'],
  ['/images/edits', 'image_edit'],
  ['/audio/transcriptions', 'transcription'],
  ['/audio/translations', 'translation'],
  ['/audio/speech', 'speech'],
  ['/moderations', 'moderation'],
  ['/guard', 'guard'],
];

/** The value of `gen_ai.operation.name` for a route's path. */
export function operationOf(route: string): string {
  return OPERATIONS.find(([pathEnd]) => route.endsWith(pathEnd))?.[1] ?? 'generate_content';
}
