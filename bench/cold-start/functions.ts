import path from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import type { CustomResourceEvent } from '../../functions/adapters/aws/custom-resource.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import type { DashboardFilesEnv } from '../../functions/dashboard-files/env.ts';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import type { FindingsExportEnv } from '../../functions/findings-export/env.ts';
import type { FirstAdminKeyEnv } from '../../functions/first-admin-key/env.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import type { KeyWatchEnv } from '../../functions/key-watch/env.ts';
import type { OriginSecretEnv } from '../../functions/origin-secret/env.ts';
import type { SyntheticCheckEnv } from '../../functions/synthetic-check/env.ts';
import type { UsageCounterEnv } from '../../functions/usage-counter/env.ts';
import type { WebhookDeliveryEnv } from '../../functions/webhook-delivery/env.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type Deployment, SECRET_ARNS } from '../../test/runtime/deployment.ts';
import { type FakeAws, ROTATION } from './fake-aws.ts';
import type { MeasuredFunction } from './started-function.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');

/**
 * Every deployed function with a small first request: a chat, a page of keys, one record, one message, a
 * step of a rotation, a question of CloudFormation.
 */
export async function deployedFunctions(
  deployment: Deployment,
  adminKey: string,
  aws: FakeAws,
): Promise<MeasuredFunction[]> {
  const { stores, secretsUrl, baseUrl } = deployment;
  const endpoints = {
    AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsUrl,
  };
  const chat = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Which day is it today?' }] });
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: chat,
  });
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}: ${await answer.text()}`);
  const record = await someRecord(stores.dynamodbUrl);

  const admin = {
    ...tableVariables('admin-api', (table) => table),
    SVC_DELIVERIES_QUEUE_URL: stores.deliveriesQueueUrl,
    SVC_PEPPER_SECRET_ARN: SECRET_ARNS.pepper,
    SVC_SEALING_SECRET_ARN: SECRET_ARNS.sealingKey,
    SVC_PROVIDERS_SECRET_ARN: SECRET_ARNS.providers,
    SVC_CREDENTIALS_SECRET_ARN: SECRET_ARNS.credentialsKey,
    SVC_STAGE: 'Development',
  } satisfies AdminEnv;
  const gateway = {
    ...tableVariables('gateway', (table) => table),
    SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
    SVC_PEPPER_SECRET_ARN: SECRET_ARNS.pepper,
    SVC_PROVIDERS_SECRET_ARN: SECRET_ARNS.providers,
    SVC_CREDENTIALS_SECRET_ARN: SECRET_ARNS.credentialsKey,
    SVC_STAGE: 'Development',
  } satisfies GatewayEnv;
  const measured = (name: string, env: Readonly<Record<string, string>>, event: object): MeasuredFunction => ({
    name,
    bundleDir: path.join(DIST, name),
    env: { ...endpoints, ...env },
    event,
  });
  return [
    measured('gateway', gateway, urlEvent('POST', '/v1/chat/completions', adminKey, chat)),
    measured('admin-api', admin, urlEvent('GET', '/v1/admin/keys', adminKey)),
    measured(
      'usage-counter',
      tableVariables('usage-counter', (table) => table) satisfies UsageCounterEnv,
      countedRecord(record),
    ),
    measured(
      'event-relay',
      {
        SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
        ...tableVariables('event-relay', (table) => table),
      } satisfies EventRelayEnv,
      { Records: [streamRecord('keys', toldKey())] },
    ),
    measured('key-watch', tableVariables('key-watch', (table) => table) satisfies KeyWatchEnv, {}),
    // No deployment is at the address: the check fails at once.
    measured(
      'synthetic-check',
      {
        SVC_BASE_URL: 'http://127.0.0.1:9/v1',
        SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: SECRET_ARNS.providers,
      } satisfies SyntheticCheckEnv,
      {},
    ),
    measured(
      'webhook-delivery',
      {
        ...tableVariables('webhook-delivery', (table) => table),
        SVC_DELIVERIES_QUEUE_URL: stores.deliveriesQueueUrl,
        SVC_SEALING_SECRET_ARN: SECRET_ARNS.sealingKey,
      } satisfies WebhookDeliveryEnv,
      { Records: [{ messageId: '1', body: event() }] },
    ),
    measured(
      'findings-export',
      {
        AWS_ENDPOINT_URL_EVENTBRIDGE: aws.url,
        ...({
          SVC_FINDINGS_BUS_ARN: 'arn:aws:events:eu-central-1:000000000000:event-bus/siem',
        } satisfies FindingsExportEnv),
      },
      { Records: [{ messageId: '1', body: findingsEvent() }] },
    ),
    // There are keys: it looks, and makes none.
    measured(
      'first-admin-key',
      {
        ...tableVariables('first-admin-key', (table) => table),
        SVC_PEPPER_SECRET_ARN: SECRET_ARNS.pepper,
        SVC_FIRST_ADMIN_KEY_SECRET_ARN: SECRET_ARNS.providers,
      } satisfies FirstAdminKeyEnv,
      customResource('Create', aws.url),
    ),
    measured(
      'dashboard-files',
      { AWS_ENDPOINT_URL_S3: aws.url, ...({ SVC_DASHBOARD_BUCKET: 'files' } satisfies DashboardFilesEnv) },
      customResource('Delete', aws.url),
    ),
    measured(
      'origin-secret',
      {
        AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.edgeUrl,
        AWS_ENDPOINT_URL_CLOUDFRONT: aws.edgeUrl,
        ...({
          SVC_ORIGIN_SECRET_ARN: SECRET_ARNS.origin,
          SVC_DISTRIBUTION_ID: 'E1EXAMPLE',
          SVC_DISTRIBUTION_URL: aws.edgeUrl,
        } satisfies OriginSecretEnv),
      },
      { Step: 'testSecret', SecretId: SECRET_ARNS.origin, ClientRequestToken: ROTATION },
    ),
  ];
}

/** A function URL's event, as far as the functions read it. */
function urlEvent(method: string, rawPath: string, key: string, body?: string): object {
  return {
    version: '2.0',
    rawPath,
    rawQueryString: '',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requestContext: { http: { method, path: rawPath, sourceIp: '127.0.0.1' } },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
}

/** A record that the gateway wrote, as DynamoDB holds it. */
async function someRecord(endpoint: string): Promise<object> {
  const dynamo = createDynamoClient(embeddedAccess(endpoint));
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'records' }));
    if (Items[0] !== undefined) return marshall(Items[0]);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the gateway wrote no record');
}

function streamRecord(table: string, change: object): object {
  return {
    eventID: '1',
    eventName: 'INSERT',
    dynamodb: { ...change, SequenceNumber: '1'.padStart(21, '0') },
    eventSourceARN: `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}/stream/2026-11-21T09:00:00.000`,
  };
}

function countedRecord(image: object): object {
  return {
    Records: [streamRecord('records', { NewImage: image })],
    window: { start: '2026-11-21T09:00:00Z', end: '2026-11-21T09:15:00Z' },
    state: {},
    shardId: 'shardId-1',
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  };
}

function event(): string {
  return JSON.stringify({ id: 'evt_1', type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: {} });
}

/** As the gateway writes it where it found something. */
function findingsEvent(): string {
  const threat = {
    ...{ type: 'secret', category: 'credentials', score: 0.97, severity: 'critical', action: 'redact' },
    ...{ rule: 'secrets/aws', message: 'An access key of AWS.', owasp: 'LLM02:2025', atlas: null },
    location: { part: 'output', message: null, field: 'choices[0].message.content', start: 10, end: 30 },
  };
  const request = { requestId: 'req_1', keyId: 'key_1', environment: 'Production', model: 'gpt-4o', threatScore: 0 };
  const data = { ...request, action: 'redact', detectedThreats: [threat] };
  return JSON.stringify({ id: 'evt_1', type: 'threat.detected', created: '2026-11-21T09:00:00.000Z', data });
}

function customResource(RequestType: CustomResourceEvent['RequestType'], url: string): CustomResourceEvent {
  const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Resource' };
  return { RequestType, ResponseURL: `${url}/answer`, ...ids };
}

/** A change of a key with its event. */
function toldKey(): object {
  const key = { pk: { S: 'secret#1' } };
  return { Keys: key, NewImage: { ...key, outbox: { L: [{ S: event() }] }, outboxPk: { S: 'outbox' } } };
}
