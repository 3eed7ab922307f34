import type { CreatedWebhook, DeliveryList, WebhookTest, WebhookView } from '../../../functions/contract/index.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Option, UsageError } from '../command.ts';
import { DELIVERY_STATES, ENVIRONMENTS, THREAT_TYPES, WEBHOOK_EVENTS } from '../values.ts';

type Delivery = DeliveryList['data'][number];

const FIELDS: Readonly<Record<string, Option>> = {
  events: { value: 'A,B', help: 'Events to send.', choices: WEBHOOK_EVENTS, list: true },
  description: { value: 'TEXT', help: 'A description for people.' },
  'min-score': { value: 'N', help: 'Only threats with at least this score, 0 to 1.' },
  'threat-types': { value: 'A,B', help: 'Only threats of these types.', choices: THREAT_TYPES, list: true },
  environments: {
    value: 'A,B',
    help: 'Only events of these environments.',
    choices: ENVIRONMENTS,
    list: true,
    open: true,
  },
};
const ADDRESS = { help: 'An https address; on one machine also http://127.0.0.1.' };
const ID = ['ID'];

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: 'webhooks list',
    args: [],
    summary: 'Lists webhooks, newest first.',
    options: {},
    examples: ['webhooks list'],
    async run(_, { api, out }) {
      out.list(await api().all<WebhookView>('/admin/webhooks'), {
        ID: ({ id }) => id,
        STATE: ({ state, disabledReason }) => (disabledReason === null ? state : `${state} (${disabledReason})`),
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
    summary: 'Creates a webhook and prints its signing secret once, on standard output.',
    options: FIELDS,
    examples: ['webhooks create https://alerts.example.com/svc --events threat.detected,request.blocked > hook.secret'],
    async run(input, { api, out }) {
      const made = await api().call<CreatedWebhook>('POST', '/admin/webhooks', {
        url: input.arg(0),
        ...fieldsOf(input),
      });
      out.secret(made.secret, made, `Created ${made.id}. Its signing secret is shown only once.`);
      return 0;
    },
  },
  {
    name: 'webhooks update',
    args: ID,
    summary: 'Changes the named fields of a webhook; filters are replaced as a whole.',
    options: {
      address: { value: 'URL', help: 'New address.' },
      state: { value: 'WORD', help: 'active also ends an automatic disable.', choices: ['active', 'disabled'] },
      ...FIELDS,
    },
    examples: ['webhooks update wh_... --events session.flagged', 'webhooks update wh_... --state active'],
    async run(input, { api, out }) {
      const [url, state] = [input.text('address'), input.text('state')];
      const body = { ...(url !== undefined && { url }), ...(state !== undefined && { state }), ...fieldsOf(input) };
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      const webhook = await api().call<WebhookView>('PATCH', `/admin/webhooks/${input.part(0)}`, body);
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
      const { url } = await client.call<WebhookView>('GET', `/admin/webhooks/${input.part(0)}`);
      await confirm(`Delete ${input.arg(0)}, ${url}, and give up its pending deliveries?`);
      const answer = await client.call<object>('DELETE', `/admin/webhooks/${input.part(0)}`);
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
      const test = await api().call<WebhookTest>('POST', `/admin/webhooks/${input.part(0)}/test`);
      if (out.json) out.thing(test);
      out.say(`Queued ${test.eventId}. See the result: webhooks deliveries ${input.arg(0)}`);
      return 0;
    },
  },
  {
    name: 'webhooks rotate-secret',
    args: ID,
    summary: 'Gives a webhook a new signing secret and prints it once, on standard output.',
    options: {
      grace: {
        value: 'DURATION',
        help: 'How long the old secret signs too, in seconds, minutes, hours or days: 90s, 30m, 24h, 7d; at most 30d, and 0 for not at all. Default: 24h.',
      },
    },
    examples: ['webhooks rotate-secret wh_... > hook.secret'],
    async run(input, { api, out }) {
      const grace = input.duration('grace');
      const body = grace === undefined ? undefined : { graceSeconds: grace / 1_000 };
      const webhook = await api().call<CreatedWebhook>('POST', `/admin/webhooks/${input.part(0)}/rotate-secret`, body);
      out.secret(webhook.secret, webhook, `Rotated ${webhook.id}. Its new signing secret is shown only once.`);
      return 0;
    },
  },
  {
    name: 'webhooks deliveries',
    args: ID,
    summary: 'Lists deliveries of a webhook, newest first.',
    options: {
      state: { value: 'STATE', help: 'Only deliveries in this state. Default: all.', choices: DELIVERY_STATES },
      limit: { value: 'N', help: 'Maximum number of rows. Default: 50.' },
    },
    examples: ['webhooks deliveries wh_... --state dead'],
    async run(input, { api, out }) {
      const list = await api().all<Delivery>(
        `/admin/webhooks/${input.part(0)}/deliveries`,
        { state: input.text('state') },
        input.count('limit') ?? 50,
      );
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
      const path = `/admin/webhooks/${input.part(0)}/deliveries/${input.part(1)}/redeliver`;
      const delivery = await api().call<Delivery>('POST', path);
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
            await client.call('POST', `/admin/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
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

function fieldsOf(input: CommandInput): object {
  const filter = {
    minThreatScore: input.number('min-score'),
    threatTypes: input.list('threat-types'),
    environments: input.list('environments'),
  };
  const narrowed = Object.values(filter).some((value) => value !== undefined);
  const fields = {
    events: input.list('events'),
    description: input.text('description'),
    filter: narrowed ? filter : undefined,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The webhook with this id, or all active ones. */
async function chosenWebhooks(client: AdminClient, id: string | undefined): Promise<readonly WebhookView[]> {
  if (id !== undefined) return [await client.call<WebhookView>('GET', `/admin/webhooks/${encodeURIComponent(id)}`)];
  const webhooks = await client.all<WebhookView>('/admin/webhooks');
  return webhooks.filter(({ state }) => state === 'active');
}

async function deadDeliveries(client: AdminClient, id: string, since: string | undefined): Promise<Delivery[]> {
  const path = `/admin/webhooks/${encodeURIComponent(id)}/deliveries`;
  const dead = await client.all<Delivery>(path, { state: 'dead' });
  return dead.filter(({ createdAt }) => since === undefined || createdAt >= since);
}
