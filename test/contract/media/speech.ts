import { describe, expect, test } from '@jest/globals';
import { SPOKEN } from '../../support/mock-upstream/openai-media-answer.ts';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { expectError } from '../reply.ts';
import { toStreamReply } from '../stream-reply.ts';

const FLAGGED = 'SVC-TEST-FLAG-7f3a';

/** `POST /audio/speech`: bytes, or events with base64. */
export function speechContract(contract: Contract): void {
  const keyFor = (permissions: string[], fields: object = {}) => contract.newKey({ permissions, ...fields });
  const audioKey = (fields: object = {}) => keyFor(['audio'], fields);
  const asking = (fields: object = {}) => ({
    model: 'gpt-4o-mini-tts',
    input: 'Good evening',
    voice: 'alloy',
    ...fields,
  });
  const post = (body: object | string, key: string, headers: Record<string, string> = {}) =>
    contract.call('/audio/speech', typeof body === 'string' ? body : JSON.stringify(body), { key, headers });
  const fetchBytes = async (body: object, key: string, headers: Record<string, string> = {}) => {
    const response = await contract.fetch('/audio/speech', JSON.stringify(body), { key, headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const eventsOf = async (text: string) => (await toStreamReply(new Response(text))).chunks;
  const recordOf = async (id: string) =>
    (
      await contract.settled(
        () => contract.analytics(`/requests?keyId=${id}`),
        ({ json }) => json.data.length > 0,
      )
    ).json.data[0];

  describe('/audio/speech', () => {
    test('gives the official client a sound of the echo model, and that of a provider byte by byte', async () => {
      const { audio } = contract.client({ apiKey: await audioKey() });
      const silence = await audio.speech.create({ model: 'echo', input: 'Good evening', voice: 'alloy' });
      expect(silence.headers.get('content-type')).toBe('audio/wav');
      expect(Buffer.from(await silence.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
      const spoken = await audio.speech.create({ model: 'tts-1', input: 'Good evening', voice: 'alloy' });
      expect(Buffer.from(await spoken.arrayBuffer()).equals(SPOKEN)).toBe(true);
    });

    test('has its report in headers, and no other header of the provider', async () => {
      const { status, headers, bytes } = await fetchBytes(asking({ input: `Say ${FLAGGED} now` }), await audioKey());
      expect([status, bytes.equals(SPOKEN)]).toEqual([200, true]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'audio/mpeg',
        'cache-control': 'no-store',
        'x-svc-action': 'flag',
        'x-svc-threats': expect.stringMatching(/^\w+/),
        'x-svc-route': 'openai/gpt-4o-mini-tts',
        'x-svc-request-id': expect.stringMatching(/^req_/),
      });
      for (const name of ['x-internal', 'openai-organization', 'openai-processing-ms'])
        expect([name, headers.get(name)]).toEqual([name, null]);
    });

    test('as events has svc in the last one, which lists the audio as not inspected', async () => {
      const key = await audioKey();
      for (const model of ['gpt-4o-mini-tts', 'echo']) {
        const { headers, text } = await post(asking({ model, stream_format: 'sse' }), key);
        expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
        const events = await eventsOf(text);
        expect(events.at(-1)).toMatchObject({
          type: 'speech.audio.done',
          usage: { total_tokens: expect.any(Number) },
          svc: { action: 'allow', coverage: { input: ['input', 'voice'], skipped: ['audio: audio'] } },
        });
        const audio = events.slice(0, -1).map((event) => Buffer.from(String(event.audio), 'base64'));
        if (model !== 'echo') expect(Buffer.concat(audio).equals(SPOKEN)).toBe(true);
      }
    });

    test('reaches an OpenAI provider unchanged', async () => {
      const body = '{ "model":"openai/tts-1", "input":"a\\u00e9", "voice":"alloy", "svc":{}, "x":1.0 }';
      await post(body, await audioKey());
      const sent = body.replace('openai/', '').replace('"svc":{}, ', '');
      expect([contract.sent.path, contract.sent.body]).toEqual(['/v1/audio/speech', sent]);
    });

    test('gets a placeholder for personal data', async () => {
      const address = ['maria.keller', 'web.de'].join('@');
      await fetchBytes(
        asking({ input: `Write to ${address} today` }),
        await audioKey({ policy: { preset: 'strict' } }),
      );
      expect(contract.sent.body).toMatch(/Write to \[EMAIL_\d+\] today/);
    });

    test.each([
      ['input', { input: `Good evening. ${BLOCK}` }],
      ['instructions', { instructions: `Calm. ${BLOCK}` }],
      ['voice', { voice: `alloy ${BLOCK}` }],
      ['voice.note', { voice: { id: 'alloy', note: BLOCK } }],
      ['response_format', { response_format: `mp3 ${BLOCK}` }],
      ['later.hints[0]', { later: { hints: [BLOCK] } }],
    ])('an attack in %s reaches no provider', async (param, fields) => {
      const before = contract.upstream.requests.length;
      for (const format of ['audio', 'sse']) {
        const reply = await post(asking({ ...fields, stream_format: format }), await audioKey());
        // A voice's id is looked up while the texts are inspected.
        if (param === 'voice.note') expectError(reply, 'not_found', 'voice.id');
        else expectError(reply, 'content_filter', param);
      }
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test.each([
      ['voice.id', { voice: { id: 'voice_of_another' } }],
      ['voice', { voice: 'voice_of_another' }],
    ])('a custom voice in %s is not for every key', async (param, fields) => {
      const before = contract.upstream.requests.length;
      expectError(await post(asking(fields), await audioKey()), 'not_found', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test.each([
      ['input', { input: '' }],
      ['input', { input: undefined }],
      ['model', { model: 'claude-sonnet-4-5' }],
      ['speed', { speed: 5 }],
      ['stream_format', { stream_format: 'wav' }],
      ['voice', { voice: 7 }],
    ])('a request without a good %s is a 400', async (param, fields) => {
      const { status, json } = await post(asking(fields), await audioKey());
      expect([status, json.error.param]).toEqual([400, param]);
    });

    test("a provider's refusal passes with its message, and its failure is an error", async () => {
      const key = await audioKey();
      contract.upstream.next({ status: 400 });
      const refused = await post(asking(), key);
      expect([refused.status, refused.json.error.code]).toEqual([400, 'decimal_above_max_value']);
      contract.upstream.next({
        raw: '{"error":{"message":"secret of the provider"}}',
        headers: { 'content-type': 'application/json' },
      });
      const failed = await post(asking(), key);
      expectError(failed, 'provider_error');
      expect(failed.text).not.toContain('secret of the provider');
    });

    test.each([
      ['text/html', 'a page'],
      ['text/event-stream', 'events'],
      ['image/png', 'an image'],
      [null, 'no type'],
    ])('an answer of the type %s (%s) is an error', async (type, _) => {
      contract.upstream.next({ headers: { 'content-type': type } });
      expectError(await post(asking(), await audioKey()), 'provider_error');
    });

    test('without a byte is an error', async () => {
      contract.upstream.next({ raw: '' });
      expectError(await post(asking(), await audioKey()), 'provider_error');
    });

    test.each(['reset-mid-stream', 'fin-mid-stream'] as const)(
      'that breaks off is broken off (%s), and failed',
      async (failure) => {
        const { id, key } = await contract.createKey({ permissions: ['audio'] });
        contract.upstream.next({ failure, afterChunks: 2 });
        await expect(fetchBytes(asking(), key)).rejects.toThrow();
        expect(await recordOf(id)).toMatchObject({ state: 'failed', errorCode: 'provider_error' });
      },
    );

    test('a stream of events without its end is an error', async () => {
      contract.upstream.next({ failure: 'end-mid-stream', afterChunks: 1 });
      const { text } = await post(asking({ stream_format: 'sse' }), await audioKey());
      expect((await eventsOf(text)).at(-1)).toMatchObject({ error: { code: 'provider_error' } });
    });

    test('text in an event is inspected', async () => {
      contract.upstream.next({ extra: { note: `Well. ${BLOCK}` } });
      const { text } = await post(asking({ stream_format: 'sse' }), await audioKey());
      expect(text).not.toContain(BLOCK);
      expect((await eventsOf(text)).at(-1)).toMatchObject({ type: 'error', svc: { action: 'block' } });
    });

    test('bytes are sent as they come, and may be cancelled by id', async () => {
      const { id, key } = await contract.createKey({ permissions: ['audio'] });
      contract.upstream.next({ failure: 'stall-mid-stream', afterChunks: 1 });
      const response = await contract.fetch('/audio/speech', JSON.stringify(asking()), { key });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      expect(Buffer.from(value ?? []).equals(SPOKEN.subarray(0, 1_000))).toBe(true);
      const requestId = response.headers.get('x-request-id');
      const cancelled = await contract.call(`/requests/${requestId}/cancel`, '', { key, method: 'POST' });
      expect(cancelled.status).toBe(200);
      await expect(reader.read()).rejects.toThrow();
      expect(await recordOf(id)).toMatchObject({ state: 'cancelled' });
    });

    test('are not stored: an Idempotency-Key has no effect on bytes', async () => {
      const key = await audioKey();
      const headers = { 'idempotency-key': `speech ${process.pid}` };
      const before = contract.upstream.requests.length;
      const first = await fetchBytes(asking(), key, headers);
      const again = await fetchBytes(asking(), key, headers);
      expect([first.bytes.equals(SPOKEN), again.bytes.equals(SPOKEN)]).toEqual([true, true]);
      expect(again.headers.get('x-svc-idempotent-replay')).toBeNull();
      expect(contract.upstream.requests).toHaveLength(before + 2);
    });

    test('need the permission for audio, and POST', async () => {
      expectError(await post(asking(), await keyFor(['images'])), 'insufficient_permissions');
      expectError(await contract.call('/audio/speech', undefined, { key: await audioKey() }), 'method_not_allowed');
    });

    test('reserve tokens by the length of the input, and need a price under a budget', async () => {
      const limited = await audioKey({ tokenLimit: { tokens: 2_000, period: 'month' } });
      expectError(await post(asking({ input: 'a'.repeat(400) }), limited), 'invalid_value', 'input');
      expectError(await post(asking({ input: 'a'.repeat(100), speed: 0.25 }), limited), 'invalid_value', 'input');
      expect((await post(asking(), limited)).status).toBe(200);
      const budgeted = await audioKey({ budget: { usd: 5, period: 'day' } });
      expectError(await post(asking(), budgeted), 'invalid_value', 'model');
      expect((await post(asking({ model: 'echo' }), budgeted)).status).toBe(200);
    });

    test.each([
      ['bytes of an estimate by the text', { input: 'a'.repeat(400) }, { input: 100, output: 600 }],
      ['bytes of a model without audio tokens', { model: 'tts-1', input: 'a'.repeat(400) }, { input: 100, output: 0 }],
      ['events as reported', { stream_format: 'sse' }, { input: 5, output: 40 }],
    ])('are recorded with tokens: %s', async (_, fields, tokens) => {
      const { id, key } = await contract.createKey({ permissions: ['audio'], policy: { capture: 'full' } });
      const reply = await post(asking(fields), key);
      expect(await recordOf(id)).toMatchObject({
        route: '/v1/audio/speech',
        state: 'completed',
        tokens,
        costUsd: null,
      });
      const capture = await contract.settled(
        () => contract.analytics(`/requests/${reply.headers.get('x-request-id')}/capture`),
        ({ status }) => status === 200,
      );
      expect(capture.json).toMatchObject({ request: JSON.stringify(asking(fields)), answer: [] });
    });
  });
}
