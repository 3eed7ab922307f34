import type { StoredBatch } from '../control/batches/index.ts';
import { NO_NEED } from '../control/limits/index.ts';
import type { ItemOwner } from '../control/stored-items/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import type { Protocol, ProviderResult } from '../translation/index.ts';
import { Admission } from './admit.ts';
import { failRequest, storeRecord } from './finish-request.ts';
import type { Tracking } from './request-context.ts';
import { stopFailure } from './request-lifetime.ts';
import type { RunningRequest } from './request-outcome.ts';
import { ownerOf } from './response-items.ts';
import { completeLine, erroredAs, readingLimitsOnce, runningLine } from './run-batch-line.ts';
import {
  type BatchDeps,
  batchState,
  callBatches,
  hasEnded,
  type LineOutcome,
  notEnded,
  partName,
  partsOf,
  RECORDED,
  type StoredLine,
  TRACKING,
} from './stored-batch.ts';

/** After so many results, a set of those that are recorded is written. */
const NOTED_EVERY = 100;

/**
 * Yields the results of a batch that has ended, a line of JSON each. Each is inspected before it is yielded, in every call; its record, event
 * and capture are written in the first. A call that is cut off leaves the rest to the next one.
 */
export async function* batchResults(
  running: RunningRequest,
  batch: StoredBatch,
  protocol: Protocol<unknown>,
  deps: BatchDeps,
): AsyncGenerator<string, void> {
  const { context, outcome } = running;
  const admission = new Admission(context, outcome, deps);
  outcome.admission = admission;
  const judged = { nanoUsd: 0 };
  try {
    await admission.during(NO_NEED, () => {});
    const state = await batchState(context, batch, running.lifetime.signal, deps);
    if (!hasEnded(state, deps.clock.now())) throw notEnded();
    const results = new BatchResults(running, batch, protocol, judged, deps);
    yield* results.read();
    outcome.endsAs('completed');
    outcome.sentStatus(200);
    storeRecord(running, deps);
  } catch (thrown) {
    throw failRequest(running, thrown, deps);
  } finally {
    // A caller who leaves ends the generator here.
    if (outcome.ending !== 'completed' && running.lifetime.stopped !== undefined && outcome.errorCode === null) {
      failRequest(running, undefined, deps);
    }
    running.lifetime.abort();
    admission.settle({ tokens: 0, nanoUsd: judged.nanoUsd });
  }
}

class BatchResults {
  private readonly running: RunningRequest;
  private readonly batch: StoredBatch;
  private readonly protocol: Protocol<unknown>;
  private readonly judged: { nanoUsd: number };
  private readonly deps: BatchDeps;
  /** What the second runs write: it is there before the set of recorded lines is written. */
  private readonly tasks = new BackgroundTasks();
  private unnoted = 0;

  constructor(
    running: RunningRequest,
    batch: StoredBatch,
    protocol: Protocol<unknown>,
    judged: { nanoUsd: number },
    deps: BatchDeps,
  ) {
    this.running = running;
    this.batch = batch;
    this.protocol = protocol;
    this.judged = judged;
    this.deps = { ...readingLimitsOnce(deps), backgroundTasks: this.tasks };
    running.lifetime.onEnd(() => deps.backgroundTasks.add(this.tasks.idle()));
  }

  async *read(): AsyncGenerator<string, void> {
    const { context } = this.running;
    const { batch, deps } = this;
    const owner = ownerOf(context);
    if (owner === undefined) throw new GatewayError('internal_error', 'An internal error occurred.');
    const names = new Set([...partsOf(batch), partName(batch.id, RECORDED)]);
    // The creation has bounded them.
    const items = await deps.storedItems.find(owner, names, Number.POSITIVE_INFINITY);
    const tracking = items.get(TRACKING)?.tracking as Tracking | undefined;
    if (tracking === undefined) throw linesGone();
    const recorded = Buffer.from((items.get(RECORDED)?.bits as string | undefined) ?? '', 'base64');
    const total = batch.lines.sent + batch.lines.failed + batch.lines.answered;
    const bits = Buffer.alloc(Math.ceil(total / 8));
    recorded.copy(bits);
    const lineOf = (at: number) => items.get(String(at))?.line as StoredLine | undefined;
    const open = new Set<number>();
    for (let at = 0; at < total; at += 1) {
      const line = lineOf(at);
      if (line === undefined) throw linesGone();
      if ('sent' in line) open.add(at);
      else yield written(line.customId, line.outcome);
    }
    const noted = async (at: number) => {
      bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
      this.unnoted += 1;
      if (this.unnoted >= NOTED_EVERY) await this.note(owner, bits, tracking);
    };
    const run = async (at: number, result: ProviderResult['result']) => {
      const line = lineOf(at);
      if (line === undefined || !('sent' in line)) throw linesGone();
      const isRecorded = ((bits[at >> 3] as number) & (1 << (at & 7))) !== 0;
      const outcome = await this.complete(at, line.sent, result, isRecorded, tracking);
      if (!isRecorded) await noted(at);
      return written(line.customId, outcome);
    };
    try {
      for await (const { customId, result } of this.results()) {
        const at = /^\d{1,6}$/.test(customId) ? Number(customId) : -1;
        if (open.delete(at)) yield await run(at, result);
      }
      for (const at of open) yield await run(at, { type: 'errored', error: noResult() });
    } finally {
      await this.note(owner, bits, tracking).catch(() => {});
    }
  }

