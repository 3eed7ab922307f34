import { type AuditRecord, hashOf, recordText } from '../../functions/core/audit/audit-record.ts';

/** One exchange in every form, told by fixed ids and times so that the document is the same at every run. */
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
export const keyList = { object: 'list', data: [key], nextCursor: null };

export const policy = { preset: 'strict', output: { secret: { action: 'block' } } };
export const policyVersion = {
  ...policy,
  object: 'policy',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
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
