import { metricName } from '../../kernel/alerts/index.ts';
import type { GatewayEvent, Webhook } from '../../kernel/model/index.ts';
import { type DeliveredEvent, deliveredEventSchema } from './delivered-event.ts';

type Format = NonNullable<Webhook['format']>;
type AlertData = Extract<GatewayEvent, { type: 'alert.fired' | 'alert.resolved' }>['data'];
type SpendData = Partial<Extract<GatewayEvent, { type: 'spend.report' }>['data']>;

/** What people read in a chat or on a pager. */
interface Notice {
  /** The same for the firing and the resolved event of one alert. */
  readonly subject: string;
  readonly isResolved: boolean;
  readonly isTest: boolean;
  readonly title: string;
  readonly text: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/**
 * The body of an event in the format of its endpoint, from the body that is stored. Names come from administrators and may hold anything, so
 * each format writes them where its service reads no markup, or escapes them.
 */
export function bodyFor({ format = 'svc', id, routingKey = '' }: Webhook, stored: string): string {
  if (format === 'svc') return stored;
  const event = deliveredEventSchema.parse(JSON.parse(stored));
  const body = WRITERS[format](toNotice(event, id), event, routingKey);
  return JSON.stringify(body);
}

/** What a topic of SNS gets for an event: the subject of an e-mail, and its text. */
export function topicNotice(event: DeliveredEvent): { subject: string; text: string } {
  const { title, text, facts } = toNotice(event, event.id);
  return { subject: title, text: [`${title}.`, text, '', ...facts.map((fact) => fact.join(': '))].join('\n') };
}

/** Whether an event is for people: topics get it, and chats that select it. */
export function hasNotice({ type }: DeliveredEvent): boolean {
  return type === 'alert.fired' || type === 'alert.resolved' || type === 'spend.report';
}

const WRITERS: Readonly<
  Record<Exclude<Format, 'svc'>, (notice: Notice, event: DeliveredEvent, key: string) => object>
> = {
  slack: toSlack,
  teams: toTeams,
  pagerduty: toPagerDuty,
};

const UNITS: Readonly<Record<string, (value: number) => string>> = {
  errorRate: percent,
  budgetShare: percent,
  blockedShare: percent,
  flaggedShare: percent,
  latencyP95: (value) => `${Math.round(value)} ms`,
  spendUsd: (value) => `$${rounded(value)}`,
};
const SCOPES: Readonly<Record<string, string>> = {
  teamId: 'Team',
  keyId: 'Key',
  model: 'Model',
  provider: 'Provider',
  threatType: 'Finding',
};

function percent(value: number): string {
  return `${rounded(100 * value)} %`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function toNotice(event: DeliveredEvent, webhookId: string): Notice {
  const { type, data } = event;
  if (type === 'spend.report') return spendNotice(event);
  if (!hasNotice(event)) {
    const text = 'svc can send alerts here.';
    return { subject: webhookId, isResolved: false, isTest: true, title: 'Test of svc', text, facts: [] };
  }
  const { alertId, name, state, since, rule, value, requests } = data as unknown as AlertData;
  const show = UNITS[rule.metric] ?? rounded;
  const isResolved = state === 'ok';
  const range =
    rule.metric === 'budgetShare' ? '' : ` over ${rule.minutes} ${rule.minutes === 1 ? 'minute' : 'minutes'}`;
  const counted = ['budgetShare', 'requests', 'toolChanges'].includes(rule.metric) ? '' : `, ${requests} requests`;
  const measured = value === null ? 'no value' : show(value);
  const scope = Object.entries(rule.scope).flatMap(([field, one]) =>
    one === undefined ? [] : [[SCOPES[field] ?? field, one] as const],
  );
  return {
    subject: alertId,
    isResolved,
    isTest: false,
    title: `${isResolved ? 'Resolved' : 'Firing'}: ${name}`,
    text: `${metricName(rule.metric)}: ${measured}${range}${counted}. It fires ${rule.compare} ${show(rule.threshold)}.`,
    facts: [...scope, ['Alert', alertId], ...(since === null ? [] : [['Since', since] as const])],
  };
}

/** Of teams, or of keys where no request has a team: no more than a message of Slack shows. */
const SPEND_FACTS = 9;

/** What a month has cost, and the teams with the highest cost. Of a very large report the largest fields are missing. */
function spendNotice({ id, data }: DeliveredEvent): Notice {
  const { month, timeZone, costUsd, requests, previousUsd, unknownCharges = {}, byTeam, byKey } = data as SpendData;
  const hasTeams = byTeam?.rows.some(({ group }) => group !== null);
  const { groups = 0, rows = [] } = (hasTeams ? byTeam : byKey) ?? {};
  const facts = rows.slice(0, SPEND_FACTS).map((row) => {
    const budget = row.budget === null ? '' : ` of ${dollars(row.budget.monthUsd)}`;
    const unknown = row.unknownCharges === undefined ? '' : ', more is not known';
    return [
      row.label ?? row.group ?? (hasTeams ? 'Without a team' : 'Without a key'),
      `${dollars(row.costUsd)}${budget}${unknown}`,
    ] as const;
  });
  const unknown = Object.entries(unknownCharges).map(([charge, count]) => `${charge} of ${count}`);
  const text = [
    `${requests} requests.`,
    previousUsd === null || previousUsd === undefined ? '' : `The month before: ${dollars(previousUsd)}.`,
    unknown.length === 0 ? '' : `The cost is without charges of some requests: ${unknown.join(', ')}.`,
    `Time zone: ${timeZone}.`,
  ];
  const rest = groups - facts.length;
  return {
    subject: id,
    isResolved: true,
    isTest: false,
    title: `Spend of ${month}: ${dollars(costUsd)}`,
    text: text.filter((part) => part !== '').join(' '),
    facts: rest > 0 ? [...facts, [hasTeams ? 'More teams' : 'More keys', String(rest)]] : facts,
  };
}

function dollars(usd: number | null | undefined): string {
  return usd === null || usd === undefined ? 'not known' : `$${usd.toFixed(2)}`;
}

/** https://docs.slack.dev/reference/block-kit/blocks: characters of a header, a section's text and a field. */
const SLACK_HEADER = 150;
const SLACK_TEXT = 3_000;
const SLACK_FIELD = 2_000;

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. `plain_text` has no markup; `text`, for notifications, does. */
function toSlack({ title, text, facts }: Notice): object {
  const plain = (value: string, max: number) => ({ type: 'plain_text', text: cut(value, max), emoji: false });
  const fields = facts.map(([name, value]) => plain(`${name}: ${value}`, SLACK_FIELD));
  return {
    text: escaped(cut(`${title}. ${text}`, SLACK_TEXT / 2)),
    blocks: [
      { type: 'header', text: plain(title, SLACK_HEADER) },
      { type: 'section', text: plain(text, SLACK_TEXT), ...(fields.length > 0 && { fields }) },
    ],
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping: `<!channel>` would call everyone. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * An adaptive card for a workflow of Teams that starts with a webhook request:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using. Text blocks and facts read Markdown,
 * text runs do not: https://adaptivecards.io/explorer/TextRun.html
 */
function toTeams({ title, text, facts, isResolved, isTest }: Notice): object {
  const line = (...runs: readonly object[]) => ({ type: 'RichTextBlock', inlines: runs });
  const run = (value: string, more: object = {}) => ({ type: 'TextRun', text: value, ...more });
  const color = isTest ? 'default' : isResolved ? 'good' : 'attention';
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            line(run(title, { size: 'large', weight: 'bolder', color })),
            line(run(text)),
            ...facts.map(([name, value]) => line(run(`${name}: `, { weight: 'bolder' }), run(value))),
          ],
        },
      },
    ],
  };
}

const PAGERDUTY_SUMMARY = 1_024;

/** https://developer.pagerduty.com/docs/events-api-v2/trigger-events: events of one `dedup_key` are one incident. */
function toPagerDuty(notice: Notice, { created }: DeliveredEvent, routingKey: string): object {
  const { subject, isResolved, isTest, title, text, facts } = notice;
  return {
    routing_key: routingKey,
    event_action: isResolved ? 'resolve' : 'trigger',
    dedup_key: `svc-${subject}`,
    payload: {
      summary: cut(`${title}. ${text}`, PAGERDUTY_SUMMARY),
      source: 'svc',
      severity: isTest ? 'info' : 'critical',
      timestamp: created,
      custom_details: Object.fromEntries(facts),
    },
  };
}

/** No character is cut in half. */
function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}
