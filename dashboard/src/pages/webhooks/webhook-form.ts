import type { CreateWebhook, WebhookView } from '../../api/client.ts';
import type { FormFault } from '../keys/key-form.ts';

type EventType = CreateWebhook['events'][number];
type ThreatType = NonNullable<CreateWebhook['filter']['threatTypes']>[number];

/** Event types that a webhook can subscribe to, and when each is sent. */
export const EVENTS: Readonly<Record<Exclude<EventType, 'webhook.test'>, string>> = {
  'threat.detected': 'A finding that was not blocked',
  'request.blocked': 'A request or its response was blocked',
  'session.flagged': "A session's accumulated score became suspicious",
  'rate_limit.exceeded': 'A key exceeded a limit',
  'budget.exceeded': 'A budget is used up',
  'key.created': 'A key was created',
  'key.updated': 'A key was changed',
  'key.rotated': "A key's secret was rotated",
  'key.revoked': 'A key was revoked',
  'key.expiring': 'A key expires within a week',
  'webhook.disabled': 'A webhook was disabled',
};

/** Values of the form's fields. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly minThreatScore: number | '';
  readonly threatTypes: readonly string[];
  readonly environments: readonly string[];
}

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  description: '',
  events: ['request.blocked', 'threat.detected'],
  minThreatScore: '',
  threatTypes: [],
  environments: [],
};

export function toWebhookForm({ url, description, events, filter }: WebhookView): WebhookForm {
  return {
    url,
    description: description ?? '',
    events,
    minThreatScore: filter.minThreatScore ?? '',
    threatTypes: filter.threatTypes ?? [],
    environments: filter.environments ?? [],
  };
}

/** The body of `POST` or `PATCH`, or the first invalid field; the server validates everything else. */
export function toWebhookBody(form: WebhookForm): { readonly body: CreateWebhook } | { readonly fault: FormFault } {
  if (form.url.trim() === '') return { fault: { param: 'url', message: 'Enter the address of your endpoint.' } };
  if (form.events.length === 0) return { fault: { param: 'events', message: 'Select at least one event.' } };
  return {
    body: {
      url: form.url.trim(),
      description: form.description.trim() === '' ? null : form.description.trim(),
      events: form.events as EventType[] as CreateWebhook['events'],
      filter: {
        ...(form.minThreatScore === '' ? {} : { minThreatScore: form.minThreatScore }),
        ...(form.threatTypes.length === 0 ? {} : { threatTypes: form.threatTypes as ThreatType[] }),
        ...(form.environments.length === 0 ? {} : { environments: [...form.environments] }),
      },
    },
  };
}
