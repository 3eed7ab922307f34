import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import type { OutsideVerdict } from '../../inspection/outside/outside-detector.ts';
import { type DetectorServer, moderated, moderation, startDetectorServer } from './detector-server.fixture.ts';
import { OpenAiModeration, type OpenAiModerationOptions } from './openai-moderation.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

const KEY = ['sk', 'planted', 'moderation'].join('-');

let server: DetectorServer;
beforeAll(async () => {
  server = await startDetectorServer();
});
afterAll(() => server.close());
afterEach(() => {
  server.seen.length = 0;
});

function judge(
  texts: readonly string[],
  fields: Partial<OpenAiModerationOptions> = {},
  signal = new AbortController().signal,
): Promise<OutsideVerdict[]> {
  const options = {
    http: new UndiciHttpClient(),
    apiKey: async () => KEY,
    baseUrl: `${server.url}/v1`,
    timeoutMs: DEADLINE_MS,
  };
  const asked = texts.map((text) => ({ text, surface: 'user' as const }));
  return Promise.all(new OpenAiModeration({ ...options, ...fields }).inspect(asked, signal));
}

describe("OpenAI's moderation", () => {
  test('receives all texts in one call', async () => {
    server.answer = () => ({ json: moderation(moderated(), moderated()) });
    await judge(['one', 'two']);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      path: '/v1/moderations',
      headers: { authorization: `Bearer ${KEY}` },
      json: { model: 'omni-moderation-latest', input: ['one', 'two'] },
    });
  });

  test('reports its findings per text, as content and never as an attack', async () => {
    server.answer = () => ({
      json: moderation(moderated(), moderated({ 'hate/threatening': 0.91, violence: 0.7 })),
    });
    const [first, second] = await judge(['one', 'second']);
    const told = (judgement: OutsideVerdict | undefined) =>
      judgement && 'findings' in judgement ? judgement.findings.filter(({ score }) => score >= 0.5) : undefined;
    expect(told(first)).toEqual([]);
    expect(told(second)).toMatchObject([
      { rule: { type: 'toxicity', category: 'hate_threatening', severity: 'high' }, score: 0.91, start: 0, end: 6 },
      { rule: { type: 'toxicity', category: 'violence' }, score: 0.7 },
    ]);
    expect(second && 'findings' in second && new Set(second.findings.map(({ rule }) => rule.type))).toEqual(
      new Set(['toxicity']),
    );
  });

  test("follows OpenAI's own thresholds and verdict", async () => {
    server.answer = () => ({ json: moderation(moderated({ sexual: 0.31, hate: 0.62 }, ['sexual'])) });
    const [judgement] = await judge(['one']);
    const scores = judgement && 'findings' in judgement ? judgement.findings : [];
    expect(scores.find(({ rule }) => rule.category === 'sexual')?.score).toBe(0.5);
    expect(scores.find(({ rule }) => rule.category === 'hate')?.score).toBe(0.49);
  });
});

describe('a missing verdict of OpenAI', () => {
  test.each([
    ['throttled', { status: 429 }, 'status 429'],
    ['refused', { status: 401, body: `{"error":{"message":"Incorrect API key provided: ${KEY}"}}` }, 'status 401'],
    ['refused', { status: 400 }, 'status 400'],
    ['failed', { status: 500 }, 'status 500'],
  ])('%s: %j, for each of the texts', async (failure, answer, detail) => {
    server.answer = () => answer;
    expect(await judge(['one', 'two'])).toEqual([
      { failure, detail },
      { failure, detail },
    ]);
  });

  test.each([
    ['not JSON', { status: 200, body: 'fine' }],
    ['too few results', { json: moderation(moderated()) }],
    ['another schema', { json: { results: [{ flagged: false }, { flagged: false }] } }],
    ['scores out of range', { json: moderation(moderated({ hate: 7 }), moderated()) }],
  ])('unreadable: %s', async (_, answer) => {
    server.answer = () => answer;
    expect(await judge(['one', 'two'])).toEqual([{ failure: 'unreadable' }, { failure: 'unreadable' }]);
  });

  test('timeout, unreachable, or not configured', async () => {
    server.answer = () => 'stall';
    expect(await judge(['one'], {}, AbortSignal.timeout(50))).toEqual([{ failure: 'timeout' }]);
    expect(await judge(['one'], { baseUrl: 'http://127.0.0.1:1/v1' })).toEqual([{ failure: 'unreachable' }]);
    const none = { failure: 'refused', detail: 'no API key configured' };
    expect(await judge(['one'], { apiKey: async () => undefined })).toEqual([none]);
    expect(await judge(['one'], { apiKey: () => Promise.reject(new Error('secrets')) })).toEqual([none]);
  });
});
