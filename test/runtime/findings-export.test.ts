import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { faultsOf } from '../../functions/control/findings/ocsf-schema.fixture.ts';
import { InvocationQueue } from './invocation-queue.ts';
import { startEndpoints } from './recorded-endpoints.ts';
import { Sandbox } from './sandbox.ts';

const BUNDLE = path.resolve(import.meta.dirname, '../../dist/findings-export');
const BUS = 'arn:aws:events:eu-central-1:000000000000:event-bus/siem';
const STREAM = 'arn:aws:firehose:eu-central-1:000000000000:deliverystream/to-siem';

interface Put {
  readonly Entries?: readonly Record<string, string>[];
  readonly DeliveryStreamName?: string;
  readonly Records?: readonly { readonly Data: string }[];
}

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** EventBridge or Firehose as far as a put goes; `refuses` names the ids that it does not accept, `down` returns 500. */
async function startTarget(refuses: readonly string[] = [], down = false) {
  const puts: Put[] = [];
  const targets: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const put = (await json(request)) as Put;
    targets.push(String(request.headers['x-amz-target']));
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (down) return answer(500, { __type: 'InternalException' });
    if ((put.Entries?.length ?? 0) > 10 || (put.Records?.length ?? 0) > 500)
      return answer(400, { __type: 'ValidationException' });
    puts.push(put);
    const bodies = put.Entries?.map(({ Detail }) => Detail ?? '') ?? put.Records?.map(({ Data }) => atob(Data)) ?? [];
    const told = bodies.map((body) => {
      const refused = refuses.includes(JSON.parse(body).metadata.uid);
      return refused
        ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }
        : { EventId: '1', RecordId: '1' };
    });
    const failed = told.filter((one) => 'ErrorCode' in one).length;
    answer(
      200,
      put.Entries ? { FailedEntryCount: failed, Entries: told } : { FailedPutCount: failed, RequestResponses: told },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, puts, targets };
}

/** The deployed function, and a call of it as the queue's mapping makes one. */
async function deploy(target: { readonly eventbridge: string } | { readonly firehose: string }, setting: object) {
  const endpoints = await startEndpoints('FindingsExportRole', target);
  const env = { ...endpoints.env, ...setting };
  stops.push(() => endpoints.stop());
  const invocations = new InvocationQueue();
  const lines: string[] = [];
  const sandbox = await Sandbox.start({
    bundleDir: BUNDLE,
    handler: 'index.handler',
    env,
    timeoutMs: 60_000,
    log: (line) => lines.push(line),
    take: (signal) => invocations.take(signal),
  });
  stops.unshift(() => sandbox.stop());
  const deliver = (bodies: readonly string[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const Records = bodies.map((body, at) => ({
        messageId: `m${at}`,
        receiptHandle: 'r',
        body,
        attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1795252800000' },
        messageAttributes: {},
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:findings',
        awsRegion: 'eu-central-1',
      }));
      invocations.add({
        id: crypto.randomUUID(),
        event: { Records },
        outcome: {
          streamStarted: () => {},
          chunk: async () => {},
          streamEnded: () => reject(new Error('streamed')),
          returned: resolve,
          failed: ({ errorMessage }) => reject(new Error(errorMessage)),
        },
      });
    });
  return { deliver, lines };
}

/** As the gateway writes it into a request's record. */
function eventOf(id: string, threats = 1): string {
  const threat = {
    ...{ type: 'secret', category: 'credentials', score: 0.97, severity: 'critical', action: 'redact' },
    ...{ rule: 'secrets/aws', message: 'An access key of AWS.', owasp: 'LLM02:2025', atlas: null },
    location: { part: 'output', message: null, field: 'choices[0].message.content', start: 10, end: 30 },
  };
  const data = {
    ...{
      requestId: 'req_1',
      keyId: 'key_1',
      environment: 'Production',
      model: 'gpt-4o',
      threatScore: 0,
      action: 'redact',
    },
    detectedThreats: Array(threats).fill(threat),
  };
  return JSON.stringify({ id, type: 'threat.detected', created: '2026-11-21T09:30:00.000Z', data });
}

describe('the deployed export of findings', () => {
  test('puts events on the bus, ten per call, and retries only messages with a refused event', async () => {
    const { url, puts, targets } = await startTarget(['evt_b_1']);
    const { deliver } = await deploy({ eventbridge: url }, { SVC_FINDINGS_BUS_ARN: BUS });
    const answer = await deliver([eventOf('evt_a', 11), eventOf('evt_b', 2), eventOf('evt_c')]);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect([...new Set(targets)]).toEqual(['AWSEvents.PutEvents']);
    expect(puts.map(({ Entries = [] }) => Entries.length)).toEqual([10, 4]);
    for (const { Detail = '', ...entry } of puts.flatMap(({ Entries = [] }) => Entries)) {
      expect(entry).toMatchObject({ EventBusName: BUS, Source: 'svc', DetailType: 'OCSF Detection Finding' });
      expect(faultsOf(JSON.parse(Detail))).toEqual([]);
    }
  });

  const POISON: Readonly<Record<string, string>> = {
    'no JSON': '{"planted":',
    'no event': '{"planted":"text"}',
    'a finding that is too long': eventOf('evt_long').replace(
      '"An access key of AWS."',
      `"planted${'x'.repeat(1 << 20)}"`,
    ),
  };
  test.each(
    Object.keys(POISON).flatMap((name) => [[0], [5], [9], [0, 4, 5, 9]].map((places) => [name, places] as const)),
  )('reports %s at %j of ten alone, and sends all others', async (name, places) => {
    const { url, puts } = await startTarget();
    const { deliver, lines } = await deploy({ firehose: url }, { SVC_FINDINGS_STREAM_ARN: STREAM });
    const bodies = Array.from({ length: 10 }, (_, at) =>
      places.includes(at) ? (POISON[name] as string) : eventOf(`evt_${at}`),
    );
    expect(await deliver(bodies)).toEqual({ batchItemFailures: places.map((at) => ({ itemIdentifier: `m${at}` })) });
    expect(puts.flatMap(({ Records = [] }) => Records)).toHaveLength(10 - places.length);
    expect(lines.filter((line) => line.includes('"message":"message failed"'))).toHaveLength(places.length);
    expect(lines.join('\n')).not.toContain('planted');
  });

  test('puts JSON lines into the delivery stream', async () => {
    const { url, puts, targets } = await startTarget(['evt_a_0']);
    const { deliver } = await deploy({ firehose: url }, { SVC_FINDINGS_STREAM_ARN: STREAM });
    expect(await deliver([eventOf('evt_a'), eventOf('evt_b')])).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm0' }],
    });
    expect(targets).toEqual(['Firehose_20150804.PutRecordBatch']);
    expect(puts[0]?.DeliveryStreamName).toBe('to-siem');
    for (const { Data } of puts[0]?.Records ?? []) {
      expect(atob(Data)).toMatch(/^\{.*\}\n$/);
      expect(faultsOf(JSON.parse(atob(Data)))).toEqual([]);
    }
  });

  test('retries everything while the target is unavailable, and logs nothing of unreadable messages', async () => {
    const { url } = await startTarget([], true);
    const { deliver, lines } = await deploy({ eventbridge: url }, { SVC_FINDINGS_BUS_ARN: BUS });
    const failures = { batchItemFailures: [{ itemIdentifier: 'm0' }, { itemIdentifier: 'm1' }] };
    expect(await deliver([eventOf('evt_a'), '{"planted":"text"}'])).toEqual(failures);
    const told = lines.join('\n');
    expect(told).toContain('"message":"message failed"');
    expect(told).not.toContain('planted');
  });
});
