import fc from 'fast-check';
import openapi from '../../functions/gateway/openapi.generated.json' with { type: 'json' };
import { field, file, writtenForm } from '../../functions/kernel/json/form.fixture.ts';
import { fromSchema, type Schema } from './from-schema.ts';
import type { Asked } from './fuzzed-service.ts';
import { hostileString, nearJson, nearText } from './hostile-json.ts';

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}
interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const DOCUMENT = openapi as unknown as Document;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const BOUNDARY = 'between-parts';
const TRACKING = ['X-Session-ID', 'X-End-User-ID', 'X-Environment', 'X-App-Version', 'Idempotency-Key'];
/** Bodies that reach far into a route, beside the examples of the document. */
const MORE_BODIES: Readonly<Record<string, readonly unknown[]>> = {
  '/v1/chat/completions': [
    {
      model: 'echo',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Write to a@b.example' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } },
      max_tokens: 20,
      metadata: { a: 'b' },
      n: 1,
    },
  ],
  '/v1/messages': [
    {
      model: 'echo',
      max_tokens: 20,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    },
  ],
  '/v1/responses': [
    { model: 'echo', input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }], tools: [] },
  ],
};
const CONVERSE_BODY = {
  system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
  messages: [
    {
      role: 'user',
      content: [
        { text: 'Hi' },
        { image: { format: 'png', source: { bytes: 'AAAA' } } },
        { document: { format: 'txt', name: 'a', source: { bytes: 'SGk=' } } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
        { toolUse: { toolUseId: 't1', name: 'f', input: { a: 1 } } },
      ],
    },
    { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ json: { a: 1 } }, { text: 'ok' }] } }] },
  ],
  toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] },
  inferenceConfig: { maxTokens: 20, stopSequences: ['x'] },
  additionalModelRequestFields: { top_k: 5 },
};
const INVOKE_BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 20,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
};
const GEMINI_BODY = {
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  generationConfig: { maxOutputTokens: 20 },
};

/** Requests near valid ones for the operations of the OpenAPI document whose path `wanted` names; `ids` fill their paths. */
export function requestsOf(wanted: (path: string) => boolean, ids: readonly string[]): fc.Arbitrary<Asked> {
  const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => wanted(path) && methods[method] !== undefined).map((method) =>
      askedOf(method, path, methods[method] as Operation, ids),
    ),
  );
  return fc.oneof(...operations);
}

function askedOf(method: string, path: string, operation: Operation, ids: readonly string[]): fc.Arbitrary<Asked> {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    path: pathsOf(path, operation, ids),
    headers: fc
      .oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.dictionary(fc.constantFrom(...TRACKING), fc.string({ maxLength: 20 }).map(visible), {
            maxKeys: 2,
          }),
        },
      )
      .map((headers) => ({
        ...headers,
        ...(type?.startsWith('multipart/') && { 'content-type': `${type}; boundary=${BOUNDARY}` }),
      })),
    body:
      content === undefined
        ? fc.constant(undefined)
        : type === 'application/json'
          ? nearJson(bodiesOf(path, content))
          : forms(),
  });
}

function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '~');
}

function bodiesOf(path: string, { schema = {}, examples = {} }: Content): fc.Arbitrary<unknown> {
  const known = [
    ...Object.values(examples).map(({ value }) => value),
    ...(MORE_BODIES[path] ?? []),
    ...(path.endsWith('{call}') ? [GEMINI_BODY] : []),
    ...(/\/converse/.test(path) ? [CONVERSE_BODY] : []),
    ...(/\/invoke/.test(path) ? [INVOKE_BODY] : []),
  ];
  const written = fromSchema(schema, DOCUMENT.components.schemas);
  return known.length === 0
    ? written
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: written });
}

/** A transcription's form, and texts near it. */
function forms(): fc.Arbitrary<string> {
  const form = writtenForm([file('RIFF'), field('model', 'echo'), field('prompt', 'Hi')], BOUNDARY).toString('latin1');
  return fc.oneof(fc.constant(form), nearText(fc.constant(form)));
}

function pathsOf(path: string, { parameters = [] }: Operation, ids: readonly string[]): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: hostileString.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 2_000)) },
  );
  const calls = fc.constantFrom(
    'echo:generateContent',
    'echo:streamGenerateContent',
    'echo:',
    ':generateContent',
    'echo%3AgenerateContent',
  );
  const filled = fc
    .tuple(
      ...path.split('/').map((part) => {
        if (part === '{call}') return calls;
        const [name = '', ending = ''] = part.split(/(?<=\})/);
        if (!name.startsWith('{')) return fc.constant(part);
        return fc.oneof(segment, ...(ending === '' ? [] : [fc.constant('echo')])).map((one) => one + ending);
      }),
    )
    .map((parts) => parts.join('/'));
  const names = parameters.flatMap((parameter) =>
    parameter.in === 'query' && parameter.name !== undefined ? [parameter.name] : [],
  );
  const value = fc.oneof(
    fc.constantFrom(
      '1',
      '50',
      'hour',
      'key',
      'model',
      '2026-01-01T00:00:00Z',
      '2999-01-01',
      '-1',
      '1e9',
      'NaN',
      'null',
      '',
      ...ids,
    ),
    hostileString.map((text) => text.toWellFormed().slice(0, 500)),
  );
  const known = path.endsWith('{call}') ? fc.constantFrom<Record<string, string>>({ alt: 'sse' }, {}) : fc.constant({});
  const query = names.length === 0 ? known : fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
  return fc.tuple(filled, query).map(([text, values]) => {
    const search = new URLSearchParams(values as Record<string, string>).toString();
    return search === '' ? text : `${text}?${search}`;
  });
}
