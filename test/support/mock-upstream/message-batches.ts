import { randomBytes } from 'node:crypto';
import { type Answer, jsonAnswer } from './answer.ts';
import { anthropicAnswer, anthropicHeaders } from './anthropic-answer.ts';
import { behaviourFromModel } from './behaviour.ts';
import { readProviderRequest } from './provider-request.ts';
import { refusalOf } from './refusals.ts';

const PATH = /^\/v1\/messages\/batches(?:\/(msgbatch_\w+)(?:\/(cancel|results))?)?(?:\?.*)?$/;
/** After so many, a batch has ended. */
const READS = 2;
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

interface Line {
  readonly custom_id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Batch {
  readonly id: string;
  readonly createdAt: number;
  readonly results: { readonly custom_id: string; readonly result: { readonly type: string } }[];
  reads: number;
  cancelledAt: number | undefined;
  endedAt: number | undefined;
}

export function isBatchPath(url: string): boolean {
  return PATH.test(url);
}

/** A request to the API of batches. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Anthropic's Message Batches: https://platform.claude.com/docs/en/api/messages/batches. A batch ends when it is read twice. Its results are in
 * another order than its requests.
 */
export class MessageBatches {
  private readonly batches = new Map<string, Batch>();

  answer(asked: Asked): Answer {
    const [, id, part] = PATH.exec(asked.url) ?? [];
    if (asked.headers['x-api-key'] === undefined)
      return refused(401, 'authentication_error', 'x-api-key header is required');
    if (asked.headers['anthropic-version'] === undefined) return invalid('anthropic-version: header is required');
    if (id === undefined) return this.ofAll(asked);
    const batch = this.batches.get(id);
    if (batch === undefined) return refused(404, 'not_found_error', `Batch ${id} not found`);
    if (part === 'results' && asked.method === 'GET') return resultsOf(batch);
    if (part === 'cancel' && asked.method === 'POST') return cancelled(batch);
    if (part !== undefined) return refused(405, 'invalid_request_error', 'Method Not Allowed');
    if (asked.method === 'DELETE') return this.deleted(batch);
    batch.reads += 1;
    if (batch.reads >= READS) batch.endedAt ??= Date.now();
    return shown(batch);
  }

  private ofAll({ method, body }: Asked): Answer {
    if (method === 'GET') {
      const data = [...this.batches.values()].reverse().map(fieldsOf);
      return jsonAnswer(200, anthropicHeaders(), { data, has_more: false, first_id: null, last_id: null });
    }
    const read = parsed(body) as { readonly requests?: readonly Line[] } | undefined;
    const fault = faultIn(read);
    if (fault !== undefined) return invalid(fault);
    const batch: Batch = {
      id: `msgbatch_${randomBytes(12).toString('hex')}`,
      createdAt: Date.now(),
      results: (read?.requests ?? [])
        .map(({ custom_id, params }) => ({ custom_id, result: resultOf(params) }))
        .reverse(),
      reads: 0,
      cancelledAt: undefined,
      endedAt: undefined,
    };
    this.batches.set(batch.id, batch);
    return shown(batch);
  }

  private deleted(batch: Batch): Answer {
    if (batch.endedAt === undefined) return invalid('The batch cannot be deleted while it is processing');
    this.batches.delete(batch.id);
    return jsonAnswer(200, anthropicHeaders(), { id: batch.id, type: 'message_batch_deleted' });
  }
}

function faultIn(body: { readonly requests?: readonly Line[] } | undefined): string | undefined {
  const { requests, ...others } = body ?? {};
  if (!Array.isArray(requests) || requests.length === 0) return 'requests: Field required';
  if (Object.keys(others).length > 0) return `${Object.keys(others)[0]}: Extra inputs are not permitted`;
  if (requests.length > 100_000) return 'requests: at most 100000 requests';
  const ids = new Set<string>();
  for (const [at, line] of (requests as readonly Line[]).entries()) {
    const { custom_id, params, ...more } = line;
    if (typeof custom_id !== 'string' || !CUSTOM_ID.test(custom_id)) return `requests.${at}.custom_id: invalid`;
    if (typeof params !== 'object' || params === null) return `requests.${at}.params: Field required`;
    if (Object.keys(more).length > 0) return `requests.${at}.${Object.keys(more)[0]}: Extra inputs are not permitted`;
    if ('stream' in params && params.stream === true) return `requests.${at}.params.stream: not supported in batches`;
    if (ids.has(custom_id)) return `requests.${at}.custom_id: duplicate`;
    ids.add(custom_id);
  }
  return undefined;
}

/** What `POST /v1/messages` would return. */
function resultOf(params: Line['params']): { readonly type: string } {
  const refusal = refusalOf('/v1/messages', params);
  if (refusal !== undefined) return { type: 'errored', error: refusal.body } as { type: string };
  const read = readProviderRequest(params, JSON.stringify(params).length);
  const answer = anthropicAnswer(
    { ...behaviourFromModel(read.model), usage: { service_tier: 'batch' } as never },
    read,
  );
  return { type: 'succeeded', message: JSON.parse(answer.chunks.map(String).join('')) } as { type: string };
}

function resultsOf({ endedAt, results }: Batch): Answer {
  if (endedAt === undefined) return refused(404, 'not_found_error', 'The results are not available yet');
  return {
    ...jsonAnswer(200, { ...anthropicHeaders(), 'content-type': 'application/x-jsonl' }, {}),
    chunks: results.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
  };
}

function cancelled(batch: Batch): Answer {
  if (batch.endedAt !== undefined) return invalid('The batch has ended and cannot be canceled');
  batch.cancelledAt = Date.now();
  for (const [at, { custom_id }] of batch.results.entries()) {
    batch.results[at] = { custom_id, result: { type: 'canceled' } };
  }
  return shown(batch);
}

function shown(batch: Batch): Answer {
  return jsonAnswer(200, anthropicHeaders(), fieldsOf(batch));
}

function fieldsOf({ id, createdAt, cancelledAt, endedAt, results }: Batch): object {
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  const count = (type: string) =>
    endedAt === undefined ? 0 : results.filter(({ result }) => result.type === type).length;
  const running = cancelledAt === undefined ? 'in_progress' : 'canceling';
  return {
    id,
    type: 'message_batch',
    processing_status: endedAt === undefined ? running : 'ended',
    request_counts: {
      processing: endedAt === undefined ? results.length : 0,
      succeeded: count('succeeded'),
      errored: count('errored'),
      canceled: count('canceled'),
      expired: count('expired'),
    },
    ended_at: time(endedAt),
    created_at: time(createdAt),
    expires_at: time(createdAt + 24 * 60 * 60_000),
    archived_at: null,
    cancel_initiated_at: time(cancelledAt),
    results_url: endedAt === undefined ? null : `https://api.anthropic.com/v1/messages/batches/${id}/results`,
  };
}

function invalid(message: string): Answer {
  return refused(400, 'invalid_request_error', message);
}

function refused(status: number, type: string, message: string): Answer {
  return jsonAnswer(status, anthropicHeaders(), { type: 'error', error: { type, message } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
