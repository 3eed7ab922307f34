import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

import type { AddressInfo } from 'node:net';
import { type Answer, jsonAnswer } from './answer.ts';
import { anthropicAnswer, tokenCount } from './anthropic-answer.ts';
import { type Behaviour, behaviourFromHeader, behaviourFromModel, combineBehaviour, MOCK_HEADER } from './behaviour.ts';
import { errorAnswer } from './error-answer.ts';
import { fixedAnswerFor, sendFixedAnswer } from './fixed-answers.ts';
import { isBatchPath, MessageBatches } from './message-batches.ts';
import { openaiAnswer } from './openai-answer.ts';
import { isMediaPath, mediaAnswer } from './openai-media-answer.ts';
import {
  isCountPath,
  type Provider,
  type ProviderRequest,
  providerOfPath,
  readProviderRequest,
} from './provider-request.ts';
import { refusalOf } from './refusals.ts';
import { type Exchange, sendAnswer } from './send-answer.ts';
import { stageAnswer } from './stage-answer.ts';
import { besideAnswer, isBesideResponses, StoredResponses } from './stored-responses.ts';

export interface RecordedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as it came. */
  bytes: Buffer;
  /** The parsed body; undefined where it is not JSON. */
  json: unknown;
  /** Whether the client left before the end of the response; `idle()` waits until that is known. */
  closedEarly: boolean;
}

export interface MockUpstream {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** In order of arrival; empty where recording is off. */
  requests: RecordedRequest[];
  /** Queues a behaviour for the next request; each is used once. */
  next(behaviour: Behaviour): void;
  /** Forgets the recorded requests and the queue. */
  reset(): void;
  /** Resolves once no recorded request is in progress. */
  idle(): Promise<void>;
  /** Closes every connection, stalled ones included. */
  close(): Promise<void>;
}

export interface MockUpstreamOptions {
  /** Any free one by default. */
  port?: number;
  /** On by default; a bench turns it off. */
  record?: boolean;
  /**
   * Decides the response to a request, before its queue, header and model name do. `closed` resolves
   * when the response ends in any way.
   */
  behave?: (request: RecordedRequest, closed: Promise<void>) => Behaviour | undefined;
}

