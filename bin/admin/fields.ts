import type { BodyOf, OperationId, QueryOf } from '../../functions/contract/index.ts';
import type { FieldOption } from '../../functions/kernel/model/index.ts';
import { type CommandInput, type Context, type Option, UsageError } from './command.ts';
import operations from './operations.generated.json' with { type: 'json' };

/** A field of a query or a body that an option sets. */
interface OptionField extends FieldOption {
  /** The names that lead to it, such as `rateLimit`, `burst`. */
  readonly place: readonly string[];
  readonly choices?: readonly string[];
  readonly isOpen?: true;
  /** Of an amount in a period: the field with the number. */
  readonly amount?: string;
}

interface OperationFields {
  readonly method: string;
  readonly path: string;
  readonly query: readonly OptionField[];
  readonly body: readonly OptionField[];
}

/** Every operation with the fields that have an option. */
export const OPERATION_FIELDS = operations as unknown as Readonly<Record<OperationId, OperationFields>>;

const LAST = {
  last: { value: 'DURATION', help: 'The time until now, in seconds, minutes, hours or days: 90s, 30m, 24h, 7d.' },
};

/** The options of an operation, but for fields that an argument sets. A range has `--last` too. */
export function optionsOf(id: OperationId, ...withoutFields: readonly string[]): Readonly<Record<string, Option>> {
  const { query, body } = OPERATION_FIELDS[id];
  const fields = [...query, ...body].filter(({ place }) => !withoutFields.includes(place.join('.')));
  const options = fields.map((field): [string, Option] => [field.name, optionOf(field)]);
  return { ...(isRange(fields) && LAST), ...Object.fromEntries(options) };
}

function optionOf({ format, value, help, choices, isOpen }: OptionField): Option {
  return {
    ...(value === undefined ? { help } : { value, help, ...(choices && { choices }) }),
    ...(format === 'list' && { list: true }),
    ...((format === 'NAME=VALUE' || format === 'texts') && { multiple: true }),
    ...(isOpen && { open: true }),
  };
}

function isRange(fields: readonly OptionField[]): boolean {
  return ['from', 'to'].every((name) => fields.some((field) => field.name === name));
}

/** The query of an operation from the options; the API validates values. */
export async function queryFrom<Id extends OperationId>(
  id: Id,
  input: CommandInput,
  context: Context,
): Promise<QueryOf<Id>> {
  return (await valuesOf(OPERATION_FIELDS[id].query, input, context)) as QueryOf<Id>;
}

/** The body of an operation from the options, without fields that none sets; the API validates values. */
export async function bodyFrom<Id extends OperationId>(
  id: Id,
  input: CommandInput,
  context: Context,
): Promise<Partial<BodyOf<Id>>> {
  return (await valuesOf(OPERATION_FIELDS[id].body, input, context)) as Partial<BodyOf<Id>>;
}

async function valuesOf(fields: readonly OptionField[], input: CommandInput, context: Context): Promise<object> {
  const values = {};
  for (const field of fields) {
    const value = await readOption(field, input, context);
    if (value !== undefined) setAt(values, field, value, fields);
  }
  return { ...values, ...(isRange(fields) && lastRange(input, context.nowMs)) };
}

/** Sets a field, also within an object. A field within an object that has its own option needs that option. */
function setAt(values: object, { place, name }: OptionField, value: unknown, fields: readonly OptionField[]): void {
  let at = values as Record<string, unknown>;
  for (const [depth, step] of place.slice(0, -1).entries()) {
    const outer = fields.find((field) => field.place.join() === place.slice(0, depth + 1).join());
    if (outer !== undefined && at[step] === undefined) throw new UsageError(`--${name} needs --${outer.name}.`);
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  at[place.at(-1) as string] = value;
}

/** The value as the API has it; undefined without the option. */
function readOption(field: OptionField, input: CommandInput, { readJson, nowMs }: Context): unknown {
  const { name, format, none } = field;
  const text = ['NAME=VALUE', 'texts', 'switch'].includes(format) ? undefined : input.text(name);
  if (none && text === 'none') return null;
  switch (format) {
    case 'text':
      return text;
    case 'texts': {
      const texts = input.all(name);
      return texts.length === 0 ? undefined : texts;
    }
    case 'number':
      return input.number(name);
    case 'count':
      return input.count(name);
    case 'list':
      return input.list(name);
    case 'amount/period':
      return text === undefined ? undefined : amountOf(text, field);
    case 'NAME=VALUE':
      return pairsOf(input.all(name), name);
    case 'JSON file':
      return text === undefined ? undefined : readJson(text);
    case 'duration': {
      const ms = input.duration(name);
      return ms === undefined ? undefined : ms / 1_000;
    }
    case 'time':
      return input.time(name, nowMs);
    case 'switch':
      return input.flag(name) || undefined;
  }
}

/** `600/minute`. */
function amountOf(text: string, { name, amount: member = 'amount' }: OptionField): object {
  if (text === 'none') throw new UsageError(`--${name} cannot be none.`);
  const [amount = '', period = '', ...rest] = text.split('/');
  if (amount === '' || Number.isNaN(Number(amount)) || period === '' || rest.length > 0) {
    throw new UsageError(`--${name} must be an amount and a period, such as 600/minute.`);
  }
  return { [member]: Number(amount), period };
}

function pairsOf(texts: readonly string[], option: string): Readonly<Record<string, string>> | undefined {
  if (texts.length === 0) return undefined;
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--${option} must be NAME=VALUE.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

/** The range of `--last`. */
function lastRange(input: CommandInput, nowMs: number): { readonly from: string } | undefined {
  const last = input.duration('last');
  if (last === undefined) return undefined;
  if (input.text('from') !== undefined || input.text('to') !== undefined) {
    throw new UsageError('--last is a complete range: leave out --from and --to.');
  }
  return { from: new Date(nowMs - last).toISOString() };
}