  private async *results(): AsyncGenerator<ProviderResult, void> {
    const { provider, providerBatchId } = this.batch;
    if (provider === null || providerBatchId === null) return;
    const { context, lifetime } = this.running;
    const source = await callBatches(context, provider, this.deps, lifetime.signal, async (batches, call) => {
      const results = batches.results(providerBatchId, call)[Symbol.asyncIterator]();
      return { results, first: await results.next() };
    });
    for (let { first: next } = source; !next.done; next = await source.results.next()) yield next.value;
  }

  /** The second run of a line. */
  private async complete(
    at: number,
    { text, model, marker }: Extract<StoredLine, { readonly sent: unknown }>['sent'],
    result: ProviderResult['result'],
    isRecorded: boolean,
    tracking: Tracking,
  ): Promise<LineOutcome> {
    const { running, batch, protocol, deps } = this;
    const stopped = stopFailure(running.lifetime);
    if (stopped !== undefined) throw stopped;
    const request = runningLine(running.context, batch, at, tracking, deps);
    const line = { request, document: readJsonDocument(text), protocol, marker };
    const response = async () => {
      if (result.type === 'succeeded') return { kind: 'native' as const, body: result.body };
      throw result.type === 'errored' ? withoutRetries(result.error) : endedWithout(result.type);
    };
    const target = { provider: batch.provider as string, model };
    try {
      let body = '';
      for await (const texts of completeLine(line, { target, isRecorded, response, used: () => {} }, deps)) {
        body += texts.join('');
      }
      return { type: 'succeeded', message: JSON.parse(body) };
    } catch (thrown) {
      const failure = toGatewayError(thrown);
      // The line is not to blame: the next call has its result.
      if (failure.code === 'unavailable' || failure.code === 'internal_error') throw failure;
      const isBlocked = failure.code === 'content_filter';
      if (!isBlocked && (result.type === 'canceled' || result.type === 'expired')) return { type: result.type };
      return erroredAs(request, failure);
    } finally {
      this.judged.nanoUsd += request.outcome.inspection.judgeNanoUsd ?? 0;
    }
  }

  /** Notes which lines are recorded, once they are. */
  private async note(owner: ItemOwner, bits: Buffer, { endUserId }: Tracking): Promise<void> {
    if (this.unnoted === 0) return;
    this.unnoted = 0;
    await this.tasks.idle();
    const items = [{ id: RECORDED, bits: bits.toString('base64') }];
    await this.deps.storedItems.keep(owner, { id: partName(this.batch.id, RECORDED), items, endUserId });
  }
}

function written(customId: string, result: LineOutcome): string {
  return `${JSON.stringify({ custom_id: customId, result })}\n`;
}

function linesGone(): GatewayError {
  const message =
    'The requests of this batch cannot be read: they were deleted with their end user, or stored with an earlier secret of this API key.';
  return new GatewayError('not_found', message);
}

function noResult(): GatewayError {
  const message = 'There is no result: it is not known whether the provider processed this request.';
  return new GatewayError('provider_error', message, { internal: 'no result in the batch' });
}

function endedWithout(type: 'canceled' | 'expired'): GatewayError {
  return type === 'canceled'
    ? new GatewayError('request_cancelled', 'The batch was canceled before this request was sent.')
    : new GatewayError('provider_timeout', 'The batch expired before this request was sent.');
}

/** A result is not asked for again. */
function withoutRetries({ code, message, passedOn, param, internal }: GatewayError): GatewayError {
  return new GatewayError(code, message, {
    ...(passedOn !== undefined && { passedOn }),
    ...(param !== undefined && { param }),
    ...(internal !== undefined && { internal }),
  });
}
