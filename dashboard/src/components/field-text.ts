import type { FormField } from '../api/operations.ts';
import { formatAmount, formatExact, formatFullTime } from './format.ts';
import { choicesOf, periodName } from './labels.ts';

/** The value of a field in words; `empty` if it has none. */
export function fieldText(field: FormField, value: unknown, empty = 'None'): string {
  if (value === null || value === undefined) return empty;
  switch (field.kind) {
    case 'amount':
      return amountText(field, value as Readonly<Record<string, unknown>>);
    case 'number':
      return formatExact(value as number);
    case 'time':
      return formatFullTime(value as string);
    case 'switch':
      return value === true ? 'Yes' : 'No';
    case 'pairs':
      return listText(
        Object.entries(value as object).map(([name, text]) => `${name}=${text}`),
        empty,
      );
    case 'list':
      return listText(value as readonly string[], empty);
    case 'choices':
      return listText(
        (value as readonly string[]).map((one) => choiceText(field, one)),
        empty,
      );
    case 'select':
      return choiceText(field, value as string);
    case 'rows':
      return listText(
        (value as readonly object[]).map((row) => rowText(field, row)),
        empty,
      );
    case 'json':
      return Object.keys(value).length === 0 ? empty : JSON.stringify(value);
    default:
      return value ? String(value) : empty;
  }
}

/** The values of a row: `Provider openai, Weight 9`. */
export function rowText({ fields = [] }: FormField, row: object): string {
  const values = row as Readonly<Record<string, unknown>>;
  const set = fields.filter(({ name }) => values[name] !== undefined);
  return set.map((field) => `${field.label} ${fieldText(field, values[field.name])}`).join(', ');
}

function listText(texts: readonly string[], empty: string): string {
  return texts.length === 0 ? empty : texts.join(', ');
}

function choiceText(field: FormField, value: string): string {
  return choicesOf(field).find((choice) => choice.value === value)?.label ?? value;
}

function innerText(value: unknown): string {
  return typeof value === 'number' ? formatExact(value) : String(value);
}

/** Such as `600 per minute, burst 50`. */
function amountText({ amount = '', fields = [] }: FormField, value: Readonly<Record<string, unknown>>): string {
  const format = amount === 'usd' ? formatAmount : formatExact;
  const inner = fields.flatMap(({ name, label }) =>
    value[name] === undefined ? [] : [`${label.toLowerCase()} ${innerText(value[name])}`],
  );
  return [`${format(value[amount] as number)} per ${periodName(String(value.period))}`, ...inner].join(', ');
}
