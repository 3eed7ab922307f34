import { type AuditRecord, hashOf, recordText } from '../../functions/core/audit/audit-record.ts';
import type { ChatDelta } from '../../functions/core/model/chat.ts';
import { THREAT_TYPES } from '../../functions/core/model/threat.ts';
import {
  JUDGED_CATEGORIES,
  MODERATION_CATEGORIES,
  type ModerationCategory,
} from '../../functions/core/moderation/moderation-result.ts';
import {
  encodeResponse,
  ResponsesEncoder,
  responseHead,
} from '../../functions/core/protocols/openai-responses/responses-encoder.ts';
import { UNKNOWN_TO_REPLAYS } from '../../functions/core/replay/replay-report.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Ids and times are fixed, so that every run writes the same document. */
const REQUEST_ID = 'req_3f0c1f6e2f3f4b0f9a7c5d2e8b1a4c6d';
const COMPLETION_ID = 'chatcmpl-echo-5f3c1a52-6c8c-4f7e-9f0e-0d6a1f2b3c4d';
const CREATED = 1_795_231_800;

const svc = {
  threat_score: 0,
  detected_threats: [],
  processing_time_ms: 3.214,
  action: 'allow',
  request_id: REQUEST_ID,
  session_id: null,
  coverage: { input: ['messages[0]'], output: ['choices[0]'], skipped: [] },
};

export const chatRequest = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
export const chatStreamRequest = { ...chatRequest, stream: true, stream_options: { include_usage: true } };

export const responsesRequest = { model: 'echo', input: 'Hello' };
const exampleHead = responseHead({ requestId: REQUEST_ID, created: CREATED, model: 'echo' }, responsesRequest);
const responseSvc = { ...svc, coverage: { input: ['input'], output: ['output[0]'], skipped: [] } };
const counted = { inputTokens: 1, outputTokens: 1 };
const said = {
  id: COMPLETION_ID,
  model: 'echo',
  choices: [{ index: 0, text: 'Hello', finishReason: 'stop' as const }],
};
export const response = { ...encodeResponse({ ...said, usage: counted }, exampleHead), svc: responseSvc };
const encoder = new ResponsesEncoder(exampleHead);
const steps: ChatDelta[] = [
  { type: 'start', id: COMPLETION_ID, model: 'echo' },
  { type: 'text', choice: 0, text: 'Hello' },
  { type: 'finish', choice: 0, reason: 'stop' },
  { type: 'usage', usage: counted },
];
const events = [...steps.flatMap((step) => encoder.encode(step)), ...encoder.end()] as {
  type: string;
  response?: object;
}[];
export const responseEvents = events.map((event) =>
  event.type === 'response.completed' ? { ...event, response: { ...event.response, svc: responseSvc } } : event,
);
export const responseStream = responseEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

