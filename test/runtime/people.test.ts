import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createDynamoClient, createSqsClient } from '../../functions/adapters/aws/clients.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { slackRefusal } from '../../functions/control/webhooks/notice-services.fixture.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
import { httpsLeadsTo } from '../support/https-hook.ts';
import { CLIENT_ID, IdentityProvider, idTokenOf } from '../support/identity-provider.ts';
import { startProviders } from '../support/start-providers.ts';
import { type Deployment, SECRET_ARNS, startDeployment } from './deployment.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';
import { putAdminKey } from './put-admin-key.ts';

/** Public addresses, as deployed functions need them; connections to them lead to the test. */
const ISSUER = 'https://8.8.8.8';
const SLACK = 'https://8.8.4.4/services/T00/B00/secretpart1234';

const provider = new IdentityProvider();
/** What Slack received, at one address with the identity provider. */
const received: object[] = [];
const front = http.createServer(async (request, response) => {
  if (request.headers.host === new URL(SLACK).host) {
    const body: object = JSON.parse(await text(request));
    const refusal = slackRefusal(body);
    if (refusal === undefined) received.push(body);
    response.writeHead(refusal?.status ?? 200).end(refusal?.text ?? 'ok');
    return;
  }
  const { method = 'GET', url = '/', headers } = request;
  const passed = http.request(new URL(url, provider.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(passed);
});

let models: Awaited<ReturnType<typeof startProviders>>;
let deployment: Deployment;
let adminKey: string;
const functions: InvokedFunction[] = [];
let watch: InvokedFunction;
let relay: InvokedFunction;
let delivery: InvokedFunction;
beforeAll(async () => {
  // The provider lists what a deployed one would replace.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  await once(front.listen(0, '127.0.0.1'), 'listening');
  await provider.start(ISSUER);
  const env = httpsLeadsTo(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  models = await startProviders(() => ({ text: 'Hello', tokens: { input: 10, output: 9_000 } }));
  deployment = await startDeployment(models.settings, {}, { env });
  adminKey = await putAdminKey(deployment);
  const start = async (options: Omit<Parameters<typeof startInvokedFunction>[0], 'within'>) => {
    const one = await startInvokedFunction({ ...options, within: deployment });
    functions.push(one);
    return one;
  };
  watch = await start({
    ...{ bundle: 'key-watch', role: 'KeyWatchRole' },
    env: () => tableVariables('key-watch', (table) => table),
  });
  relay = await start({
    ...{ bundle: 'event-relay', role: 'EventRelayRole' },
    env: ({ eventsQueueUrl }, { queueUrl }) => ({
      SVC_EVENTS_QUEUE_URL: queueUrl(eventsQueueUrl),
      ...tableVariables('event-relay', (table) => table),
    }),
  });
  delivery = await start({
    ...{ bundle: 'webhook-delivery', role: 'WebhookDeliveryRole' },
    env: ({ deliveriesQueueUrl }, { queueUrl }) => ({
      ...tableVariables('webhook-delivery', (table) => table),
      SVC_DELIVERIES_QUEUE_URL: queueUrl(deliveriesQueueUrl),
      SVC_SEALING_SECRET_ARN: SECRET_ARNS.sealingKey,
      ...env,
    }),
  });
});
afterAll(async () => {
  for (const one of functions) await one.stop();
  await deployment?.stop();
  await models?.close();
  provider.stop();
  front.close();
  front.closeAllConnections();
});

async function call(path: string, key: string, body?: object, more: RequestInit = {}) {
  const isAdmin = path.startsWith('/admin/') || path.startsWith('/analytics/');
  const response = await fetch(`${isAdmin ? deployment.adminUrl : deployment.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...more,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more.headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: The API's responses.
  const json = (await response.json()) as any;
  return { status: response.status, headers: response.headers, json };
}

async function made(path: string, body: object): Promise<string> {
  const { status, json } = await call(path, adminKey, body);
  expect([path, status, json.error]).toEqual([path, 201, undefined]);
  return json.id;
}

/** As the mapping of the table's stream invokes the relay, the queues' mappings the delivery. */
async function deliverEvents(): Promise<void> {
  const dynamo = createDynamoClient(embeddedAccess(deployment.stores.dynamodbUrl));
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'policies' }));
  const changed = Items.filter(({ outbox }) => outbox !== undefined).map((item, at) => ({
    ...{ eventID: String(at), eventName: 'MODIFY', eventVersion: '1.1', eventSource: 'aws:dynamodb' },
    awsRegion: 'eu-central-1',
    dynamodb: {
      ...{ Keys: marshall({ pk: item.pk }), NewImage: marshall(item), SequenceNumber: String(at).padStart(21, '0') },
      StreamViewType: 'NEW_IMAGE',
    },
    eventSourceARN: 'arn:aws:dynamodb:eu-central-1:000000000000:table/policies/stream/2026-11-21T09:00:00.000',
  }));
  expect(await relay.invoke({ Records: changed })).toEqual({ batchItemFailures: [] });
  const { eventsQueueUrl, deliveriesQueueUrl, sqsUrl } = deployment.stores;
  const sqs = createSqsClient(embeddedAccess(sqsUrl));
  for (const QueueUrl of [eventsQueueUrl, deliveriesQueueUrl]) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const Records = Messages.map(({ Body }, at) => ({ messageId: `m${at}`, body: Body, eventSource: 'aws:sqs' }));
    expect(await delivery.invoke({ Records })).toEqual({ batchItemFailures: [] });
  }
}

test('an issuer, two teams, a budget and a Slack alert are set up in a deployment; the alert fires once a person has used the budget', async () => {
  const { headers } = await call('/admin/identity', adminKey);
  const rules = [{ id: 'people', match: { groups: ['engineering'] }, permissions: ['chat_completions'] }];
  const issuers = [{ issuer: ISSUER, audience: [CLIENT_ID], rules }];
  const ifMatch = { method: 'PUT', headers: { 'if-match': headers.get('etag') ?? '' } };
  const written = await call('/admin/identity', adminKey, { issuers }, ifMatch);
  expect([written.status, written.json.error]).toEqual([200, undefined]);
  const team = (name: string, person: string) => ({
    ...{ name, budget: { usd: 0.01, period: 'calendarMonth' } },
    members: [{ match: { email: [`${person}@example.com`] }, role: 'member' }],
  });
  const shop = await made('/admin/teams', team('Shop', 'sue'));
  await made('/admin/teams', team('Search', 'ben'));
  const webhookId = await made('/admin/webhooks', { url: SLACK, format: 'slack' });
  const rule = { metric: 'budgetShare', threshold: 0.5, scope: { teamId: shop }, targets: [{ webhookId }] };
  await made('/admin/alerts', { name: 'Shop: half of the budget', ...rule });

  const [sue, ben] = [await idTokenOf(provider, 'sue'), await idTokenOf(provider, 'ben')];
  const chat = { model: 'gpt-4o-mini', max_tokens: 9_000, messages: [{ role: 'user', content: 'Hi' }] };
  const ask = (token: string) => call('/chat/completions', token, chat);
  const everyMinute = { source: 'aws.events', time: '2026-11-21T09:07:00Z' };
  await watch.invoke(everyMinute);
  const left = async () => (await call(`/admin/teams/${shop}/usage`, adminKey)).json.budget.remainingUsd as number;
  // Every process has the issuer and the teams within 10 s.
  const hasSpent = async () => {
    await ask(sue);
    return (await left()) < 0.005;
  };
  expect(await eventually(hasSpent)).toBe(true);
  const refused = await ask(sue);
  expect([refused.status, refused.json.error.code, refused.json.error.message]).toEqual([
    429,
    'insufficient_quota',
    expect.stringContaining('Shop'),
  ]);
  expect((await ask(ben)).status).toBe(200);
  await watch.invoke(everyMinute);
  await watch.invoke(everyMinute);
  await deliverEvents();
  expect(received).toEqual([
    expect.objectContaining({
      text: expect.stringMatching(/^Firing: Shop: half of the budget\. Share of the budget: 5/),
    }),
  ]);
});
