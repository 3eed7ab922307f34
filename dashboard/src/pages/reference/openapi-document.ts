/** The parts of OpenAPI 3.1 and JSON Schema that `/openapi.json` uses, without references. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Combined = Partial<Readonly<Record<'anyOf' | 'oneOf' | 'allOf' | 'prefixItems', readonly Schema[]>>>;
export interface Schema extends Combined {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

/** Bodies by content type. */
export type Content = Readonly<Record<string, Media>>;

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** The security schemes, one of which is needed; none if no key is. */
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Json = Record<string, unknown>;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** How deep a type is described. Schemas may contain themselves. */
const MAX_DEPTH = 4;

/** Replaces every `$ref` within the document by its target. */
export function dereference(document: Document): Document {
  const seen = new Set<object>();
  function targetOf(part: unknown): unknown {
    const { $ref, ...others } = (part ?? {}) as Json;
    if (typeof $ref !== 'string') return part;
    const names = $ref.slice('#/'.length).split('/');
    const target = targetOf(names.reduce((at, name) => (at as Json)[name] as object, document as object));
    return Object.keys(others).length === 0 ? target : { ...(target as object), ...others };
  }
  function visit(part: unknown): void {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    for (const [name, value] of Object.entries(part)) {
      const target = targetOf(value);
      (part as Json)[name] = target;
      visit(target);
    }
  }
  visit(document);
  return document;
}

/** All operations of a document without references. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { parameters = [], ...byMethod }]) =>
    METHODS.filter((method) => method in byMethod).map((method) => {
      const entry = byMethod[method] as Omit<Operation, 'method' | 'path'>;
      const ofBoth = [...(parameters as Parameter[]), ...(entry.parameters ?? [])];
      return { ...entry, method: method.toUpperCase(), path, parameters: ofBoth };
    }),
  );
}

/** Whether an operation has every word of a search in its texts or in the names of its parameters and fields. */
export function matches(operation: Operation, search: string): boolean {
  const { operationId, method, path, summary, description = '', tags, parameters, requestBody } = operation;
  const forms = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => formsOf(schema));
  const names = [...parameters, ...forms.flatMap(({ fields }) => fields)].map(({ name }) => name);
  const text = [operationId, method, path, summary, description, ...tags, ...names].join(' ').toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

/** The examples of a body as text. */
export function examplesOf({ example, examples = {} }: Media = {}): { readonly name: string; readonly text: string }[] {
  const named = Object.entries(examples).map(([key, { summary = key, value }]) => ({ name: summary, value }));
  const all = example === undefined ? named : [{ name: 'Example', value: example }, ...named];
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return all.map(({ name, value }) => ({ name, text: toText(value) }));
}

/** One of the objects that a value may be or contain. */
export interface Form {
  /** What distinguishes it from the others, such as `type: "text"`; empty if nothing does. */
  readonly label: string;
  readonly fields: readonly { readonly name: string; readonly schema: Schema; readonly isRequired: boolean }[];
}

/** The objects that a value may be or contain in its lists and maps; empty for plain values. */
export function formsOf(schema: Schema | boolean | undefined, depth = 0): Form[] {
  if (typeof schema !== 'object' || depth > MAX_DEPTH) return [];
  const { properties = {}, required = [], items, additionalProperties, anyOf, oneOf, allOf, prefixItems } = schema;
  const fields = Object.keys(properties).map((name) => {
    return { name, schema: properties[name] as Schema, isRequired: required.includes(name) };
  });
  const fixed = fields.find((field) => field.schema.const !== undefined);
  const label = fixed === undefined ? '' : `${fixed.name}: ${JSON.stringify(fixed.schema.const)}`;
  const nested = [anyOf, oneOf, allOf, prefixItems, items, additionalProperties].flat();
  return [
    ...(fields.length === 0 ? [] : [{ label, fields }]),
    ...nested.flatMap((one) => formsOf(one as Schema | undefined, depth + 1)),
  ];
}

/** A type in words, such as `array of string | null`. */
export function typeOf({ const: fixed, enum: values, items, ...schema }: Schema, depth = 0): string {
  if (depth > MAX_DEPTH) return '…';
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (options !== undefined) return [...new Set(options.map((option) => typeOf(option, depth + 1)))].join(' | ');
  const types = [schema.type ?? 'any'].flat();
  return types
    .map((type) => (type === 'array' && items !== undefined ? `array of ${typeOf(items, depth + 1)}` : type))
    .join(' | ');
}

const LIMITS = /^(?:default|format|(?:exclusiveM|m)(?:in|ax)(?:imum|Length|Items))$/;

/** The default and limits of a value, such as `minimum 1, maximum 100`; without those of the number type itself. */
export function limitsOf(schema: Schema): string {
  return Object.entries(schema)
    .filter(([name, value]) => LIMITS.test(name) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
