import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { chunkFrame, eventFrames, exceptionFrame, type StreamEvent } from './bedrock-frames.ts';

export interface BedrockRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Readonly<Record<string, unknown>>;
}

type Script = (response: ServerResponse) => void;

/** The content of a response, whole or as a stream. */
export const COUNTS = { inputTokens: 7, outputTokens: 5, totalTokens: 12 };

/** A server of Bedrock's protocol, for AWS_ENDPOINT_URL_BEDROCK_RUNTIME: responds as configured, and keeps its requests. */
export class FakeBedrock {
  readonly requests: BedrockRequest[] = [];
  /** Responses in progress. */
  open = 0;
  private readonly server = createServer(async (request, response) => {
    this.open += 1;
    response.once('close', () => {
      this.open -= 1;
    });
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ method, path, headers, body, json: body === '' ? {} : JSON.parse(body) });
    const refusal = method === 'POST' ? refusalOf(this.last) : undefined;
    (refusal ?? this.scripts.shift() ?? this.standing)(response);
  });
  private scripts: Script[] = [];
  private standing: Script = (response) => void response.writeHead(500).end();

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get last(): BedrockRequest {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error('Bedrock was not asked');
    return last;
  }

  /** Responses to the next requests, in turn; the last one repeats. */
  answer(...scripts: Script[]): void {
    this.requests.length = 0;
    this.scripts = scripts;
    this.standing = scripts.at(-1) ?? this.standing;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export function whole(content: readonly object[], stopReason = 'end_turn', usage: object = COUNTS): Script {
  const answer = { output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: { latencyMs: 9 } };
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': 'aws-1' })
      .end(JSON.stringify(answer));
}

/** A response of InvokeModel: these bytes. */
export function invoked(body: string): Script {
  return (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': 'aws-3' }).end(body);
}

/** The same in a stream: each JSON in a chunk; then the end or a cut, or an exception of this type. */
export function invokedInStream(
  jsons: readonly string[],
  then: 'end' | 'cut' | { readonly exception: string } = 'end',
): Script {
  const frames = jsons.map(chunkFrame);
  if (typeof then === 'string') return streamedBytes(frames, then);
  return streamedBytes([...frames, exceptionFrame(then.exception, 'message of AWS')], 'end');
}

const INVOKE_MEMBERS: ReadonlySet<string> = new Set(
  'anthropic_version anthropic_beta system messages max_tokens temperature top_p top_k stop_sequences tools tool_choice thinking output_config'.split(
    ' ',
  ),
);
/** Models from 4.6 on take an effort: https://github.com/BerriAI/litellm/pull/27040. */
const WITH_EFFORT = /claude-(?:opus-4-[6-9]|sonnet-4-[6-9]|[a-z]+-[5-9])/;
/** https://github.com/anomalyco/models.dev/pull/1765 */
const WITH_SCHEMAS = /claude-(?:[a-z]+-4-[156]|[a-z]+-5)/;

/** What InvokeModel says of a body that this Claude model refuses; undefined if it takes it. */
export function refusalOfInvoke(body: Readonly<Record<string, unknown>>, model: string): string | undefined {
  const { effort, format } = (body.output_config ?? {}) as Record<string, unknown>;
  if (effort !== undefined && !WITH_EFFORT.test(model)) return 'output_config.effort: Extra inputs are not permitted';
  if (format !== undefined && !WITH_SCHEMAS.test(model)) return 'output_config.format: Extra inputs are not permitted';
  const extra = Object.keys(body).find((name) => !INVOKE_MEMBERS.has(name));
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  for (const name of ['anthropic_version', 'max_tokens', 'messages'])
    if (body[name] === undefined) return `${name}: Field required`;
  if (body.anthropic_version !== 'bedrock-2023-05-31') return 'anthropic_version: Invalid API version';
  const betas = (body.anthropic_beta ?? []) as string[];
  return betas.every((beta) => /^(?:context-1m|interleaved-thinking)-/.test(beta)) ? undefined : 'invalid beta flag';
}

const WITH_RESPONSES = /(?:openai\.gpt-\d|xai\.grok-)/;
const WITH_CHAT = /(?:openai\.gpt-|xai\.grok-|qwen\.|deepseek\.v3|zai\.|moonshot|minimax\.|mistral\.)/;

/**
 * What Bedrock says of a request to OpenAI's APIs that it refuses, as github.com/aws-samples/sample-per-model-bedrock recorded it (2026-08); undefined if
 * it takes it.
 */
export function refusalOfOpenAi(path: string, body: Readonly<Record<string, unknown>>): string | undefined {
  const model = String(body.model);
  if (model.includes('application-inference-profile/'))
    return 'Application inference profiles are not supported by this API.';
  const isChat = path.endsWith('/chat/completions');
  if (!(isChat ? WITH_CHAT : WITH_RESPONSES).test(model)) return "The model doesn't exist or doesn't support this API";
  if (/^(?:openai\.gpt-\d|xai\.)/.test(model))
    return `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`;
  const tools = (body.tools ?? []) as { type: string }[];
  if (isChat) {
    if (body.max_tokens !== undefined && WITH_RESPONSES.test(model)) return "Unsupported parameter: 'max_tokens'";
    const hasBoth = tools.length > 0 && body.reasoning_effort !== 'none' && model.includes('openai.gpt-');
    return hasBoth && WITH_RESPONSES.test(model)
      ? `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`
      : undefined;
  }
  if (body.background === true) return 'The background parameter is not supported.';
  if (tools.some(({ type }) => type.startsWith('web_search'))) return 'web search is not supported for this request';
  return undefined;
}

/** To a path that it does not have, it responds with status 200. */
const unknownOperation: Script = (response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"Output":{"__type":"com.amazon.coral.service#UnknownOperationException"},"Version":"1.0"}');

/** What it says, whatever it would respond, to a request for a path of OpenAI's APIs; undefined if it takes the request. */
function refusalOf({ path, json }: BedrockRequest): Script | undefined {
  if (path.startsWith('/v1/')) return unknownOperation;
  if (!/^\/openai\/v1\/(?:chat\/completions|responses)$/.test(path)) return undefined;
  const message = refusalOfOpenAi(path, json);
  return message === undefined ? undefined : openAiError(message.startsWith('The model') ? 404 : 400, message);
}

/** A refusal in OpenAI's form. */
function openAiError(status: number, message: string): Script {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

/** A response of OpenAI's APIs: this JSON. */
export function openAi(json: object): Script {
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': 'aws-4' })
      .end(JSON.stringify(json));
}

/** The same in a stream: each as an event. */
export function openAiStream(events: readonly string[], then: 'end' | 'cut' = 'end'): Script {
  const frames = events.map((data) => Buffer.from(`data: ${data}\n\n`));
  return streamedBytes(frames, then, 'text/event-stream');
}

/** An exception; the header has `type` followed by a URL, as AWS sends it. */
export function exception(status: number, type: string, message = 'message of AWS', headers = {}): Script {
  const name = { 'content-type': 'application/json', 'x-amzn-errortype': `${type}:http://internal.amazon.com/` };
  return (response) => response.writeHead(status, { ...name, ...headers }).end(JSON.stringify({ message }));
}

/** Events one after another; then the end, a cut connection, or silence. */
export function streamed(events: readonly StreamEvent[], then: 'end' | 'cut' | 'silence' = 'end'): Script {
  return streamedBytes(eventFrames(events), then);
}

/** The same and then an exception within the stream, such as `throttlingException`. */
export function streamedThenException(events: readonly StreamEvent[], type: string): Script {
  return streamedBytes([...eventFrames(events), exceptionFrame(type, 'message of AWS')], 'end');
}

function streamedBytes(
  pieces: readonly Uint8Array[],
  then: 'end' | 'cut' | 'silence',
  type = 'application/vnd.amazon.eventstream',
): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': type, 'x-amzn-requestid': 'aws-2' });
    for (const piece of pieces) response.write(piece);
    if (then === 'end') response.end();
    // What was written goes out first.
    if (then === 'cut') setTimeout(() => response.destroy(), 20);
  };
}

/** The events of a text response. */
export function textEvents(...texts: string[]): StreamEvent[] {
  return [
    ['messageStart', { role: 'assistant' }],
    ...texts.map((one): StreamEvent => ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: one } }]),
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['messageStop', { stopReason: 'end_turn' }],
    ['metadata', { usage: COUNTS, metrics: { latencyMs: 9 } }],
  ];
}
