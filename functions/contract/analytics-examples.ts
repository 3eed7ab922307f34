/** Examples of the analytics API. Ids and times are fixed. */
import { keyExample } from './keys.ts';

export const REQUEST_ID = 'req_3f0c1f6e2f3f4b0f9a7c5d2e8b1a4c6d';

export const keyNameList = {
  object: 'list',
  data: [{ object: 'key.name', id: keyExample.id, name: keyExample.name }],
};
export const status = {
  object: 'status',
  override: { mode: 'observe', until: '2026-11-30T03:30:00.000Z' },
  rollout: { percent: 10, since: '2026-11-30T02:00:00.000Z' },
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
  keyId: keyExample.id,
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
  keyId: keyExample.id,
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
