import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attempt, type WebhookPost } from './attempt.ts';
import { type DeliveredEvent, eventBody, wants } from './delivered-event.ts';
import type { Delivery } from './delivery-store.ts';
import { bodyFor, topicNotice } from './formats.ts';
import { aWebhook } from './memory-webhooks.fixture.ts';
import { REFUSALS } from './notice-services.fixture.ts';

const KEY = 'R0'.repeat(16);
const SERVICES = ['slack', 'teams', 'pagerduty'] as const;

const webhookOf = (format: (typeof SERVICES)[number]) =>
  aWebhook({
    id: 'wh_1',
    url: 'https://hooks.example.com/services/T000/B000/secretpart1234',
    format,
    events: [],
    ...(format === 'pagerduty' && { routingKey: KEY }),
  });

const alertEvent = (data: Record<string, unknown> = {}, type = 'alert.fired'): DeliveredEvent => ({
  id: 'evt_1',
  type,
  created: '2026-11-30T09:05:10.000Z',
  data: {
    alertId: 'alert_1',
    name: 'OpenAI fails',
    state: type === 'alert.fired' ? 'firing' : 'ok',
    since: '2026-11-30T09:05:10.000Z',
    rule: { metric: 'errorRate', compare: 'above', threshold: 0.05, minutes: 5, scope: { provider: 'openai' } },
    value: 0.12345,
    requests: 240,
    webhookIds: ['wh_1'],
    topicArns: [],
    ...data,
  },
});
/** A report of teams by name and cost, null where it is not known. */
const spendEvent = (teams: readonly (readonly [string | null, number | null])[], data = {}): DeliveredEvent => ({
  id: 'evt_2',
  type: 'spend.report',
  created: '2026-12-01T01:00:00.000Z',
  data: {
    ...{ month: '2026-11', timeZone: 'Europe/Berlin', requests: 1204, costUsd: 24.2627, previousUsd: 30.119 },
    unknownCharges: { tokens: 3, webSearch: 1 },
    byTeam: {
      groups: teams.length + 4,
      rows: teams.map(([label, costUsd]) => ({
        ...{ group: label, label, costUsd },
        budget: label === 'Shop' ? { usd: 30, period: 'calendarMonth', monthUsd: 30 } : null,
        ...(costUsd === null && { unknownCharges: { tokens: 1 } }),
      })),
    },
    topicArns: [],
    ...data,
  },
});
const testEvent = alertEvent({}, 'webhook.test');
const sent = (format: (typeof SERVICES)[number], event = alertEvent()) =>
  JSON.parse(bodyFor(webhookOf(format), eventBody(event)));

