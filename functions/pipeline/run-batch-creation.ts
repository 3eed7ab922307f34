import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { StoredBatch } from '../control/batches/index.ts';
import { type Need, NO_NEED } from '../control/limits/index.ts';
import type { ItemOwner } from '../control/stored-items/index.ts';
import { createMarker } from '../inspection/index.ts';
import { GatewayError, toGatewayError, toValidationError } from '../kernel/errors/index.ts';
import { HttpFailure } from '../kernel/http/index.ts';
import { type RequestDocument, readJsonDocument } from '../kernel/json/index.ts';
import type { OutputItem } from '../kernel/model/index.ts';
import { inParallel } from '../kernel/tasks/index.ts';
import type { Protocol } from '../translation/index.ts';
import { Admission } from './admit.ts';
import { failRequest, storeRecord } from './finish-request.ts';
import { limitBelow } from './plan-request.ts';
import type { RequestContext } from './request-context.ts';
import { stopFailure } from './request-lifetime.ts';
import type { RunningRequest } from './request-outcome.ts';
import { ownerOf } from './response-items.ts';
import { erroredAs, prepareLine, readingLimitsOnce, runningLine, TIME_DIGITS } from './run-batch-line.ts';
import {
  type BatchDeps,
  type BatchState,
  callBatches,
  deleteStored,
  partName,
  type StoredLine,
  TRACKING,
} from './stored-batch.ts';

/** Anthropic takes 100,000 in 256 MB. Ours are inspected while the caller waits, so a batch is what fits into a body, and this. */
export const MAX_LINES = 10_000;

/** As long as Anthropic keeps results: https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const KEPT_MS = 29 * 24 * 60 * 60_000;

/** Outside detectors respond at the same time. */
const AT_ONCE = 8;

/** Fits into one item of the table. */
const PART_CHARS = 250_000;

/** https://platform.claude.com/docs/en/api/messages/batches/create */
export const batchRequestSchema = z
  .strictObject({
    requests: z
      .array(
        z.strictObject({
          custom_id: z
            .string()
            .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - and _')
            .meta({ description: 'The name of the result. Different for each request.' }),
          params: z
            .record(z.string(), z.unknown())
            .meta({ description: 'The body of a request to `/v1/messages`, without `stream`.' }),
        }),
      )
      .min(1)
      .max(MAX_LINES),
  })
  .meta({ id: 'CreateMessageBatch', description: 'Requests of a batch.' });

/**
 * Creates a batch: inspects each line as its route would, reserves what those that pass may use, and sends them to their provider. What it
 * reserves is settled as used: later, the period that it was taken from may be over. @throws GatewayError, with a record
 */
export async function createBatch(
  running: RunningRequest,
  document: RequestDocument,
  protocol: Protocol<unknown>,
  deps: BatchDeps,
): Promise<BatchState> {
  const { context, outcome } = running;
  const admission = new Admission(context, outcome, deps);
  outcome.admission = admission;
  let used = NO_NEED;
  try {
    const owner = ownerOf(context);
    if (owner === undefined) throw new GatewayError('internal_error', 'An internal error occurred.');
    const lines = readLines(document);
    const prepared = new PreparedBatch(running, protocol, deps);
    await prepared.add(lines);
    const { judgedNanoUsd } = prepared;
    used = { tokens: 0, nanoUsd: judgedNanoUsd };
    const need = { tokens: prepared.need.tokens, nanoUsd: prepared.need.nanoUsd + judgedNanoUsd };
    const tooSmall = limitBelow(context, need);
    if (tooSmall !== undefined) throw tooLarge(`Its requests may use more than a limit of this API key: ${tooSmall}.`);
    await admission.during(need, () => {});
    const stopped = stopFailure(running.lifetime);
    if (stopped !== undefined) throw stopped;
    const batch = await storeBatch(running, owner, prepared, deps);
    const { provider } = prepared;
    if (provider === undefined) return succeed(running, { batch, atProvider: undefined }, deps);
    used = need;
    try {
      const atProvider = await callBatches(context, provider, deps, running.lifetime.signal, (batches, call) =>
        batches.create(prepared.sent, { ...call, ...(protocol.headers && { headers: protocol.headers }) }),
      );
      await noteTaken(context, { ...batch, providerBatchId: atProvider.id }, provider, deps);
      return succeed(running, { batch: { ...batch, providerBatchId: atProvider.id }, atProvider }, deps);
    } catch (thrown) {
      const failure = toGatewayError(thrown);
      if (mayHaveBeenTaken(failure)) throw uncertain(failure);
      used = { tokens: 0, nanoUsd: judgedNanoUsd };
      await deleteStored(owner, batch, deps);
      throw failure;
    }
  } catch (thrown) {
    throw failRequest(running, thrown, deps);
  } finally {
    admission.settle(used);
  }
}

