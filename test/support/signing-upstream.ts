import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { eventFrames, type StreamEvent } from './bedrock-frames.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of four APIs
type Json = any;

/** Turns with a call before the last one. */
export const TURNS = 5;
const TOOL = 'look';
const argumentsOf = (turn: number) => ({ step: turn });
const USAGE = { input_tokens: 9, output_tokens: 9 };

/** An API of models that sign their reasoning. */
interface SigningApi {
  /** What the model signed, before the turn's call. */
  signed(turn: number): object;
  /** The earlier turns of a request: what is before the call of each, and the call's id. */
  turnsOf(body: Json): readonly { readonly before: readonly unknown[]; readonly id: string }[];
  /** @param turn undefined for the last response, which has no call */
  whole(turn: number | undefined, id: string): object;
  stream(whole: Json, response: ServerResponse): void;
  /** The thinking that the real API's request would need; undefined if the request has it. */
  fault?(body: Json): string | undefined;
}

const sse = (response: ServerResponse, events: readonly Json[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    events.map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
  );
};

const anthropic: SigningApi = {
  signed: (turn) => ({ type: 'thinking', thinking: `Thought ${turn}`, signature: `sig${turn}==` }),
  turnsOf: ({ messages }) =>
    messages
      .filter(({ role, content }: Json) => role === 'assistant' && Array.isArray(content))
      .map(({ content }: Json) => {
        const at = content.findIndex(({ type }: Json) => type === 'tool_use');
        return { before: content.slice(0, at), id: content[at]?.id };
      }),
  whole: (turn, id) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content:
      turn === undefined
        ? [{ type: 'text', text: 'Done.' }]
        : [anthropic.signed(turn), { type: 'tool_use', id, name: TOOL, input: argumentsOf(turn) }],
    stop_reason: turn === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: USAGE,
  }),
  stream: ({ content, stop_reason, ...message }, response) => {
    const blocks = content.flatMap((block: Json, index: number) => {
      const { start, deltas } = piecesOf(block);
      return [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    });
    sse(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ]);
  },
  fault: ({ thinking }) => (thinking?.type === 'enabled' ? undefined : 'thinking is off'),
};

function piecesOf(block: Json): { start: object; deltas: object[] } {
  if (block.type === 'text')
    return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
  if (block.type === 'tool_use') {
    const json = JSON.stringify(block.input);
    return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: json }] };
  }
  const halves = [block.thinking.slice(0, 4), block.thinking.slice(4)];
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...halves.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ],
  };
}

const gemini: SigningApi = {
  signed: (turn) => ({ thoughtSignature: `sig${turn}==` }),
  turnsOf: ({ contents }) =>
    contents
      .filter(({ role }: Json) => role === 'model')
      .map(({ parts }: Json) => {
        const { functionCall, thoughtSignature } = parts.find((part: Json) => part.functionCall);
        return { before: [{ thoughtSignature }], id: functionCall.id };
      }),
  whole: (turn, id) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts:
            turn === undefined
              ? [{ text: 'Done.' }]
              : [
                  { text: `Thought ${turn}`, thought: true },
                  { functionCall: { id, name: TOOL, args: argumentsOf(turn) }, ...gemini.signed(turn) },
                ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9 },
    responseId: 'r1',
    modelVersion: 'gemini',
  }),
  stream: ({ candidates: [{ content, ...candidate }], ...rest }, response) => {
    const contents = content.parts.map((part: object) => ({
      candidates: [{ content: { role: 'model', parts: [part] } }],
    }));
    sse(response, [...contents, { ...rest, candidates: [{ ...candidate, content: { role: 'model', parts: [] } }] }]);
  },
};

const responses: SigningApi = {
  signed: (turn) => ({ type: 'reasoning', id: `rs_${turn}`, summary: [], encrypted_content: `enc${turn}` }),
  turnsOf: ({ input }) =>
    input.flatMap((item: Json, at: number) =>
      item.type === 'function_call' ? [{ before: [input[at - 1]], id: item.call_id }] : [],
    ),
  whole: (turn, id) => ({
    id: 'resp_1',
    object: 'response',
    model: 'gpt',
    status: 'completed',
    output:
      turn === undefined
        ? [
            {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
            },
          ]
        : [
            { ...responses.signed(turn), status: null },
            {
              type: 'function_call',
              id: `fc_${turn}`,
              call_id: id,
              name: TOOL,
              arguments: JSON.stringify(argumentsOf(turn)),
            },
          ],
    usage: { ...USAGE, total_tokens: 18 },
  }),
  stream: (whole, response) => {
    const items = whole.output.flatMap((item: object, output_index: number) => [
      { type: 'response.output_item.added', output_index, item: { ...item, encrypted_content: undefined } },
      { type: 'response.output_item.done', output_index, item },
    ]);
    sse(response, [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response: whole },
    ]);
  },
  fault: ({ store, include }) =>
    store === false && include?.includes('reasoning.encrypted_content') ? undefined : 'reasoning is not encrypted',
};

