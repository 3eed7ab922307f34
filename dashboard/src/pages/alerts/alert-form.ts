import type { BodyOf, RowOf } from '../../../../functions/contract/index.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

export type Alert = RowOf<'listAlerts'>;
export type AlertBody = BodyOf<'createAlert'>;
type Webhook = Pick<RowOf<'listWebhooks'>, 'id' | 'url' | 'description'>;

const WEBHOOKS = 'webhookIds';
/** The one that a list of types shows first. */
const FIRST_TYPE = 'prompt_injection';
const MISSING = { name: 'Enter a name.', threshold: 'Enter the threshold.' };

/** The fields of an alert: a type of findings only where they are counted, and the webhooks to notify. */
export function fieldsOf(form: Form, webhooks: readonly Webhook[]): readonly FormField[] {
  const countsFindings = form.metric === 'findings';
  const shown = OPERATIONS.createAlert.body.map((field) =>
    field.name === 'scope'
      ? { ...field, fields: (field.fields ?? []).filter(({ name }) => name !== 'threatType' || countsFindings) }
      : field,
  );
  return [...shown.filter(({ name }) => name !== 'targets'), targetsField(webhooks)];
}

function targetsField(webhooks: readonly Webhook[]): FormField {
  return {
    name: WEBHOOKS,
    label: 'Notify',
    hint: 'Besides webhooks that have selected alert.fired and alert.resolved',
    kind: 'choices',
    choices: webhooks.map(({ id }) => id),
    choiceLabels: Object.fromEntries(webhooks.map(({ id, url, description }) => [id, description ?? url])),
  };
}

/** The form of an alert; of a new one without it. */
export function toAlertForm(alert: Partial<Alert> = {}): Form {
  const fields = fieldsOf({ metric: 'findings' }, []);
  const values = { ...defaultsOf(fields), metric: 'errorRate', threshold: null, ...alert };
  const webhookIds = (alert.targets ?? []).flatMap((target) => ('webhookId' in target ? target.webhookId : []));
  return toForm(fields, { ...values, scope: { threatType: FIRST_TYPE, ...alert.scope }, [WEBHOOKS]: webhookIds });
}

/** The body of a form, or its first invalid field. Topics of an alert stay. */
export function toAlertBody(form: Form, alert?: Pick<Alert, 'targets'>): Made<AlertBody> {
  const made = toBody<AlertBody & { [WEBHOOKS]?: readonly string[] }>(fieldsOf(form, []), form, MISSING);
  if ('fault' in made) return made;
  const { [WEBHOOKS]: ids = [], ...body } = made.body;
  const topics = (alert?.targets ?? []).filter((target) => 'snsTopicArn' in target);
  return { body: { ...body, targets: [...ids.map((webhookId) => ({ webhookId })), ...topics] } };
}
