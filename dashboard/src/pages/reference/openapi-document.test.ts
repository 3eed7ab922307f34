import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type Document,
  dereference,
  examplesOf,
  formsOf,
  limitsOf,
  matches,
  operationsOf,
  type Schema,
  typeOf,
} from './openapi-document.ts';

const file = new URL('../../../../functions/gateway/openapi.generated.json', import.meta.url);
const ours = (): Document => JSON.parse(readFileSync(file, 'utf8'));

/** A list that may contain lists of its kind. */
const NESTED = { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/components/schemas/Nested' } }] };

function documentOf(entry: object, components: object = {}): Document {
  return { paths: { '/x': { get: { operationId: 'x', tags: ['X'], ...entry } } }, components } as Document;
}

describe('references', () => {
  test('are replaced by their targets: of schemas, parameters, responses, and of targets themselves', () => {
    const components = {
      parameters: { Limit: { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Count' } } },
      responses: { Bad: { description: 'Bad.' } },
      schemas: { Count: { $ref: '#/components/schemas/Whole' }, Whole: { type: 'integer' } },
    };
    const entry = {
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      responses: { 400: { $ref: '#/components/responses/Bad', description: 'Worse.' } },
    };
    const [operation] = operationsOf(dereference(documentOf(entry, components)));
    expect(operation?.parameters).toEqual([{ name: 'limit', in: 'query', schema: { type: 'integer' } }]);
    expect(operation?.responses).toEqual({ 400: { description: 'Worse.' } });
  });

  test('to a schema that contains itself end, in types and in fields', () => {
    const document = dereference(documentOf({}, { schemas: { Nested: structuredClone(NESTED) } }));
    const { Nested } = (document as unknown as { components: { schemas: { Nested: Schema } } }).components.schemas;
    expect(typeOf(Nested)).toBe('string | array of string | array of …');
    expect(formsOf(Nested)).toEqual([]);
  });
});

describe('our document', () => {
  const operations = operationsOf(dereference(ours()));
  const find = (id: string) => operations.find(({ operationId }) => operationId === id);

  test('has no reference left, and each operation once, under a unique name', () => {
    const seen = new Set<unknown>();
    const references: unknown[] = [];
    const visit = (part: unknown) => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return;
      seen.add(part);
      if ('$ref' in part) references.push(part);
      Object.values(part).forEach(visit);
    };
    visit(operations);
    expect(references).toEqual([]);
    const count = Object.values(ours().paths).flatMap((item) =>
      Object.keys(item).filter((name) => name !== 'parameters'),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(count.length);
  });

  test('has parameters of the path and of the operation', () => {
    expect(find('getKey')?.parameters.map(({ name }) => name)).toContain('id');
    expect(find('createChatCompletion')?.parameters.map(({ name }) => name)).toContain('X-Session-ID');
  });

  test('has an example for each JSON body', () => {
    const bodies = operations.flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? []);
    expect(bodies.length).toBeGreaterThan(30);
    expect(bodies.filter((body) => examplesOf(body).length === 0)).toEqual([]);
  });

  test('is searched by paths, words, and names of fields', () => {
    const found = (search: string) =>
      operations.filter((operation) => matches(operation, search)).map(({ operationId }) => operationId);
    expect(found('')).toHaveLength(operations.length);
    expect(found('rotate key')).toContain('rotateKey');
    expect(found('/v1/chat')).toEqual(['createChatCompletion']);
    expect(found('ipWhitelist post')).toEqual(['createKey', 'importKey']);
    expect(found('no such thing')).toEqual([]);
  });
});

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, 'integer | null'],
  [{ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }, 'array of string | null'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: 'string', const: 'list' }, '"list"'],
  [{}, 'any'],
])('the type of %j is %s', (schema, expected) => {
  expect(typeOf(schema)).toBe(expected);
});

test('limits leave out those of the number type itself', () => {
  const schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 50, description: 'x' };
  expect(limitsOf(schema)).toBe('minimum 0, default 50');
});

test('each form of a value has its fields, and a label if a field is fixed', () => {
  const text: Schema = { type: 'object', properties: { type: { const: 'text' }, text: {} }, required: ['text'] };
  const other: Schema = { type: 'object', properties: { name: {} } };
  const forms = formsOf({ anyOf: [{ type: 'string' }, { type: 'array', items: { oneOf: [text, other] } }] });
  expect(forms.map(({ label }) => label)).toEqual(['type: "text"', '']);
  expect(forms[0]?.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['type', false],
    ['text', true],
  ]);
});
