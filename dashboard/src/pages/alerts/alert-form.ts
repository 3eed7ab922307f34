import type { BodyOf, RowOf } from '../../../../functions/contract/index.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

export type Alert = RowOf<'listAlerts'>;
export type AlertBody = BodyOf<'createAlert'>;
type Webhook = Pick<RowOf<'listWebhooks'>, 'id' | 'url' | 'description'>;
type Team = Pick<RowOf<'listTeams'>, 'id' | 'name'>;

const WEBHOOKS = 'webhookIds';
const TOPICS = 'snsTopicArns';
/** The one that a list of types shows first. */
const FIRST_TYPE = 'prompt_injection';
const MISSING = { name: 'Enter a name.', threshold: 'Enter the threshold.' };

/** The fields of an alert: a type of findings only where they are counted, teams by name where they are known, and whom to notify. */
export function fieldsOf(form: Form, webhooks: readonly Webhook[], teams: readonly Team[] = []): readonly FormField[] {
  const countsFindings = form.metric === 'findings';
  const shown = OPERATIONS.createAlert.body.map((field) =>
    field.name === 'scope'
      ? {
          ...field,
          fields: (field.fields ?? [])
            .filter(({ name }) => name !== 'threatType' || countsFindings)
            .map((inner) => (inner.name === 'teamId' && teams.length > 0 ? teamField(inner, teams) : inner)),
        }
      : field,
  );
  return [...shown.filter(({ name }) => name !== 'targets'), targetsField(webhooks), TOPICS_FIELD];
}

/** A choice of teams by name. */
function teamField(field: FormField, teams: readonly Team[]): FormField {
  return {
    ...field,
    kind: 'select',
    choices: ['', ...teams.map(({ id }) => id)],
    choiceLabels: { '': field.hint ?? '', ...Object.fromEntries(teams.map(({ id, name }) => [id, name])) },
  };
}

const TOPICS_FIELD: FormField = {
  name: TOPICS,
  label: 'SNS topics',
  hint: 'ARNs that the setting alertTopicArns names',
  kind: 'list',
};

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
  const topics = (alert.targets ?? []).flatMap((target) => ('snsTopicArn' in target ? target.snsTopicArn : []));
  const scope = { threatType: FIRST_TYPE, ...alert.scope };
  return toForm(fields, { ...values, scope, [WEBHOOKS]: webhookIds, [TOPICS]: topics });
}

type Entered = AlertBody & { readonly [WEBHOOKS]?: readonly string[]; readonly [TOPICS]?: readonly string[] };

/** The body of a form, or its first invalid field. */
export function toAlertBody(form: Form): Made<AlertBody> {
  const made = toBody<Entered>(fieldsOf(form, []), form, MISSING);
  if ('fault' in made) return made;
  const { [WEBHOOKS]: ids = [], [TOPICS]: arns = [], ...body } = made.body;
  const targets = [...ids.map((webhookId) => ({ webhookId })), ...arns.map((snsTopicArn) => ({ snsTopicArn }))];
  return { body: { ...body, targets } };
}
