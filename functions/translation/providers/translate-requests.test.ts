import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../../kernel/errors/index.ts';
import { isObject, readJsonDocument } from '../../kernel/json/index.ts';
import type { ChatRequest } from '../../kernel/model/index.ts';
import { inCallersFields, inCallersNames } from '../../pipeline/provider-refusal.ts';
import { MESSAGES_PROTOCOL } from '../protocols/anthropic-messages/messages-protocol.ts';
import { geminiProtocol } from '../protocols/gemini/gemini-protocol.ts';
import { CHAT_PROTOCOL } from '../protocols/openai-chat/chat-protocol.ts';
import { COMPLETIONS_PROTOCOL } from '../protocols/openai-completions/completions-protocol.ts';
import { RESPONSES_PROTOCOL } from '../protocols/openai-responses/responses-protocol.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { Translation } from '../routing/index.ts';
import { toAnthropicRequest } from './anthropic/to-anthropic-request.ts';
import { toConverseRequest } from './bedrock/to-converse-request.ts';
import { toGeminiRequest } from './gemini/to-gemini-request.ts';
import { COMMON_DIALECT, OPENAI_DIALECT, toOpenAiChat } from './openai/to-openai-request.ts';

type Target = (request: ChatRequest, translation: Translation) => object;
type Named = readonly [string, Target];
const TARGETS: readonly Named[] = [
  ...['claude-sonnet-4-20250514', 'claude-sonnet-4-5-20250929', 'claude-opus-5'].map(
    (model): Named => [model, (request, translation) => toAnthropicRequest(request, model, translation)],
  ),
  ...['gemini-2.0-flash', 'gemini-3-pro'].map(
    (model): Named => [model, (request, translation) => toGeminiRequest(request, model, translation)],
  ),
  ...[
    'eu.anthropic.claude-opus-4-6-v1',
    'amazon.nova-2-lite-v1:0',
    'openai.gpt-oss-120b-1:0',
    'meta.llama3-3-70b-instruct-v1:0',
  ].map((model): Named => [model, (request, translation) => toConverseRequest(request, model, translation)]),
  ['gpt-5', (request, translation) => toOpenAiChat(request, 'gpt-5', OPENAI_DIALECT, translation)],
  ['llama', (request, translation) => toOpenAiChat(request, 'llama', COMMON_DIALECT, translation)],
];

type Body = Record<string, unknown>;
const PNG = 'data:image/png;base64,AAAA';
const PDF = 'data:application/pdf;base64,AAAA';
const SCHEMA = { type: 'object', properties: { a: { type: 'string', maxLength: 2 } } };
const cache_control = { type: 'ephemeral' };
const some = fc.constantFrom;
const list = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 4 });
const optional = (fields: Record<string, fc.Arbitrary<unknown>>, required: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ ...required, ...fields }, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<Body>;
const text = some('', ' ', 'Hello', 'é');
const toolArguments = some('{}', '', '{"a":1}', '[1]', 'x');
const effort = some('none', 'minimal', 'low', 'max', 'unknown', 7);
const number = some(0, 0.5, 1);
const thinking = some(
  { type: 'enabled', budget_tokens: 3_000 },
  { type: 'adaptive' },
  { type: 'disabled' },
  { type: 'x' },
);

