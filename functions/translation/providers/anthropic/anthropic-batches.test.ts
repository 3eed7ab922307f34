import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpFailure, type HttpResponse } from '../../../kernel/http/index.ts';
import { AnthropicBatches, type SendToBatches } from './anthropic-batches.ts';

const BATCH = {
  id: 'msgbatch_1',
  type: 'message_batch',
  processing_status: 'in_progress',
  request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00+00:00',
  ended_at: null,
  cancel_initiated_at: null,
  results_url: 'https://elsewhere.example/results',
};
const CALL = { signal: new AbortController().signal };

async function* pieces(text: string, at: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...new Set(at.filter((place) => place < bytes.length)), bytes.length].sort((a, b) => a - b);
  for (const [index, to] of places.slice(1).entries()) yield bytes.subarray(places[index], to);
}

function batchesWith(answer: Partial<HttpResponse> | Error) {
  const asked: Parameters<SendToBatches>[0][] = [];
  const batches = new AnthropicBatches('anthropic', async (request) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return { status: 200, headers: {}, body: pieces('{}'), ...answer };
  });
  return { batches, asked };
}

async function readAll(text: string, at?: readonly number[]) {
  const { batches } = batchesWith({ body: pieces(text, at) });
  const all: unknown[] = [];
  for await (const one of batches.results('msgbatch_1', CALL)) all.push(one);
  return all;
}

describe('a batch at Anthropic', () => {
  it('is made of the bodies as they are, and is never sent twice', async () => {
    const { batches, asked } = batchesWith({ body: pieces(JSON.stringify(BATCH)) });
    const made = await batches.create([{ customId: '0', body: '{"a": 1.50}' }], CALL);
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/v1/messages/batches',
        body: '{"requests":[{"custom_id":"0","params":{"a": 1.50}}]}',
        once: true,
      },
    ]);
    expect(made).toMatchObject({ id: 'msgbatch_1', status: 'in_progress', endedAt: null });
  });

  it.each([
    ['{', 'no JSON'],
    [JSON.stringify({ ...BATCH, id: '../keys' }), 'an id that would be another path'],
    [JSON.stringify({ ...BATCH, processing_status: 'paused' }), 'an unknown state'],
  ])('fails with %s: %s', async (text) => {
    const { batches } = batchesWith({ body: pieces(text) });
    await expect(batches.get('msgbatch_1', CALL)).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('that it does not know is a 404, and is deleted', async () => {
    const unknown = () => ({
      status: 404,
      body: pieces('{"type":"error","error":{"type":"not_found_error","message":"No"}}'),
    });
    await expect(batchesWith(unknown()).batches.get('msgbatch_1', CALL)).rejects.toMatchObject({ code: 'not_found' });
    await batchesWith(unknown()).batches.delete('msgbatch_1', CALL);
  });

  it('fails as its call does', async () => {
    const reset = batchesWith(new HttpFailure('reset', true)).batches;
    await expect(reset.get('msgbatch_1', CALL)).rejects.toMatchObject({ code: 'provider_error' });
    const full = batchesWith({
      status: 429,
      body: pieces('{"type":"error","error":{"type":"rate_limit_error","message":"Slow"}}'),
    });
    await expect(full.batches.create([], CALL)).rejects.toMatchObject({ status: 429, message: 'Slow' });
  });
});

describe('its results', () => {
  const RESULTS = [
    { custom_id: '1', result: { type: 'succeeded', message: { id: 'msg_1', text: 'é\u2028 line' } } },
    { custom_id: '0', result: { type: 'canceled' } },
    { custom_id: '2', result: { type: 'expired' } },
    {
      custom_id: '3',
      result: {
        type: 'errored',
        error: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too high' } },
      },
    },
    {
      custom_id: '4',
      result: { type: 'errored', error: { type: 'error', error: { type: 'authentication_error', message: 'a key' } } },
    },
  ];
  const text = RESULTS.map((one) => JSON.stringify(one)).join('\n');

  it('are the same however they arrive, with or without an end of the last line', async () => {
    const whole = await readAll(text);
    expect(whole).toMatchObject([
      { customId: '1', result: { type: 'succeeded', body: JSON.stringify(RESULTS[0]?.result.message) } },
      { customId: '0', result: { type: 'canceled' } },
      { customId: '2', result: { type: 'expired' } },
      { customId: '3', result: { type: 'errored', error: { message: 'max_tokens: too high', status: 400 } } },
      // What a provider says about our credentials is not for the caller.
      {
        customId: '4',
        result: { type: 'errored', error: { code: 'provider_error', message: expect.not.stringContaining('a key') } },
      },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length + 10)), fc.boolean(), async (at, isClosed) => {
        expect(await readAll(isClosed ? `${text}\n\n` : text, at)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['{"custom_id":"1"}', '[]', 'x'])('fail with a line that is %s', async (line) => {
    await expect(readAll(`${text}\n${line}`)).rejects.toMatchObject({ code: 'provider_error' });
  });
});
