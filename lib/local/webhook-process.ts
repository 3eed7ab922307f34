import { secretSource } from '../../functions/adapters/aws/secrets-manager.ts';
import type { QueueEvent } from '../../functions/adapters/aws/sqs-queues.ts';
import { exitOnFault } from '../../functions/adapters/node/exit-on-fault.ts';
import { composeWebhookDelivery } from '../../functions/webhook-delivery/compose.ts';
import { WEBHOOK_DELIVERY_SETTINGS } from '../../functions/webhook-delivery/env.ts';
import { readLocalSettings } from '../settings/function-settings.ts';
import { tablesOfProcess } from './child-processes.ts';
import { logEvent, setUpLocalLog } from './local-log.ts';
import { pollQueue } from './queue-poller.ts';

/**
 * The function that delivers webhooks, in a separate process. The environment names the stores.
 */
process.title = 'svc-webhooks';

const SWEEP_EVERY_MS = 10_000;
/** Longer attempts are logged as started, and repeated at the next start. */
const STOP_MS = 2_000;
const EVENT_BATCHES = 2;
/** Each with up to ten endpoints or workers of them; a batch waits for its slowest. As many as in a deployment. */
const DELIVERY_BATCHES = 50;

const settings = readLocalSettings(WEBHOOK_DELIVERY_SETTINGS, process.env);
const deliveriesQueueUrl = process.env.SVC_DELIVERIES_QUEUE_URL ?? '';
setUpLocalLog(settings.logLevel);
const delivery = composeWebhookDelivery({
  tables: tablesOfProcess(),
  settings,
  deliveriesQueueUrl,
  sealingKey: sealingKey(process.env),
  allowLoopback: process.env.SVC_WEBHOOK_ALLOW_LOOPBACK === 'true',
});

/** A secret is read again every five minutes, so that a rotation needs no restart. */
function sealingKey({ SVC_SEALING_SECRET_ARN: arn, SVC_SEALING_KEY: value = '' }: NodeJS.ProcessEnv) {
  return arn === undefined ? async () => value : secretSource(arn);
}

/** Logs all events, also those without a webhook. */
function show({ Records }: QueueEvent): void {
  for (const { body } of Records) {
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    logEvent(id, type);
  }
}

const pollers = [
  pollQueue({
    queueUrl: process.env.SVC_EVENTS_QUEUE_URL ?? '',
    batchesAtOnce: EVENT_BATCHES,
    deliver: (event) => {
      show(event);
      return delivery.receive(event);
    },
  }),
  pollQueue({
    queueUrl: deliveriesQueueUrl,
    batchesAtOnce: DELIVERY_BATCHES,
    deliver: (event) => delivery.receive(event),
  }),
];
const look = () => void delivery.sweep().catch(() => {});
look();
const sweeper = setInterval(look, SWEEP_EVERY_MS);
process.send?.('ready');

const finish = () => {
  clearInterval(sweeper);
  const late = new Promise((resolve) => setTimeout(resolve, STOP_MS));
  return Promise.race([Promise.all(pollers.map((poller) => poller.stop())), late]);
};
exitOnFault(finish);
const stop = () => void finish().finally(() => process.exit());
process.once('SIGTERM', stop);
// The parent has exited.
process.once('disconnect', stop);
// Ctrl-C reaches the whole process group: the gateway stops deliveries.
process.on('SIGINT', () => {});
