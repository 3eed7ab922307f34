import type { DeliveryList, WebhookView } from '../../../functions/admin-api/contract.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import type { Command } from '../command.ts';

type Delivery = DeliveryList['data'][number];

/** Ends with 1 where one could not be put on its way. */
export const redriveCommand: Command = {
  name: 'webhooks redrive',
  args: [],
  summary: 'Puts all dead deliveries on their way again.',
  options: {
    webhook: { value: 'ID', help: 'Those of this webhook; of all active ones where nothing is said.' },
    since: { value: 'TIME', help: 'Those made since then: 2026-11-21T00:00:00Z, or how long ago.' },
    'dry-run': { help: 'Only counts them.' },
  },
  examples: ['webhooks redrive --since 24h --dry-run', 'webhooks redrive --webhook wh_...'],
  async run(input, { api, out, nowMs }) {
    const client = api();
    const [webhook, since] = [input.text('webhook'), input.time('since', nowMs)];
    let failed = 0;
    for (const id of webhook === undefined ? await activeWebhooks(client) : [webhook]) {
      // All of them before the first: one that is on its way is not in the list any more.
      const dead = await deadDeliveries(client, id, since);
      let redriven = 0;
      for (const { id: deliveryId } of input.flag('dry-run') ? [] : dead) {
        try {
          await client.call('POST', `/admin/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
          redriven += 1;
        } catch (error) {
          if (!(error instanceof AdminApiError)) throw error;
          out.say(error.message);
          failed += 1;
        }
      }
      if (out.json) out.objects([{ webhookId: id, dead: dead.length, redriven }]);
      out.line(`${id}: ${dead.length} dead, ${redriven} on their way again`);
    }
    return failed === 0 ? 0 : 1;
  },
};

async function activeWebhooks(client: AdminClient): Promise<string[]> {
  const webhooks = await client.all<WebhookView>('/admin/webhooks');
  return webhooks.filter(({ state }) => state === 'active').map(({ id }) => id);
}

async function deadDeliveries(client: AdminClient, id: string, since: string | undefined): Promise<Delivery[]> {
  const path = `/admin/webhooks/${encodeURIComponent(id)}/deliveries`;
  const dead = await client.all<Delivery>(path, { state: 'dead' });
  return dead.filter(({ createdAt }) => since === undefined || createdAt >= since);
}
