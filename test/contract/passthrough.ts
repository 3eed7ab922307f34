import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { PLANTED } from './service.ts';

/** Odd spacing, escapes, number forms and unknown fields: what a parser would lose on the way. */
const ODD =
  '{ "model" : "gpt-4o-mini",\n\t"messages":[ {"role":"user","content":"caf\\u00e9 \\/ \\ud83d\\ude00"} ],' +
  '"temperature":1.0, "seed":12345678901234567890,"x_new":{"b":1E3,"a":[ ]},"max_tokens":50 ,"é":null}\n';

const WEATHER = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } };

export function passthroughContract(contract: Contract): void {
  describe('between the caller and an OpenAI provider', () => {
    test('a JSON body passes byte by byte', async () => {
      expect((await contract.chat(ODD)).status).toBe(200);
      expect(contract.sent.body).toBe(ODD);
    });

    test('a streamed body gains include_usage and nothing else', async () => {
      const streamed = ODD.replace('"temperature"', '"stream":true, "temperature"');
      await contract.chat(streamed);
      expect(contract.sent.json).toMatchObject({ stream_options: { include_usage: true } });
      expect(contract.sent.body.replace(/,?\s*"stream_options":\{"include_usage":true\}/, '')).toBe(streamed);
      const asked = streamed.replace('"x_new"', '"stream_options" : {"include_usage":true},"x_new"');
      await contract.chat(asked);
      expect(contract.sent.body).toBe(asked);
    });

    test("a provider's prefix and our fields are removed, every other byte stays", async () => {
      await contract.chat(ODD.replace('"gpt', '"openai/gpt'));
      expect(contract.sent.body).toBe(ODD);
      await contract.chat({ ...saying('Hi'), svc: { a: 1 }, moderation: 'score' });
      expect(contract.sent.json).toEqual(saying('Hi'));
    });

    test("only the provider's own credentials reach it", async () => {
      await contract.chat(saying('Hi'), {
        headers: { cookie: 'a=b', 'x-end-user-id': 'u-7', 'openai-organization': 'org' },
      });
      const { headers, path } = contract.sent;
      expect(path).toBe('/v1/chat/completions');
      expect(headers.authorization).toBe(`Bearer ${PLANTED.openaiKey}`);
      expect(JSON.stringify(headers)).not.toMatch(/svc_sk_|u-7|cookie|x-forwarded/i);
    });

    test('unknown fields of the response are returned, in JSON with their exact numbers', async () => {
      const raw =
        '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","x_big":12345678901234567890,' +
        '"choices":[{"index":0,"message":{"role":"assistant","content":"Hi","x_note":[1.0]},"finish_reason":"stop"}]}';
      contract.upstream.next({ raw });
      const { text, json } = await contract.chat(saying('Hi'));
      expect(text).toContain('"x_big":12345678901234567890');
      expect(json.choices[0].message).toEqual({ role: 'assistant', content: 'Hi', x_note: [1] });
    });

    test('unknown fields of chunks are returned', async () => {
      const extra = { x_new: { deep: [1, { a: null }] } };
      contract.upstream.next({ text: 'One two three', extra });
      const { chunks } = await contract.stream(saying('Hi'));
      for (const chunk of chunks) expect(chunk).toMatchObject({ ...extra, service_tier: 'default' });
    });

    test('several choices are returned, each complete', async () => {
      contract.upstream.next({ texts: ['First one', 'Second one here'] });
      const { chunks, done } = await contract.stream({ ...saying('Hi'), n: 2 });
      const textOf = (index: number) =>
        chunks
          .flatMap(({ choices }) => choices.filter((c: { index: number }) => c.index === index))
          .map((c) => c.delta.content ?? '');
      expect([textOf(0).join(''), textOf(1).join(''), done]).toEqual(['First one', 'Second one here', true]);
    });
  });

  describe('between the caller and Anthropic', () => {
    test("a request becomes a messages request, with Anthropic's credentials", async () => {
      await contract.chat({
        model: 'anthropic/claude-sonnet-4-5',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
        max_tokens: 99,
        tools: [WEATHER],
      });
      expect(contract.sent).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': PLANTED.anthropicKey } });
      expect(contract.sent.headers.authorization).toBeUndefined();
      expect(contract.sent.json).toMatchObject({
        model: 'claude-sonnet-4-5',
        max_tokens: 99,
        tools: [{ name: 'get_weather' }],
      });
      expect(JSON.stringify((contract.sent.json as { system: unknown }).system)).toContain('Be brief.');
    });

    test("a response that reached its limit has OpenAI's finish reason", async () => {
      contract.upstream.next({ text: 'Cut', finishReason: 'length' });
      expect((await contract.chat(saying('Hi', 'claude-sonnet-4-5'))).json.choices[0].finish_reason).toBe('length');
    });
  });
}
