import type { HttpResponse } from '../../kernel/http/index.ts';
import { boundJson, isObject, readObject } from '../../kernel/json/index.ts';
import type { ChatCompletion, ChatDelta, ContentPart } from '../../kernel/model/index.ts';
import { continued } from '../../kernel/tasks/index.ts';
import { inPlaces } from '../routing/index.ts';
import { toBrokenResponse, unreadableResponse } from './provider-failures.ts';

type Json = Record<string, unknown>;

/**
 * Whether a response is whole JSON instead of the event stream that was requested: some servers ignore `stream`. Events declare their type, so only
 * other bodies are looked at, and only their first character.
 * @returns the response with an unread body
 */
export async function isJsonInstead(
  provider: string,
  response: HttpResponse,
): Promise<{ readonly isJson: boolean; readonly response: HttpResponse }> {
  const { status, headers, body } = response;
  if (/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) return { isJson: false, response };
  const pieces = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let start: string | undefined;
  try {
    while (start === undefined) {
      const { done, value } = await pieces.next();
      if (done) break;
      read.push(value);
      start = NOT_BLANK.exec(Buffer.from(value).toString('latin1'))?.[0];
    }
  } catch (error) {
    throw toBrokenResponse(provider, error);
  }
  const again = { status, headers, body: continued(read, pieces) };
  return { isJson: start === '{' || start === '[', response: again };
}

/** The first character, in Latin 1, that is neither blank nor of a byte order mark. */
const NOT_BLANK = /[^\s\u00ef\u00bb\u00bf]/;

export async function* inOneBatch<T>(...items: T[]): AsyncGenerator<T[]> {
  yield items;
}

/** The deltas of a whole response. */
export function toDeltas({ id, model, choices, usage }: ChatCompletion): ChatDelta[] {
  const ofChoices = choices.flatMap(
    ({ index: choice, text, refusal, reasoning, finishReason, ...others }): ChatDelta[] => {
      const parts = [
        ...(text ? [{ type: 'text', text } as const] : []),
        ...(refusal ? [{ type: 'refusal', text: refusal } as const] : []),
      ];
      return [
        ...(reasoning ? [{ type: 'reasoning', choice, text: reasoning } as const] : []),
        ...inPlaces<ChatDelta>(
          { ...others, parts },
          {
            text: (part) => [{ ...(part as Extract<ContentPart, { text: string }>), choice }],
            call: ({ id, name, arguments: text }, index) => [
              { type: 'tool_call', choice, index, id, name },
              { type: 'tool_arguments', choice, index, text },
            ],
            signed: (block) => [{ type: 'signed', choice, block }],
          },
        ),
        { type: 'finish', choice, reason: finishReason },
      ];
    },
  );
  return [{ type: 'start', id, model }, ...ofChoices, { type: 'usage', usage }];
}

/** The chunks of a whole chat completion: one with its choices, one with its usage. @throws GatewayError if it is not one */
export function toChatChunks(json: string, provider: string): string[] {
  const body = readObject(json);
  if (!Array.isArray(body?.choices)) throw unreadableResponse(provider, 'response is not a chat completion');
  const { choices, usage, ...head } = body;
  const chunks = [(choices as unknown[]).filter(isObject).map(toChunkChoice), ...(isObject(usage) ? [[]] : [])];
  return chunks.map((choices, at) =>
    JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...(at === 1 && { usage }) }),
  );
}

function toChunkChoice({ message, ...choice }: Json): Json {
  if (!isObject(message)) return { ...choice, delta: {} };
  const { tool_calls: calls, ...delta } = message;
  if (!Array.isArray(calls)) return { ...choice, delta };
  return { ...choice, delta: { ...delta, tool_calls: calls.map((call: object, index) => ({ index, ...call })) } };
}

/** The events of a whole response of the Responses API. @throws GatewayError if it is not one */
export function toResponseEvents(json: string, provider: string): string[] {
  const response = readObject(json);
  if (!Array.isArray(response?.output)) throw unreadableResponse(provider, 'response is not a response');
  const { status } = response;
  const end = status === 'incomplete' || status === 'failed' ? status : 'completed';
  const begun = { ...response, status: 'in_progress', output: [] };
  const items = (response.output as unknown[]).flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item },
    { type: 'response.output_item.done', output_index, item },
  ]);
  const events = [{ type: 'response.created', response: begun }, ...items, { type: `response.${end}`, response }];
  return events.map(({ type, ...fields }, sequence_number) => JSON.stringify({ type, sequence_number, ...fields }));
}

/** The events of a whole message of the Messages API. @throws GatewayError if it is not one */
export function toMessageEvents(json: string, provider: string): string[] {
  const message = readObject(json);
  if (!Array.isArray(message?.content)) throw unreadableResponse(provider, 'response is not a message');
  const { stop_reason, stop_sequence = null, usage = {}, content } = message;
  const blocks = (content as unknown[])
    .filter(isObject)
    .flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { ...block, ...EMPTY[String(block.type)] } },
      ...toBlockDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]);
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => JSON.stringify(event));
}

/** What a block of each type that has deltas contains at its start. All others are whole at their start. */
const EMPTY: Readonly<Record<string, Json>> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  tool_use: { input: {} },
};

function toBlockDeltas({ type, text, thinking, signature, input }: Json): Json[] {
  switch (type) {
    case 'text':
      return [{ type: 'text_delta', text }];
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ];
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }];
    default:
      return [];
  }
}

/** The chunks of a Gemini response: Google returns a list of them without `alt=sse`. A whole response is one chunk. */
export function toGeminiChunks(json: string): string[] {
  try {
    boundJson(json);
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.map((chunk) => JSON.stringify(chunk)) : [json];
  } catch {
    // Its reader reports it.
    return [json];
  }
}
