import type { FormField } from '../api/operations.ts';
import { fromLocalInput, toLocalInput } from './format.ts';

/** A number in a period; an empty text if there is none. */
export interface Amount {
  readonly amount: number | '';
  readonly period: string;
}

/** What a control holds. undefined: not touched, so that the API's default applies. */
export type Entered = string | number | boolean | readonly string[] | readonly Form[] | Amount | undefined;

/** Values of the fields by their places, such as `rateLimit.burst`. */
export interface Form {
  readonly [place: string]: Entered;
}

/** An invalid field, by its place, and what is wrong. */
export interface FormFault {
  readonly param: string;
  readonly message: string;
}

const FIRST_PERIOD = 'day';

/** The form of values as the API has them. */
export function toForm(fields: readonly FormField[], values: object, within = ''): Form {
  const entries = fields.flatMap((field): [string, Entered][] => {
    const at = `${within}${field.name}`;
    const value = (values as Readonly<Record<string, unknown>>)[field.name];
    if (field.kind === 'rows') return [[at, toRows(field, value)]];
    const inner = Object.entries(toForm(field.fields ?? [], value ?? {}, `${at}.`));
    return field.kind === 'group' ? inner : [[at, toEntered(field, value)], ...inner];
  });
  return Object.fromEntries(entries);
}

function toRows({ fields = [] }: FormField, value: unknown): readonly Form[] {
  return ((value ?? []) as readonly object[]).map((row) => toForm(fields, row));
}

/** What the API sets if nothing is sent. */
export function defaultsOf(fields: readonly FormField[]): object {
  return Object.fromEntries(fields.map((field) => [field.name, field.default]));
}

function toEntered({ kind, amount = '' }: FormField, value: unknown): Entered {
  switch (kind) {
    case 'number':
      return value === null ? '' : (value as number | undefined);
    case 'amount': {
      const { [amount]: number = '', period = FIRST_PERIOD } = (value ?? {}) as Readonly<Record<string, never>>;
      return { amount: number, period };
    }
    case 'list':
    case 'choices':
      return (value as readonly string[] | undefined) ?? [];
    case 'pairs':
      return Object.entries((value ?? {}) as object).map(([name, text]) => `${name}=${text}`);
    case 'time':
      return value ? toLocalInput(value as string) : '';
    case 'json':
      return JSON.stringify(value ?? {}, null, 2);
    case 'switch':
      return value === true;
    default:
      return (value as string | null | undefined) ?? '';
  }
}

class InvalidField extends Error {
  readonly param: string;

  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

/** The body of a form, or its first invalid field. */
export type Made<Body> = { readonly body: Body } | { readonly fault: FormFault };

/** The server validates what this does not. `missing` has messages for empty fields. */
export function toBody<Body>(
  fields: readonly FormField[],
  form: Form,
  missing: Readonly<Record<string, string>> = {},
): Made<Body> {
  try {
    return { body: toValues(fields, form, missing) as Body };
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    const { param, message } = error;
    return { fault: { param, message } };
  }
}

type Missing = Readonly<Record<string, string>>;

function toValues(fields: readonly FormField[], form: Form, missing: Missing, within = ''): object {
  const entries = fields.map((field) => [field.name, toValue(field, form, missing, `${within}${field.name}`)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The value as the API has it; undefined leaves the field out. */
function toValue(field: FormField, form: Form, missing: Missing, at: string): unknown {
  const inner = () => toValues(field.fields ?? [], form, missing, `${at}.`);
  if (field.kind === 'group') return inner();
  const entered = typeof form[at] === 'string' ? form[at].trim() : form[at];
  if (entered === undefined || field.kind === 'switch') return entered;
  if (isEmpty(entered)) return toEmpty(field, missing[at] ?? `Enter a value: ${field.label}.`, at);
  switch (field.kind) {
    case 'amount': {
      const { amount, period } = entered as Amount;
      return { [field.amount ?? 'amount']: amount, period, ...inner() };
    }
    case 'pairs':
      return Object.fromEntries((entered as readonly string[]).map((text) => toPair(text, at)));
    case 'time':
      return fromLocalInput(entered as string) ?? toEmpty(field, 'Enter a full date and time.', at);
    case 'rows':
      return (entered as readonly Form[]).map((row, index) => toRow(field, row, missing, `${at}[${index}]`));
    case 'json': {
      const value = parseObject(entered as string);
      if (value === undefined) throw new InvalidField(at, 'This is not a JSON object.');
      return value;
    }
    default:
      return entered;
  }
}

/** @throws InvalidField with the place of the row */
function toRow({ fields = [] }: FormField, row: Form, missing: Missing, at: string): object {
  try {
    return toValues(fields, row, missing);
  } catch (error) {
    throw error instanceof InvalidField ? new InvalidField(`${at}.${error.param}`, error.message) : error;
  }
}

function isEmpty(entered: Entered): boolean {
  if (Array.isArray(entered)) return entered.length === 0;
  return entered === '' || (entered as Amount).amount === '';
}

/** What an empty field sends. Throws InvalidField if the API needs a value. */
function toEmpty({ kind, isNullable, isRequired, default: preset }: FormField, message: string, at: string): unknown {
  if (isNullable) return null;
  if (kind === 'json') throw new InvalidField(at, 'This is not a JSON object.');
  if (preset !== undefined && (kind === 'list' || kind === 'choices')) return [];
  if (preset !== undefined && kind === 'pairs') return {};
  if (isRequired || preset !== undefined) throw new InvalidField(at, message);
  return undefined;
}

function toPair(text: string, at: string): readonly [string, string] {
  const middle = text.indexOf('=');
  if (middle < 1) throw new InvalidField(at, `“${text}” is not name=value.`);
  return [text.slice(0, middle), text.slice(middle + 1)];
}

/** The fields that differ between two bodies, so that a PATCH does not overwrite concurrent changes. */
export function changedFields<Body extends object>(before: Body, after: Body): Partial<Body> {
  const names = Object.keys(after) as (keyof Body)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Body>;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
