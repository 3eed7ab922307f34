import { test } from '@jest/globals';
import OpenAI, { type ClientOptions } from 'openai';
import type { CreateKey, KeyView } from '../../functions/contract/index.ts';
import { eventually } from '../support/eventually.ts';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { type Reply, toReply } from './reply.ts';
import { type Capability, PLANTED, type ProviderSettings, type Service, type Skips } from './service.ts';
import { type StreamReply, toStreamReply } from './stream-reply.ts';

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** Enough for any test that is not about limits. */
const ROOMY = { requests: 1_000_000, period: 'hour' } as const;

/** At most this many processes serve. */
export const PROCESSES = 4;

/** A service with its provider, and the few moves that tests make. */
export class Contract {
  readonly skips: Skips;
  private readonly startService: (providers: ProviderSettings) => Promise<Service>;
  private runningService: Service | undefined;
  private mockUpstream: MockUpstream | undefined;
  private mainKey: string | undefined;

  constructor(start: (providers: ProviderSettings) => Promise<Service>, skips: Skips) {
    this.startService = start;
    this.skips = skips;
  }

  async start(): Promise<void> {
    this.mockUpstream = await startMockUpstream();
    this.runningService = await this.startService({
      OPENAI_API_KEY: PLANTED.openaiKey,
      OPENAI_BASE_URL: `${this.mockUpstream.url}/v1`,
      ANTHROPIC_API_KEY: PLANTED.anthropicKey,
      ANTHROPIC_BASE_URL: this.mockUpstream.url,
    });
    this.mainKey = await this.newKey();
  }

  async stop(): Promise<void> {
    await this.runningService?.stop();
    await this.mockUpstream?.close();
  }

  get service(): Service {
    if (!this.runningService) throw new Error('the service is not started');
    return this.runningService;
  }

  get upstream(): MockUpstream {
    if (!this.mockUpstream) throw new Error('the upstream is not started');
    return this.mockUpstream;
  }

  /** A key that may do what most callers do. */
  get key(): string {
    return this.mainKey as string;
  }

  /** What the provider got last. */
  get sent() {
    const request = this.upstream.requests.at(-1);
    if (!request) throw new Error('nothing reached the provider');
    return request;
  }

  async call(path: string, body: string | Uint8Array | undefined, options: CallOptions = {}): Promise<Reply> {
    return toReply(await this.fetch(path, body, options));
  }

  fetch(path: string, body: string | Uint8Array | undefined, options: CallOptions = {}): Promise<Response> {
    const { method = body === undefined ? 'GET' : 'POST', headers = {}, key = this.key } = options;
    const base = /^\/(?:admin\/|analytics\/|approvals)/.test(path) ? this.service.adminUrl : this.service.baseUrl;
    const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return fetch(`${base}${path}`, {
      method,
      headers: { ...type, ...authorization, ...headers },
      ...(body !== undefined && { body: body as string }),
    });
  }

  /** One chat completion, as an object or as the exact JSON. */
  chat(body: object | string, options: CallOptions = {}): Promise<Reply> {
    return this.call('/chat/completions', typeof body === 'string' ? body : JSON.stringify(body), options);
  }

  /** One streamed chat completion, read to its end. */
  async stream(body: object, options: CallOptions = {}): Promise<StreamReply> {
    const text = JSON.stringify({ ...body, stream: true });
    return toStreamReply(await this.fetch('/chat/completions', text, options));
  }

  admin(method: string, path: string, body?: unknown): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.call(`/admin${path}`, text, { method, key: this.service.adminKey });
  }

  /** An address under `/analytics`, by the admin's key where no other is given. */
  analytics(path: string, key = this.service.adminKey): Promise<Reply> {
    return this.call(`/analytics${path}`, undefined, { key });
  }

  /** Polls until `done` accepts the response: totals may take a moment to be counted, and on a busy machine a store may be late. */
  settled(ask: () => Promise<Reply>, done: (reply: Reply) => boolean): Promise<Reply> {
    return eventually(ask, (reply) => reply.status !== 503 && done(reply));
  }

  /**
   * As `settled`, of a change of the configuration, which each process knows within 10 s: responses in a row reach all of them,
   * because a function URL gives a request to the process that has waited longest.
   */
  everywhere(ask: () => Promise<Reply>, done: (reply: Reply) => boolean): Promise<Reply> {
    let inRow = 0;
    return eventually(ask, (reply) => {
      inRow = reply.status !== 503 && done(reply) ? inRow + 1 : 0;
      return inRow === PROCESSES;
    });
  }

  /** A key's usage once its requests are settled, which is a background task: none of them holds a reservation. */
  settledUsage(id: string): Promise<Reply> {
    return this.settled(
      () => this.admin('GET', `/keys/${id}/usage`),
      ({ json: { concurrent } }) => concurrent.remaining === concurrent.limit,
    );
  }

  async createKey(fields: Partial<CreateKey> | Record<string, unknown> = {}): Promise<KeyView & { key: string }> {
    // On a busy machine a store may be late.
    const reply = await eventually(
      () => this.admin('POST', '/keys', { name: 'contract', rateLimit: ROOMY, ...fields }),
      ({ status }) => status !== 503,
    );
    if (reply.status !== 201) {
      const lastLines = this.service.logs().split('\n').slice(-20);
      throw new Error([`no key made: ${reply.text}`, ...lastLines].join('\n'));
    }
    return reply.json as KeyView & { key: string };
  }

  async newKey(fields: Partial<CreateKey> | Record<string, unknown> = {}): Promise<string> {
    return (await this.createKey(fields)).key;
  }

  /** OpenAI's own client. */
  client(options: ClientOptions = {}): OpenAI {
    return new OpenAI({ apiKey: this.key, baseURL: this.service.baseUrl, maxRetries: 0, ...options });
  }

  /** A test, skipped with its reason where the platform cannot show it. */
  testOf(capability: Capability, name: string, run: () => Promise<void>): void {
    const reason = this.skips[capability];
    if (reason === undefined) test(name, run);
    else test.skip(`${name} (not here: ${reason})`, run);
  }
}

/** A request of one user message. */
export function saying(content: string, model = 'gpt-4o-mini'): { model: string; messages: object[] } {
  return { model, messages: [{ role: 'user', content }] };
}
