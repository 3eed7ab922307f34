import type { CreatedWebhook, DeliveryList, WebhookTest, WebhookView } from '../../../functions/admin-api/contract.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Option, UsageError } from '../command.ts';

type Delivery = DeliveryList['data'][number];

const FIELDS: Readonly<Record<string, Option>> = {
  events: { value: 'A,B', help: 'Which events: threat.detected, request.blocked, ...' },
  description: { value: 'TEXT', help: 'For people.' },
  'min-score': { value: 'N', help: 'Threats of at least this score, 0 to 1.' },
  'threat-types': { value: 'A,B', help: 'Threats of these types.' },
  environments: { value: 'A,B', help: 'Events of these environments.' },
};
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
    summary: 'Makes a webhook. Its signing secret goes to standard output, this once.',
    options: FIELDS,
    examples: ['webhooks create https://alerts.example.com/svc --events threat.detected,request.blocked > hook.secret'],
    async run(input, { api, out }) {
      const made = await api().call<CreatedWebhook>('POST', '/admin/webhooks', {
        url: input.arg(0),
        ...fieldsOf(input),
      });
      out.secret(made.secret, made, `Made ${made.id}. Its signing secret is shown this once.`);
      return 0;
    },
  },
  {
    name: 'webhooks update',
    args: ID,
    summary: 'Changes a webhook; what is not named stays, but that a filter is replaced as a whole.',
    options: {
      address: { value: 'URL', help: 'Another address.' },
      state: { value: 'WORD', help: 'active, which takes back whatever disabled it, or disabled.' },
      ...FIELDS,
    },
    examples: ['webhooks update wh_... --events session.flagged', 'webhooks update wh_... --state active'],
    async run(input, { api, out }) {
      const [url, state] = [input.text('address'), input.text('state')];
      const body = { ...(url !== undefined && { url }), ...(state !== undefined && { state }), ...fieldsOf(input) };
      if (Object.keys(body).length === 0) throw new UsageError('Say what is to change.');
      const webhook = await api().call<WebhookView>('PATCH', `/admin/webhooks/${input.part(0)}`, body);
      if (out.json) out.thing(webhook);
      out.say(`${webhook.id} is ${webhook.state}.`);
      return 0;
    },
  },
  {
    name: 'webhooks delete',
    args: ID,
    summary: 'Deletes a webhook; what is on its way to it is given up.',
    options: {},
    examples: ['webhooks delete wh_...', 'webhooks delete wh_... --yes'],
    async run(input, { api, out, confirm }) {
      await confirm(`Delete ${input.arg(0)}, and give up what is on its way to it?`);
      const answer = await api().call<object>('DELETE', `/admin/webhooks/${input.part(0)}`);
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
      out.say(`Queued ${test.eventId}. For the result: webhooks deliveries ${input.arg(0)}`);
      return 0;
    },
  },
  {
    name: 'webhooks rotate-secret',
    args: ID,
    summary: 'Gives a webhook a new signing secret, which goes to standard output, this once.',
    options: {
      grace: {
        value: 'DURATION',
        help: 'How long the old one signs too: 24h where nothing is said, 0 for not at all.',
      },
    },
    examples: ['webhooks rotate-secret wh_... > hook.secret'],
    async run(input, { api, out }) {
      const grace = input.duration('grace');
      const body = grace === undefined ? undefined : { graceSeconds: grace / 1_000 };
      const webhook = await api().call<CreatedWebhook>('POST', `/admin/webhooks/${input.part(0)}/rotate-secret`, body);
      out.secret(webhook.secret, webhook, `Rotated ${webhook.id}. Its new signing secret is shown this once.`);
      return 0;
    },
  },
  {
    name: 'webhooks deliveries',
    args: ID,
    summary: 'Tells what was sent to a webhook, newest first.',
    options: {
      state: { value: 'STATE', help: 'pending, delivered, dead or gathered.' },
      limit: { value: 'N', help: 'So many: 50 where nothing is said.' },
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
    summary: 'Puts a delivery on its way again.',
    options: {},
    examples: ['webhooks redeliver wh_... delivery_...'],
    async run(input, { api, out }) {
      const path = `/admin/webhooks/${input.part(0)}/deliveries/${input.part(1)}/redeliver`;
      const delivery = await api().call<Delivery>('POST', path);
      if (out.json) out.thing(delivery);
      out.say(`${delivery.id} is on its way again.`);
      return 0;
    },
  },
  // Ends with 1 where one could not be put on its way.
  {
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

async function activeWebhooks(client: AdminClient): Promise<string[]> {
  const webhooks = await client.all<WebhookView>('/admin/webhooks');
  return webhooks.filter(({ state }) => state === 'active').map(({ id }) => id);
}

async function deadDeliveries(client: AdminClient, id: string, since: string | undefined): Promise<Delivery[]> {
  const path = `/admin/webhooks/${encodeURIComponent(id)}/deliveries`;
  const dead = await client.all<Delivery>(path, { state: 'dead' });
  return dead.filter(({ createdAt }) => since === undefined || createdAt >= since);
}
