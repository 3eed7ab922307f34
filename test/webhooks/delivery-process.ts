import { composeWebhookDelivery } from '../../functions/webhook-delivery/compose.ts';
import { LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { pollQueue } from '../../lib/local/queue-poller.ts';

/** The delivering function as the local run has it, with turns as long as the run that kills it asks for: JSON as first argument. */
export interface DeliveryProcessSettings {
  readonly eventsQueueUrl: string;
  readonly deliveriesQueueUrl: string;
  readonly sealingKey: string;
  readonly turn: { readonly workMs: number; readonly leaseMs: number };
  /** Waits between attempts are so much of what they have to be, 0..1, but for their second at least. */
  readonly waits: number;
  readonly sweepEveryMs: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as DeliveryProcessSettings;
const delivery = composeWebhookDelivery({
  tables: LOCAL_TABLES,
  settings: { deliveryDays: 30, logLevel: 'INFO', webhookShards: 1 },
  deliveriesQueueUrl: settings.deliveriesQueueUrl,
  sealingKey: async () => settings.sealingKey,
  allowLoopback: true,
  pace: { ...settings.turn, random: () => Math.random() * settings.waits },
});
const deliver = delivery.receive;
pollQueue({ queueUrl: settings.eventsQueueUrl, batchesAtOnce: 2, deliver });
pollQueue({ queueUrl: settings.deliveriesQueueUrl, batchesAtOnce: 8, deliver });
const look = () => void delivery.sweep().catch(() => {});
look();
setInterval(look, settings.sweepEveryMs);
// The parent process is gone.
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