/** A batch whose id cannot be written would have no reader: it is canceled. @throws StoreUnavailable */
async function noteTaken(
  context: RequestContext,
  batch: StoredBatch & { readonly providerBatchId: string },
  provider: string,
  deps: BatchDeps,
): Promise<void> {
  try {
    await deps.batches.taken(batch);
  } catch (error) {
    const { signal } = new AbortController();
    await callBatches(context, provider, deps, signal, (batches, call) =>
      batches.cancel(batch.providerBatchId, call),
    ).catch(() => {});
    throw error;
  }
}

function succeed(running: RunningRequest, state: BatchState, deps: BatchDeps): BatchState {
  running.outcome.endsAs('completed');
  running.outcome.sentStatus(200);
  storeRecord(running, deps);
  return state;
}

type RequestLine = z.infer<typeof batchRequestSchema>['requests'][number];

function readLines({ value }: RequestDocument): readonly RequestLine[] {
  const read = batchRequestSchema.safeParse(value);
  if (!read.success) throw toValidationError(read.error, value);
  const { requests } = read.data;
  const ids = new Set<string>();
  for (const [at, { custom_id: id }] of requests.entries()) {
    if (ids.has(id)) {
      const param = `requests[${at}].custom_id`;
      throw new GatewayError('invalid_value', `'${param}': an earlier request has this id.`, { param });
    }
    ids.add(id);
  }
  return requests;
}

function tooLarge(reason: string): GatewayError {
  return new GatewayError('invalid_value', `The batch is too large. ${reason} Send fewer requests.`, {
    param: 'requests',
  });
}

/** The lines of a new batch after their first run. */
class PreparedBatch {
  readonly id: string;
  readonly createdAt: number;
  readonly stored: StoredLine[] = [];
  /** What each provider gets. */
  readonly sent: { readonly customId: string; readonly body: string }[] = [];
  readonly counts = { sent: 0, failed: 0, answered: 0 };
  need: Need = NO_NEED;
  /** The cost of a model as detector. */
  judgedNanoUsd = 0;
  provider: string | undefined;
  private readonly running: RunningRequest;
  private readonly protocol: Protocol<unknown>;
  private readonly deps: BatchDeps;

  constructor(running: RunningRequest, protocol: Protocol<unknown>, deps: BatchDeps) {
    this.running = running;
    this.protocol = protocol;
    this.deps = readingLimitsOnce(deps);
    this.createdAt = running.context.receivedAt;
    this.id = newBatchId(this.createdAt);
  }

  /** Lines run one by one until the first is sent, whose provider the others need. */
  async add(lines: readonly RequestLine[]): Promise<void> {
    let at = 0;
    for (; at < lines.length && this.provider === undefined; at += 1) await this.prepare(lines[at] as RequestLine, at);
    const others = Array.from({ length: lines.length - at }, (_, index) => at + index);
    await inParallel(others, AT_ONCE, (index) => this.prepare(lines[index] as RequestLine, index));
  }

