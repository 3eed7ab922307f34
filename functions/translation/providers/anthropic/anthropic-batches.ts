import * as z from 'zod';
import { GatewayError } from '../../../kernel/errors/index.ts';
import type { HttpRequest, HttpResponse } from '../../../kernel/http/index.ts';
import type { BatchCall, ProviderBatch, ProviderBatches, ProviderResult } from '../../routing/index.ts';
import { toProviderFailure, unreadableResponse } from '../provider-failures.ts';
import { readWhole } from '../provider-responses.ts';
import { toAnthropicError } from './from-anthropic.ts';

const PATH = '/v1/messages/batches';
const MAX_BATCH_BYTES = 64 * 1024;
/** Far above any model's longest output. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

const time = z.iso.datetime({ offset: true });
const count = z.int().min(0);
/** https://platform.claude.com/docs/en/api/messages/batches/retrieve */
const batchSchema = z.object({
  id: z.string().regex(/^[\w-]{1,128}$/),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z.object({
    processing: count,
    succeeded: count,
    errored: count,
    canceled: count,
    expired: count,
  }),
  created_at: time,
  expires_at: time,
  ended_at: time.nullish(),
  cancel_initiated_at: time.nullish(),
});
/** https://platform.claude.com/docs/en/api/messages/batches/results */
const lineSchema = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion('type', [
    z.object({ type: z.literal('succeeded'), message: z.record(z.string(), z.unknown()) }),
    z.object({
      type: z.literal('errored'),
      error: z.object({ error: z.object({ type: z.string(), message: z.string() }) }),
    }),
    z.object({ type: z.literal('canceled') }),
    z.object({ type: z.literal('expired') }),
  ]),
});

/** The status of an error by its type: https://platform.claude.com/docs/en/api/errors */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Sends a request of the provider with its key. */
export type SendToBatches = (
  request: Pick<HttpRequest, 'method' | 'body' | 'once'> & { readonly path: string },
  call: BatchCall,
) => Promise<HttpResponse>;

/** Message Batches of Anthropic: https://platform.claude.com/docs/en/build-with-claude/batch-processing */
export class AnthropicBatches implements ProviderBatches {
  private readonly provider: string;
  private readonly send: SendToBatches;

  constructor(provider: string, send: SendToBatches) {
    this.provider = provider;
    this.send = send;
  }

  create(lines: Parameters<ProviderBatches['create']>[0], call: BatchCall): Promise<ProviderBatch> {
    const requests = lines.map(({ customId, body }) => `{"custom_id":${JSON.stringify(customId)},"params":${body}}`);
    return this.batch({ method: 'POST', path: PATH, body: `{"requests":[${requests.join(',')}]}`, once: true }, call);
  }

  get(id: string, call: BatchCall): Promise<ProviderBatch> {
    return this.batch({ method: 'GET', path: `${PATH}/${id}` }, call);
  }

  cancel(id: string, call: BatchCall): Promise<ProviderBatch> {
    return this.batch({ method: 'POST', path: `${PATH}/${id}/cancel` }, call);
  }

  async delete(id: string, call: BatchCall): Promise<void> {
    try {
      const { body } = await this.ask({ method: 'DELETE', path: `${PATH}/${id}` }, call);
      await readWhole(this.provider, body, MAX_BATCH_BYTES);
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === 'not_found')) throw error;
    }
  }

  async *results(id: string, call: BatchCall): AsyncGenerator<ProviderResult, void> {
    const { body } = await this.ask({ method: 'GET', path: `${PATH}/${id}/results` }, call);
    try {
      for await (const line of linesOf(body)) yield await this.resultOf(line);
    } catch (error) {
      throw toProviderFailure(this.provider, error);
    }
  }

  private async resultOf(line: string): Promise<ProviderResult> {
    const { custom_id: customId, result } = this.read(line, lineSchema);
    if (result.type === 'succeeded') {
      return { customId, result: { type: 'succeeded', body: JSON.stringify(result.message) } };
    }
    if (result.type !== 'errored') return { customId, result };
    const { error } = result.error;
    const body = (async function* () {
      yield Buffer.from(JSON.stringify({ type: 'error', error }));
    })();
    const response = { status: STATUS[error.type] ?? 500, headers: {}, body };
    return {
      customId,
      result: { type: 'errored', error: await toAnthropicError(response, 'of the line', this.provider) },
    };
  }

  private async batch(request: Parameters<SendToBatches>[0], call: BatchCall): Promise<ProviderBatch> {
    const { body } = await this.ask(request, call);
    const batch = this.read(await readWhole(this.provider, body, MAX_BATCH_BYTES), batchSchema);
    return {
      id: batch.id,
      status: batch.processing_status,
      counts: batch.request_counts,
      createdAt: batch.created_at,
      expiresAt: batch.expires_at,
      endedAt: batch.ended_at ?? null,
      cancelledAt: batch.cancel_initiated_at ?? null,
    };
  }

  private async ask(request: Parameters<SendToBatches>[0], call: BatchCall): Promise<HttpResponse> {
    try {
      const response = await this.send(request, call);
      if (response.status >= 200 && response.status <= 299) return response;
      const error = await toAnthropicError(response, 'of the batch', this.provider);
      if (response.status !== 404) throw error;
      throw new GatewayError('not_found', `The provider ${this.provider} has no such batch.`, {
        internal: `${this.provider} returned status 404`,
      });
    } catch (error) {
      throw toProviderFailure(this.provider, error);
    }
  }

  private read<Schema extends z.ZodType>(text: string, schema: Schema): z.infer<Schema> {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw unreadableResponse(this.provider, 'a batch that is no JSON');
    }
    const read = schema.safeParse(json);
    if (read.success) return read.data;
    throw unreadableResponse(this.provider, 'a batch in an unknown form');
  }
}

/** The lines of a body, without empty ones. @throws RangeError for one that is too long */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body) {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...held, bytes.subarray(from, end)]).toString('utf8');
      [held, size, from] = [[], 0, end + 1];
      if (line.trim() !== '') yield line;
    }
    const rest = bytes.subarray(from);
    size += rest.length;
    if (size > MAX_LINE_BYTES) throw new RangeError(`a line is longer than ${MAX_LINE_BYTES} bytes`);
    if (rest.length > 0) held.push(rest);
  }
  const last = Buffer.concat(held).toString('utf8');
  if (last.trim() !== '') yield last;
}

const NEWLINE = 0x0a;
