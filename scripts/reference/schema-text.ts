import { ACTIONS, SEVERITIES, THREAT_TYPES } from '../../functions/kernel/model/index.ts';
import { PERIODS } from '../../functions/kernel/model/key-limits.ts';
import { code, toTable } from './markdown.ts';

/** The parts of a JSON schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
export type Schemas = Readonly<Record<string, Schema>>;

/** Schemas that repeat most fields of another one. */
const BASES: Readonly<Record<string, string>> = {
  CreatedKey: 'Key',
  CreatedWebhook: 'Webhook',
  DeploymentPolicy: 'Policy',
  Key: 'CreateKey',
  PolicyVersion: 'DeploymentPolicy',
  RequestDetail: 'RequestRecord',
  Session: 'AnalyticsSummary',
  ShadowPolicy: 'Policy',
  UpdateKey: 'CreateKey',
  UpdateWebhook: 'CreateWebhook',
  Webhook: 'CreateWebhook',
};

/** Lists of values that occur often, by their name on the page. */
export const NAMED_VALUES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ 'threat type': THREAT_TYPES, action: ACTIONS, severity: SEVERITIES, period: PERIODS }).map(
    ([name, values]) => [name, values.map(code).join(', ')],
  ),
);

/** The names of the schemas that a value refers to, directly. */
export function referencesOf(value: unknown): string[] {
  return [...JSON.stringify(value ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);
}

/** A section for a schema; required fields of requests are bold. */
export function schemaSection(name: string, schemas: Schemas, isRequest: boolean): string {
  const schema = schemas[name] ?? {};
  const baseName = BASES[name];
  const base = baseName === undefined ? {} : (schemas[baseName]?.properties ?? {});
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([field, { const: value }]) => field !== 'object' || value === undefined,
  );
  const shared = fields.filter(([field]) => Object.hasOwn(base, field)).map(([field]) => field);
  const absent = Object.keys(base).filter((field) => field !== 'object' && !shared.includes(field));
  const own = fields.filter(([field]) => !shared.includes(field));
  const nameOf = (field: string) =>
    isRequest && schema.required?.includes(field) ? `**${code(field)}**` : code(field);
  const rows = own
    .filter(([, value]) => meaningOf(value) !== '')
    .map(([field, value]) => [nameOf(field), typeText(value), meaningOf(value)]);
  const plain = new Map<string, string[]>();
  for (const [field, value] of own.filter(([, value]) => meaningOf(value) === '')) {
    plain.set(typeText(value), [...(plain.get(typeText(value)) ?? []), nameOf(field)]);
  }
  const others = [...plain].map(([type, names]) => `${names.join(', ')}: ${type}.`).join(' ');
  const inherited =
    baseName === undefined
      ? ''
      : absent.length === 0
        ? `All fields of ${linkTo(baseName)}${isRequest && schema.required === undefined ? ', all optional' : ''}${own.length > 0 ? ', and:' : '.'}`
        : `${shared.map(code).join(', ')} as in ${linkTo(baseName)}${own.length > 0 ? ', and:' : '.'}`;
  const table = rows.length === 0 ? '' : toTable(['Field', 'Type', 'Meaning'], rows);
  const text = schema.properties === undefined ? typeText(schema) : '';
  return [`### ${name}`, schema.description ?? '', inherited, text, table, others]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** A schema that needs no section: at most three fields of simple types. */
export function isSmall(name: string, schemas: Schemas): boolean {
  const { properties } = schemas[name] ?? {};
  if (properties === undefined || BASES[name] !== undefined) return false;
  const fields = Object.keys(properties).filter((field) => field !== 'object');
  return fields.length <= 3 && referencesOf(schemas[name]).length === 0 && !Object.values(BASES).includes(name);
}

/** A link to the section of a schema, or its fields if it is small. */
export function schemaText(name: string, schemas: Schemas): string {
  if (!isSmall(name, schemas)) return linkTo(name);
  const fields = Object.entries(schemas[name]?.properties ?? {}).filter(([field]) => field !== 'object');
  return fields
    .map(
      ([field, value]) => `${code(field)} (${[typeText(value), lower(meaningOf(value))].filter(Boolean).join('; ')})`,
    )
    .join(', ');
}

/** The type of a value in a few words, with its bounds. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref.split('/').at(-1) as string);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return enumText(schema.enum);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  }
  if (schema.type === 'array') {
    const isBounded = schema.maxItems !== undefined && schema.items?.enum === undefined;
    const bounds = !isBounded ? '' : `, at most ${countText(schema.maxItems ?? 0)}`;
    return `list of ${typeText(schema.items ?? {})}${bounds}`;
  }
  if (schema.type === 'object') return objectText(schema);
  if (schema.format === 'date-time') return 'time';
  return `${schema.type ?? 'any'}${boundsText(schema)}`;
}

/** `1 to 128 characters`, `0 to 1`; empty without bounds. */
export function boundsText(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  if (maxLength !== undefined) return `, ${rangeText(minLength, maxLength)} characters`;
  if (maximum !== undefined) return `, ${rangeText(minimum, maximum)}`;
  if (maxItems !== undefined) return `, ${rangeText(minItems, maxItems)}`;
  if (minimum !== undefined && minimum !== 0) return `, from ${countText(minimum)}`;
  return '';
}

function rangeText(least: number | undefined, most: number): string {
  return least === undefined ? `at most ${countText(most)}` : `${countText(least)} to ${countText(most)}`;
}

function countText(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function enumText(values: readonly unknown[]): string {
  const listed = values.map((value) => code(String(value))).join(', ');
  return Object.entries(NAMED_VALUES).find(([, text]) => text === listed)?.[0] ?? listed;
}

function objectText({ properties, required = [], additionalProperties }: Schema): string {
  if (properties !== undefined) {
    const names = Object.entries(properties).map(([name, value]) => {
      const type = value.enum !== undefined && value.enum.length <= 5 ? ` (${enumText(value.enum)})` : '';
      return `${code(required.includes(name) ? name : `${name}?`)}${type}`;
    });
    return `object: ${names.join(', ')}`;
  }
  if (typeof additionalProperties !== 'object') return 'object';
  const values = typeText(additionalProperties);
  return values.startsWith('object: ') ? `map to ${values}` : `map to ${values}`;
}

/** The description with the default. */
function meaningOf(schema: Schema): string {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  const text = schema.description ?? inner?.description ?? schema.items?.description ?? '';
  if (schema.default === undefined || schema.default === null) return text;
  const standard = JSON.stringify(schema.default);
  if (standard === '{}' || standard === '[]') return text;
  return `${text}${text === '' ? '' : ' '}Default ${code(standard)}.`;
}

function lower(text: string): string {
  return `${text[0]?.toLowerCase() ?? ''}${text.slice(1).replace(/\.$/, '')}`;
}

function linkTo(name: string): string {
  if (name === 'ChatMessage') return 'message of chat completions';
  return `[${name}](#${name.toLowerCase()})`;
}
