import './provider-errors.cases.ts';
import './split-keys.cases.ts';
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../fidelity/upstream.ts';
import { ANSWERS, type ResponseApi } from '../responses/answer-formats.ts';
import { ask, expectNoKey, FIRST, HOLE, joins, KEY, OTHER_KEY, SECOND, STREAMS, streamOf } from './provider-keys.ts';

describe.each(ANSWERS)('a response of %s', (_, answerOf, api) => {
  test("contains no provider's key in another spelling", async () => {
    for (const written of [
      KEY.toUpperCase(),
      [...KEY].join(' '),
      [...KEY].join('\u200b'),
      Buffer.from(`Bearer ${KEY}`).toString('base64'),
      encodeURIComponent(KEY).replaceAll('-', '%2D'),
      OTHER_KEY,
    ]) {
      const said = JSON.stringify(`Called with ${written}, fine.`);
      for (const exchange of [await ask(api, answerOf(said)), await ask(api, answerOf('"a"', `"note":${said}`))]) {
        expect([exchange.status, exchange.text]).toEqual([200, expect.stringContaining(HOLE)]);
        expect(exchange.text).not.toContain(written);
        expect(exchange.text).toContain('"action":"redact"');
      }
    }
  });

  test("contains no provider's key in JSON escapes, in a text or an id", async () => {
    const escaped = [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
    for (const exchange of [
      await ask(api, answerOf(`"Called with ${escaped}."`)),
      await ask(api, answerOf('"a"', `"service_tier":"${escaped}","trace":{"id":"${escaped}"}`)),
    ]) {
      expect(exchange.text).toContain('[REDACTED');
      expect(exchange.text).not.toContain(escaped.slice(0, 40));
      expectNoKey(exchange);
    }
  });

  test.each([
    ['the called', KEY],
    ['another', OTHER_KEY],
  ])("contains no key of %s provider in an id, a model's name or data, and reports it", async (_, key) => {
    const plain = answerOf('"a"', `"service_tier":"${key}","trace":{"id":"r_${key}"}`);
    for (const body of [plain.body, String(plain.body).replaceAll('"model":"m"', `"model":"${key}"`)]) {
      const { status, text } = await ask(api, { ...plain, body });
      expect([status, text]).toEqual([200, expect.stringContaining(HOLE)]);
      expect(text).not.toContain(key);
      expect(text).toContain('"rule":"secret/provider-key"');
    }
  });

  test("contains no provider's key that is split over other members", async () => {
    for (const more of [
      `"notes":[{"text":"${FIRST}"},{"text":"${SECOND}"}]`,
      `"note":{"${FIRST}":"${SECOND}"}`,
      `"note":{"a ${FIRST}":1,"${SECOND} b":2}`,
      `"notes":["${FIRST}","${SECOND}"]`,
      `"notes":${JSON.stringify([...KEY].map((one) => ({ one })))}`,
    ]) {
      const exchange = await ask(api, answerOf('"a"', more));
      expect([more, exchange.status, exchange.text]).toEqual([more, 200, expect.stringContaining(HOLE)]);
      expectNoKey(exchange);
    }
  });
});

const args = JSON.stringify({
  a: [...KEY].join('\n'),
  b: Buffer.from(KEY).toString('base64').replace(/.{9}/g, '$&\r\n'),
});
const inArguments: readonly (readonly [string, ResponseApi | undefined, (args: readonly string[]) => Answer])[] =
  STREAMS.filter(([name]) => /^(?:arguments|input)/.test(name));

test.each(inArguments)("a provider's key with escaped line breaks does not leave: %s", async (_, api, answerOf) => {
  for (const pieces of [[args], [...args], args.match(/.{1,7}/g) ?? []]) {
    const { status, text: leaving } = await ask(streamOf(api), answerOf(pieces));
    expect([status, leaving]).toEqual([200, expect.stringContaining('"rule":"secret/provider-key"')]);
    const sent = joins(leaving).map((one) => one.replaceAll(/\\[nr]/g, ''));
    expect(sent.join(' ')).not.toContain(KEY.slice(0, 12));
    expect(sent.join(' ')).not.toContain(Buffer.from(KEY).toString('base64').slice(10, 30));
  }
});

test.each(inArguments)('a call that a client would run without the key is blocked: %s', async (_, api, answerOf) => {
  for (const key of [KEY, OTHER_KEY]) {
    const said = JSON.stringify({ at: key });
    for (const pieces of [[said], [said.slice(0, 20), said.slice(20)]]) {
      const { status, text } = await ask(streamOf(api), answerOf(pieces));
      expect([status, text]).toEqual([200, expect.stringContaining('"rule":"secret/provider-key"')]);
      expect(text).toContain('"action":"block"');
    }
  }
});
