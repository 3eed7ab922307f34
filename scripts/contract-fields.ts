/**
 * What the command line and the dashboard offer of each operation, as data, so that neither loads zod (npm run generate contract).
 * With --check it writes nothing and exits with 1 if a file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { defaultsOf, type Field, type JsonSchema, OPERATIONS, toFields } from '../functions/contract/index.ts';

/** The members of a value's JSON schema that decide how it is entered. */
interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The generated files, by their paths. */
export const CONTRACT_FILES: Readonly<Record<string, () => string>> = {
  'bin/admin/operations.generated.json': () => textOf((fields) => toOptions(fields)),
  'dashboard/src/api/operations.generated.json': () => textOf(toFormFields),
};

/** Each operation with its method, its path and the fields of its query and body. */
function textOf(convert: (fields: readonly Field[], defaults: Defaults) => readonly object[]): string {
  const entries = Object.entries(OPERATIONS).map(([id, { method, path, query, body }]) => {
    const [inQuery, inBody] = [query, body?.schema].map((schema) =>
      schema ? convert(toFields(schema), defaultsOf(schema)) : [],
    );
    return [id, { method, path, query: inQuery, body: inBody }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`;
}

type Defaults = Readonly<Record<string, unknown>>;

/** The fields with an option, also those within objects, each with its place in the query or body. */
function toOptions(fields: readonly Field[], within: readonly string[] = []): object[] {
  return fields.flatMap(({ name, option, choices, isOpen, fields: inner = [] }) => {
    const place = [...within, name];
    return [
      ...(option === undefined ? [] : [{ place, ...option, choices, isOpen, amount: amountOf(inner) }]),
      ...toOptions(inner, place),
    ];
  });
}

/** The fields with a label. One that has none itself is a group of those in it. */
function toFormFields(fields: readonly Field[], defaults: Defaults = {}): object[] {
  return fields.flatMap((field) => {
    const { name, isRequired, label, hint, section, choices, choiceLabels, isOpen, schema, items } = field;
    const within = field.fields ?? (label === undefined ? undefined : items);
    // Of a new row.
    const ofItems = Object.fromEntries((items ?? []).map((item) => [item.name, item.schema.default]));
    const inner = toFormFields(within ?? [], ofItems);
    if (label === undefined && inner.length === 0) return [];
    const amount = amountOf(within ?? []);
    const { type, minimum, maximum } = withoutNull(within?.find((one) => one.name === amount)?.schema ?? schema);
    const { maxLength, minItems, maxItems } = withoutNull(schema);
    return [
      {
        ...{ name, label, hint, section, choices, choiceLabels, isOpen },
        kind: label === undefined ? 'group' : items !== undefined ? 'rows' : kindOf(schema, choices, within),
        isRequired: isRequired || undefined,
        isNullable: isNullable(schema) || undefined,
        isWhole: type === 'integer' || undefined,
        ...{ default: defaults[name], minimum, maximum: boundOf(maximum), maxLength, minItems },
        maxItems: items && maxItems,
        amount,
        periods: within?.find((one) => one.name === 'period')?.choices,
        fields: inner.length > 0 ? inner : undefined,
      },
    ];
  });
}

/** How a value is entered. */
function kindOf(schema: JsonSchema, choices: Field['choices'], fields: readonly Field[] = []): string {
  const { type, format } = withoutNull(schema);
  if (schema.$ref !== undefined) return 'json';
  if (amountOf(fields) !== undefined) return 'amount';
  if (type === 'array') return choices === undefined ? 'list' : 'choices';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'object') return fields.length === 0 ? 'pairs' : 'json';
  if (choices !== undefined) return 'select';
  return format === 'date-time' ? 'time' : 'text';
}

/** The field with the number of an amount per period; undefined for another object. */
function amountOf(fields: readonly Field[]): string | undefined {
  if (!fields.some(({ name }) => name === 'period')) return undefined;
  return fields.find(({ name, isRequired }) => isRequired && name !== 'period')?.name;
}

/** The schema of a value that may be null. */
function withoutNull(schema: JsonSchema): ValueSchema {
  const { anyOf } = schema as { readonly anyOf?: readonly ValueSchema[] };
  return anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

function isNullable({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && (anyOf as readonly ValueSchema[]).some(({ type }) => type === 'null');
}

/** A bound that the schema sets, and not the number type. */
function boundOf(maximum: number | undefined): number | undefined {
  return maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(CONTRACT_FILES)) {
    const file = new URL(`../${path}`, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(file, text());
    else if (readFileSync(file, 'utf8') !== text()) {
      console.error(`${path} is stale: npm run generate contract`);
      process.exitCode = 1;
    }
  }
}
