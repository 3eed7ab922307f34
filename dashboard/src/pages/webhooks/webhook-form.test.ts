import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_TYPES } from '../../../../functions/kernel/model/event-types.ts';
import type { WebhookView } from '../../api/client.ts';
import type { FormField } from '../../api/operations.ts';
import {
  changeableFields,
  fieldsOf,
  newWebhookForm,
  toWebhookBody,
  toWebhookChanges,
  toWebhookForm,
  WEBHOOK_FIELDS,
} from './webhook-form.ts';

const settings = fc.record({
  url: fc.webUrl(),
  description: fc.option(fc.stringMatching(/^[a-z]([a-z ]*[a-z])?$/)),
  events: fc.subarray(['request.blocked', 'key.created', 'session.flagged'], { minLength: 1 }),
  filter: fc.record(
    {
      minThreatScore: fc.double({ min: 0, max: 1, noNaN: true }),
      threatTypes: fc.subarray(['pii', 'secret'], { minLength: 1 }),
      environments: fc.subarray(['Production', 'canary'], { minLength: 1 }),
    },
    { requiredKeys: [] },
  ),
});

describe('the form of a webhook', () => {
  it('returns every setting of the webhook', () => {
    fc.assert(
      fc.property(settings, (webhook) => {
        const [view, { url, ...rest }] = [webhook as unknown as WebhookView, webhook];
        expect(toWebhookChanges(toWebhookForm(view), view)).toEqual({ body: rest });
        const other = 'https://other.example';
        expect(toWebhookChanges({ ...toWebhookForm(view), url: other }, view)).toEqual({
          body: { ...rest, url: other },
        });
      }),
    );
  });

  it('of a chat offers events of alerts and spend reports, and of PagerDuty a routing key, which stays if none is entered', () => {
    const form = { ...newWebhookForm(), url: 'https://a.example', format: 'slack' };
    expect(fieldsOf(form).find(({ name }) => name === 'events')?.choices).toEqual([
      'alert.fired',
      'alert.resolved',
      'spend.report',
    ]);
    expect(fieldsOf({ ...form, format: 'pagerduty' }).find(({ name }) => name === 'events')?.choices).toEqual([
      'alert.fired',
      'alert.resolved',
    ]);
    expect(toWebhookBody(form)).toMatchObject({ body: { format: 'slack', events: [] } });
    const names = (format: 'slack' | 'pagerduty') =>
      changeableFields({ format } as WebhookView).map(({ name }) => name);
    expect([names('slack').includes('routingKey'), names('pagerduty').includes('routingKey')]).toEqual([false, true]);
    const pager = { format: 'pagerduty', url: 'https://a.example/...ueue', events: [], filter: {}, description: null };
    const view = pager as unknown as WebhookView;
    expect(toWebhookChanges(toWebhookForm(view), view)).toEqual({
      body: { events: [], filter: {}, description: null },
    });
    expect(toWebhookBody({ ...newWebhookForm(), url: 'https://a.example', format: 'pagerduty' })).not.toHaveProperty(
      'body.routingKey',
    );
  });

  it('reports a missing address and missing events', () => {
    expect(toWebhookBody({ ...newWebhookForm(), url: ' ' })).toMatchObject({ fault: { param: 'url' } });
    expect(toWebhookBody({ ...newWebhookForm(), url: 'https://a.example', events: [] })).toMatchObject({
      fault: { param: 'events' },
    });
  });

  it('offers every event except the test', () => {
    const { choices, choiceLabels = {} } = WEBHOOK_FIELDS.find(({ name }) => name === 'events') as FormField;
    expect([...(choices ?? []), 'webhook.test'].sort()).toEqual([...EVENT_TYPES].sort());
    expect(Object.keys(choiceLabels).sort()).toEqual([...(choices ?? [])].sort());
  });
});
