import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import type { OutsideVerdict } from '../../inspection/outside/outside-detector.ts';
import type { Surface } from '../../kernel/model/index.ts';
import type { DetectorFinding } from '../http/detector-call.ts';
import {
  type DetectorServer,
  filtered,
  intervened,
  NOTHING_FOUND,
  startDetectorServer,
} from '../http/detector-server.fixture.ts';
import { UndiciHttpClient } from '../http/undici-http-client.ts';
import { BedrockGuardrails, type BedrockGuardrailsOptions } from './bedrock-guardrails.ts';

const SECRET_KEY = ['planted', 'aws', 'secret'].join('-');
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET_KEY, sessionToken: 'token' };

let server: DetectorServer;
beforeAll(async () => {
  server = await startDetectorServer();
});
afterAll(() => server.close());
afterEach(() => {
  server.seen.length = 0;
  server.answer = () => ({ json: NOTHING_FOUND });
});

function guardrails(fields: Partial<BedrockGuardrailsOptions> = {}): BedrockGuardrails {
  return new BedrockGuardrails({
    http: new UndiciHttpClient(),
    guardrail: 'gr1example2id',
    version: '3',
    region: 'eu-central-1',
    credentials: CREDENTIALS,
    endpoint: server.url,
    timeoutMs: DEADLINE_MS,
    ...fields,
  });
}

async function judge(
  text: string,
  surface: Surface = 'user',
  detector = guardrails(),
  signal = new AbortController().signal,
): Promise<OutsideVerdict> {
  const [judgement] = await Promise.all(detector.inspect([{ text, surface }], signal));
  return judgement as OutsideVerdict;
}

async function findings(
  text: string,
  assessment: object,
  surface: Surface = 'user',
): Promise<readonly DetectorFinding[]> {
  server.answer = () => ({ json: intervened(assessment) });
  const judgement = await judge(text, surface);
  if (!('findings' in judgement)) throw new Error(judgement.failure);
  return judgement.findings;
}

describe('a call to Amazon Bedrock Guardrails', () => {
  test.each<[Surface, string]>([
    ['user', 'INPUT'],
    ['tool', 'INPUT'],
    ['output', 'OUTPUT'],
  ])('sends %s text as %s', async (surface, source) => {
    await judge('Grüße', surface);
    expect(server.seen.map(({ path, json }) => ({ path, json }))).toEqual([
      {
        path: '/guardrail/gr1example2id/version/3/apply',
        json: { source, content: [{ text: { text: 'Grüße' } }] },
      },
    ]);
  });

  test('is signed for the service, and does not contain the secret key', async () => {
    await judge('Hello');
    const headers = server.seen[0]?.headers as Record<string, string>;
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
    );
    expect(headers['x-amz-security-token']).toBe('token');
    expect(JSON.stringify(server.seen)).not.toContain(SECRET_KEY);
  });

  test("uses the ARN's region, with the name encoded in the path", async () => {
    const guardrail = 'arn:aws:bedrock:us-west-2:123456789012:guardrail/gr1example2id';
    await judge('Hello', 'user', guardrails({ guardrail, version: 'DRAFT' }));
    const [{ path = '', headers } = {}] = server.seen;
    expect(decodeURIComponent(path)).toBe(`/guardrail/${guardrail}/version/DRAFT/apply`);
    expect(path).not.toContain(':');
    expect(headers?.authorization).toContain('/us-west-2/bedrock/aws4_request');
  });

  test('is made once per text, in order, with limited concurrency', async () => {
    server.answer = ({ json }) => ({
      json: JSON.stringify(json).includes('number 7') ? intervened(filtered('HATE', 'HIGH')) : NOTHING_FOUND,
    });
    const texts = Array.from({ length: 20 }, (_, at) => ({ text: `number ${at}`, surface: 'user' as const }));
    const judgements = await Promise.all(guardrails().inspect(texts, new AbortController().signal));
    expect(server.seen).toHaveLength(20);
    expect(judgements.map((one) => 'findings' in one && one.findings.length)).toEqual(
      texts.map((_, at) => (at === 7 ? 1 : 0)),
    );
  });
});

