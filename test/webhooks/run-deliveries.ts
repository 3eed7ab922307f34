import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { SendMessageBatchCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { createDynamoClient, createSqsClient, type SqsClient } from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { type Delivery, mintWebhookSecret, newWebhookId } from '../../functions/control/webhooks/index.ts';
import type { Webhook } from '../../functions/kernel/model/index.ts';
import { embeddedAccess, type StoreAddresses } from '../../lib/local/create-resources.ts';
import type { DeliveryProcessSettings } from './delivery-process.ts';
import { KINDS, type Receiver, type ReceiverKind, startReceiver } from './receivers.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SEALING_KEY = 's'.repeat(64);
const PAGE = 100;
/** Those that must get every event. */
const MUST_ARRIVE: readonly ReceiverKind[] = ['fast', 'slow', 'flaky'];
/** Every tenth event is put on the queue a second time. */
const REPEATED = 10;

export interface RunOptions {
  readonly events: number;
  readonly kills: number;
  readonly pace: Pick<DeliveryProcessSettings, 'turn' | 'waits' | 'sweepEveryMs'>;
  /** How long a message that was taken and not deleted stays away. */
  readonly visibilitySeconds: number;
  readonly deadlineMs: number;
  readonly onProgress?: (text: string) => void;
}

export interface RunResult {
  readonly seconds: number;
  /** Seconds until each receiver that must get every event had them all; undefined where it never did. */
  readonly doneAfter: Readonly<Record<string, number | undefined>>;
  readonly receivers: readonly Receiver[];
  readonly logs: Readonly<Record<ReceiverKind, readonly Delivery[]>>;
  /** Requests that receivers saw without an attempt in the log, or attempts in the log that no receiver saw. */
  readonly unaccounted: readonly string[];
  readonly disabled: readonly ReceiverKind[];
}

/**
 * Sends events through the queue to five receivers of different temper, and kills the delivering process while it works. What
 * each saw is then compared with what the log of deliveries says.
 */
export async function runDeliveries(options: RunOptions): Promise<RunResult> {
  const stores = fork(path.join(ROOT, 'lib/local/stores-process.ts'), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [addresses] = (await once(stores, 'message')) as [StoreAddresses];
  const dynamo = createDynamoClient(embeddedAccess(addresses.dynamodbUrl));
  const sqs = createSqsClient(embeddedAccess(addresses.sqsUrl));
  const receivers = await Promise.all(KINDS.map(startReceiver));
  try {
    const webhooks = new DynamoWebhookStore(
      dynamo,
      'webhooks',
      createSecretSealer(async () => SEALING_KEY),
      systemClock,
    );
    const ids = await register(webhooks, receivers);
    await setVisibility(sqs, addresses, options.visibilitySeconds);
    await putEvents(sqs, addresses.eventsQueueUrl, options.events);
    const startedAt = performance.now();
    const doneAfter = await deliver(addresses, receivers, options, startedAt);
    const seconds = (performance.now() - startedAt) / 1000;
    const log = new DynamoDeliveryStore(dynamo, 'deliveries', systemClock, 30);
    const logs = Object.fromEntries(
      await Promise.all(
        receivers.map(async ({ kind }) => [kind, await readLog(log, ids.get(kind) as string)] as const),
      ),
    ) as RunResult['logs'];
    const states = await Promise.all(KINDS.map(async (kind) => (await webhooks.get(ids.get(kind) as string))?.state));
    return {
      seconds,
      doneAfter,
      receivers,
      logs,
      unaccounted: receivers.flatMap((receiver) => differences(receiver, logs[receiver.kind])),
      disabled: KINDS.filter((_, at) => states[at] === 'disabled'),
    };
  } finally {
    for (const receiver of receivers) receiver.stop();
    const exited = once(stores, 'exit');
    stores.kill('SIGKILL');
    await exited;
  }
}

async function register(
  webhooks: DynamoWebhookStore,
  receivers: readonly Receiver[],
): Promise<Map<ReceiverKind, string>> {
  const ids = new Map<ReceiverKind, string>();
  for (const receiver of receivers) {
    const secret = mintWebhookSecret(Date.now());
    const webhook: Webhook = {
      id: newWebhookId(Date.now()),
      url: receiver.url,
      events: ['key.created'],
      filter: {},
      description: receiver.kind,
      state: 'active',
      disabledReason: null,
      failingSince: null,
      createdAt: new Date().toISOString(),
      secrets: [secret],
    };
    receiver.secret = secret.secret;
    ids.set(receiver.kind, webhook.id);
    await webhooks.create(webhook);
  }
  return ids;
}

async function setVisibility(
  sqs: SqsClient,
  { eventsQueueUrl, deliveriesQueueUrl }: StoreAddresses,
  seconds: number,
): Promise<void> {
  for (const QueueUrl of [eventsQueueUrl, deliveriesQueueUrl]) {
    const Attributes = { VisibilityTimeout: String(seconds) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  }
}

async function putEvents(sqs: SqsClient, QueueUrl: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at).flatMap((at) => (at % REPEATED === 0 ? [at, at] : [at]));
  for (let from = 0; from < numbers.length; from += 10) {
    const Entries = numbers.slice(from, from + 10).map((number, at) => ({
      Id: String(at),
      MessageBody: JSON.stringify({
        id: eventIdOf(number),
        type: 'key.created',
        created: new Date().toISOString(),
        data: { id: `key_${number}`, name: `Key ${number}`, environment: 'Production' },
      }),
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

const eventIdOf = (number: number) => `evt_${String(number).padStart(8, '0')}`;

/** Runs the process, kills it when so much has arrived that the kills are spread over the run, and waits until all has. */
async function deliver(
  addresses: StoreAddresses,
  receivers: readonly Receiver[],
  options: RunOptions,
  startedAt: number,
): Promise<Record<string, number | undefined>> {
  const { events, kills, deadlineMs, onProgress } = options;
  const must = receivers.filter(({ kind }) => MUST_ARRIVE.includes(kind));
  const doneAfter: Record<string, number | undefined> = Object.fromEntries(must.map(({ kind }) => [kind, undefined]));
  let killed = 0;
  let child = await startDelivery(addresses, options);
  try {
    while (performance.now() - startedAt < deadlineMs) {
      const elapsed = (performance.now() - startedAt) / 1000;
      for (const { kind, taken } of must) if (taken.size === events) doneAfter[kind] ??= elapsed;
      const share = must.reduce((sum, { taken }) => sum + taken.size, 0) / (must.length * events);
      if (killed < kills && share > (killed + 0.5) / (kills + 0.5)) {
        await kill(child);
        killed += 1;
        onProgress?.(`killed at ${Math.round(share * 100)} % after ${Math.round(elapsed)} s`);
        child = await startDelivery(addresses, options);
      }
      if (share === 1 && killed === kills) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // The last response is recorded.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  } finally {
    await kill(child);
  }
  return doneAfter;
}

async function startDelivery(
  { dynamodbUrl, sqsUrl, eventsQueueUrl, deliveriesQueueUrl }: StoreAddresses,
  { pace }: RunOptions,
): Promise<ChildProcess> {
  const settings: DeliveryProcessSettings = {
    eventsQueueUrl,
    deliveriesQueueUrl,
    sealingKey: SEALING_KEY,
    ...pace,
  };
  const child = fork(path.join(import.meta.dirname, 'delivery-process.ts'), [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
      AWS_ENDPOINT_URL_SQS: sqsUrl,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  });
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function readLog(log: DynamoDeliveryStore, webhookId: string): Promise<readonly Delivery[]> {
  const all: Delivery[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ webhookId, limit: PAGE, cursor });
    all.push(...page.deliveries);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Every request that a receiver saw is an attempt of the log with the same outcome, or one that was cut off; and the other way round. */
function differences({ kind, hits }: Receiver, log: readonly Delivery[]): string[] {
  const byId = new Map(log.map((delivery) => [delivery.id, delivery]));
  const seen = new Map(hits.map((hit) => [`${hit.deliveryId} ${hit.attempt}`, hit]));
  const unlogged = hits.filter(({ deliveryId, attempt, status }) => {
    const noted = byId.get(deliveryId)?.attempts[attempt - 1];
    if (noted === undefined) return true;
    return noted.failure !== 'unknown' && noted.status !== (status ?? null);
  });
  const unseen = log.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ status }, at) => (status === null || seen.has(`${id} ${at + 1}`) ? [] : [`${id} ${at + 1}`])),
  );
  const twice = hits.length - seen.size;
  return [
    ...unlogged.map(({ deliveryId, attempt }) => `${kind}: ${deliveryId} ${attempt} is not in the log`),
    ...unseen.map((name) => `${kind}: ${name} was never seen`),
    ...(twice > 0 ? [`${kind}: ${twice} attempts came twice`] : []),
  ];
}