const chatPart: fc.Arbitrary<unknown> = fc.oneof(
  text.map((value) => ({ type: 'text', text: value, cache_control })),
  some(PNG, 'https://a.example/b.png', 'x').map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } })),
  some({ file_data: PDF }, { file_id: 'file-1' }, { file_data: 'x', filename: 'a.b' }).map((file) => ({
    type: 'file',
    file,
  })),
  some('wav', 'x').map((format) => ({ type: 'input_audio', input_audio: { data: 'AA', format } })),
);
const chatContent = fc.oneof(text, list(chatPart));
const chatCall = fc.oneof(
  toolArguments.map((value) => ({ id: 'c', type: 'function', function: { name: 'f', arguments: value } })),
  toolArguments.map((input) => ({ id: 'c', type: 'custom', custom: { name: 'p', input } })),
);
const chatMessage: fc.Arbitrary<unknown> = fc.oneof(
  optional({ name: some('n') }, { role: some('system', 'developer', 'user'), content: chatContent }),
  optional({ tool_calls: list(chatCall), refusal: text }, { role: some('assistant'), content: text }),
  optional({}, { role: some('tool'), tool_call_id: some('c', 'd'), content: chatContent }),
);
const chatTool = optional(
  { cache_control: some(cache_control) },
  {
    type: some('function'),
    function: some({ name: 'f' }, { name: 'g', description: 'd', parameters: SCHEMA, strict: true }),
  },
);
const GRAMMAR = { syntax: 'regex', definition: 'a+' };
const CUSTOM_TOOL = { type: 'custom', custom: { name: 'p', format: { type: 'grammar', grammar: GRAMMAR } } };
const chatBody = optional(
  {
    temperature: some(0, 1, 2),
    top_p: number,
    n: some(1, 2),
    stop: some('x'),
    max_tokens: some(5, 5_000),
    tools: list(fc.oneof(chatTool, some(CUSTOM_TOOL))),
    tool_choice: some(
      'auto',
      'none',
      'required',
      { type: 'function', function: { name: 'f' } },
      { type: 'custom', custom: { name: 'p' } },
    ),
    parallel_tool_calls: fc.boolean(),
    response_format: some(
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA, strict: true } },
      { type: 'grammar' },
    ),
    thinking,
    reasoning_effort: effort,
    seed: some(1, 'x'),
    top_k: some(3, 'x'),
    verbosity: some('low'),
    service_tier: some('flex', 'auto'),
    logit_bias: some({ 1: 2 }),
    user: some('u'),
    logprobs: fc.boolean(),
  },
  { model: some('m'), messages: list(chatMessage) },
);

