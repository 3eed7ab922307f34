import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { eventFrames, type StreamEvent } from './bedrock-frames.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of three APIs
type Json = any;

/** What the models of all three APIs say. */
interface Said {
  readonly call: { readonly name: string; readonly input: object };
}

export interface StrictUpstream extends ProviderServer {
  readonly sent: Json[];
  say(said: Said): void;
}

interface StrictApi {
  /** Why the real API would refuse the request. */
  fault(body: Json, path: string): string | undefined;
  whole(said: Said): object;
  stream(said: Said, response: ServerResponse): void;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const sse = (response: ServerResponse, events: readonly Json[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    events.map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
  );
};
const USAGE = { input_tokens: 9, output_tokens: 9 };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null, usage: USAGE };

/** https://platform.claude.com/docs/en/api/messages/create */
const anthropic: StrictApi = {
  fault({ tools = [], tool_choice: choice, messages }) {
    for (const tool of tools) {
      const { name, description: _, input_schema: schema, strict: __, cache_control: ___, ...rest } = tool;
      if (Object.keys(rest).length > 0) return `tools: Extra inputs are not permitted: ${Object.keys(rest)}`;
      if (!/^[\w-]{1,64}$/.test(name) || schema?.type !== 'object') return 'tools.input_schema: Field required';
    }
    if (choice && !['auto', 'any', 'tool', 'none'].includes(choice.type)) return 'tool_choice';
    const blocks = messages.flatMap(({ content }: Json) => (Array.isArray(content) ? content : []));
    const results = blocks.filter(({ type }: Json) => type === 'tool_result');
    const inside = results.flatMap(({ content }: Json) => (Array.isArray(content) ? content : []));
    if (!inside.every(({ type }: Json) => ['text', 'image', 'document'].includes(type))) return 'tool_result.content';
    const isWrong = (one: Json) => one.type === 'tool_use' && !isObject(one.input);
    return blocks.some(isWrong) ? 'tool_use.input: Input should be a valid dictionary' : undefined;
  },
  whole: ({ call }) => ({
    ...MESSAGE,
    content: [{ type: 'tool_use', id: 'toolu_1', ...call }],
    stop_reason: 'tool_use',
  }),
  stream: ({ call: { name, input } }, response) => {
    const json = JSON.stringify(input);
    sse(response, [
      { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} } },
      ...[json.slice(0, 12), json.slice(12)].map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ]);
  },
};

/** What results may hold from Gemini 3 on: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
const IN_RESULTS = /^(?:image\/(?:png|jpeg|webp)|application\/pdf|text\/plain)$/;

/** https://ai.google.dev/api/caching#Tool */
const gemini: StrictApi = {
  fault({ tools = [], contents, generationConfig }, path) {
    const isOld = !path.includes('gemini-3');
    if (isOld && tools.length > 0 && generationConfig?.responseMimeType === 'application/json')
      return "Function calling with a response mime type: 'application/json' is unsupported";
    const media = contents
      .flatMap(({ parts }: Json) => parts)
      .flatMap(({ functionResponse }: Json) => functionResponse?.parts ?? []);
    if (media.some(({ inlineData }: Json) => isOld || !IN_RESULTS.test(inlineData?.mimeType)))
      return 'function_response.parts';
    const declared = tools.flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations);
    if (declared.some((one: Json) => one.parametersJsonSchema?.type !== 'object')) return 'function_declarations';
    const calls = contents.flatMap(({ parts }: Json) => parts).flatMap(({ functionCall }: Json) => functionCall ?? []);
    return calls.some(({ args }: Json) => !isObject(args)) ? 'function_call.args' : undefined;
  },
  whole: ({ call: { name, input } }) => ({
    candidates: [
      { content: { role: 'model', parts: [{ functionCall: { id: 'g1', name, args: input } }] }, finishReason: 'STOP' },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9 },
    responseId: 'r1',
    modelVersion: 'gemini',
  }),
  stream: (said, response) => sse(response, [gemini.whole(said)]),
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const converse: StrictApi = {
  fault({ toolConfig: { tools = [] } = {}, messages }) {
    const specs = tools.flatMap(({ toolSpec }: Json) => toolSpec ?? []);
    if (specs.some(({ inputSchema }: Json) => inputSchema?.json?.type !== 'object')) return 'toolSpec.inputSchema';
    const uses = messages.flatMap(({ content }: Json) => content).flatMap(({ toolUse }: Json) => toolUse ?? []);
    const results = messages
      .flatMap(({ content }: Json) => content)
      .flatMap(({ toolResult }: Json) => toolResult ?? []);
    const inside = results.flatMap(({ content }: Json) => content).flatMap((one: object) => Object.keys(one));
    if (!inside.every((name: string) => ['text', 'json', 'image', 'document', 'video'].includes(name)))
      return 'toolResult';
    return uses.some(({ input }: Json) => !isObject(input)) ? 'toolUse.input' : undefined;
  },
  whole: ({ call: { name, input } }) => ({
    output: { message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name, input } }] } },
    stopReason: 'tool_use',
    usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 },
    metrics: { latencyMs: 1 },
  }),
  stream: ({ call: { name, input } }, response) => {
    const json = JSON.stringify(input);
    const deltas = [json.slice(0, 12), json.slice(12)].map(
      (part): StreamEvent => ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: part } } }],
    );
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    response.end(
      Buffer.concat(
        eventFrames([
          ['messageStart', { role: 'assistant' }],
          ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name } } }],
          ...deltas,
          ['contentBlockStop', { contentBlockIndex: 0 }],
          ['messageStop', { stopReason: 'tool_use' }],
          ['metadata', { usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 }, metrics: { latencyMs: 1 } }],
        ]),
      ),
    );
  },
};

function apiOf(path: string): StrictApi {
  if (path.endsWith('/messages')) return anthropic;
  return path.startsWith('/model/') ? converse : gemini;
}

/** Claude, Gemini and Converse on one server, which refuse what the real APIs refuse. */
export async function startStrictUpstream(): Promise<StrictUpstream> {
  let said: Said = { call: { name: 'f', input: {} } };
  const sent: Json[] = [];
  const server = await startProviderServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] as string;
    const received = await text(request);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[],"data":[]}');
      return;
    }
    const body = JSON.parse(received);
    sent.push(body);
    const api = apiOf(path);
    const fault = api.fault(body, path);
    if (fault !== undefined) {
      const error = { type: 'invalid_request_error', message: fault, code: 400, status: 'INVALID_ARGUMENT' };
      response.writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': 'ValidationException' });
      response.end(JSON.stringify({ type: 'error', message: fault, error }));
    } else if (body.stream === true || /stream/i.test(path)) api.stream(said, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(api.whole(said)));
  });
  return {
    ...server,
    sent,
    say: (next) => {
      said = next;
    },
  };
}