export const responseDeletion = {
  ...{ id: 'resp_1', object: 'response.deleted', deleted: true },
  svc: { ...svc, coverage: { input: [], output: [], skipped: [] } },
};
const inputItem = {
  ...{ id: 'msg_1', type: 'message', role: 'user', status: 'completed' },
  content: [{ type: 'input_text', text: 'Hello' }],
};
export const inputItemList = {
  ...{ object: 'list', data: [inputItem], first_id: inputItem.id, last_id: inputItem.id, has_more: false },
  svc: { ...svc, coverage: { input: [], output: ['data[0]'], skipped: [] } },
};
export const compactedResponse = {
  ...{ id: 'resp_1', object: 'response.compaction', created_at: CREATED },
  output: [inputItem, { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' }],
  usage: {
    ...{ input_tokens: 139, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 438, output_tokens_details: { reasoning_tokens: 64 }, total_tokens: 577 },
  },
  svc: responseSvc,
};
export const inputTokenCount = {
  ...{ object: 'response.input_tokens', input_tokens: 1 },
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const messagesRequest = { model: 'echo', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
export const message = {
  id: `msg_${REQUEST_ID.slice('req_'.length)}`,
  type: 'message',
  role: 'assistant',
  model: 'echo',
  stop_sequence: null,
  usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  svc: { ...svc, coverage: { input: ['messages[0]'], output: ['content[0]'], skipped: [] } },
};
const { svc: messageSvc, content: _content, stop_reason: _reason, usage: messageUsage, ...messageHead } = message;
export const messageEvents = [
  {
    type: 'message_start',
    message: {
      ...messageHead,
      usage: { ...messageUsage, input_tokens: 0, output_tokens: 0 },
      content: [],
      stop_reason: null,
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
    usage: messageUsage,
    svc: messageSvc,
  },
  { type: 'message_stop' },
];
export const messageStream = messageEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');
export const countTokensRequest = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
export const tokenCount = {
  input_tokens: 1,
  svc: { ...svc, coverage: { input: ['messages[0]'], output: [], skipped: [] } },
};

export const completionsRequest = { model: 'echo', prompt: 'Hello' };
export const completion = {
  id: `cmpl-${REQUEST_ID.slice('req_'.length)}`,
  object: 'text_completion',
  created: CREATED,
  model: 'echo',
  choices: [{ text: 'Hello', index: 0, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  svc: { ...svc, coverage: { input: ['prompt'], output: ['choices[0]'], skipped: [] } },
};
export const completionStream = `data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`;

export const embeddingsRequest = { model: 'echo', input: 'Hello', dimensions: 4 };
export const embeddingList = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0, 0, 1, 0] }],
  model: 'echo',
  usage: { prompt_tokens: 1, total_tokens: 1 },
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const rerankRequest = { model: 'echo', query: 'Where is Rome?', documents: ['Rome is in Italy.', 'Hello'] };
export const ranking = {
  id: '0b6a2f4e-6f0c-4a44-9a5e-0d3c1c1f6f11',
  model: 'echo',
  results: [
    { index: 0, relevance_score: 0.447214 },
    { index: 1, relevance_score: 0 },
  ],
  usage: { total_tokens: 14 },
  svc: { ...svc, coverage: { input: ['query', 'documents'], output: [], skipped: [] } },
};

export const imagesRequest = { model: 'echo', prompt: 'Hello' };
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC';
const pictureUsage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
export const images = {
  created: CREATED,
  data: [{ b64_json: PICTURE }],
  usage: pictureUsage,
  svc: { ...svc, coverage: { input: ['prompt'], output: [], skipped: ['data[0].b64_json: image'] } },
};
export const imageEvents = [
  {
    type: 'image_generation.completed',
    b64_json: PICTURE,
    created_at: CREATED,
    usage: pictureUsage,
    svc: { ...svc, coverage: { input: ['prompt'], output: [], skipped: ['b64_json: image'] } },
  },
];
export const imagesStream = imageEvents
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

export const imageEditsRequest = {
  ...imagesRequest,
  images: [{ image_url: `data:image/png;base64,${PICTURE}` }],
};
export const editedImages = {
  ...images,
  svc: {
    ...svc,
    coverage: { input: ['prompt', 'images'], output: [], skipped: ['images[0]: image', 'data[0].b64_json: image'] },
  },
};
export const imageEditsStream = imagesStream.replaceAll('image_generation', 'image_edit');

export const speechRequest = { model: 'echo', input: 'Hello', voice: 'alloy' };
export const speechEvents = [
  { type: 'speech.audio.delta', audio: 'UklGRsQPAABXQVZF' },
  {
    type: 'speech.audio.done',
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    svc: { ...svc, coverage: { input: ['input', 'voice'], output: [], skipped: ['audio: audio'] } },
  },
];
export const speechStream = speechEvents.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const transcriptUsage = { type: 'tokens', input_tokens: 0, output_tokens: 6, total_tokens: 6 };
const heard = { ...svc, coverage: { input: ['file.filename'], output: ['text'], skipped: ['file: audio'] } };
export const transcript = { text: 'Hello from the echo model.', usage: transcriptUsage, svc: heard };
export const transcriptEvents = [
  { type: 'transcript.text.delta', delta: 'Hello' },
  { type: 'transcript.text.done', text: transcript.text, usage: transcriptUsage, svc: heard },
];
export const transcriptStream = transcriptEvents.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

export const geminiRequest = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
export const geminiResponse = {
  candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'echo',
  responseId: REQUEST_ID.slice('req_'.length),
  svc: { ...svc, coverage: { input: ['contents[0]'], output: ['candidates[0]'], skipped: [] } },
};
export const geminiStream = `data: ${JSON.stringify(geminiResponse)}\n\n`;

export const geminiCount = {
  totalTokens: 1,
  svc: { ...svc, coverage: { input: ['contents[0]'], output: [], skipped: [] } },
};
const ofContent = (field: string) => ({ ...svc, coverage: { input: [field], output: [], skipped: [] } });
export const geminiEmbedRequest = { content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 4 };
export const geminiEmbedResponse = { embedding: { values: [0, 0, 1, 0] }, svc: ofContent('content') };
export const geminiBatchEmbedResponse = { embeddings: [{ values: [0, 0, 1, 0] }], svc: ofContent('requests') };

export const moderationRequest = { input: 'Hello' };
const ofCategories = <T>(value: (category: ModerationCategory) => T) =>
  Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, value(category)]));
export const moderation = {
  id: `modr-${REQUEST_ID.slice('req_'.length)}`,
  model: 'svc-moderation',
  results: [
    {
      flagged: false,
      categories: ofCategories(() => false),
      category_scores: ofCategories(() => 0),
      category_applied_input_types: ofCategories((category) => (JUDGED_CATEGORIES.includes(category) ? ['text'] : [])),
    },
  ],
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const model = { id: 'echo', object: 'model', created: CREATED, owned_by: 'echo' };
export const modelList = { object: 'list', data: [model] };
const LIMITS = { input: 200_000, output: 64_000 };
export const anthropicModel = {
  ...{ type: 'model', id: 'claude-sonnet-5', display_name: 'claude-sonnet-5' },
  created_at: new Date(CREATED * 1000).toISOString(),
  ...{ max_input_tokens: LIMITS.input, max_tokens: LIMITS.output, capabilities: null },
};
export const anthropicModelList = {
  data: [anthropicModel],
  ...{ has_more: false, first_id: anthropicModel.id, last_id: anthropicModel.id },
};
export const geminiModel = {
  ...{ name: 'models/gemini-3.8-flash', displayName: 'gemini-3.8-flash' },
  ...{ inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, supportedGenerationMethods: ['generateContent'] },
};
export const geminiModelList = { models: [geminiModel] };

export const guardRequest = { input: 'Hello', as: 'user' };
export const guardResult = {
  id: `guard-${REQUEST_ID.slice('req_'.length)}`,
  object: 'guard.result',
  flagged: false,
  action: 'allow',
  svc: { ...svc, coverage: { input: ['input'], output: [], skipped: [] } },
};

export const chatCompletion = {
  id: COMPLETION_ID,
  object: 'chat.completion',
  created: CREATED,
  model: 'echo',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  svc,
};

const head = { id: COMPLETION_ID, object: 'chat.completion.chunk', created: CREATED, model: 'echo' };
const choice = (delta: object, finish_reason: string | null) => [{ index: 0, delta, logprobs: null, finish_reason }];

export const chatChunks = [
  { ...head, choices: choice({ role: 'assistant', content: '' }, null) },
  { ...head, choices: choice({ content: 'Hello' }, null) },
  { ...head, choices: choice({}, 'stop'), svc },
  { ...head, choices: [], usage: chatCompletion.usage },
];

export const chatStream = [...chatChunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(
  '',
);

export const blocked = {
  error: {
    message: 'The request was blocked by the security policy of this API key.',
    type: 'security_error',
    param: 'messages[0].content',
    code: 'content_filter',
  },
  svc: {
    ...svc,
    threat_score: 1,
    detected_threats: [
      {
        type: 'prompt_injection',
        category: 'test_text',
        score: 1,
        severity: 'low',
        action: 'block',
        rule: 'test-text/block',
        message: 'The fixed test text for the action block.',
        location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 19 },
        owasp: 'LLM01:2025',
        atlas: null,
      },
    ],
    action: 'block',
    coverage: { input: ['messages[0]'], output: [], skipped: [] },
  },
};

export const messagesBlocked = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: blocked.error.message,
    code: blocked.error.code,
    param: blocked.error.param,
  },
  request_id: REQUEST_ID,
  svc: blocked.svc,
};

