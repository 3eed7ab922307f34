import { parseArgs } from 'node:util';
import type { DeliveryList } from '../functions/admin-api/contract.ts';
import { AdminApiError, type AdminClient, clientFromEnvironment } from './admin-client.ts';
import { runCommand } from './run-command.ts';

/**
 * Puts dead deliveries of webhooks on their way again, all or those of one webhook, through the admin API with the key in
 * SVC_ADMIN_KEY; ends with 1 where one could not be: npm run --silent redrive -- --url URL [--webhook ID] [--since TIME] [--dry-run]
 */
const USAGE = 'usage: npm run --silent redrive -- --url URL [--webhook ID] [--since 2026-11-21T00:00:00Z] [--dry-run]';

await runCommand(redrive);

async function redrive(): Promise<number> {
  const { url, webhook, since, dryRun } = readArguments();
  const client = clientFromEnvironment(url);
  let failed = 0;
  for (const id of webhook === undefined ? await activeWebhooks(client) : [webhook]) {
    // All of them before the first: one that is on its way is not in the list any more.
    const dead = await deadDeliveries(client, id, since);
    let redriven = 0;
    for (const { id: deliveryId } of dryRun ? [] : dead) {
      try {
        await client.call('POST', `/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
        redriven += 1;
      } catch (error) {
        if (!(error instanceof AdminApiError)) throw error;
        console.error(error.message);
        failed += 1;
      }
    }
    console.log(`${id}: ${dead.length} dead, ${redriven} on their way again`);
  }
  return failed === 0 ? 0 : 1;
}

async function activeWebhooks(client: AdminClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, state } of client.list<{ id: string; state: string }>('/webhooks')) {
    if (state === 'active') ids.push(id);
  }
  return ids;
}

async function deadDeliveries(client: AdminClient, id: string, since: number): Promise<DeliveryList['data']> {
  const dead: DeliveryList['data'] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: DeliveryList = await client.call('GET', `/webhooks/${id}/deliveries?state=dead&limit=100${after}`);
    dead.push(...page.data.filter(({ createdAt }) => Date.parse(createdAt) >= since));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return dead;
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: 'string' },
        webhook: { type: 'string' },
        since: { type: 'string', default: '1970-01-01' },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const since = Date.parse(values.since);
    if (values.url !== undefined && !Number.isNaN(since)) {
      return { url: values.url, webhook: values.webhook, since, dryRun: values['dry-run'] };
    }
  } catch {
    // An option that is none: told below like any other.
  }
  console.error(USAGE);
  process.exit(2);
}
