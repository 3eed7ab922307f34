import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OtlpReceiver, startOtlpReceiver } from '../../../test/support/otlp-receiver.ts';
import { UndiciHttpClient } from '../http/undici-http-client.ts';
import { MAX_WAITING, OtlpExporter } from './otlp-exporter.ts';
import { exchangeRecord } from './request-summary.fixture.ts';

let receiver: OtlpReceiver;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
beforeEach(() => {
  receiver.answer = 200;
  receiver.spans.length = 0;
  receiver.bodies.length = 0;
});
afterAll(() => receiver.stop());

function exporter(fields: { endpoint?: string; headers?: () => Promise<Record<string, string>> } = {}) {
  const time = { ms: 0 };
  const lost: [number, string][] = [];
  const one = new OtlpExporter({
    endpoint: receiver.url,
    headers: async () => ({ authorization: 'Bearer of the receiver' }),
    http: new UndiciHttpClient(),
    clock: { now: () => time.ms, monotonic: () => time.ms },
    lingerMs: 0,
    resource: { 'service.name': 'svc-gateway' },
    onLost: (spans, reason) => lost.push([spans, reason]),
    ...fields,
  });
  return { one, time, lost };
}

/** The request, three phases, two calls. */
const SPANS = 6;

describe('spans of an exchange', () => {
  it('reach the receiver in OTLP format: the request, its phases, its provider calls', async () => {
    const { one, lost } = exporter();
    await one.add(exchangeRecord());
    expect([receiver.faults, lost]).toEqual([[], []]);
    expect(receiver.headers.at(-1)).toMatchObject({ authorization: 'Bearer of the receiver' });
    expect(JSON.parse(receiver.bodies[0] as string).resourceSpans[0].resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'svc-gateway' } },
    ]);
    const own = 'b7ad6b7169203331';
    expect(receiver.spans.map(({ name, kind, parentSpanId }) => [name, kind, parentSpanId])).toEqual([
      ['POST /v1/chat/completions', 2, '00f067aa0ba902b7'],
      ['authenticate', 1, own],
      ['admit', 1, own],
      ['inspect input', 1, own],
      ['chat claude-sonnet-4-5', 3, own],
      ['chat gpt-4o-mini', 3, own],
    ]);
    const [request, auth, admit, , failed, answered] = receiver.spans;
    for (const span of receiver.spans) expect(span.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    const start = BigInt(Date.parse('2026-11-21T09:30:00.000Z')) * 1_000_000n;
    const at = (ms: number) => String(start + BigInt(ms * 1_000_000));
    expect([request?.startTimeUnixNano, request?.endTimeUnixNano]).toEqual([at(0), at(2_500)]);
    expect([admit?.startTimeUnixNano, admit?.endTimeUnixNano]).toEqual([at(1), at(9.5)]);
    // The successful call ends with the response.
    expect([answered?.startTimeUnixNano, answered?.endTimeUnixNano]).toEqual([at(61), at(2_500)]);
    expect(request?.flags).toBe(0x303);
    expect(auth?.flags).toBe(0x103);
    expect(request?.attributes).toMatchObject({
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'svc.key.id': 'key_1',
      'svc.team.id': 'team_1',
      'svc.tag.app': 'shop',
      'svc.tag.feature': 'search',
      'svc.action': 'flag',
      'svc.threats': 'jailbreak',
    });
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '429' } });
    expect(answered?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.request.stream': true,
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 50,
      'svc.cost_usd': 0.000_048,
    });
    expect(receiver.bodies[0]).not.toContain('ann');
  });

  it('have the state and parent of an incoming trace, and show where the request failed', async () => {
    const linked = { traceId: '5759e988bd862e3fe1be46a994272793', spanId: '53995c3f42cd8ad8' };
    const trace = { ...exchangeRecord().trace, state: 'a=1', linked };
    await exporter().one.add(exchangeRecord({ trace, outcome: 'failed', errorCode: 'provider_error', status: 502 }));
    expect(receiver.faults).toEqual([]);
    expect(receiver.spans[0]).toMatchObject({
      traceState: 'a=1',
      links: [linked],
      status: { code: 2 },
      attributes: { 'error.type': 'provider_error' },
    });
  });

  it('are not sent for an unsampled trace', async () => {
    await exporter().one.add(exchangeRecord({ trace: { ...exchangeRecord().trace, sampled: false } }));
    expect(receiver.bodies).toEqual([]);
  });

  it('go to /v1/traces of a base URL, or to the URL itself if it ends with that', async () => {
    for (const endpoint of [`${receiver.url}/`, `${receiver.url}/v1/traces`]) {
      await exporter({ endpoint }).one.add(exchangeRecord());
    }
    expect([receiver.faults, receiver.spans.length]).toEqual([[], 2 * SPANS]);
  });

  it('are sent together if they arrive together', async () => {
    const { one } = exporter();
    await Promise.all(Array.from({ length: 20 }, () => one.add(exchangeRecord())));
    expect(receiver.spans).toHaveLength(20 * SPANS);
    expect(receiver.bodies.length).toBeLessThan(3);
  });
});

describe('a failing receiver', () => {
  it('is not called for a while, receives the same batch again, and is given up', async () => {
    const { one, time, lost } = exporter();
    receiver.answer = 503;
    await one.add(exchangeRecord());
    await one.add(exchangeRecord());
    expect([receiver.bodies.length, lost]).toEqual([1, []]);
    time.ms += 1_000;
    receiver.answer = 200;
    await one.add(exchangeRecord());
    expect([receiver.spans.length, lost]).toEqual([3 * SPANS, []]);

    receiver.answer = 503;
    for (const pause of [0, 1_000, 2_000]) {
      time.ms += pause;
      await one.add(exchangeRecord());
    }
    expect(lost).toEqual([[3 * SPANS, 'status 503']]);
  });

  it('that refuses a batch does not receive it again', async () => {
    const { one, lost } = exporter();
    receiver.answer = 401;
    await one.add(exchangeRecord());
    expect(lost).toEqual([[SPANS, 'status 401']]);
  });

  it('never makes more spans wait than the limit', async () => {
    const { one, lost } = exporter();
    receiver.answer = 503;
    await one.add(exchangeRecord());
    receiver.bodies.length = 0;
    for (let count = SPANS; count < MAX_WAITING + 3 * SPANS; count += SPANS) await one.add(exchangeRecord());
    expect(lost.every(([spans, reason]) => spans === SPANS && reason === 'too many waiting')).toBe(true);
    expect(lost.length).toBeGreaterThanOrEqual(2);
    expect(receiver.bodies).toEqual([]);
  });

  it('unreadable headers, or an unreachable receiver do not fail requests', async () => {
    const away = exporter({ endpoint: 'http://127.0.0.1:9' });
    await away.one.add(exchangeRecord());
    const keyless = exporter({ headers: () => Promise.reject(new Error('a secret')) });
    await keyless.one.add(exchangeRecord());
    for (const { one, time, lost } of [away, keyless]) {
      for (const pause of [1_000, 2_000]) {
        time.ms += pause;
        await one.add(exchangeRecord());
      }
      expect(lost).toEqual([[3 * SPANS, expect.any(String)]]);
      expect(lost[0]?.[1]).not.toContain('secret');
    }
  });
});