export const rateLimited = {
  error: {
    message: 'Rate limit of 1000 requests per hour exceeded. Try again in 4 s.',
    type: 'rate_limit_error',
    param: null,
    code: 'rate_limit_exceeded',
    details: { limit: 1000, remaining: 0, resetTime: '2026-11-21T09:30:03.600Z' },
  },
};

export const createKey = {
  name: 'Checkout assistant',
  environment: 'Production',
  permissions: ['chat_completions'],
  rateLimit: { requests: 600, period: 'minute', burst: 50 },
  tokenLimit: { tokens: 200_000, period: 'minute' },
  budget: { usd: 25, period: 'day' },
  ipWhitelist: ['203.0.113.0/24'],
  policy: { preset: 'strict' },
};

export const key = {
  id: 'key_9a1c6f3e5b7d4c2f8e0a1b2c3d4e5f60',
  object: 'key',
  name: 'Checkout assistant',
  environment: 'Production',
  permissions: ['chat_completions'],
  excludePermissions: [],
  rateLimit: { requests: 600, period: 'minute', burst: 50 },
  tokenLimit: { tokens: 200_000, period: 'minute' },
  budget: { usd: 25, period: 'day' },
  maxConcurrent: null,
  onStoreFailure: 'closed',
  ipWhitelist: ['203.0.113.0/24'],
  allowedModels: [],
  policy: { preset: 'strict' },
  tags: {},
  state: 'active',
  last4: 'Qx4Z',
  createdAt: '2026-11-21T09:00:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-11-21T09:30:00.000Z',
  previousSecrets: [],
};

