import type { CreateKey, KeyView } from '../../api/client.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { type Amount, defaultsOf, type Form, type FormFault, toBody, toForm } from '../../components/field-form.ts';

const { body: FIELDS } = OPERATIONS.createKey;
const NO_BUDGET: Amount = { amount: '', period: 'month' };
const MISSING = { name: 'Enter a name.', rateLimit: 'A key needs a rate limit.' };

/** The form of a new key with these values, and the API's defaults. */
export function newKeyForm(values: Partial<CreateKey> = {}): Form {
  return { ...toForm(FIELDS, { ...defaultsOf(FIELDS), ...values }), ...(!values.budget && { budget: NO_BUDGET }) };
}

/** The form of an existing key. */
export function toKeyForm(key: KeyView): Form {
  return { ...toForm(FIELDS, key), ...(key.budget === null && { budget: NO_BUDGET }) };
}

/** The body of `POST` or `PATCH`, or the first invalid field. */
export function toKeyBody(form: Form): { readonly body: CreateKey } | { readonly fault: FormFault } {
  return toBody<CreateKey>(FIELDS, form, MISSING);
}
