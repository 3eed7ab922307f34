import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import type { OtlpReceiver } from '../../support/otlp-receiver.ts';
import { type Contract, saying } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { parsed, type Reply } from '../reply.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const STATE = 'a=zanzibar,b=2';
const traced = { headers: { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: STATE } };

type Line = Record<string, unknown>;

/** The log's lines of one request, once its record is among them. */
async function linesOf(contract: Contract, requestId: string | null): Promise<Line[]> {
  const find = () =>
    contract.service
      .logs()
      .split('\n')
      .map((line) => parsed(line) as Line)
      .filter((line) => line?.requestId === requestId);
  return eventually(find, (lines) => lines.some(({ message }) => message === 'request'));
}

/** The ids that identify a request in its trace, response, record and log. */
export function traceContract(contract: Contract): void {
  const recordOf = async (id: string | null) => {
    const find = ({ json }: Reply) => json?.data?.find((record: { id: string }) => record.id === id);
    return find(await contract.settled(() => contract.analytics('/requests?limit=100'), find));
  };

  describe('the trace of a request', () => {
    test("is the caller's, in the response, the record and the log, and is sent to no provider", async () => {
      for (const reply of [await contract.chat(saying('Hi'), traced), await contract.stream(saying('Hi'), traced)]) {
        expect(reply.headers.get('x-trace-id')).toBe(TRACE);
        const id = reply.headers.get('x-request-id');
        expect(contract.sent.headers).not.toHaveProperty('traceparent');
        expect(contract.sent.headers).not.toHaveProperty('tracestate');
        expect(await recordOf(id)).toMatchObject({ traceId: TRACE });
        expect(await linesOf(contract, id)).toMatchObject([{ traceId: TRACE, message: 'request' }]);
      }
    });

    test("is a new one if the caller's cannot be parsed", async () => {
      const told = [];
      for (const traceparent of [
        '',
        `00-${TRACE}-${SPAN}`,
        `ff-${TRACE}-${SPAN}-01`,
        `00-${'0'.repeat(32)}-${SPAN}-01`,
      ]) {
        const { status, headers } = await contract.chat(saying('Hi', 'echo'), { headers: { traceparent } });
        expect([status, headers.get('x-trace-id')]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
        told.push(headers.get('x-trace-id'));
      }
      expect(new Set([...told, TRACE]).size).toBe(told.length + 1);
    });

    test('is on every response and in a line of the log, for any caller and any result', async () => {
      const replies = [
        [401, await contract.call('/models', undefined, { key: '', ...traced })],
        [404, await contract.call('/nowhere', undefined, traced)],
        [200, await contract.call('/models', undefined, traced)],
        [400, await contract.chat('{', traced)],
        [400, await contract.chat(saying('SVC-TEST-BLOCK-7f3a'), traced)],
        [200, await contract.call('/admin/keys', undefined, { key: contract.service.adminKey, ...traced })],
      ] as const;
      for (const [status, reply] of replies) {
        expect([reply.status, reply.headers.get('x-trace-id')]).toEqual([status, TRACE]);
        const lines = await linesOf(contract, reply.headers.get('x-request-id'));
        expect(lines).toMatchObject([{ level: 'INFO', message: 'request', traceId: TRACE, status }]);
      }
    });

    test('is named in each line that names a request', async () => {
      const named = contract.service
        .logs()
        .split('\n')
        .map((line) => parsed(line) as Line | undefined)
        // Lambda's own line about a broken stream has an object, and Lambda's id of the call.
        .filter((line) => typeof line?.requestId === 'string' && typeof line.message === 'string')
        .filter((line) => line?.message !== 'audit');
      expect(named.length).toBeGreaterThan(10);
      expect(named.filter((line) => !/^[0-9a-f]{32}$/.test(String(line?.traceId)))).toEqual([]);
    });
  });

  describe('the line of a request', () => {
    test('has usage and times of each phase', async () => {
      const reply = await contract.stream(saying('Hi'), { headers: { 'x-end-user-id': 'Perpetua Quillfeather' } });
      const [line] = await linesOf(contract, reply.headers.get('x-request-id'));
      expect(line).toMatchObject({
        level: 'INFO',
        route: '/v1/chat/completions',
        provider: 'openai',
        model: 'gpt-4o-mini',
        status: 200,
        outcome: 'completed',
        action: 'allow',
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
        'gen_ai.operation.name': 'chat',
      });
      const { phasesMs } = line as { phasesMs: Record<string, number | null> };
      expect(Object.keys(phasesMs).sort()).toEqual(
        ['admitMs', 'authMs', 'inputMs', 'outputMs', 'outsideMs', 'providerMs'].sort(),
      );
      expect(phasesMs.providerMs).toBeGreaterThan(0);
      expect(JSON.stringify(line)).not.toContain('Quillfeather');
    });

    contract.testOf('metrics in its log', "has CloudWatch's metrics", async () => {
      const reply = await contract.stream(saying('Hi'));
      const [line] = await linesOf(contract, reply.headers.get('x-request-id'));
      expect(line).toMatchObject({
        'gen_ai.provider.name': 'openai',
        FunctionName: 'local',
        Requests: 1,
        ServerErrors: 0,
        'gen_ai.server.time_to_first_token': expect.any(Number),
        _aws: { CloudWatchMetrics: expect.any(Array) },
      });
      contract.upstream.next({ status: 500 });
      const failed = await contract.chat(saying('Hi'));
      const lines = await linesOf(contract, failed.headers.get('x-request-id'));
      expect(lines[0]).toMatchObject({ message: 'provider failed', ProviderErrors: 1 });
    });

    test('follows the lines of failed provider calls', async () => {
      contract.upstream.next({ status: 500 });
      const reply = await contract.chat(saying('Hi'));
      const lines = await linesOf(contract, reply.headers.get('x-request-id'));
      expect(lines).toMatchObject([
        { level: 'WARN', message: 'provider failed', provider: 'openai', type: 'provider_error' },
        { message: 'request', attempts: 2 },
      ]);
    });
  });
}

/** What a service of these tests is started with, besides the receiver's address. */
export const TELLING = { SVC_TRACE_PROPAGATION: 'providers', SVC_LOG_LEVEL: 'warn' } as const;

/** Spans at a receiver that takes nothing but what the protocol says, and traces at providers. */
export function spanContract(contract: Contract, receiverOf: () => OtlpReceiver): void {
  const spansOf = async (traceId: string | null) => {
    const find = () => receiverOf().spans.filter((span) => span.traceId === traceId);
    return eventually(find, (spans) => spans.length > 0);
  };

  describe('a deployment that exports traces', () => {
    test('sends the spans of a request to the receiver, and its call as the parent to the provider', async () => {
      const reply = await contract.stream(saying('Hi'), traced);
      const spans = await spansOf(TRACE);
      expect(receiverOf().faults).toEqual([]);
      const [request] = spans.filter(({ kind }) => kind === 2);
      const [call] = spans.filter(({ kind }) => kind === 3);
      expect(request).toMatchObject({
        name: 'POST /v1/chat/completions',
        parentSpanId: SPAN,
        traceState: STATE,
        attributes: { 'svc.request.id': reply.headers.get('x-request-id'), 'http.response.status_code': 200 },
      });
      expect(call).toMatchObject({
        name: 'chat gpt-4o-mini',
        parentSpanId: request?.spanId,
        attributes: { 'gen_ai.provider.name': 'openai', 'gen_ai.usage.input_tokens': expect.any(Number) },
      });
      expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['authenticate', 'admit', 'inspect input']));
      expect(contract.sent.headers).toMatchObject({
        traceparent: `00-${TRACE}-${call?.spanId}-01`,
        tracestate: STATE,
      });
    });

    test('starts a trace if the caller sends none, also for a provider of another protocol', async () => {
      const reply = await contract.chat({ ...saying('Hi', 'claude-sonnet-4-5'), max_tokens: 10 });
      const traceId = reply.headers.get('x-trace-id');
      expect(contract.sent.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-03$`));
      const spans = await spansOf(traceId);
      expect(spans.filter(({ kind }) => kind === 2)).toMatchObject([{ name: 'POST /v1/chat/completions' }]);
    });

    test('exports no text, key or end user', async () => {
      const words = 'Vermilion gooseberry for the harbour master';
      const options = { headers: { 'x-end-user-id': 'Ottoline Fairbrother', 'x-session-id': 'Pemberton talk' } };
      contract.upstream.next({ text: `${words} ${GITHUB_TOKEN}` });
      const reply = await contract.chat(saying(`${words} ${GITHUB_TOKEN}`), options);
      await spansOf(reply.headers.get('x-trace-id'));
      const told = receiverOf().bodies.join('\n');
      expect(told).toContain('svc.key.id');
      for (const text of [words, GITHUB_TOKEN, 'Ottoline', 'Pemberton', contract.key, 'svc_sk_', 'sk-planted']) {
        expect([text.slice(0, 6), told.includes(text)]).toEqual([text.slice(0, 6), false]);
      }
    });

    test('serves requests as usual if the receiver is silent or refuses', async () => {
      for (const answer of ['silent', 401] as const) {
        receiverOf().answer = answer;
        expect((await contract.chat(saying('Hi'))).status).toBe(200);
      }
      receiverOf().answer = 200;
    });

    test('writes no successful request if the log level is warn', () => {
      // The admin API may be a function with a separate log level.
      expect(linesOfAll(contract).filter((line) => line.level === 'INFO' && line.keyId !== undefined)).toEqual([]);
    });
  });
}

/** All lines of the log that are JSON. */
export function linesOfAll(contract: Contract): Line[] {
  const lines = contract.service.logs().split('\n');
  return lines.flatMap((line) => {
    const read = parsed(line) as Line | undefined;
    return read === undefined ? [] : [read];
  });
}
