import type { CreateWebhook, UpdateWebhook, WebhookView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

/** The fields of a webhook, as the form has them: its events and their conditions last. */
export const WEBHOOK_FIELDS = OPERATIONS.createWebhook.body.toSorted((a, b) => placeOf(a) - placeOf(b));
const FIRST_EVENTS = ['request.blocked', 'threat.detected'];
const ALERT_EVENTS: readonly string[] = ['alert.fired', 'alert.resolved'];

/** Whether an endpoint of this format can get an event: pagers get alerts, chats spend reports too. */
function isShown(type: string, format: Form[string]): boolean {
  return format === 'svc' || ALERT_EVENTS.includes(type) || (type === 'spend.report' && format !== 'pagerduty');
}

const MISSING = { url: 'Enter the address of your endpoint.', events: 'Select at least one event.' };
const SHOWN: readonly string[] = ['url', 'events', 'description', 'filter'];

/** The fields of a new webhook, which depend on its format. */
export function fieldsOf({ format }: Form): readonly FormField[] {
  return WEBHOOK_FIELDS.filter(({ name }) => name !== 'routingKey' || format === 'pagerduty').map((field) =>
    field.name === 'events' && format !== 'svc'
      ? { ...field, choices: (field.choices ?? []).filter((type) => isShown(type, format)) }
      : field,
  );
}

/** The fields of a webhook that can change. */
export function changeableFields({ format = 'svc' }: WebhookView): readonly FormField[] {
  const needsKey = format === 'pagerduty';
  return fieldsOf({ format }).filter(({ name }) => SHOWN.includes(name) || (needsKey && name === 'routingKey'));
}

export function newWebhookForm(): Form {
  return toForm(WEBHOOK_FIELDS, { ...defaultsOf(WEBHOOK_FIELDS), events: FIRST_EVENTS });
}

export function toWebhookForm(webhook: WebhookView): Form {
  return toForm(changeableFields(webhook), webhook);
}

/** The body of `POST`, or the first invalid field. */
export function toWebhookBody(form: Form): Made<CreateWebhook> {
  const { format, events } = form;
  const kept = (events as readonly string[]).filter((type) => isShown(type, format));
  if (format === 'svc' && kept.length === 0) return { fault: { param: 'events', message: MISSING.events } };
  return toBody<CreateWebhook>(fieldsOf(form), { ...form, events: kept }, MISSING);
}

/** The body of `PATCH`, or the first invalid field. An address that is a secret is sent only if another was entered. */
export function toWebhookChanges(form: Form, webhook: WebhookView): Made<UpdateWebhook> {
  const made = toBody<UpdateWebhook>(changeableFields(webhook), form, MISSING);
  if ('fault' in made) return made;
  const { url, ...rest } = made.body;
  return { body: url === undefined || url === webhook.url ? rest : made.body };
}

function placeOf({ name, kind }: FormField): number {
  return ['events', 'group'].findIndex((last) => last === name || last === kind);
}