const converse: SigningApi = {
  signed: (turn) =>
    turn % 2 === 0
      ? { reasoningContent: { reasoningText: { text: `Thought ${turn}`, signature: `sig${turn}==` } } }
      : { reasoningContent: { redactedContent: Buffer.from(`redacted ${turn}`).toString('base64') } },
  turnsOf: ({ messages }) =>
    messages
      .filter(({ role }: Json) => role === 'assistant')
      .map(({ content }: Json) => {
        const at = content.findIndex(({ toolUse }: Json) => toolUse);
        return { before: content.slice(0, at), id: content[at]?.toolUse.toolUseId };
      }),
  whole: (turn, id) => ({
    output: {
      message: {
        role: 'assistant',
        content:
          turn === undefined
            ? [{ text: 'Done.' }]
            : [converse.signed(turn), { toolUse: { toolUseId: id, name: TOOL, input: argumentsOf(turn) } }],
      },
    },
    stopReason: turn === undefined ? 'end_turn' : 'tool_use',
    usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 },
    metrics: { latencyMs: 1 },
  }),
  stream: ({ output, stopReason, usage, metrics }, response) => {
    const blocks = output.message.content.flatMap((block: Json, contentBlockIndex: number): StreamEvent[] => {
      const deltas = converseDeltas(block);
      const start = block.toolUse && { toolUse: { toolUseId: block.toolUse.toolUseId, name: block.toolUse.name } };
      return [
        ...(start ? [['contentBlockStart', { contentBlockIndex, start }] as const] : []),
        ...deltas.map((delta) => ['contentBlockDelta', { contentBlockIndex, delta }] as const),
        ['contentBlockStop', { contentBlockIndex }],
      ];
    });
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    const events = [
      ['messageStart', { role: 'assistant' }],
      ...blocks,
      ['messageStop', { stopReason }],
      ['metadata', { usage, metrics }],
    ] as const;
    response.end(Buffer.concat(eventFrames(events)));
  },
  fault: ({ additionalModelRequestFields: fields }) => anthropic.fault?.({ thinking: fields?.thinking }),
};

function converseDeltas({ text: said, toolUse, reasoningContent }: Json): object[] {
  if (said !== undefined) return [{ text: said }];
  if (toolUse !== undefined) return [{ toolUse: { input: JSON.stringify(toolUse.input) } }];
  const { reasoningText, redactedContent } = reasoningContent;
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  return [
    { reasoningContent: { text: reasoningText.text } },
    { reasoningContent: { signature: reasoningText.signature } },
  ];
}

function apiOf(path: string): SigningApi {
  if (path.endsWith('/messages')) return anthropic;
  if (path.endsWith('/responses')) return responses;
  if (path.startsWith('/model/')) return converse;
  if (path.includes('enerateContent')) return gemini;
  throw new Error(`an unknown call: ${path}`);
}

/**
 * Four APIs whose models call one tool in each of five turns, and refuse a request in which the reasoning that they signed in an earlier turn is
 * missing, altered or elsewhere. https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks,
 * https://ai.google.dev/gemini-api/docs/thought-signatures, https://developers.openai.com/api/docs/guides/reasoning#encrypted-reasoning-items
 */
export function startSigningUpstream(): Promise<ProviderServer> {
  let issued = 0;
  const turnOf = new Map<string, number>();
  return startProviderServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] as string;
    const received = await text(request);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[],"data":[]}');
      return;
    }
    const body = JSON.parse(received);
    const api = apiOf(path);
    const turns = api.turnsOf(body);
    const wrong = turns.findIndex(
      ({ before, id }, turn) => turnOf.get(id) !== turn || !isDeepStrictEqual(before, [api.signed(turn)]),
    );
    const fault = wrong >= 0 ? `turn ${wrong}: signature` : api.fault?.(body);
    if (fault !== undefined) {
      const error = { type: 'invalid_request_error', message: fault, code: 400, status: 'INVALID_ARGUMENT' };
      response.writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': 'ValidationException' });
      response.end(JSON.stringify({ type: 'error', message: fault, error }));
      return;
    }
    const turn = turns.length < TURNS ? turns.length : undefined;
    issued += 1;
    const id = `call_${issued}`;
    if (turn !== undefined) turnOf.set(id, turn);
    const whole = api.whole(turn, id);
    const isStream = body.stream === true || /stream/i.test(path);
    if (isStream) api.stream(whole, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  });
}