export const createdKey = { ...key, key: 'svc_sk_<32 random characters><6 of checksum>' };
export const keyUsage = {
  object: 'key.usage',
  keyId: key.id,
  at: '2026-11-21T09:30:00.000Z',
  requests: { limit: 1000, remaining: 998, fullAt: '2026-11-21T09:30:07.200Z' },
  tokens: null,
  budget: { usd: 500, remainingUsd: 421.5, startAt: '2026-11-01T00:00:00.000Z', resetAt: '2026-12-01T00:00:00.000Z' },
  concurrent: { limit: 20, remaining: 19 },
};
export const keyNameList = { object: 'list', data: [{ object: 'key.name', id: key.id, name: key.name }] };

export const keyList = { object: 'list', data: [key], nextCursor: null };

export const createWebhook = {
  url: 'https://alerts.example.com/svc',
  events: ['threat.detected', 'request.blocked', 'budget.exceeded'],
  filter: { minThreatScore: 0.8 },
};
export const webhook = {
  id: 'wh_019a9f3b5b7d4c2f8e0a1b2c3d4e5f60',
  object: 'webhook',
  ...createWebhook,
  description: null,
  state: 'active',
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  previousSecrets: [],
};
export const createdWebhook = { ...webhook, secret: 'whsec_<base64 of 32 bytes>' };
export const webhookTest = {
  object: 'webhook.test',
  webhookId: webhook.id,
  eventId: 'evt_2b3c4d5e6f708192a3b4c5d6e7f80910',
};

export const delivery = {
  id: 'delivery_5f0c9a1b2c3d4e5f60718293a4b5c6d7',
  object: 'webhook.delivery',
  webhookId: webhook.id,
  eventId: webhookTest.eventId,
  type: 'threat.detected',
  state: 'dead',
  count: 1,
  digestId: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  nextAttemptAt: null,
  deadReason: 'exhausted',
  attempts: [
    { at: '2026-11-21T09:30:00.120Z', durationMs: 10_002, status: null, failure: 'timeout', response: null },
    { at: '2026-11-22T09:31:04.310Z', durationMs: 85, status: 503, failure: 'status', response: 'Try later' },
  ],
};
export const deliveryList = { object: 'list', data: [delivery], nextCursor: null };

export const policy = { preset: 'strict', output: { secret: { action: 'block' } } };
export const policyVersion = {
  ...policy,
  object: 'policy',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
};

