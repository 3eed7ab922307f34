import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, type Reply, UNSUSPICIOUS } from '../reply.ts';
import { toStreamReply } from '../stream-reply.ts';

const eventsOf = async (text: string) => (await toStreamReply(new Response(text))).chunks;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** `POST /images/generations`, mostly through OpenAI's own client. */
export function imagesContract(contract: Contract): void {
  const keyFor = (permissions: string[], fields: object = {}) => contract.newKey({ permissions, ...fields });
  const imageKey = (fields: object = {}) => keyFor(['images'], fields);
  const client = async () => contract.client({ apiKey: await imageKey() });
  const post = (body: object | string, key: string, headers: Record<string, string> = {}) =>
    contract.call('/images/generations', typeof body === 'string' ? body : JSON.stringify(body), { key, headers });
  const asking = (fields: object = {}) => ({ model: 'gpt-image-1', prompt: 'A calm sea', ...fields });

  describe('/images/generations', () => {
    test('gives the official client pictures of the echo model, counted, by their data or their address', async () => {
      const { images } = await client();
      const { data, usage } = await images.generate({ model: 'echo', prompt: 'A calm sea', n: 2 });
      expect(data).toHaveLength(2);
      expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64').subarray(0, 8)).toEqual(PNG);
      expect(usage).toMatchObject({ input_tokens: 3, output_tokens: 2, total_tokens: 5 });
      const addressed = await images.generate({ model: 'echo', prompt: 'A calm sea', response_format: 'url' });
      const picture = await (await fetch(addressed.data?.[0]?.url ?? '')).bytes();
      expect(Buffer.from(picture).subarray(0, 8)).toEqual(PNG);
    });

    test.each(['echo', 'gpt-image-1'])('streams pictures on the way to the official client, from %s', async (model) => {
      const { images } = await client();
      const create = { model, prompt: 'A calm sea', stream: true as const, partial_images: 2 };
      const types: string[] = [];
      let tokens = 0;
      for await (const event of await images.generate(create)) {
        types.push(event.type);
        if (event.type === 'image_generation.completed') tokens = event.usage.total_tokens;
        expect(event.b64_json).not.toBe('');
      }
      expect(types).toEqual([...Array<string>(2).fill('image_generation.partial_image'), 'image_generation.completed']);
      expect(tokens).toBeGreaterThan(0);
    });

    test('has svc beside the pictures, and reports that they were not inspected', async () => {
      contract.upstream.next({ text: 'A calm sea at dusk' });
      const { status, json, headers } = await post(asking(), await imageKey());
      expect([status, headers.get('x-svc-route')]).toEqual([200, 'openai/gpt-image-1']);
      expect(json.data[0].revised_prompt).toBe('A calm sea at dusk');
      expect(json.svc).toMatchObject({
        threat_score: UNSUSPICIOUS,
        action: 'allow',
        coverage: { input: ['prompt'], output: ['data[0]'], skipped: ['data[0].b64_json: image'] },
      });
    });

    test('has svc in the event that completes a streamed picture', async () => {
      const { text, status } = await post(asking({ stream: true, partial_images: 1 }), await imageKey());
      const [partial, completed] = await eventsOf(text);
      expect([status, text.match(/^event: .*$/gm)]).toEqual([
        200,
        ['event: image_generation.partial_image', 'event: image_generation.completed'],
      ]);
      expect(partial).not.toHaveProperty('svc');
      expect(completed).toMatchObject({ svc: { coverage: { skipped: ['b64_json: image'] } } });
    });

    test('passes to an OpenAI provider unchanged, moderation included', async () => {
      const body = '{ "model":"openai/gpt-image-1", "prompt":"a\\u00e9", "moderation":"low", "svc":{}, "x":1.0 }';
      await contract.call('/images/generations', body, { key: await imageKey() });
      const sent = body.replace('openai/', '').replace('"svc":{}, ', '');
      expect([contract.sent.path, contract.sent.body]).toEqual(['/v1/images/generations', sent]);
      for (const unnamed of ['{"prompt":"a"}', '{"prompt":"a","model":null}']) {
        await contract.call('/images/generations', unnamed, { key: await imageKey() });
        expect(contract.sent.body).toBe('{"prompt":"a","model":"dall-e-2"}');
      }
    });

    test.each([
      ['prompt', { prompt: `A sea. ${BLOCK}` }],
      ['user', { user: BLOCK }],
      ['style', { style: `vivid ${BLOCK}` }],
      ['later.hints[1]', { later: { hints: ['a', `b ${BLOCK}`] } }],
    ])('an attack in %s reaches nobody', async (param, fields) => {
      const before = contract.upstream.requests.length;
      expectError(await post(asking(fields), await imageKey()), 'content_filter', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('a revised prompt with blocked text is redacted, or the picture is withheld', async () => {
      const key = await imageKey();
      contract.upstream.next({ text: `A sign that says ${GITHUB_TOKEN}` });
      const redacted = await post(asking(), key);
      expect(redacted.json.data[0].b64_json).toEqual(expect.any(String));
      expect(redacted.json.data[0].revised_prompt).toMatch(/^A sign that says \[REDACTED_\w+\]$/);
      expect(redacted.json.svc.action).toBe('redact');
      contract.upstream.next({ text: `A sea. ${BLOCK}` });
      const blocked = await post(asking(), key);
      expect([blocked.status, blocked.json.data, blocked.json.svc.action]).toEqual([200, [], 'block']);
      contract.upstream.next({ text: `A sea. ${BLOCK}` });
      const events = await eventsOf((await post(asking({ stream: true }), key)).text);
      expect(events).toEqual([
        expect.objectContaining({
          type: 'error',
          error: expect.objectContaining({ code: 'content_filter', type: 'security_error' }),
          svc: expect.objectContaining({ action: 'block' }),
        }),
      ]);
    });

    test('a stream that ends before its picture is an error', async () => {
      contract.upstream.next({ failure: 'end-mid-stream', afterChunks: 1 });
      const { text } = await post(asking({ stream: true, partial_images: 2 }), await imageKey());
      expect((await eventsOf(text)).at(-1)).toMatchObject({ error: { code: 'provider_error' } });
    });

    test.each([
      ['prompt', {}],
      ['n', { prompt: 'a', n: 11 }],
      ['partial_images', { prompt: 'a', partial_images: 4 }],
      ['stream', { prompt: 'a', stream: 'yes' }],
      ['model', { prompt: 'a', model: 'claude-sonnet-4-5' }],
    ])('a request without a good %s is told so', async (param, fields) => {
      const { status, json } = await post({ model: 'echo', ...fields }, await imageKey());
      expect([status, json.error.param]).toEqual([400, param]);
    });

    test('need their own permission', async () =>
      expectError(await post(asking(), await keyFor(['chat_completions'])), 'insufficient_permissions'));

    test('return a stored response for an Idempotency-Key', async () => {
      const key = await imageKey();
      const headers = { 'idempotency-key': `image ${process.pid}` };
      const first = await post(asking(), key, headers);
      const before = contract.upstream.requests.length;
      const again = await post(asking(), key, headers);
      expect([again.text, again.headers.get('x-svc-idempotent-replay')]).toEqual([first.text, 'true']);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('reserve the tokens of the most expensive picture requested, and settle the reported usage', async () => {
      const tokenLimit = { tokens: 12_000, period: 'month' };
      const key = await imageKey({ tokenLimit });
      const large = { size: '1024x1536', quality: 'high' };
      expectError(await post(asking({ ...large, n: 2 }), key), 'invalid_value', 'n');
      for (let at = 0; at < 5; at += 1) expect((await post(asking(large), key)).status).toBe(200);
      // Five pictures of 279 tokens are settled in background tasks; 272 and 1,000 besides the prompt are reserved.
      const remainingIn = ({ headers }: Reply) => Number(headers.get('x-ratelimit-remaining-tokens'));
      await contract.settled(
        () => contract.chat('{', { key }),
        (reply) => remainingIn(reply) > 10_000,
      );
      expect(remainingIn(await post(asking({ size: '1024x1024', quality: 'low' }), key))).toBeGreaterThan(8_000);
    });

    test('are refused under a budget if their price is unknown', async () => {
      const key = await imageKey({ budget: { usd: 5, period: 'day' } });
      expectError(await post(asking(), key), 'invalid_value', 'model');
      expect((await post({ model: 'echo', prompt: 'a' }, key)).status).toBe(200);
    });

    test('are recorded with their tokens, and without a cost if the price is unknown', async () => {
      const { id, key } = await contract.createKey({ permissions: ['images'], policy: { capture: 'full' } });
      const reply = await post(asking(), key);
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${id}`),
        ({ json }) => json.data.length > 0,
      );
      expect(json.data).toEqual([
        expect.objectContaining({
          id: reply.headers.get('x-request-id'),
          route: '/v1/images/generations',
          model: 'gpt-image-1',
          tokens: { input: 7, output: 272 },
          costUsd: null,
        }),
      ]);
      const capture = await contract.settled(
        () => contract.analytics(`/requests/${reply.headers.get('x-request-id')}/capture`),
        ({ status }) => status === 200,
      );
      expect(capture.json).toMatchObject({ request: JSON.stringify(asking()), answer: [] });
    });
  });
}
