import type { CreateWebhook, WebhookView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

/** The fields of a webhook, as the form has them: its events and their conditions last. */
export const WEBHOOK_FIELDS = OPERATIONS.createWebhook.body.toSorted((a, b) => placeOf(a) - placeOf(b));
const FIRST_EVENTS = ['request.blocked', 'threat.detected'];
const MISSING = { url: 'Enter the address of your endpoint.', events: 'Select at least one event.' };

export function newWebhookForm(): Form {
  return toForm(WEBHOOK_FIELDS, { ...defaultsOf(WEBHOOK_FIELDS), events: FIRST_EVENTS });
}

export function toWebhookForm(webhook: WebhookView): Form {
  return toForm(WEBHOOK_FIELDS, webhook);
}

/** The body of `POST` or `PATCH`, or the first invalid field. */
export function toWebhookBody(form: Form): Made<CreateWebhook> {
  return toBody<CreateWebhook>(WEBHOOK_FIELDS, form, MISSING);
}

function placeOf({ name, kind }: FormField): number {
  return ['events', 'group'].findIndex((last) => last === name || last === kind);
}
