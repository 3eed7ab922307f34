import type { ProviderView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { defaultsOf, type Form, type Made, toBody, toForm } from '../../components/field-form.ts';

/** The fields of a new provider, and those that can be changed: all but its name. */
export const NEW_FIELDS = OPERATIONS.createProvider.body;
export const CHANGE_FIELDS = NEW_FIELDS.filter(({ name }) => name !== 'name');
const FIRST_PROTOCOL = 'openai';

type Body = Readonly<Record<string, unknown>>;

export function newProviderForm(): Form {
  return toForm(NEW_FIELDS, { ...defaultsOf(NEW_FIELDS), protocol: FIRST_PROTOCOL });
}

/** What can be changed of a provider. */
export function storedFields({ protocol, baseUrl, credentialId, models, capabilities }: ProviderView): Body {
  return { protocol, baseUrl, credentialId, models: models.globs ?? [], capabilities };
}

/** The body of the form, or the first invalid field. An empty list is no names, and empty capabilities are none. */
export function toProviderBody(fields: readonly FormField[], form: Form): Made<Body> {
  const made = toBody<Body>(fields, form, { name: 'Enter a name.' });
  if ('fault' in made) return made;
  const { capabilities, models = [] } = made.body as { capabilities?: object | null; models?: readonly string[] };
  const isNone = capabilities == null || Object.keys(capabilities).length === 0;
  return { body: { ...made.body, models, capabilities: isNone ? null : capabilities } };
}
