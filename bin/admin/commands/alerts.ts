import type { BodyOf, ResponseOf } from '../../../functions/contract/index.ts';
import { type Command, type CommandInput, type Option, UsageError } from '../command.ts';
import { bodyFrom, optionsOf } from '../fields.ts';

type Alert = ResponseOf<'getAlert'>;

const ID = ['ID'];
const TARGETS: Readonly<Record<string, Option>> = {
  webhook: { value: 'ID', multiple: true, help: 'A webhook to notify. May be repeated.' },
  topic: { value: 'ARN', multiple: true, help: 'An SNS topic to notify. May be repeated.' },
};

export const ALERT_COMMANDS: readonly Command[] = [
  {
    name: 'alerts list',
    args: [],
    summary: 'Lists the alerts with their states.',
    options: {},
    examples: ['alerts list'],
    async run(_, { api, out }) {
      const { data } = await api().call('listAlerts', {});
      out.list(data, {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        STATE: ({ state, silencedUntil }) => (state === 'silenced' ? `silenced until ${silencedUntil}` : state),
        SINCE: ({ since }) => since,
        RULE: ruleOf,
        SCOPE: ({ scope }) =>
          Object.entries(scope)
            .map(([field, value]) => `${field}=${value}`)
            .join(),
      });
      return 0;
    },
  },
  {
    name: 'alerts show',
    args: ID,
    summary: 'Shows an alert.',
    options: {},
    examples: ['alerts show alert_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getAlert', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'alerts create',
    args: ['NAME'],
    summary: 'Creates an alert, which is evaluated every minute.',
    options: { ...optionsOf('createAlert', 'name'), ...TARGETS },
    examples: [
      'alerts create "OpenAI fails" --metric errorRate --threshold 0.05 --provider openai --webhook wh_...',
      'alerts create "Shop: 80 % of the budget" --metric budgetShare --threshold 0.8 --team team_... --webhook wh_...',
      'alerts create Silence --metric requests --compare below --threshold 1 --minutes 15',
    ],
    async run(input, context) {
      const { api, out } = context;
      const fields = { ...(await bodyFrom('createAlert', input, context)), ...targetsOf(input) };
      const alert = await api().call('createAlert', {
        body: { ...fields, name: input.arg(0) } as BodyOf<'createAlert'>,
      });
      if (out.json) out.thing(alert);
      out.say(`Created ${alert.id}: ${ruleOf(alert)}.`);
      return 0;
    },
  },
  {
    name: 'alerts set',
    args: ID,
    summary: 'Changes the named fields of an alert; scope and targets are replaced as a whole.',
    options: { ...optionsOf('updateAlert'), ...TARGETS },
    examples: ['alerts set alert_... --threshold 0.1', 'alerts set alert_... --webhook wh_... --webhook wh_...'],
    async run(input, context) {
      const { api, out } = context;
      const body = { ...(await bodyFrom('updateAlert', input, context)), ...targetsOf(input) };
      if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
      const alert = await api().call('updateAlert', { params: { id: input.arg(0) }, body });
      if (out.json) out.thing(alert);
      out.say(`${alert.id}: ${ruleOf(alert)}.`);
      return 0;
    },
  },
  {
    name: 'alerts silence',
    args: ID,
    summary: 'Notifies nothing for some time; 0 ends that. What changed until then is notified once after it.',
    options: { for: { value: 'DURATION', help: 'How long: 30m, 2h, 7d.' } },
    examples: ['alerts silence alert_... --for 2h', 'alerts silence alert_... --for 0'],
    async run(input, { api, out, nowMs }) {
      input.needed('for');
      const ms = input.duration('for') ?? 0;
      const silencedUntil = ms === 0 ? null : new Date(nowMs + ms).toISOString();
      const alert = await api().call('updateAlert', { params: { id: input.arg(0) }, body: { silencedUntil } });
      if (out.json) out.thing(alert);
      out.say(`${alert.id} is ${silencedUntil === null ? 'not silenced' : `silenced until ${silencedUntil}`}.`);
      return 0;
    },
  },
  {
    name: 'alerts history',
    args: ID,
    summary: 'Lists when an alert began to fire or was resolved, newest first.',
    options: {},
    examples: ['alerts history alert_...'],
    async run(input, { api, out }) {
      const { data } = await api().call('getAlertHistory', { params: { id: input.arg(0) } });
      out.list(data, {
        AT: ({ at }) => at,
        STATE: ({ state, silenced }) => (silenced ? `${state} (silenced)` : state),
        VALUE: ({ value }) => value,
        REQUESTS: ({ requests }) => requests,
      });
      return 0;
    },
  },
  {
    name: 'alerts delete',
    args: ID,
    summary: 'Deletes an alert with its history.',
    options: {},
    examples: ['alerts delete alert_...', 'alerts delete alert_... --yes'],
    async run(input, { api, out, confirm }) {
      const client = api();
      const call = { params: { id: input.arg(0) } };
      const { name } = await client.call('getAlert', call);
      await confirm(`Delete ${input.arg(0)}, ${name}?`);
      const answer = await client.call('deleteAlert', call);
      if (out.json) out.thing(answer);
      out.say(`Deleted ${input.arg(0)}.`);
      return 0;
    },
  },
];

function ruleOf({ metric, compare, threshold, minutes }: Alert): string {
  const range = metric === 'budgetShare' ? '' : ` over ${minutes} min`;
  return `${metric} ${compare} ${threshold}${range}`;
}

/** The targets that options name; nothing without one. */
function targetsOf(input: CommandInput): Pick<BodyOf<'updateAlert'>, 'targets'> {
  const targets = [
    ...input.all('webhook').map((webhookId) => ({ webhookId })),
    ...input.all('topic').map((snsTopicArn) => ({ snsTopicArn })),
  ];
  return targets.length === 0 ? {} : { targets };
}
