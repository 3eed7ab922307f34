/** One gateway with known provider keys for the tests of a file that imports this. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Exchange, type Gateway, startGateway } from '../../fidelity/gateway.ts';
import type { Answer } from '../../fidelity/upstream.ts';
import { APIS, type ResponseApi, sse } from '../responses/answer-formats.ts';

export const KEY = ['operators', 'own', 'k3y', 'q8Zr4Tn1Wd6Y'].join('-');
export const HALVES = [KEY.slice(0, 15), KEY.slice(15)] as const;
export const [FIRST, SECOND] = HALVES;
/** Of a provider that is not called. */
export const OTHER_KEY = ['another', 'providers', 'k3y', '7Hn2Mx'].join('-');
export const HOLE = '[REDACTED_PROVIDER_KEY]';

export let gateway: Gateway;
beforeAll(async () => {
  const keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GEMINI_API_KEY: KEY, MISTRAL_API_KEY: OTHER_KEY };
  gateway = await startGateway(keys);
});
afterAll(() => gateway.stop());

export async function ask({ path, body, type }: ResponseApi, answer: Answer): Promise<Exchange> {
  const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
  return exchange as Exchange;
}

/** Every string of a response, names included, joined as a client may join them: by member name, and all in order. */
export function joins(text: string): string[] {
  const parts = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []);
  const jsons = parts.filter((part) => part !== '[DONE]').map((part) => JSON.parse(part) as object);
  const byName = new Map<string, string>();
  let values = '';
  let all = '';
  const visit = (value: unknown, of: string): void => {
    if (typeof value === 'string') {
      byName.set(of, (byName.get(of) ?? '') + value);
      values += value;
      all += value;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      if (!Array.isArray(value)) all += name;
      visit(item, Array.isArray(value) ? of : name);
    }
  };
  for (const json of jsons) {
    const { svc: _, ...rest } = json as { svc?: unknown };
    visit(rest, '');
  }
  return [...byName.values(), values, all];
}

export function expectNoKey({ text }: Exchange, key = KEY): void {
  for (const one of [text, ...joins(text)]) {
    const plain = one.toLowerCase().replace(/[^a-z\d]/g, '');
    expect(plain).not.toContain(key.toLowerCase().replaceAll('-', ''));
  }
}

export const { chat, messages, gemini, responses, completions } = APIS as Record<string, ResponseApi>;
export const streamOf = (api: ResponseApi | undefined) => ({ ...api, ...api?.streamed }) as ResponseApi;
const events = (list: readonly object[]) => sse(...list.map((event) => JSON.stringify(event)));
const choice = (fields: object, index = 0) => ({
  id: 'c1',
  choices: [{ index, delta: {}, finish_reason: null, ...fields }],
});
export const token = (text: string) => ({ token: text, logprob: -1, bytes: [...Buffer.from(text)], top_logprobs: [] });
const chatStream = (list: readonly object[]) =>
  sse(...[...list, choice({ finish_reason: 'stop' })].map((event) => JSON.stringify(event)), '[DONE]');
const block = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const messagesStream = (first: object, list: readonly object[]) =>
  events([
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
    },
    { type: 'content_block_start', index: 0, content_block: first },
    ...list,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);
export const candidate = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
});
const responseEvents = (list: readonly object[]) =>
  events([
    { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
    ...list,
    { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [] } },
  ]);
const delta = (name: string, text: string) => ({
  type: `response.${name}.delta`,
  output_index: 0,
  content_index: 0,
  item_id: 'i',
  delta: text,
});

/** A stream, by the pieces of the key in it. */
export const STREAMS: readonly (readonly [string, ResponseApi | undefined, (pieces: readonly string[]) => Answer])[] = [
  ['content', chat, (pieces) => chatStream(pieces.map((content) => choice({ delta: { content } })))],
  [
    'content parts',
    chat,
    (pieces) => chatStream(pieces.map((text) => choice({ delta: { content: [{ type: 'text', text }] } }))),
  ],
  ['a refusal', chat, (pieces) => chatStream(pieces.map((refusal) => choice({ delta: { refusal } })))],
  ['reasoning', chat, (pieces) => chatStream(pieces.map((text) => choice({ delta: { reasoning_content: text } })))],
  [
    'arguments of a call',
    chat,
    (pieces) =>
      chatStream(
        pieces.map((text) => choice({ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } })),
      ),
  ],
  [
    'one of two choices',
    chat,
    (pieces) =>
      chatStream(pieces.flatMap((content) => [choice({ delta: { content } }), choice({ delta: { content: '1' } }, 1)])),
  ],
  ['two choices', chat, (pieces) => chatStream(pieces.map((content, at) => choice({ delta: { content } }, at % 2)))],
  [
    'log probabilities',
    chat,
    (pieces) =>
      chatStream(pieces.map((text) => choice({ delta: { content: 'a' }, logprobs: { content: [token(text)] } }))),
  ],
  [
    'content with log probabilities',
    chat,
    (pieces) =>
      chatStream(pieces.map((content) => choice({ delta: { content }, logprobs: { content: [token(content)] } }))),
  ],
  [
    'a member of chunks',
    chat,
    (pieces) => chatStream(pieces.map((note) => ({ ...choice({ delta: { content: 'a' } }), note }))),
  ],
  [
    'a completion',
    completions,
    (pieces) =>
      sse(
        ...pieces.map((text) => JSON.stringify({ id: 'c', choices: [{ index: 0, text }] })),
        JSON.stringify({ id: 'c', choices: [{ index: 0, text: '', finish_reason: 'stop' }] }),
        '[DONE]',
      ),
  ],
  [
    'text of a message',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'text', text: '' },
        pieces.map((text) => block(0, { type: 'text_delta', text })),
      ),
  ],
  [
    'thinking',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'thinking', thinking: '' },
        pieces.map((thinking) => block(0, { type: 'thinking_delta', thinking })),
      ),
  ],
  [
    'input of a tool',
    messages,
    (pieces) =>
      messagesStream(
        { type: 'tool_use', id: 't', name: 'f', input: {} },
        pieces.map((partial_json) => block(0, { type: 'input_json_delta', partial_json })),
      ),
  ],
  [
    'parts',
    gemini,
    (pieces) => events([...pieces.map((text) => candidate([{ text }])), candidate([], { finishReason: 'STOP' })]),
  ],
  [
    'thoughts',
    gemini,
    (pieces) =>
      events([...pieces.map((text) => candidate([{ text, thought: true }])), candidate([], { finishReason: 'STOP' })]),
  ],
  ['output text', responses, (pieces) => responseEvents(pieces.map((text) => delta('output_text', text)))],
  ['a summary', responses, (pieces) => responseEvents(pieces.map((text) => delta('reasoning_summary_text', text)))],
  ['reasoning text', responses, (pieces) => responseEvents(pieces.map((text) => delta('reasoning_text', text)))],
  ['arguments', responses, (pieces) => responseEvents(pieces.map((text) => delta('function_call_arguments', text)))],
  ['code', responses, (pieces) => responseEvents(pieces.map((text) => delta('code_interpreter_call_code', text)))],
  ['an unknown event', responses, (pieces) => responseEvents(pieces.map((note) => ({ type: 'response.later', note })))],
];
