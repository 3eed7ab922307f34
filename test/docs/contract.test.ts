import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../bin/admin/program.ts';
import { type Field, OPERATIONS, toFields } from '../../functions/contract/index.ts';
import { CONTRACT_FILES } from '../../scripts/contract-fields.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { NOT_AN_OPTION, NOT_IN_DASHBOARD } from './contract-exceptions.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test.each(Object.entries(CONTRACT_FILES))('%s is current', (path, text) => {
  expect(read(path) === text() ? 'current' : 'stale: npm run generate contract').toBe('current');
});

interface Place {
  readonly operation: string;
  /** Such as `rateLimit.burst`. */
  readonly field: string;
  readonly part: 'query' | 'body';
  readonly meta: Field;
}

/** Every field of a query or a body. An object with a label or an option is one field with those in it that have their own. */
const PLACES: readonly Place[] = Object.entries(OPERATIONS).flatMap(([operation, { query, body }]) => [
  ...placesOf(operation, 'query', query),
  ...placesOf(operation, 'body', body?.schema),
]);

function placesOf(operation: string, part: Place['part'], schema: Parameters<typeof toFields>[0] | undefined): Place[] {
  if (schema === undefined) return [];
  const within = (fields: readonly Field[], before: string): Place[] =>
    fields.flatMap((meta) => {
      const field = `${before}${meta.name}`;
      const inner = within(meta.fields ?? [], `${field}.`);
      const isOne = meta.label !== undefined || meta.option !== undefined;
      if (isOne) return [{ operation, field, part, meta }, ...inner.filter(({ meta: one }) => one.label || one.option)];
      return inner.length > 0 ? inner : [{ operation, field, part, meta }];
    });
  return within(toFields(schema), '');
}

/** Ids of operations in the sources of a folder. */
function usedIn(folder: string): { readonly ids: ReadonlySet<string>; readonly source: string } {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.includes('.test.'));
  const source = files.map(read).join('\n');
  return { ids: new Set(Object.keys(OPERATIONS).filter((id) => new RegExp(`['".]${id}\\b`).test(source))), source };
}

/** What is missing without a reason, and reasons for what is not missing. */
function compare(
  ids: ReadonlySet<string>,
  isOffered: (place: Place) => boolean,
  exceptions: Readonly<Record<string, string>>,
) {
  const missing = PLACES.filter(({ operation }) => ids.has(operation))
    .filter((place) => !isOffered(place))
    .map(({ operation, field }) => [`${operation}.${field}`, `*.${field}`, `${operation}.*`]);
  const used = new Set(missing.map((names) => names.find((name) => Object.hasOwn(exceptions, name))));
  return {
    missing: missing.filter((names) => !names.some((name) => Object.hasOwn(exceptions, name))).map(([name]) => name),
    needless: Object.keys(exceptions).filter((name) => !used.has(name)),
  };
}

const AGREED = { missing: [], needless: [] };

describe('each field of the API', () => {
  const { paths, components } = openapiDocument() as unknown as OpenApi;

  test.each(Object.entries(OPERATIONS))('is in OpenAPI: %s', (_id, { method, path, query, body }) => {
    const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(inQuery).toEqual(query === undefined ? [] : Object.keys(query.shape));
    const name = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    const inBody = Object.keys(components.schemas[name]?.properties ?? {});
    expect(inBody).toEqual(body === undefined ? [] : toFields(body.schema).map((field) => field.name));
  });

  test('has an option where a command calls its operation, or a reason not to', () => {
    const { ids } = usedIn('bin/admin');
    const isOffered = ({ meta: { option } }: Place) =>
      option !== undefined && COMMANDS.some(({ options }) => options[option.name]?.help === option.help);
    expect(compare(ids, isOffered, NOT_AN_OPTION)).toEqual(AGREED);
  });

  test('is in a form or among the filters where a page calls its operation, or has a reason not to', () => {
    const { ids, source } = usedIn('dashboard/src');
    const isOffered = ({ operation, field, part, meta }: Place) =>
      meta.label !== undefined &&
      (part === 'body'
        ? source.includes(`OPERATIONS.${operation}.body`)
        : new RegExp(`<QueryBar\\s+id="${operation}"|filterOf\\('${operation}', '${field}'\\)`).test(source));
    expect(compare(ids, isOffered, NOT_IN_DASHBOARD)).toEqual(AGREED);
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } };
}