const OF_PRESET = { action: 'flag', threshold: 0.5, source: 'preset', thresholdSource: 'preset' };
const EFFECTIVE_TYPES = Object.fromEntries(THREAT_TYPES.map((type) => [type, OF_PRESET]));
export const effectivePolicy = {
  object: 'policy.effective',
  keyId: null,
  version: 3,
  flagFrom: 0.5,
  preset: { value: 'monitor', source: 'deployment' },
  input: EFFECTIVE_TYPES,
  output: {
    ...EFFECTIVE_TYPES,
    secret: { action: 'block', threshold: 0.5, source: 'deployment', thresholdSource: 'preset' },
  },
  contactDetails: { value: 'allow', source: 'preset' },
  onBlock: { value: 'error', source: 'default' },
  onDetectorFailure: { value: 'pass', source: 'preset' },
  onUnfinishedInspection: { value: 'pass', source: 'preset' },
  unreadable: { value: 'allow', source: 'default' },
  maxOutputTokens: { value: null, source: 'default' },
  canary: { value: false, source: 'default' },
  evidence: { value: false, source: 'default' },
  capture: { value: 'none', source: 'default' },
  rules: { value: [], source: 'default' },
  allow: { value: [], source: 'default' },
  bannedTopics: { value: [], source: 'default' },
  shadow: { value: null, source: 'default' },
  tagBudgets: { value: [], source: 'default' },
};
export const keyPolicy = { object: 'key.policy', keyId: key.id, policy: { preset: 'strict' } };
export const policyScores = {
  object: 'policy.scores',
  from: '2026-11-14T09:30:00.000Z',
  to: '2026-11-21T09:30:00.000Z',
  requests: 3,
  isCut: false,
  bins: 4,
  input: { pii: [0, 0, 1, 2] },
  output: {},
};
export const provider = {
  object: 'provider',
  name: 'openai',
  isBuiltIn: true,
  credentials: 'present',
  keyVariable: 'OPENAI_API_KEY',
  host: 'api.openai.com',
  isConfigured: true,
  isCallable: true,
  routes: ['fast'],
  circuit: [{ model: 'gpt-6-sol', state: 'open', failures: 5, openUntil: '2026-11-21T09:26:40.000Z' }],
  health: {
    state: 'degraded',
    requests: 120,
    errors: 2,
    lastError: { code: 'provider_timeout', status: 504, time: '2026-11-21T09:26:12.000Z' },
  },
  models: { count: 1, data: [{ name: 'gpt-6-luna', maxTestCostUsd: 0.000016 }] },
  test: { isPossible: true, reason: null, model: 'gpt-6-luna', maxCostUsd: 0.000016 },
};
export const providerList = {
  object: 'list',
  data: [provider],
  health: { from: '2026-11-21T09:15:00.000Z', to: '2026-11-21T09:30:00.000Z', records: 120, isCut: false },
};
export const providerTest = {
  object: 'provider.test',
  provider: 'openai',
  model: 'gpt-6-luna',
  result: 'ok',
  code: null,
  status: null,
  message: 'The provider responded.',
  durationMs: 612,
  tokens: { input: 13, output: 2 },
  costUsd: 0.0000023,
};
export const routeList = {
  object: 'list',
  data: [
    {
      object: 'route',
      models: 'fast',
      source: 'deployment',
      targets: [{ provider: 'openai', model: 'gpt-6-luna', isCallable: true, share: 1 }],
      fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5', isCallable: true }],
    },
  ],
};
export const settings = {
  object: 'settings',
  version: packageJson.version,
  stage: 'Production',
  region: 'eu-central-1',
  stores: { database: 'dynamodb', queues: 'sqs', dataFolder: null },
  retentionDays: { records: 30, captures: 7, aggregates: 400, deliveries: 30, audit: 2557 },
  singleSignOn: null,
  corsOrigins: [],
  onlyThroughDistribution: true,
  echo: false,
  prices: { date: '2026-11-10', own: 2 },
  defaultMaxConcurrent: 50,
};

