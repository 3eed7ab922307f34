import type { BodyOf, ResponseOf, RowOf, WebhookView } from '../../../functions/contract/index.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import { type Command, type Context, UsageError } from '../command.ts';
import { bodyFrom, optionsOf, queryFrom } from '../fields.ts';

type Delivery = RowOf<'listDeliveries'>;

const ADDRESS = { help: 'An https address; on one machine also http://127.0.0.1.' };
const ID = ['ID'];
const ROUTING_KEY = 'Routing key';

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: 'webhooks list',
    args: [],
    summary: 'Lists webhooks, newest first.',
    options: {},
    examples: ['webhooks list'],
    async run(_, { api, out }) {
      out.list(await api().all('listWebhooks', {}), {
        ID: ({ id }) => id,
        STATE: ({ state, disabledReason }) => (disabledReason === null ? state : `${state} (${disabledReason})`),
        FORMAT: ({ format }) => format,
        ADDRESS: ({ url }) => url,
        EVENTS: ({ events }) => events.join(),
        'FAILING SINCE': ({ failingSince }) => failingSince,
      });
      return 0;
    },
  },
  {
    name: 'webhooks create',
    args: ['ADDRESS'],
    argHelp: { ADDRESS },
    summary:
      'Creates a webhook and prints its signing secret once, on standard output; with another format than svc there is none. With the format pagerduty the routing key is read from standard input.',
    options: optionsOf('createWebhook', 'url'),
    examples: [
      'webhooks create https://hooks.slack.com/services/... --format slack --events alert.fired,alert.resolved',
      'webhooks create https://events.pagerduty.com/v2/enqueue --format pagerduty < routing-key.txt',
      'webhooks create https://alerts.example.com/svc --events threat.detected,request.blocked > hook.secret',
    ],
    async run(input, context) {
      const { api, out } = context;
      const fields = await bodyFrom('createWebhook', input, context);
      if (fields.format === 'pagerduty') fields.routingKey = await context.readSecret(ROUTING_KEY);
      // Without events the API says what is missing.
      const body = { ...fields, url: input.arg(0) } as BodyOf<'createWebhook'>;
      const made = await api().call('createWebhook', { body });
      printMade(made, `Created ${made.id}.`, out);
      return 0;
    },
  },
  {
    name: 'webhooks update',
    args: ID,
    summary: 'Changes the named fields of a webhook; filters are replaced as a whole.',
    options: {
      ...optionsOf('updateWebhook'),
      'routing-key': { help: 'Reads a new routing key of PagerDuty from standard input.' },
    },
    examples: ['webhooks update wh_... --events session.flagged', 'webhooks update wh_... --state active'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('updateWebhook', input, context);
      if (input.flag('routing-key')) body.routingKey = await context.readSecret(ROUTING_KEY);
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      const webhook = await api().call('updateWebhook', { params: { id: input.arg(0) }, body });
      if (out.json) out.thing(webhook);
      out.say(`${webhook.id} is ${webhook.state}.`);
      return 0;
    },
  },
  {
    name: 'webhooks delete',
    args: ID,
    summary: 'Deletes a webhook and gives up its pending deliveries.',
    options: {},
    examples: ['webhooks delete wh_...', 'webhooks delete wh_... --yes'],
    async run(input, { api, out, confirm }) {
      const client = api();
      const call = { params: { id: input.arg(0) } };
      const { url } = await client.call('getWebhook', call);
      await confirm(`Delete ${input.arg(0)}, ${url}, and give up its pending deliveries?`);
      const answer = await client.call('deleteWebhook', call);
      if (out.json) out.thing(answer);
      out.say(`Deleted ${input.arg(0)}.`);
      return 0;
    },
  },
  {
    name: 'webhooks test',
    args: ID,
    summary: 'Sends a test event to a webhook.',
    options: {},
    examples: ['webhooks test wh_...'],
    async run(input, { api, out }) {
      const test = await api().call('testWebhook', { params: { id: input.arg(0) } });
      if (out.json) out.thing(test);
      out.say(`Queued ${test.eventId}. See the result: webhooks deliveries ${input.arg(0)}`);
      return 0;
    },
  },
  {
    name: 'webhooks rotate-secret',
    args: ID,
    summary: 'Gives a webhook a new signing secret and prints it once, on standard output.',
    options: optionsOf('rotateWebhookSecret'),
    examples: ['webhooks rotate-secret wh_... > hook.secret'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('rotateWebhookSecret', input, context);
      const webhook = await api().call('rotateWebhookSecret', { params: { id: input.arg(0) }, body });
      printMade(webhook, `Rotated ${webhook.id}.`, out);
      return 0;
    },
  },
  {
    name: 'webhooks deliveries',
    args: ID,
    summary: 'Lists deliveries of a webhook, newest first.',
    options: optionsOf('listDeliveries'),
    examples: ['webhooks deliveries wh_... --state dead'],
    async run(input, context) {
      const { api, out } = context;
      const query = { limit: 50, ...(await queryFrom('listDeliveries', input, context)) };
      const list = await api().all('listDeliveries', { params: { id: input.arg(0) }, query });
      out.list(list, {
        ID: ({ id }) => id,
        EVENT: ({ eventId }) => eventId,
        TYPE: ({ type }) => type,
        STATE: ({ state, deadReason }) => (deadReason === null ? state : `${state} (${deadReason})`),
        ATTEMPTS: ({ attempts }) => attempts.length,
        LAST: ({ attempts }) => attempts.at(-1)?.failure ?? attempts.at(-1)?.status,
        CREATED: ({ createdAt }) => createdAt,
        NEXT: ({ nextAttemptAt }) => nextAttemptAt,
      });
      return 0;
    },
  },
  {
    name: 'webhooks redeliver',
    args: ['ID', 'DELIVERY'],
    argHelp: { DELIVERY: { help: 'The id, as webhooks deliveries shows it.' } },
    summary: 'Sends a delivery again.',
    options: {},
    examples: ['webhooks redeliver wh_... delivery_...'],
    async run(input, { api, out }) {
      const params = { id: input.arg(0), deliveryId: input.arg(1) };
      const delivery = await api().call('redeliver', { params });
      if (out.json) out.thing(delivery);
      out.say(`${delivery.id} is queued again.`);
      return 0;
    },
  },
  // Exit code 1 if a delivery could not be queued.
  {
    name: 'webhooks redrive',
    args: [],
    summary: 'Sends all dead deliveries again.',
    options: {
      webhook: { value: 'ID', help: 'Only of this webhook. Default: all active ones.' },
      since: {
        value: 'TIME',
        help: 'Only created since a time such as 2026-11-21T00:00:00Z, or how long ago (90s, 30m, 24h, 7d). Default: all.',
      },
      'dry-run': { help: 'Only count them.' },
    },
    examples: ['webhooks redrive --since 24h --dry-run', 'webhooks redrive --webhook wh_...'],
    async run(input, { api, out, nowMs }) {
      const client = api();
      const [webhook, since] = [input.text('webhook'), input.time('since', nowMs)];
      let failed = 0;
      for (const { id, url } of await chosenWebhooks(client, webhook)) {
        // Lists all first: a queued one leaves the list.
        out.progress(`${id}: reading dead deliveries`);
        const dead = await deadDeliveries(client, id, since);
        let redriven = 0;
        for (const [at, { id: deliveryId }] of (input.flag('dry-run') ? [] : dead).entries()) {
          out.progress(`${id}: ${at} of ${dead.length} dead deliveries queued again`);
          try {
            await client.call('redeliver', { params: { id, deliveryId } });
            redriven += 1;
          } catch (error) {
            if (!(error instanceof AdminApiError)) throw error;
            out.say(error.message);
            failed += 1;
          }
        }
        if (out.json) out.objects([{ webhookId: id, dead: dead.length, redriven }]);
        out.line(`${id}, ${url}: ${dead.length} dead, ${redriven} queued again`);
      }
      return failed === 0 ? 0 : 1;
    },
  },
];

/** Prints what was done, and the signing secret where the format has one. */
function printMade(webhook: ResponseOf<'createWebhook'>, done: string, out: Context['out']): void {
  if (webhook.secret !== undefined) {
    out.secret(webhook.secret, webhook, `${done} Its signing secret is shown only once.`);
    return;
  }
  if (out.json) out.thing(webhook);
  out.say(done);
}

/** The webhook with this id, or all active ones. */
async function chosenWebhooks(client: AdminClient, id: string | undefined): Promise<readonly WebhookView[]> {
  if (id !== undefined) return [await client.call('getWebhook', { params: { id } })];
  const webhooks = await client.all('listWebhooks', {});
  return webhooks.filter(({ state }) => state === 'active');
}

async function deadDeliveries(client: AdminClient, id: string, since: string | undefined): Promise<Delivery[]> {
  const dead = await client.all('listDeliveries', { params: { id }, query: { state: 'dead' } });
  return dead.filter(({ createdAt }) => since === undefined || createdAt >= since);
}
