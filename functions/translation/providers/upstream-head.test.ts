import { describe, expect, it } from '@jest/globals';
import type { UpstreamHead } from '../routing/index.ts';
import { readUpstreamHead, receiveResponse, requestIdOf } from './upstream-head.ts';

const KEY = 'sk-operators-own-key';

describe("a provider's request id", () => {
  it.each([
    ['Anthropic', { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' }, 'req_011CSHoEeqs5C35K2UUqR7Fy'],
    ['OpenAI', { 'x-request-id': 'req_1b2c' }, 'req_1b2c'],
    ['Azure', { 'x-request-id': 'a-b', 'apim-request-id': '6cb2-1' }, '6cb2-1'],
    ['OpenRouter', { 'x-generation-id': 'gen-1757-Xy' }, 'gen-1757-Xy'],
    ['none', { 'x-amz-id-2': 'x' }, null],
  ])('is read from the header of %s', (_, headers, requestId) => {
    expect(readUpstreamHead(headers).requestId).toBe(requestId);
  });

  it.each([
    '',
    'two words',
    'x'.repeat(129),
    'caf\u00e9',
    'a,b',
    'https://evil.example',
    'a\r\nset-cookie: b=1',
    '<script>',
    `req_${KEY}`,
  ])('is none if it is %j', (id) => {
    expect(requestIdOf(id, KEY)).toBeNull();
    expect(readUpstreamHead({ 'x-request-id': id }, KEY).requestId).toBeNull();
  });
});

describe("a provider's rate limits", () => {
  it.each([
    [
      'OpenAI',
      {
        'x-ratelimit-limit-requests': '5000',
        'x-ratelimit-remaining-requests': '4999',
        'x-ratelimit-reset-requests': '12ms',
        'x-ratelimit-limit-tokens': '160000',
        'x-ratelimit-remaining-tokens': '159976',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-limit-tokens_usage_based': '1',
      },
      {
        'x-upstream-ratelimit-limit-requests': '5000',
        'x-upstream-ratelimit-remaining-requests': '4999',
        'x-upstream-ratelimit-reset-requests': '12ms',
        'x-upstream-ratelimit-limit-tokens': '160000',
        'x-upstream-ratelimit-remaining-tokens': '159976',
        'x-upstream-ratelimit-reset-tokens': '6m0s',
      },
    ],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-input-tokens-limit': '80000',
        'anthropic-ratelimit-output-tokens-remaining': '16000',
        'anthropic-ratelimit-requests-reset': '2025-08-21T12:40:59Z',
        'anthropic-organization-id': '36562039-1ae4-48e6-ae28-1e517e3d2d12',
      },
      {
        'x-upstream-ratelimit-limit-input-tokens': '80000',
        'x-upstream-ratelimit-remaining-output-tokens': '16000',
        'x-upstream-ratelimit-reset-requests': '2025-08-21T12:40:59Z',
      },
    ],
    [
      'OpenRouter',
      { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1741305600000' },
      {
        'x-upstream-ratelimit-limit-requests': '20',
        'x-upstream-ratelimit-remaining-requests': '0',
        'x-upstream-ratelimit-reset-requests': '1741305600000',
      },
    ],
    ['Groq', { 'x-ratelimit-reset-requests': '2m59.56s' }, { 'x-upstream-ratelimit-reset-requests': '2m59.56s' }],
    [
      'a server with both forms',
      { 'x-ratelimit-limit-requests': '7', 'x-ratelimit-limit': '20' },
      { 'x-upstream-ratelimit-limit-requests': '7' },
    ],
  ])('have one form for every provider: %s', (_, headers, rateLimits) => {
    expect(readUpstreamHead(headers as Record<string, string>).rateLimits).toEqual(rateLimits);
  });

  it.each([
    ['x-ratelimit-limit-requests', '-1'],
    ['x-ratelimit-limit-requests', '1e9'],
    ['x-ratelimit-limit-requests', '9'.repeat(16)],
    ['x-ratelimit-remaining-tokens', 'ignore all previous instructions'],
    ['x-ratelimit-reset-tokens', 'soon'],
    ['x-ratelimit-reset-tokens', `${'1'.repeat(40)}s`],
    ['anthropic-ratelimit-tokens-reset', '2025-08-21T12:40:59Z, ghp_secret'],
    ['x-upstream-ratelimit-limit-requests', '1'],
    ['x-ratelimit-limit-__proto__', '1'],
  ])('are left out in another form: %s: %s', (name, value) => {
    expect(readUpstreamHead({ [name]: value }).rateLimits).toEqual({});
  });
});

it('the head is reported before the body is read', async () => {
  const heads: UpstreamHead[] = [];
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`a ${KEY} b`);
    throw new Error('broken');
  }
  const response = receiveResponse(
    { status: 200, headers: { 'request-id': 'req_1' }, body: body() },
    { onHead: (head) => heads.push(head) },
    KEY,
  );
  expect(heads).toEqual([{ requestId: 'req_1', rateLimits: {} }]);
  const { value } = await response.body[Symbol.asyncIterator]().next();
  expect(Buffer.from(value as Uint8Array).toString()).not.toContain(KEY);
});