export const replayRequest = { policy: { preset: 'strict' }, from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
export const policyReplay = {
  object: 'policy.replay',
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
  requests: 42,
  fromText: 0,
  incomplete: 0,
  live: { allow: 0, flag: 40, redact: 0, block: 2 },
  replayed: { allow: 0, flag: 39, redact: 0, block: 3 },
  changed: 1,
  changes: [{ live: 'flag', replayed: 'block', requests: 1 }],
  keys: [{ keyId: key.id, live: 'flag', replayed: 'block', requests: 1 }],
  types: [{ type: 'jailbreak', live: 'flag', replayed: 'block', findings: 1 }],
  rules: [{ rule: 'jailbreak/named-persona', type: 'jailbreak', live: 'flag', replayed: 'block', findings: 1 }],
  examples: [
    { requestId: REQUEST_ID, time: '2026-11-20T09:00:00.000Z', keyId: key.id, live: 'flag', replayed: 'block' },
  ],
  nextCursor: null,
  unknown: UNKNOWN_TO_REPLAYS,
};

const auditRecord: AuditRecord = {
  seq: 1,
  id: 'aud_0b6f5d0f4b3a4f1f8c7e6d5c4b3a2918',
  at: '2026-11-21T09:00:00.000Z',
  actor: { type: 'key', id: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0' },
  action: 'key.updated',
  target: { type: 'key', id: key.id },
  before: { state: 'active' },
  after: { state: 'disabled' },
  from: { address: '203.0.113.7', requestId: REQUEST_ID },
  previousHash: null,
  previousAt: null,
};
const auditHash = hashOf(recordText(auditRecord));
export const auditList = {
  object: 'list',
  data: [{ ...auditRecord, object: 'audit.entry', hash: auditHash }],
  nextCursor: null,
  head: { seq: 1, hash: auditHash, at: auditRecord.at },
};

const FIGURES = {
  requests: 1204,
  blocked: 7,
  flagged: 31,
  errors: 12,
  rateLimited: 7,
  clientErrors: 4,
  serverErrors: 1,
  tokens: { input: 812_004, output: 201_377 },
  costUsd: 0.242627,
  unpriced: 0,
  partlyPriced: 0,
  latencyMs: { p50: 812.4, p95: 2210.1, p99: 4031.7 },
  timeToFirstTokenMs: { p50: 402.2, p95: 911.3, p99: 1502.6 },
  threats: { prompt_injection: 9, pii: 22 },
};
const RANGE = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T10:00:00.000Z' };
const OF_REQUEST = {
  keyId: key.id,
  environment: 'Production',
  sessionId: 'ses_7c0d9e8f6a5b4c3d2e1f0a9b8c7d6e5f',
  endUserId: 'customer-4711',
};
const FINDING = {
  type: 'prompt_injection',
  rule: 'prompt-injection/override-instructions',
  severity: 'high',
  score: 0.92,
  action: 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 4, end: 41 },
};

export const summary = { object: 'analytics.summary', ...RANGE, ...FIGURES };
export const timeseries = {
  object: 'list',
  ...RANGE,
  interval: 'hour',
  data: [{ time: RANGE.from, ...FIGURES }],
};
export const requestRecord = {
  object: 'request',
  id: REQUEST_ID,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  time: '2026-11-21T09:30:00.000Z',
  ...OF_REQUEST,
  appVersion: '2.4.0',
  route: '/v1/chat/completions',
  attempts: 1,
  provider: 'openai',
  model: 'gpt-6-luna',
  stream: true,
  state: 'completed',
  status: 200,
  errorCode: null,
  action: 'flag',
  threatScore: 0.92,
  turnScore: 0.92,
  findings: [FINDING],
  threats: { prompt_injection: 1 },
  tokens: { input: 412, output: 96 },
  costUsd: 0.0000892,
  inputCostUsd: 0.0000412,
  latencyMs: 1310.2,
  timeToFirstTokenMs: 422.7,
  processingMs: 2.4,
  stages: {
    auth: [0, 0.4],
    admit: [0.4, 3.1],
    inspect: [0.5, 2.2],
    provider: [3.1, 422.7],
    stream: [422.7, 1310.2],
  },
  tags: { team: 'shop' },
  capture: 'none',
  shadow: null,
};
export const requestList = { object: 'list', data: [requestRecord], nextCursor: null, searchedTo: null };
export const threat = {
  id: `thr_mwqf1234_${REQUEST_ID.slice('req_'.length)}_0`,
  object: 'threat',
  time: requestRecord.time,
  requestId: REQUEST_ID,
  ...OF_REQUEST,
  provider: 'openai',
  model: 'gpt-6-luna',
  ...FINDING,
  mark: 'false_positive',
};
export const threatDetail = {
  ...threat,
  message: 'Text orders the model to drop the instructions that it was given.',
  owasp: 'LLM01:2025',
  atlas: 'AML.T0051.000',
};
export const requestDetail = { ...requestRecord, findings: [{ ...threat, mark: null }] };
export const threatList = { object: 'list', data: [{ ...threat, mark: null }], nextCursor: null, searchedTo: null };
export const session = {
  id: OF_REQUEST.sessionId,
  object: 'session',
  keyId: key.id,
  endUserId: OF_REQUEST.endUserId,
  environment: 'Production',
  firstAt: '2026-11-21T09:12:41.000Z',
  lastAt: requestRecord.time,
  requests: 6,
  blocked: 0,
  flagged: 1,
  errors: 0,
  rateLimited: 0,
  clientErrors: 0,
  serverErrors: 0,
  tokens: { input: 2210, output: 640 },
  costUsd: 0.000716,
  unpriced: 0,
  partlyPriced: 0,
  threats: { prompt_injection: 1 },
  models: ['gpt-6-luna'],
  appVersions: ['2.4.0'],
  threatScore: { highest: 0.92, accumulated: 0.62 },
};
export const sessionList = { object: 'list', data: [session], nextCursor: null };

export const capture = {
  object: 'capture',
  requestId: REQUEST_ID,
  mode: 'redacted',
  request: '{"model":"gpt-6-luna","messages":[{"role":"user","content":"Write to [REDACTED_EMAIL]"}]}',
  answer: [{ channel: 'choices[0].content', text: 'I cannot send mail.' }],
  truncated: false,
};
