import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { onMoto } from '../../moto/moto.ts';
import { eventually } from '../../support/eventually.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { webhookContract } from './webhooks.ts';

/** moto keeps nothing on disk. The run fails once it does. */
const testWithDisk = onMoto() ? test.failing : test;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
  readonly event: any;
}

let dataDir = '';
const contract = new Contract((providers) => startLocalProcess(providers, { SVC_DATA_DIR: dataDir }), {});
const received: Received[] = [];
let status = 204;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const event = JSON.parse(body);
  received.push({ headers: request.headers, body, event });
  const returned = event.type === 'webhook.disabled' ? 204 : status;
  response.writeHead(returned).end(returned === 204 ? undefined : 'not now');
});
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  dataDir = await mkdtemp(path.join(tmpdir(), 'svc-webhooks-'));
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function register(...events: string[]): Promise<{ id: string; secret: string }> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const reply = await contract.admin('POST', '/webhooks', { url, events });
  expect(reply.status).toBe(201);
  return reply.json;
}

function untilReceived(isIt: (one: Received) => boolean): Promise<Received> {
  return eventually(() => received.find(isIt));
}

describe('a webhook of a running service', () => {
  test('receives a signed event of a blocked request, without its text', async () => {
    const { id, secret } = await register('request.blocked');
    const key = await contract.newKey();
    const reply = await contract.chat(saying('A plum tree. SVC-TEST-BLOCK-7f3a', 'echo'), { key });
    expect(reply.status).toBe(400);
    const got = await untilReceived(({ event }) => event.type === 'request.blocked');
    expect(got.event).toMatchObject({ data: { requestId: reply.headers.get('x-request-id') } });
    expect(new StandardWebhook(secret).verify(got.body, got.headers as Record<string, string>)).toEqual(got.event);
    expect(got.body).not.toContain('plum');
    const deliveries = () => contract.admin('GET', `/webhooks/${id}/deliveries?state=delivered`);
    const { json } = await contract.settled(deliveries, ({ json }) => json.data.length > 0);
    expect(json.data[0]).toMatchObject({ eventId: got.event.id, attempts: [{ status: 204, failure: null }] });
    await contract.admin('DELETE', `/webhooks/${id}`);
  });

  test('gets the test event of an administrator, although it does not subscribe to it', async () => {
    const { id } = await register('budget.exceeded');
    const { json } = await contract.admin('POST', `/webhooks/${id}/test`);
    const got = await untilReceived(({ event }) => event.id === json.eventId);
    expect(got.event).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    await contract.admin('DELETE', `/webhooks/${id}`);
  });

  testWithDisk('gets failed deliveries after a restart', async () => {
    const { id, secret } = await register('key.created');
    status = 500;
    await contract.createKey({ name: 'Before the restart' });
    const failed = await untilReceived(({ event }) => event.type === 'key.created');
    await contract.stop();
    const before = received.length;
    status = 204;
    await contract.start();
    // The start creates keys, whose events reach the webhook too.
    const got = await untilReceived((one) => received.indexOf(one) >= before && one.event.id === failed.event.id);
    expect([got.event, got.body]).toEqual([failed.event, failed.body]);
    expect(Number(got.headers['x-svc-attempt'])).toBeGreaterThan(Number(failed.headers['x-svc-attempt']));
    expect(() => new StandardWebhook(secret).verify(got.body, got.headers as Record<string, string>)).not.toThrow();
    expect(contract.service.logs()).not.toContain(secret);
    await contract.admin('DELETE', `/webhooks/${id}`);
  });

  test('that returns 410 is disabled, and others get an event', async () => {
    const other = await register('webhook.disabled');
    const { id } = await register('key.created');
    status = 410;
    await contract.createKey({ name: 'Nobody is told' });
    // It may be another key's event: those of the start come late.
    const got = await untilReceived(({ event }) => event.type === 'webhook.disabled');
    status = 204;
    expect(got.event.data).toMatchObject({ id, state: 'disabled', disabledReason: 'gone' });
    for (const webhook of [id, other.id]) await contract.admin('DELETE', `/webhooks/${webhook}`);
  });
});

webhookContract(contract);