/** Starts a provider with OpenAI's chat completions and responses and Anthropic's messages that behaves as configured. */
export async function startMockUpstream({
  port = 0,
  record = true,
  behave,
}: MockUpstreamOptions = {}): Promise<MockUpstream> {
  const requests: RecordedRequest[] = [];
  const queue: Behaviour[] = [];
  const answering = new Set<Exchange>();
  const stored = new StoredResponses();
  const batches = new MessageBatches();
  let whenIdle: (() => void)[] = [];
  let closing = false;

  const track = (exchange: Exchange, recorded: RecordedRequest) => {
    requests.push(recorded);
    answering.add(exchange);
    exchange.response.once('close', () => {
      recorded.closedEarly = !exchange.response.writableFinished && !exchange.cutByMock && !closing;
      answering.delete(exchange);
      if (answering.size > 0) return;
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    });
  };

  const server = createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
    const body = await readBody(request);
    if (body === undefined) return;
    const exchange = { response, cutByMock: false };
    if (record) track(exchange, recordedRequest(request, body));
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const behaviour = behave?.(recordedRequest(request, body), closed);
    try {
      await answer(exchange, request, body, { queue: behaviour === undefined ? queue : [behaviour], stored, batches });
    } catch (error) {
      // A behaviour that cannot be played, such as a header value that HTTP forbids.
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(`The mock's own failure: ${String(error)}`);
    }
  });
  server.listen({ port, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (behaviour) => {
      queue.push(behaviour);
    },
    reset: () => {
      requests.length = 0;
      queue.length = 0;
    },
    idle: async () => {
      if (answering.size > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
    close: async () => {
      if (closing) return;
      closing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The whole body, or undefined where the client left while sending it. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    request.on('error', () => resolve(undefined));
  });
}

function recordedRequest(request: IncomingMessage, bytes: Buffer): RecordedRequest {
  const body = bytes.toString();
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    bytes,
    json: parsed(body),
    closedEarly: false,
  };
}

/** What one mock keeps between requests. */
interface Kept {
  readonly queue: Behaviour[];
  readonly stored: StoredResponses;
  readonly batches: MessageBatches;
}

async function answer(exchange: Exchange, request: IncomingMessage, body: Buffer, kept: Kept): Promise<void> {
  const { response } = exchange;
  const { queue, stored, batches } = kept;
  const ofStored = stored.answer(request.method ?? '', request.url ?? '');
  if (ofStored !== undefined) {
    const asked = queue.shift() ?? {};
    const chunks = asked.raw === undefined ? ofStored.chunks : rawChunks(asked.raw, ofStored.streamed);
    return send(exchange, { ...ofStored, status: asked.status ?? ofStored.status, chunks }, asked, 'responses');
  }
  const { method = '', url = '', headers } = request;
  if (isBatchPath(url)) {
    const asked = queue.shift();
    const isFailure = asked?.status !== undefined && asked.status >= 400;
    const ofBatch = isFailure
      ? errorAnswer('anthropic', asked.status ?? 500, { model: '', credential: undefined })
      : batches.answer({ method, url, headers, body: body.toString() });
    return send(exchange, ofBatch, asked ?? {}, 'anthropic');
  }
  // Without a behaviour there is no list, so that the gateway knows the models of its table only.
  if (request.method === 'GET' && pathOf(request).endsWith('/models') && queue.length > 0) {
    const asked = queue.shift() as Behaviour;
    return send(exchange, listAnswer(asked, request), asked, 'openai');
  }
  const provider = providerOfPath(pathOf(request));
  if (provider === undefined || request.method !== 'POST') {
    const message = `Invalid URL (${request.method} ${request.url})`;
    return send(exchange, jsonAnswer(404, {}, { error: { message, type: 'invalid_request_error' } }), {}, 'openai');
  }
  const header = request.headers[MOCK_HEADER];
  if (queue.length === 0 && header === undefined && !isCountPath(pathOf(request))) {
    const fixed = fixedAnswerFor(provider, body);
    if (fixed !== undefined) return sendFixedAnswer(response, fixed);
  }
  const refusal = refusalOf(pathOf(request), parsed(body.toString()));
  if (refusal !== undefined) return send(exchange, jsonAnswer(refusal.status, {}, refusal.body), {}, provider);
  let asked = queue.shift();
  try {
    asked ??= typeof header === 'string' ? behaviourFromHeader(header) : undefined;
  } catch (error) {
    const message = `The mock's own refusal: the header ${MOCK_HEADER} is no behaviour: ${String(error)}`;
    return send(exchange, jsonAnswer(400, {}, { error: { message } }), {}, provider);
  }
  const json = parsed(body.toString());
  const read = readProviderRequest(json, body.length);
  const isRead = isMediaPath(pathOf(request)) || (typeof json === 'object' && json !== null);
  const behaviour = combineBehaviour(behaviourFromModel(read.model), asked ?? (isRead ? {} : { status: 400 }));
  return send(exchange, answerOf(provider, behaviour, read, { request, body, stored }), behaviour, provider);
}

/** OpenAI's list of models, or its refusal. */
function listAnswer({ status = 200 }: Behaviour, { headers }: IncomingMessage): Answer {
  if (status >= 400) return errorAnswer('openai', status, { model: '', credential: headers.authorization });
  const model = { id: 'mock-1', object: 'model', created: 1_700_000_000, owned_by: 'mock' };
  return jsonAnswer(status, {}, { object: 'list', data: [model] });
}

const ANSWERS = { openai: openaiAnswer, anthropic: anthropicAnswer };

function answerOf(
  provider: Provider,
  behaviour: Behaviour,
  read: ProviderRequest,
  { request, body, stored }: Pick<Kept, 'stored'> & { readonly request: IncomingMessage; readonly body: Buffer },
): Answer {
  const { status = 200, raw } = behaviour;
  const credential = request.headers.authorization ?? request.headers['x-api-key']?.toString();
  const usual = () => {
    const path = pathOf(request);
    if (isCountPath(path)) return tokenCount(read);
    if (isMediaPath(path)) return mediaAnswer(behaviour, path, body);
    if (isBesideResponses(path)) return besideAnswer(path, behaviour, read);
    return provider === 'responses' ? stored.create(behaviour, read) : ANSWERS[provider](behaviour, read);
  };
  const answer = status >= 400 ? errorAnswer(provider, status, { model: read.model, credential }) : usual();
  return { ...answer, status, chunks: raw === undefined ? answer.chunks : rawChunks(raw, answer.streamed) };
}

/** The exact bytes; those of a stream are cut behind each event, so that failures can count them. */
function rawChunks(raw: string | Uint8Array, streamed: boolean): Buffer[] {
  const bytes = Buffer.from(raw);
  if (!streamed) return [bytes];
  const events = bytes.toString('latin1').split(/(?<=\n\n|\r\n\r\n|\r\r)/);
  return events.map((event) => Buffer.from(event, 'latin1'));
}

function send(exchange: Exchange, answer: Answer, behaviour: Behaviour, provider: Provider): Promise<void> {
  return sendAnswer(exchange, stageAnswer(answer, behaviour, provider), behaviour);
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