  private async prepare({ custom_id: customId, params }: RequestLine, at: number): Promise<void> {
    const { running, protocol, deps } = this;
    const stopped = stopFailure(running.lifetime);
    if (stopped !== undefined) throw stopped;
    const line = runningLine(running.context, this, at, running.context.tracking, deps);
    const document = readJsonDocument(JSON.stringify(params));
    const marker = createMarker();
    try {
      if (params.stream === true) throw failRequest(line, noStream(), deps);
      const prepared = await prepareLine({ request: line, document, protocol, marker }, deps, this.provider);
      if (prepared.kind === 'answered') {
        this.counts.answered += 1;
        const message = JSON.parse(prepared.response[0] ?? 'null');
        this.stored[at] = { customId, outcome: { type: 'succeeded', message } };
        return;
      }
      const { target, body, need } = prepared;
      this.provider ??= target.provider;
      this.counts.sent += 1;
      this.sent.push({ customId: String(at), body });
      this.stored[at] = { customId, sent: { text: document.text, model: target.model, marker } };
      // Searches have no discount.
      const { factors } = running.context.models.find(target.provider, target.model).charges;
      const factor = line.outcome.usage.searchesReserved > 0 ? 1 : (factors.batch ?? 1);
      const nanoUsd = this.need.nanoUsd + Math.ceil(need.nanoUsd * factor);
      this.need = { tokens: this.need.tokens + need.tokens, nanoUsd };
    } catch (thrown) {
      const failure = toGatewayError(thrown);
      // The whole batch can be sent again when the stores respond.
      if (failure.code === 'unavailable' || failure.code === 'internal_error') throw failure;
      this.counts.failed += 1;
      this.stored[at] = { customId, outcome: erroredAs(line, failure) };
    } finally {
      this.judgedNanoUsd += line.outcome.inspection.judgeNanoUsd ?? 0;
    }
  }
}

function noStream(): GatewayError {
  return new GatewayError('invalid_value', "A request of a batch has no stream: leave out 'stream'.", {
    param: 'stream',
  });
}

function newBatchId(createdAt: number): string {
  return `msgbatch_svc_${createdAt.toString(16).padStart(TIME_DIGITS, '0')}${randomBytes(12).toString('hex')}`;
}

/** Stores the lines, then the batch, so that a batch that is found has its lines. */
async function storeBatch(
  { context }: RunningRequest,
  owner: ItemOwner,
  { id, createdAt, stored, counts, provider }: PreparedBatch,
  { storedItems, batches }: BatchDeps,
): Promise<StoredBatch> {
  const { tracking, key } = context;
  const endUserId = tracking.endUserId ?? (key.identity === undefined ? null : key.id);
  const parts = inParts(stored.map((line, at) => ({ id: String(at), line })));
  parts[0]?.unshift({ id: TRACKING, tracking });
  try {
    await inParallel([...parts.keys()], AT_ONCE, (part) =>
      storedItems.keep(owner, { id: partName(id, part), items: parts[part] ?? [], endUserId }),
    );
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge('One of its requests is too long to be stored.');
    throw error;
  }
  const lines = { ...counts };
  const batch = {
    id,
    keyId: key.id,
    createdAt,
    provider: provider ?? null,
    providerBatchId: null,
    lines,
    parts: parts.length,
  };
  await batches.create(batch, createdAt + KEPT_MS);
  return batch;
}

function inParts(items: readonly OutputItem[]): OutputItem[][] {
  const parts: OutputItem[][] = [];
  let chars = PART_CHARS;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (chars + size > PART_CHARS) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)?.push(item);
    chars += size;
  }
  return parts;
}

/** Whether the provider may have taken a batch although its call failed: then it may be billed. */
function mayHaveBeenTaken({ passedOn, code, cause, fallback }: GatewayError): boolean {
  if (cause instanceof HttpFailure) return cause.sent;
  if (passedOn !== undefined || code === 'provider_overloaded' || code === 'not_found') return false;
  return fallback === undefined || fallback === 'after_retry';
}

/** The same failure, which clients do not repeat by themselves: a second batch may be billed, too. */
function uncertain({ code, message, headers, internal, cause }: GatewayError): GatewayError {
  return new GatewayError(code, `${message} It is not known whether the provider has taken the batch.`, {
    headers: { ...headers, 'x-should-retry': 'false' },
    ...(internal !== undefined && { internal }),
    cause,
  });
}