const block: fc.Arbitrary<unknown> = fc.oneof(
  text.map((value) => ({ type: 'text', text: value, cache_control })),
  some(
    { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    { type: 'url', url: 'https://a.example/b.png' },
    { type: 'file', file_id: 'f' },
  ).map((source) => ({ type: 'image', source })),
  some(
    { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    { type: 'text', media_type: 'text/plain', data: 'words' },
  ).map((source) => ({ type: 'document', title: 't', source })),
);
const messagesBlock: fc.Arbitrary<unknown> = fc.oneof(
  block,
  some(
    { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
    { type: 'thinking', thinking: 'h', signature: 's' },
    { type: 'thinking', thinking: 'h', signature: '' },
  ),
  fc.oneof(text, list(block)).map((content) => ({ type: 'tool_result', tool_use_id: 'c', content, is_error: true })),
);
const messagesBody = optional(
  {
    system: fc.oneof(text, list(text.map((value) => ({ type: 'text', text: value, cache_control })))),
    temperature: number,
    top_p: number,
    top_k: some(3),
    thinking,
    output_config: some({ effort: 'low' }, { format: { type: 'json_schema', schema: SCHEMA } }, { effort: 7 }),
    output_format: some({ type: 'json_schema', schema: SCHEMA }),
    metadata: some({ user_id: 'u' }),
    service_tier: some('priority'),
    tools: list(
      some(
        { name: 'f', input_schema: SCHEMA, strict: true, cache_control },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124', name: 'bash' },
      ),
    ),
    tool_choice: some({ type: 'auto', disable_parallel_tool_use: true }, { type: 'any' }, { type: 'tool', name: 'f' }),
  },
  {
    model: some('m'),
    max_tokens: some(5, 5_000),
    messages: list(optional({}, { role: some('user', 'assistant'), content: fc.oneof(text, list(messagesBlock)) })),
  },
);

const inputPart: fc.Arbitrary<unknown> = fc.oneof(
  text.map((value) => ({ type: 'input_text', text: value })),
  some({ image_url: PNG, detail: 'low' }, { file_id: 'f' }).map((image) => ({ type: 'input_image', ...image })),
  some({ file_data: PDF, filename: 'a.pdf' }, { file_url: 'https://a' }).map((file) => ({
    type: 'input_file',
    ...file,
  })),
);
const inputItem: fc.Arbitrary<unknown> = fc.oneof(
  optional({}, { role: some('user', 'developer', 'assistant'), content: fc.oneof(text, list(inputPart)) }),
  toolArguments.map((value) => ({ type: 'function_call', call_id: 'c', name: 'f', namespace: 'n', arguments: value })),
  fc.oneof(text, list(inputPart)).map((output) => ({ type: 'function_call_output', call_id: 'c', output })),
  text.map((input) => ({ type: 'custom_tool_call', call_id: 'c', name: 'f', input })),
  text.map((output) => ({ type: 'custom_tool_call_output', call_id: 'c', output })),
  some(
    { type: 'reasoning', summary: [] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'h' }] },
    { type: 'item_reference', id: 'i' },
  ),
);
const responsesTool = some<unknown>(
  { type: 'function', name: 'f', parameters: SCHEMA, strict: true },
  { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
  { type: 'web_search' },
  { type: 'computer' },
);
const responsesBody = optional(
  {
    instructions: text,
    tools: list(
      fc.oneof(
        responsesTool,
        list(responsesTool).map((tools) => ({ type: 'namespace', name: 'n', tools })),
      ),
    ),
    tool_choice: some('auto', { type: 'function', name: 'f' }, { type: 'custom', name: 'c' }),
    temperature: number,
    top_p: number,
    text: some({ format: { type: 'json_schema', name: 'n', schema: SCHEMA } }, { verbosity: 'low' }),
    reasoning: effort.map((value) => ({ effort: String(value), summary: 'auto' })),
    service_tier: some('flex'),
    metadata: some({ a: 'b' }),
  },
  { model: some('m'), input: fc.oneof(text, list(inputItem)) },
);

const geminiPart: fc.Arbitrary<unknown> = fc.oneof(
  text.map((value) => ({ text: value })),
  some(
    { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
    { inlineData: { mimeType: 'application/zip', data: 'AAAA' } },
    { fileData: { fileUri: 'https://a.example/b.png', mimeType: 'image/png' } },
    { fileData: { fileUri: 'gs://a/b' } },
    { functionCall: { name: 'f', args: { a: 1 } } },
    { functionResponse: { name: 'f', response: { a: 1 } } },
    { text: 'h', thought: true },
  ),
);
const geminiBody = optional(
  {
    systemInstruction: list(geminiPart).map((parts) => ({ parts })),
    tools: some([{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] }, { googleSearch: {} }]),
    toolConfig: some('AUTO', 'ANY', 'NONE', 'X').map((mode) => ({ functionCallingConfig: { mode } })),
    generationConfig: optional(
      {
        temperature: some(0, 1, 2),
        topP: number,
        topK: some(3),
        seed: some(1),
        candidateCount: some(1, 2),
        responseMimeType: some('application/json', 'text/plain', 'text/x.enum'),
        responseSchema: some({ type: 'OBJECT' }),
        thinkingConfig: some({ thinkingBudget: 0 }, { thinkingBudget: -1 }, { thinkingLevel: 'HIGH' }, {}),
      },
      {},
    ),
  },
  { contents: list(optional({}, { role: some('user', 'model'), parts: list(geminiPart) })) },
);

const completionsBody = optional(
  { temperature: some(0, 2), n: some(1, 2), seed: some(1), suffix: some('x'), logit_bias: some({ 1: 2 }) },
  { model: some('m'), prompt: some<unknown>('Hello', '', ['a', 'b'], [1, 2]) },
);

const CALLERS: readonly (readonly [string, Protocol<unknown>, fc.Arbitrary<Body>])[] = [
  ['chat completions', CHAT_PROTOCOL as Protocol<unknown>, chatBody],
  ['messages', MESSAGES_PROTOCOL as Protocol<unknown>, messagesBody],
  ['responses', RESPONSES_PROTOCOL as Protocol<unknown>, responsesBody],
  ['generateContent', geminiProtocol('m', false) as Protocol<unknown>, geminiBody],
  ['completions', COMPLETIONS_PROTOCOL as Protocol<unknown>, completionsBody],
];

/** Members that hold the caller's own data, and those that are one value to the API. */
const FREE = new Set(
  'parameters schema input_schema args response responseSchema input properties logit_bias cache_control googleSearch'.split(
    ' ',
  ),
);
/** Also this, where it is not a list of the API's objects. */
const LABELS = new Set(['metadata']);

/** The objects of a body in which its API names the members, by path. */
function objectsIn(value: unknown, path = '', isLabels = false): [string, Body][] {
  if (Array.isArray(value)) return value.flatMap((one, at) => objectsIn(one, `${path}[${at}]`));
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, one]) =>
    FREE.has(name) && !Array.isArray(one)
      ? []
      : objectsIn(one, path === '' ? name : `${path}.${name}`, LABELS.has(name)),
  );
  return isLabels ? [] : [[path, value as Body], ...inside];
}

