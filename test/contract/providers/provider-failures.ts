import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../../functions/kernel/errors/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { Behaviour, Failure } from '../../support/mock-upstream/behaviour.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, expectErrorShape } from '../reply.ts';

const TEXT = 'Six words that come one by one';

export function providerFailureContract(contract: Contract): void {
  describe.each([['gpt-4o-mini'], ['claude-sonnet-4-5']])('when the provider of %s', (model) => {
    // Enough for every attempt that a request makes.
    const always = (behaviour: Behaviour) => {
      for (let attempt = 0; attempt < 6; attempt += 1) contract.upstream.next(behaviour);
    };
    const whole = (behaviour: Behaviour) => {
      contract.upstream.next({ text: TEXT, ...behaviour });
      return contract.chat(saying('Hi', model));
    };
    const streamed = (behaviour: Behaviour) => {
      contract.upstream.next({ text: TEXT, ...behaviour });
      return contract.chat({ ...saying('Hi', model), stream: true });
    };

    const early: [string, Behaviour, ErrorCode][] = [
      ['refuses our credentials (401)', { status: 401 }, 'provider_error'],
      ['refuses our credentials (403)', { status: 403 }, 'provider_error'],
      ['fails (500)', { status: 500 }, 'provider_error'],
      ['is overloaded (503)', { status: 503 }, 'provider_error'],
      ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'provider_error'],
      ['resets the connection', { failure: 'reset-before-head' }, 'provider_error'],
      ['never answers', { failure: 'stall-before-head' }, 'provider_timeout'],
    ];
    test.each(early)('%s, the caller gets our error instead, streamed or not', async (_, behaviour, code) => {
      for (const _ of [1, 2]) always(behaviour);
      const replies = await Promise.all([whole(behaviour), streamed(behaviour)]);
      contract.upstream.reset();
      // A provider that failed five requests in a row would be left alone; several functions may be serving, each of which counts.
      await Promise.all([1, 2, 3, 4].map(() => contract.chat(saying('Hi', model))));
      for (const reply of replies) {
        expectError(reply, code);
        expect(reply.text).not.toContain('planted');
        expect(reply.headers.get('x-should-retry')).toBe(code === 'provider_timeout' ? 'false' : null);
      }
    });

    test('fails once or twice, the request is retried', async () => {
      for (const times of [1, 2]) {
        contract.upstream.reset();
        for (let at = 0; at < times; at += 1) contract.upstream.next({ status: 503, headers: { 'retry-after': '0' } });
        const reply = await contract.chat(saying('Hi', model));
        expect([reply.status, contract.upstream.requests.length]).toEqual([200, times + 1]);
        const provider = model.startsWith('gpt') ? 'openai' : 'anthropic';
        const [failed, served] = [`${provider}/${model};provider_error`, `${provider}/${model}`];
        expect(reply.headers.get('x-svc-route')).toBe([...Array(times).fill(failed), served].join(', '));
      }
    });

    test('limits us (429), its wait is passed on', async () => {
      for (const reply of [await whole({ status: 429 }), await streamed({ status: 429 })]) {
        expect(reply).toMatchObject({ status: 429, json: { error: { message: expect.stringMatching(/limit/i) } } });
        expectErrorShape(reply.json);
        expect(reply.headers.get('retry-after')).toBe('7');
      }
    });

    test.each([[400], [404], [422]])(
      'refuses the request (%i), its status and message are passed on',
      async (status) => {
        for (const reply of [await whole({ status }), await streamed({ status })]) {
          expect(reply.status).toBe(status);
          expectErrorShape(reply.json);
        }
      },
    );

    const cuts: [Failure][] = [
      ['reset-mid-stream'],
      ['fin-mid-stream'],
      ['stall-mid-stream'],
      ['garbage'],
      ['error-event'],
    ];
    test.each(cuts)('breaks off a response that is not streamed (%s), none is returned', async (failure) => {
      const reply = await whole({ failure });
      const isOverloaded = failure === 'error-event' && model.startsWith('claude');
      const usual = isOverloaded ? 'provider_overloaded' : 'provider_error';
      expectError(reply, failure === 'stall-mid-stream' ? 'provider_timeout' : usual);
    });

    const breaks: [Failure][] = [...cuts, ['end-mid-stream'], ['half-event']];
    test.each(breaks)('breaks off a stream (%s), it ends in one error event and without [DONE]', async (failure) => {
      contract.upstream.next({ text: TEXT, failure, afterChunks: model.startsWith('claude') ? 5 : 3 });
      const { status, chunks, done, finishReason, content } = await contract.stream(saying('Hi', model));
      expect({ status, done, finishReason }).toEqual({ status: 200, done: false, finishReason: undefined });
      expect(TEXT.startsWith(content)).toBe(true);
      expect(chunks.filter((chunk) => chunk?.error !== undefined)).toHaveLength(1);
      expectErrorShape(chunks.at(-1));
      // Anthropic's own event reports an overload.
      const isOverloaded = failure === 'error-event' && model.startsWith('claude');
      expect(chunks.at(-1).error.type).toBe(isOverloaded ? 'overloaded_error' : 'provider_error');
    });

    test('sends nothing, the request fails', async () => {
      for (const raw of ['', 'data: [DONE]\n\n', '{}', '[]', '<html></html>']) {
        const json = await whole({ raw });
        expect([raw, json.status]).toEqual([raw, 502]);
        const stream = await streamed({ raw });
        expect([raw, stream.status === 502 || /"error":\{/.test(stream.text)]).toEqual([raw, true]);
        expect(stream.text).not.toContain('[DONE]');
      }
    });
  });

  contract.testOf('client disconnects', 'a caller who leaves ends the call to the provider', async () => {
    contract.upstream.next({ text: TEXT.repeat(200), delayMs: 20 });
    const abort = new AbortController();
    const response = await fetch(`${contract.service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${contract.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...saying('Leaving'), stream: true }),
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    const sent = contract.sent;
    abort.abort();
    await eventually(() => sent.closedEarly);
  });
}
