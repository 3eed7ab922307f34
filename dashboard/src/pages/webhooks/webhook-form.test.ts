import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_TYPES } from '../../../../functions/core/model/event-types.ts';
import type { WebhookView } from '../../api/client.ts';
import { EVENTS, NEW_WEBHOOK, toWebhookBody, toWebhookForm } from './webhook-form.ts';

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
        expect(toWebhookBody(toWebhookForm(webhook as unknown as WebhookView))).toEqual({ body: webhook });
      }),
    );
  });

  it('reports a missing address and missing events', () => {
    expect(toWebhookBody({ ...NEW_WEBHOOK, url: ' ' })).toMatchObject({ fault: { param: 'url' } });
    expect(toWebhookBody({ ...NEW_WEBHOOK, url: 'https://a.example', events: [] })).toMatchObject({
      fault: { param: 'events' },
    });
  });

  it('offers every event except the test', () => {
    expect([...Object.keys(EVENTS), 'webhook.test'].sort()).toEqual([...EVENT_TYPES].sort());
  });
});