/** Whether a path leads to a value of the body. */
function leadsTo(body: unknown, path: string): boolean {
  const steps = path.split(/\.|\[(\d+)\]/).filter((step) => step !== undefined && step !== '');
  let value = body;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Body)[step];
  }
  return true;
}

const unknownName = fc.oneof(
  some('__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  fc.stringMatching(/^x_[a-z]{1,8}$/),
);
const unknownValue = fc.oneof(some<unknown>(0, false, '', 'x', [], {}), fc.jsonValue({ maxDepth: 2 }));
const inserted = fc.array(fc.tuple(fc.nat(), unknownName, unknownValue), { minLength: 1, maxLength: 4 });

const withoutIndexes = (path: string) => path.replace(/\[\d+\]/g, '[]');

describe.each(CALLERS)('a request for %s', (_, protocol, bodies) => {
  it('translates to each provider, or is refused by the name of a field, and every unknown member is reported', () => {
    fc.assert(
      fc.property(bodies, inserted, fc.boolean(), (body, members, strict) => {
        const changed = structuredClone(body);
        const unknown: string[] = [];
        for (const [at, name, value] of members) {
          const objects = objectsIn(changed);
          const [path, object] = objects[at % objects.length] as [string, Body];
          if (Object.hasOwn(object, name)) continue;
          Object.defineProperty(object, name, {
            value: structuredClone(value),
            enumerable: true,
            configurable: true,
            writable: true,
          });
          if (value !== null) unknown.push(path === '' ? name : `${path}.${name}`);
        }
        const json = JSON.stringify(changed);
        let request: ChatRequest;
        try {
          request = protocol.read(protocol.check(readJsonDocument(json)));
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
          return;
        }
        // Only providers of the same API get these.
        const kept = request.others.find(({ meaning }) => meaning === 'essential' || (strict && meaning === 'hint'));
        if (kept !== undefined) {
          expect([kept.path, leadsTo(changed, kept.path)]).toEqual([kept.path, true]);
          return;
        }
        for (const [model, translate] of TARGETS)
          expectLawful(model, translate, request, { body: changed, unknown, strict });
        expect(JSON.stringify(changed)).toBe(json);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });
});

interface Sent {
  readonly body: Body;
  readonly unknown: readonly string[];
  readonly strict: boolean;
}

function expectLawful(model: string, translate: Target, request: ChatRequest, { body, unknown, strict }: Sent): void {
  const translation = new Translation('p', strict);
  try {
    JSON.stringify(translate(request, translation));
  } catch (thrown) {
    const error = inCallersNames(thrown, request) as GatewayError;
    if (!(error instanceof GatewayError)) throw new Error(`${model}: ${(thrown as Error).stack}`);
    const { param = '' } = error;
    if (!leadsTo(body, param)) throw new Error(`${model} names ${param}: ${error.message}`);
    return;
  }
  const fields = inCallersFields(translation.warnings, request).map(({ field }) => field);
  for (const field of fields) if (!leadsTo(body, field)) throw new Error(`${model} warns of ${field}`);
  const places = new Set(fields.map(withoutIndexes));
  const silent = unknown.filter((path) => {
    const steps = withoutIndexes(path).split('.');
    return !steps.some(
      (_, at) =>
        places.has(steps.slice(0, at + 1).join('.')) ||
        places.has(
          steps
            .slice(0, at + 1)
            .join('.')
            .replace(/\[\]$/, ''),
        ),
    );
  });
  if (silent.length > 0) throw new Error(`${model} drops ${silent.join(', ')} in silence`);
}
