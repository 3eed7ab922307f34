import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { chunkFrame, eventFrames, exceptionFrame, type StreamEvent } from './bedrock-frames.ts';

export interface BedrockRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
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
    this.requests.push({ path: request.url ?? '', headers: request.headers, json: JSON.parse(body) });
    (this.scripts.shift() ?? this.standing)(response);
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
  'anthropic_version anthropic_beta system messages max_tokens temperature top_p top_k stop_sequences tools tool_choice thinking'.split(
    ' ',
  ),
);

/** What InvokeModel says of a body of Claude that it refuses; undefined if it takes it. */
export function refusalOfInvoke(body: Readonly<Record<string, unknown>>): string | undefined {
  const extra = Object.keys(body).find((name) => !INVOKE_MEMBERS.has(name));
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  for (const name of ['anthropic_version', 'max_tokens', 'messages'])
    if (body[name] === undefined) return `${name}: Field required`;
  if (body.anthropic_version !== 'bedrock-2023-05-31') return 'anthropic_version: Invalid API version';
  const betas = (body.anthropic_beta ?? []) as string[];
  return betas.every((beta) => /^(?:context-1m|interleaved-thinking)-/.test(beta)) ? undefined : 'invalid beta flag';
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

function streamedBytes(pieces: readonly Uint8Array[], then: 'end' | 'cut' | 'silence'): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-2' });
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