describe('the findings of a guardrail', () => {
  test('are empty if it finds nothing', async () => expect(await judge('Hello')).toEqual({ findings: [] }));

  test.each([
    ['HIGH', [0.95]],
    ['MEDIUM', [0.8]],
    ['LOW', [0.5]],
    ['NONE', []],
  ])('with confidence %s have the score %j', async (confidence, scores) => {
    // A topic gives it a reason to intervene in every case.
    const topics = [{ name: 'anything', type: 'DENY', action: 'BLOCKED', detected: true }];
    const assessment = { ...filtered('PROMPT_ATTACK', confidence), topicPolicy: { topics } };
    const found = (await findings('Hello', assessment)).filter(({ rule }) => rule.type !== 'toxicity');
    expect(found.map(({ score }) => score)).toEqual(scores);
  });

  test.each<[string, Surface, string, string]>([
    ['PROMPT_ATTACK', 'user', 'prompt_injection', 'prompt_attack'],
    ['PROMPT_ATTACK', 'tool', 'indirect_injection', 'prompt_attack'],
    ['HATE', 'user', 'toxicity', 'hate'],
    ['INSULTS', 'output', 'toxicity', 'insults'],
    ['SEXUAL', 'user', 'toxicity', 'sexual'],
    ['VIOLENCE', 'output', 'toxicity', 'violence'],
    ['MISCONDUCT', 'user', 'toxicity', 'misconduct'],
    ['not a name <script>', 'user', 'toxicity', 'other'],
  ])('%s in %s text is %s, %s, over the whole text', async (type, surface, ours, category) => {
    expect(await findings('Some text', filtered(type, 'HIGH'), surface)).toMatchObject([
      { rule: { type: ours, category }, start: 0, end: 9 },
    ]);
  });

  test('locates quoted matches everywhere in the text', async () => {
    const text = 'Ann, write to ann@example.org; Ann has the card 4111-1111.';
    const found = await findings(text, {
      sensitiveInformationPolicy: {
        piiEntities: [
          { type: 'NAME', match: 'Ann', action: 'ANONYMIZED', detected: true },
          { type: 'NAME', match: 'Ann', action: 'ANONYMIZED', detected: true },
          { type: 'EMAIL', match: 'ann@example.org', action: 'ANONYMIZED', detected: true },
          { type: 'CREDIT_DEBIT_CARD_NUMBER', match: '4111 1111', action: 'BLOCKED', detected: true },
          { type: 'PASSWORD', match: 'write', action: 'BLOCKED', detected: true },
          { type: 'PHONE', match: 'has', action: 'NONE', detected: false },
        ],
        regexes: [{ name: 'card', regex: 'c..d', match: 'card', action: 'BLOCKED', detected: true }],
      },
      wordPolicy: {
        customWords: [{ match: 'card', action: 'BLOCKED', detected: true }],
        managedWordLists: [{ match: 'has', type: 'PROFANITY', action: 'BLOCKED', detected: true }],
      },
    });
    expect(found.map(({ rule, start, end }) => [rule.type, rule.category, text.slice(start, end)])).toEqual([
      ['toxicity', 'denied_word', 'card'],
      ['toxicity', 'profanity', 'has'],
      ['pii', 'name', 'Ann'],
      ['pii', 'name', 'Ann'],
      ['pii', 'email', 'ann@example.org'],
      // The quoted match differs from the text, so the whole text is the location.
      ['pii', 'payment_card', text],
      ['secret', 'password', 'write'],
      ['pii', 'custom_pattern', 'card'],
    ]);
    expect(JSON.stringify(found)).not.toContain('example.org');
  });

  test('reports a topic as content, without the name that its owner gave it', async () => {
    const topics = [{ name: 'Secret project', type: 'DENY', action: 'BLOCKED' }];
    const found = await findings('Some text', { topicPolicy: { topics } });
    expect(found).toMatchObject([{ rule: { type: 'toxicity', category: 'denied_topic' }, score: 0.95 }]);
    expect(JSON.stringify(found)).not.toContain('Secret');
  });
});

describe('a missing verdict of Amazon Bedrock Guardrails', () => {
  const aws = (status: number, name: string) => ({
    status,
    headers: { 'x-amzn-errortype': `${name}:http://internal/` },
  });

  test.each([
    ['throttled', aws(429, 'ThrottlingException'), 'status 429 ThrottlingException'],
    ['refused', aws(403, 'AccessDeniedException'), 'status 403 AccessDeniedException'],
    ['refused', aws(400, 'ValidationException'), 'status 400 ValidationException'],
    ['refused', aws(404, 'ResourceNotFoundException'), 'status 404 ResourceNotFoundException'],
    ['failed', aws(500, 'InternalServerException'), 'status 500 InternalServerException'],
    ['failed', { status: 503, body: '<html>' }, 'status 503'],
    ['failed', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'status 302'],
  ])('%s: %j', async (failure, answer, detail) => {
    server.answer = () => answer;
    expect(await judge('Hello')).toEqual({ failure, detail });
  });

  test.each([
    ['not JSON', { status: 200, body: 'all fine' }],
    ['an error instead of a response', { json: { Output: { __type: 'com.amazon#InternalServerException' } } }],
    ['a response without an action', { json: { assessments: [] } }],
    ['a response that is too large', { status: 200, body: JSON.stringify({ text: 'x'.repeat(5_000_000) }) }],
  ])('unreadable: %s', async (_, answer) => {
    server.answer = () => answer;
    expect(await judge('Hello')).toMatchObject({ failure: 'unreadable' });
  });

  test('unreadable: it intervened without a reason', async () => {
    server.answer = () => ({ json: intervened() });
    expect(await judge('Hello')).toEqual({ failure: 'unreadable', detail: 'intervened' });
  });

  test('unreachable: no server listens, or the connection breaks', async () => {
    const nobody = guardrails({ endpoint: 'http://127.0.0.1:1' });
    expect(await judge('Hello', 'user', nobody)).toEqual({ failure: 'unreachable' });
    server.answer = () => 'reset';
    expect(await judge('Hello')).toEqual({ failure: 'unreachable' });
  });

  test('timeout: no response, or the deadline has passed', async () => {
    server.answer = () => 'stall';
    expect(await judge('Hello', 'user', guardrails({ timeoutMs: 50 }))).toEqual({ failure: 'timeout' });
    expect(await judge('Hello', 'user', guardrails(), AbortSignal.timeout(50))).toEqual({ failure: 'timeout' });
  });

  test('refused: there are no credentials', async () => {
    const credentials = async () => {
      throw new Error(`cannot load ${SECRET_KEY}`);
    };
    expect(await judge('Hello', 'user', guardrails({ credentials }))).toEqual({
      failure: 'refused',
      detail: 'no credentials or region: Error',
    });
  });
});
