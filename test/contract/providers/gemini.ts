import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { UNSUSPICIOUS } from '../reply.ts';

/** Google's Gemini API for callers, and the requests that Google receives. */
export function geminiContract(contract: Contract): void {
  const origin = () => contract.service.baseUrl.replace(/\/v1$/, '');
  const ask = async (call: string, body: object, { key = contract.key, base = '/v1beta' } = {}) => {
    const response = await fetch(`${origin()}${base}/models/${call}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  const say = (text: string, fields: object = {}) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...fields });
  const chunksOf = (text: string) =>
    text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [JSON.parse(event.slice(6))] : []));

  describe("Google's Gemini API", () => {
    test.each(['/v1beta', '/v1'])('returns a complete response with svc, under %s', async (base) => {
      const { status, json } = await ask('echo:generateContent', say('one two'), { base });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        candidates: [{ content: { role: 'model', parts: [{ text: 'one two' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 2, totalTokenCount: 4 },
        svc: { threat_score: UNSUSPICIOUS, coverage: { input: ['contents[0]'], output: ['candidates[0]'] } },
      });
    });

    test.each(['echo', 'gpt-4o-mini', 'claude-sonnet-4-5'])(
      'is streamed from %s, svc in the last chunk',
      async (model) => {
        const { text } = await ask(`${model}:streamGenerateContent?alt=sse`, say('one two three'));
        const chunks = chunksOf(text);
        const said = chunks.flatMap(({ candidates }) => candidates[0].content.parts).map((part) => part.text);
        expect(said.join('')).toBe('one two three');
        expect(chunks.map(({ svc }) => svc !== undefined).indexOf(true)).toBe(chunks.length - 1);
        expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }], svc: { action: 'allow' } });
      },
    );

    test('calls tools of another provider', async () => {
      const tools = [
        { functionDeclarations: [{ name: 'get_weather', parameters: { type: 'OBJECT', properties: {} } }] },
      ];
      for (const model of ['gpt-4o-mini', 'claude-sonnet-4-5']) {
        contract.upstream.next({ toolCalls: [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' }] });
        const { text } = await ask(`${model}:streamGenerateContent?alt=sse`, say('Weather?', { tools }));
        const calls = chunksOf(text)
          .flatMap(({ candidates }) => candidates[0].content.parts)
          .filter((part) => part.functionCall);
        expect(calls).toMatchObject([{ functionCall: { name: 'get_weather', args: { city: 'Rome' } } }]);
      }
    });

    test.each(['/v1beta', '/v1'])('counts tokens and embeds with echo, under %s', async (base) => {
      const count = await ask('echo:countTokens', say('one two'), { base });
      expect(count).toMatchObject({
        status: 200,
        json: { totalTokens: 2, svc: { coverage: { input: ['contents[0]'] } } },
      });
      const key = await contract.newKey({ permissions: ['embeddings'] });
      const content = { parts: [{ text: 'one two' }] };
      const one = await ask('echo:embedContent', { content, outputDimensionality: 4 }, { base, key });
      expect([one.status, one.json.embedding.values.length, one.json.svc.action]).toEqual([200, 4, 'allow']);
      const both = await ask('echo:batchEmbedContents', { requests: [{ content }, { content }] }, { base, key });
      expect([both.status, both.json.embeddings.length]).toEqual([200, 2]);
      expect(both.json.svc.coverage.input).toEqual(['requests']);
    });

    test.each(['/', '%2F'])('a model may be named with its provider, after %s', async (slash) => {
      for (const method of ['generateContent', 'streamGenerateContent?alt=sse']) {
        contract.upstream.next({ text: 'Fine.' });
        const { status, text } = await ask(`openai${slash}gpt-4o-mini:${method}`, say('Hello'));
        const parts = [...text.matchAll(/"text":"([^"]*)"/g)].map(([, part]) => part);
        expect([status, parts.join('')]).toEqual([200, 'Fine.']);
      }
      const count = await ask(`echo${slash}echo:countTokens`, say('one two'));
      expect([count.status, count.json.totalTokens]).toEqual([200, 2]);
      expect((await ask(`openai${slash}gpt-4o-mini:noMethod`, say('a'))).status).toBe(404);
    });

    test('errors have its format', async () => {
      const blocked = await ask('echo:generateContent', say(BLOCK));
      expect([blocked.status, blocked.json]).toMatchObject([
        400,
        {
          error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'content_filter' }] },
          svc: { action: 'block' },
        },
      ]);
      for (const [call, body, key, status, name] of [
        ['echo:generateContent', say('a'), 'no key', 401, 'UNAUTHENTICATED'],
        [
          'echo:generateContent',
          say('a'),
          await contract.newKey({ permissions: ['embeddings'] }),
          403,
          'PERMISSION_DENIED',
        ],
        ['no-such-model:generateContent', say('a'), contract.key, 404, 'NOT_FOUND'],
        ['echo:generateAnswer', say('a'), contract.key, 404, 'NOT_FOUND'],
        ['gpt-4o-mini:countTokens', say('a'), contract.key, 400, 'INVALID_ARGUMENT'],
        ['echo:streamGenerateContent', say('a'), contract.key, 400, 'INVALID_ARGUMENT'],
        ['echo:generateContent', {}, contract.key, 400, 'INVALID_ARGUMENT'],
      ] as const) {
        const { json, ...reply } = await ask(call, body, { key });
        expect([call, reply.status, json.error.status]).toEqual([call, status, name]);
      }
    });

    test('a blocked response ends with SAFETY, whole and streamed', async () => {
      for (const call of ['claude-sonnet-4-5:generateContent', 'gpt-4o-mini:streamGenerateContent?alt=sse']) {
        contract.upstream.next({ text: `Fine so far. ${BLOCK} and what follows` });
        const { text } = await ask(call, say('Go on'));
        expect(text).toContain('"finishReason":"SAFETY"');
        expect(text).not.toMatch(/SVC-TEST|follows/);
      }
    });
  });
}
