import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import type { OutsideVerdict } from '../../inspection/outside/outside-detector.ts';
import type { Surface } from '../../kernel/model/index.ts';
import { type DetectorReply, type DetectorServer, startDetectorServer } from '../http/detector-server.fixture.ts';
import { UndiciHttpClient } from '../http/undici-http-client.ts';
import { BedrockGuardrailChecks, type BedrockGuardrailChecksOptions } from './bedrock-guardrail-checks.ts';
import { type ChecksRequest, checksReply, entity, type FoundByChecks } from './guardrail-checks.fixture.ts';

const SECRET_KEY = ['planted', 'aws', 'secret'].join('-');
const ALL = ['contentFilter', 'promptAttack', 'sensitiveInformation'] as const;

let server: DetectorServer;
beforeAll(async () => {
  server = await startDetectorServer();
});
afterAll(() => server.close());
afterEach(() => {
  server.seen.length = 0;
});

function detector(fields: Partial<BedrockGuardrailChecksOptions> = {}) {
  return new BedrockGuardrailChecks({
    http: new UndiciHttpClient(),
    checks: ALL,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET_KEY },
    endpoint: server.url,
    timeoutMs: DEADLINE_MS,
    ...fields,
  });
}

async function judge(text: string, surface: Surface = 'user', by = detector()): Promise<OutsideVerdict> {
  const [verdict] = await Promise.all(by.inspect([{ text, surface }], new AbortController().signal));
  return verdict as OutsideVerdict;
}

/** What is found in the text, as type, category, score and matched text. */
async function found(text: string, results: FoundByChecks, surface: Surface = 'user') {
  server.answer = (request) => checksReply(request, results);
  const verdict = await judge(text, surface);
  if (!('findings' in verdict)) throw new Error(verdict.failure);
  return verdict.findings.map(({ rule, score, start, end }) => [
    rule.type,
    rule.category,
    score,
    text.slice(start, end),
  ]);
}
const sent = () => server.seen.map(({ json }) => json as unknown as ChecksRequest);

describe('a call of the checks', () => {
  test.each<[Surface, string, string[]]>([
    ['user', 'user', ['contentFilter', 'promptAttack', 'sensitiveInformation']],
    ['tool', 'user', ['contentFilter', 'promptAttack', 'sensitiveInformation']],
    ['output', 'assistant', ['contentFilter', 'sensitiveInformation']],
  ])('has %s text as that of the %s, and its checks', async (surface, role, checks) => {
    expect(await found('Grüße', {}, surface)).toEqual([]);
    expect(sent().map(({ messages }) => messages)).toEqual([[{ role, content: [{ text: 'Grüße' }] }]]);
    expect(Object.keys(sent()[0]?.checks ?? {})).toEqual(checks);
  });

  test('is signed for the service, and does not contain the secret key', async () => {
    await found('Hello', {});
    expect(server.seen[0]?.headers.authorization).toMatch(/\/us-east-1\/bedrock\/aws4_request, /);
    expect(JSON.stringify(server.seen)).not.toContain(SECRET_KEY);
  });

  test('is not made where no check applies', async () => {
    const attacks = detector({ checks: ['promptAttack'] });
    expect(await judge('Hello', 'output', attacks)).toEqual({ findings: [] });
    expect(server.seen).toEqual([]);
  });
});

describe('the findings of the checks', () => {
  test('have the score of the API, and none for a score of 0', async () => {
    const severities = { HATE: 0.2, VIOLENCE: 1, JAILBREAK: 0.6, PROMPT_LEAKAGE: 0.8 };
    expect(await found('Some text', { severities })).toEqual([
      ['toxicity', 'hate', 0.2, 'Some text'],
      ['toxicity', 'violence', 1, 'Some text'],
      ['jailbreak', 'jailbreak', 0.6, 'Some text'],
      ['prompt_injection', 'prompt_leakage', 0.8, 'Some text'],
    ]);
  });

  test('are of the third party in its text', async () => {
    const severities = { JAILBREAK: 0.4, PROMPT_INJECTION: 1 };
    expect((await found('Text', { severities }, 'tool')).map(([type]) => type)).toEqual([
      'indirect_injection',
      'indirect_injection',
    ]);
  });

  test('have the place of an entity, however characters are counted', async () => {
    const entities = [entity('NAME', 0, 3), entity('PASSWORD', 11, 17, 1), entity('CREDIT_DEBIT_CARD_NUMBER', 90, 99)];
    expect(await found('Ann said: \u{1f600}s3cret!', { entities })).toEqual([
      ['pii', 'name', 0.8, 'Ann'],
      ['secret', 'password', 1, expect.stringContaining('s3cret')],
      ['pii', 'payment_card', 0.8, 'Ann said: \u{1f600}s3cret!'],
    ]);
  });

  test('include the whole text if there are more entities than the API lists', async () => {
    const results = { entities: [entity('NAME', 0, 3, 0.6)], truncated: true };
    expect(await found('Ann, Bob', results)).toEqual([
      ['pii', 'name', 0.6, 'Ann'],
      ['pii', 'other', 0.6, 'Ann, Bob'],
    ]);
  });
});

describe('a missing verdict of the checks', () => {
  const aws = (status: number, name: string) => ({ status, headers: { 'x-amzn-errortype': name } });

  test.each<[string, DetectorReply, string | undefined]>([
    ['throttled', aws(429, 'ThrottlingException'), 'status 429 ThrottlingException'],
    ['refused', aws(403, 'AccessDeniedException'), 'status 403 AccessDeniedException'],
    ['refused', aws(400, 'ValidationException'), 'status 400 ValidationException'],
    ['failed', aws(503, 'ServiceUnavailableException'), 'status 503 ServiceUnavailableException'],
    ['unreadable', { status: 200, body: 'all fine' }, undefined],
    ['unreadable', { json: { results: {}, usage: {} } }, 'no contentFilter'],
    [
      'unreadable',
      { json: { results: { contentFilter: { results: [{ category: 'HATE', severityScore: 7 }] } } } },
      undefined,
    ],
    ['unreachable', 'reset', undefined],
  ])('%s: %j', async (failure, answer, detail) => {
    server.answer = () => answer;
    expect(await judge('Hello')).toEqual({ failure, ...(detail !== undefined && { detail }) });
  });

  test('timeout: no response', async () => {
    server.answer = () => 'stall';
    expect(await judge('Hello', 'user', detector({ timeoutMs: 50 }))).toEqual({ failure: 'timeout' });
  });
});

test('a request that the API refuses is refused by the fake', () => {
  const seen = (json: object) => ({ path: '/guardrail-checks/invoke', headers: {}, json, givenUp: Promise.resolve() });
  const messages = [{ role: 'user', content: [{ text: 'Hi' }] }];
  for (const json of [
    { messages, checks: {} },
    { messages: [], checks: { promptAttack: { categories: [{ category: 'JAILBREAK' }] } } },
    { messages, checks: { promptAttack: { categories: [{ category: 'HATE' }] } } },
    { messages: [{ role: 'tool', content: [{ text: 'Hi' }] }], checks: { promptAttack: { categories: [] } } },
  ])
    expect(checksReply(seen(json))).toMatchObject({ status: 400 });
});
