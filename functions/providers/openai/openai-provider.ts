import * as z from 'zod';
import { GatewayError } from '../../core/errors.ts';
import type { ChatDelta } from '../../core/model/chat.ts';
import type { HttpClient } from '../../core/ports/http-client.ts';
import type { ChatAnswer, ChatCall, ChatProvider } from '../../core/ports/provider.ts';
import { providerStatusError, readBounded, toProviderFailure } from '../provider-failures.ts';
import { fromOpenAiCompletion, OpenAiChunkReader } from './from-openai-chat.ts';
import { readOpenAiStream } from './openai-stream.ts';
import { toOpenAiBody } from './to-openai-body.ts';
import { toOpenAiChat } from './to-openai-chat.ts';

export interface OpenAiProviderOptions {
  readonly name: string;
  readonly http: HttpClient;
  /** undefined where no key is configured; asked on every call, so that a rotated key is used at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const errorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().nullish(),
    code: z.string().nullish(),
    param: z.string().nullish(),
  }),
});

/** OpenAI, and whoever speaks its protocol: its own bodies pass as they are, others are translated. */
export class OpenAiProvider implements ChatProvider {
  readonly name: string;
  private readonly options: OpenAiProviderOptions;

  constructor(options: OpenAiProviderOptions) {
    this.name = options.name;
    this.options = options;
  }

  async complete(call: ChatCall): Promise<ChatAnswer> {
    try {
      const response = await this.send(call);
      if (response.status < 200 || response.status > 299) throw await this.toError(response);
      const isNative = call.protocol === 'openai-chat';
      if (call.request.stream) {
        const chunks = readOpenAiStream(this.name, response.body);
        return isNative
          ? { kind: 'native-stream', chunks }
          : { kind: 'translated-stream', deltas: this.deltas(chunks) };
      }
      const body = await readBounded(response.body, MAX_ANSWER_BYTES);
      return isNative
        ? { kind: 'native', body }
        : { kind: 'translated', completion: fromOpenAiCompletion(body, this.name) };
    } catch (error) {
      throw toProviderFailure(this.name, error);
    }
  }

  private async *deltas(chunks: AsyncIterable<readonly string[]>): AsyncGenerator<ChatDelta[]> {
    const reader = new OpenAiChunkReader(this.name);
    for await (const batch of chunks) yield batch.flatMap((json) => reader.read(json));
  }

  private bodyOf(call: ChatCall): string {
    if (call.protocol === 'openai-chat') return toOpenAiBody(call);
    return JSON.stringify(toOpenAiChat(call.request, call.model, this.name));
  }

  private async send(call: ChatCall) {
    const body = this.bodyOf(call);
    const { http, apiKey, baseUrl, headTimeoutMs, idleTimeoutMs } = this.options;
    const key = await apiKey();
    if (!key) {
      throw new GatewayError('provider_error', `The provider ${this.name} is not configured here.`, {
        internal: `${this.name}: no API key configured`,
      });
    }
    return http.send({
      method: 'POST',
      url: `${baseUrl}/chat/completions`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: call.request.stream ? 'text/event-stream' : 'application/json',
      },
      body,
      headTimeoutMs,
      idleTimeoutMs,
      signal: call.signal,
    });
  }

  /** The provider's own type, code and param are kept where its refusal is passed on. */
  private async toError(response: {
    status: number;
    headers: Readonly<Record<string, string>>;
    body: AsyncIterable<Uint8Array>;
  }) {
    const error = readError(await readBounded(response.body, MAX_ERROR_BYTES));
    const failure = providerStatusError(this.name, response.status, response.headers, error?.message);
    if (!failure.passedOn || !error) return failure;
    return new GatewayError(failure.code, failure.message, {
      ...(error.param && { param: error.param }),
      headers: failure.headers,
      passedOn: {
        status: response.status,
        type: error.type ?? failure.passedOn.type,
        code: error.code ?? failure.passedOn.code,
      },
      ...(failure.internal && { internal: failure.internal }),
    });
  }
}

function readError(text: string) {
  try {
    return errorBody.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}