describe('a message', () => {
  test('to Slack says what fires, in plain text', () => {
    expect(sent('slack')).toEqual({
      text: 'Firing: OpenAI fails. Error rate: 12.35 % over 5 minutes, 240 requests. It fires above 5 %.',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Firing: OpenAI fails', emoji: false } },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: 'Error rate: 12.35 % over 5 minutes, 240 requests. It fires above 5 %.',
            emoji: false,
          },
          fields: [
            { type: 'plain_text', text: 'Provider: openai', emoji: false },
            { type: 'plain_text', text: 'Alert: alert_1', emoji: false },
            { type: 'plain_text', text: 'Since: 2026-11-30T09:05:10.000Z', emoji: false },
          ],
        },
      ],
    });
  });

  test('to PagerDuty opens an incident, and the resolved one closes the same', () => {
    expect(sent('pagerduty')).toMatchObject({
      routing_key: KEY,
      event_action: 'trigger',
      dedup_key: 'svc-alert_1',
      payload: { source: 'svc', severity: 'critical', timestamp: '2026-11-30T09:05:10.000Z' },
    });
    expect(sent('pagerduty', alertEvent({ value: 0 }, 'alert.resolved'))).toMatchObject({
      event_action: 'resolve',
      dedup_key: 'svc-alert_1',
    });
  });

  test('to Teams is an adaptive card', () => {
    const { attachments } = sent('teams', alertEvent({ value: 0 }, 'alert.resolved'));
    expect(attachments[0].content.body[0].inlines).toEqual([
      { type: 'TextRun', text: 'Resolved: OpenAI fails', size: 'large', weight: 'bolder', color: 'good' },
    ]);
  });

  test.each(SERVICES)('to %s says that it is a test', (format) => {
    expect(REFUSALS[format](sent(format, testEvent))).toBeUndefined();
    expect(JSON.stringify(sent(format, testEvent))).toContain('Test of svc');
  });

  test('in our format is the event, unchanged', () => {
    const body = eventBody(alertEvent());
    expect(bodyFor(aWebhook(), body)).toBe(body);
    expect(bodyFor(aWebhook({ format: 'svc' }), body)).toBe(body);
  });

  test('of a month says what it has cost by team, and what is not known', () => {
    const event = spendEvent([
      ['Shop', 20],
      ['Lab', null],
      [null, 4.2627],
    ]);
    const text =
      '1204 requests. The month before: $30.12. The cost is without charges of some requests: tokens of 3, webSearch of 1. Time zone: Europe/Berlin.';
    const facts = [
      'Shop: $20.00 of $30.00',
      'Lab: not known, more is not known',
      'Without a team: $4.26',
      'More teams: 4',
    ];
    expect(topicNotice(event)).toEqual({
      subject: 'Spend of 2026-11: $24.26',
      text: ['Spend of 2026-11: $24.26.', text, '', ...facts].join('\n'),
    });
    const [header, section] = sent('slack', event).blocks;
    expect([header.text.text, section.text.text]).toEqual(['Spend of 2026-11: $24.26', text]);
    expect(section.fields.map((field: { text: string }) => field.text)).toEqual(facts);
  });

  test('of a month is about keys where no request has a team, and about the whole where the groups were too large', () => {
    const byKey = { groups: 1, rows: [{ group: 'key_1', label: null, costUsd: 1, budget: null }] };
    expect(topicNotice(spendEvent([[null, 1]], { byKey })).text).toContain('\nkey_1: $1.00');
    const cutOff = spendEvent([], { byTeam: undefined, byKey: undefined, unknownCharges: undefined });
    expect(topicNotice(cutOff).text).toBe(
      'Spend of 2026-11: $24.26.\n1204 requests. The month before: $30.12. Time zone: Europe/Berlin.\n',
    );
  });

  test.each(['slack', 'teams'] as const)(
    'of a month to %s is one that the service takes, whatever names have',
    (format) => {
      const name = fc.oneof(fc.constant(null), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 128 }));
      const cost = fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }));
      fc.assert(
        fc.property(fc.array(fc.tuple(name, cost), { maxLength: 20 }), (teams) =>
          expect(REFUSALS[format](sent(format, spendEvent(teams)))).toBeUndefined(),
        ),
      );
    },
  );

  test.each(SERVICES)('to %s is one that the service takes, whatever names have', (format) => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 300 }),
      fc.constantFrom(
        '<!channel>',
        '<https://evil.example|click>',
        '*b* _i_ `c`',
        '[x](https://evil.example)',
        '&lt;!here&gt;',
        '<at>x</at>',
        '🎉'.repeat(128),
      ),
    );
    const scope = fc.record(
      { model: text, provider: text, teamId: text, keyId: text, threatType: text },
      { requiredKeys: [] },
    );
    const value = fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }));
    const metric = fc.constantFrom('errorRate', 'latencyP95', 'spendUsd', 'budgetShare', 'findings', 'requests');
    fc.assert(
      fc.property(text, scope, value, metric, fc.boolean(), (name, of, measured, kind, isFired) => {
        const rule = { metric: kind, compare: 'above', threshold: 1, minutes: 5, scope: of };
        const event = alertEvent({ name, value: measured, rule }, isFired ? 'alert.fired' : 'alert.resolved');
        expect(REFUSALS[format](sent(format, event))).toBeUndefined();
      }),
    );
  });
});

test.each([
  [REFUSALS.slack({ text: '<!channel> x', blocks: [] }), 'markup'],
  [
    REFUSALS.slack({ text: 'x', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }] }),
    'blocks',
  ],
  [REFUSALS.slack({ blocks: [] }), 'no_text'],
  [REFUSALS.teams({ type: 'message', attachments: [] }), 'card'],
  [REFUSALS.pagerduty({ routing_key: 'x', event_action: 'trigger' }), 'routing_key'],
  [REFUSALS.pagerduty({ routing_key: KEY, event_action: 'resolve' }), 'dedup_key'],
])('the services of the tests refuse %j', (refusal, reason) => expect(refusal?.text).toContain(reason));

describe('the endpoint of a chat', () => {
  const delivery = { id: 'delivery_1', eventId: 'evt_1', attempts: [], body: eventBody(alertEvent()) };
  const clock = { now: () => Date.parse('2026-11-30T09:05:11.000Z'), monotonic: () => 0 };

  test('gets the event of an alert that names it, and of no other', () => {
    expect(wants(webhookOf('slack'), alertEvent())).toBe(true);
    expect(wants(webhookOf('slack'), alertEvent({ webhookIds: ['wh_2'] }))).toBe(false);
    expect(wants(aWebhook({ id: 'wh_3', events: ['alert.fired'] }), alertEvent())).toBe(true);
    // Other events with such a member name nothing.
    expect(wants(webhookOf('slack'), { ...alertEvent(), type: 'key.created' })).toBe(false);
  });

  test('is posted to, and its address and key are in no stored response', async () => {
    const posts: WebhookPost[] = [];
    const webhook = webhookOf('pagerduty');
    const sender = {
      send: async (post: WebhookPost) => {
        posts.push(post);
        return {
          answer: { status: 400, text: `no such key ${KEY} at ${webhook.url}, /services/T000/B000/secretpart1234` },
        };
      },
    };
    const { attempt: made } = await attempt(delivery as unknown as Delivery & { body: string }, webhook, {
      sender,
      clock,
    });
    expect([posts[0]?.url, REFUSALS.pagerduty(JSON.parse(posts[0]?.body ?? ''))]).toEqual([webhook.url, undefined]);
    expect(made.response).toBe('no such key *** at ***, ***');
  });
});
