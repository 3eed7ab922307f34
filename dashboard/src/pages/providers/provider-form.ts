import type { ProviderView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { changedFields, defaultsOf, type Form, type FormFault, toBody, toForm } from '../../components/field-form.ts';

/** The fields of a new provider, and those that can be changed: all but its name. */
export const NEW_FIELDS = OPERATIONS.createProvider.body;
export const CHANGE_FIELDS = NEW_FIELDS.filter(({ name }) => name !== 'name');
const FIRST_PROTOCOL = 'openai';

type Body = Readonly<Record<string, unknown>>;

export function newProviderForm(): Form {
  return toForm(NEW_FIELDS, { ...defaultsOf(NEW_FIELDS), protocol: FIRST_PROTOCOL });
}

/** The form of a stored provider. */
export function toProviderForm(provider: ProviderView): Form {
  return toForm(CHANGE_FIELDS, storedFields(provider));
}

function storedFields({ protocol, baseUrl, credentialId, models, capabilities }: ProviderView): Body {
  return { protocol, baseUrl, credentialId, models: models.globs ?? [], capabilities };
}

/** The body of the form, or the first invalid field. An empty list is no names, and empty capabilities are none. */
export function toProviderBody(
  fields: readonly FormField[],
  form: Form,
): { readonly body: Body } | { readonly fault: FormFault } {
  const made = toBody<Body>(fields, form, { name: 'Enter a name.' });
  if ('fault' in made) return made;
  const { capabilities, models = [] } = made.body as { capabilities?: object | null; models?: readonly string[] };
  const isNone = capabilities == null || Object.keys(capabilities).length === 0;
  return { body: { ...made.body, models, capabilities: isNone ? null : capabilities } };
}

/** What a save would change: each field with its value now and then. */
export interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The changed fields of a body, and how people read them. */
export function changesOf(provider: ProviderView, body: Body): { readonly body: Body; readonly shown: FieldChange[] } {
  const before = storedFields(provider);
  const changed = changedFields(before, body);
  const shown = CHANGE_FIELDS.filter(({ name }) => name in changed).map(({ name, label }) => ({
    label,
    before: textOf(before[name]),
    after: textOf(changed[name]),
  }));
  return { body: changed, shown };
}

function textOf(value: unknown): string {
  if (value == null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
