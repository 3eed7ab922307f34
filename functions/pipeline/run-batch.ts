import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { BatchStore, StoredBatch } from '../control/batches/index.ts';
import { type Need, NO_NEED } from '../control/limits/index.ts';
import type { ItemOwner } from '../control/stored-items/index.ts';
import { createMarker } from '../inspection/index.ts';
import { GatewayError, toGatewayError, toValidationError } from '../kernel/errors/index.ts';
import { HttpFailure } from '../kernel/http/index.ts';
import { type RequestDocument, readJsonDocument } from '../kernel/json/index.ts';
import type { OutputItem } from '../kernel/model/index.ts';
import { BackgroundTasks, inParallel } from '../kernel/tasks/index.ts';
import type { ChatProvider, Protocol, ProviderBatch, ProviderBatches, ProviderResult } from '../translation/index.ts';
import { Admission } from './admit.ts';
import { failRequest, storeRecord } from './finish-request.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { limitBelow } from './plan-request.ts';
import type { RequestContext, Tracking } from './request-context.ts';
import { stopFailure } from './request-lifetime.ts';
import { type RunningRequest, startRequest } from './request-outcome.ts';
import { ownerOf } from './response-items.ts';
import { completeLine, prepareLine } from './run-batch-line.ts';

export interface BatchDeps extends PipelineDeps {
  readonly batches: BatchStore;
}

/** Anthropic takes 100,000 in 256 MB. Ours are inspected while the caller waits, so a batch is what fits into a body, and this. */
export const MAX_LINES = 10_000;
/** As long as Anthropic keeps results: https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const KEPT_MS = 29 * 24 * 60 * 60_000;
/** Longer than the call of a provider that takes a batch. Its id is not written later. */
const TAKING_MS = 15 * 60_000;
/** Outside detectors respond at the same time. */
const AT_ONCE = 8;
/** Fits into one item of the table. */
const PART_CHARS = 250_000;
/** After so many results, a set of those that are recorded is written. */
const NOTED_EVERY = 100;

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

/** That of the record of each line. */
const ROUTE = '/v1/messages/batches';

type ErrorBody = object;
/** The result of a line as its caller gets it. */
type LineOutcome =
  | { readonly type: 'succeeded'; readonly message: unknown }
  | { readonly type: 'errored'; readonly error: ErrorBody }
  | { readonly type: 'canceled' | 'expired' };

/** A stored line, sealed: what was sent, or what it got instead. Its id is its number. */
type StoredLine = { readonly customId: string } & (
  | { readonly sent: { readonly text: string; readonly model: string; readonly marker: string } }
  | { readonly outcome: LineOutcome }
);

/** A batch as its caller sees it. */
export interface BatchState {
  readonly batch: StoredBatch;
  /** Undefined where no provider has it. */
  readonly atProvider: ProviderBatch | undefined;
}

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

/** Lines only show the state of the limits. */
function readingLimitsOnce<Deps extends Pick<PipelineDeps, 'limiter'>>(deps: Deps): Deps {
  const { limiter } = deps;
  let states: ReturnType<typeof limiter.peek> | undefined;
  const peek: typeof limiter.peek = (...of) => {
    states ??= limiter.peek(...of);
    return states;
  };
  return { ...deps, limiter: { admit: (...of) => limiter.admit(...of), peek } };
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

function erroredAs({ context }: RunningRequest, failure: GatewayError): LineOutcome {
  return { type: 'errored', error: context.errorShape(failure, context.requestId) };
}

const TIME_DIGITS = 12;

function newBatchId(createdAt: number): string {
  return `msgbatch_svc_${createdAt.toString(16).padStart(TIME_DIGITS, '0')}${randomBytes(12).toString('hex')}`;
}

/** A line as a request: its id has the time of the batch, and is the same in each of its runs, so that its record is written once. */
function runningLine(
  context: RequestContext,
  { id, createdAt }: Pick<StoredBatch, 'id' | 'createdAt'>,
  at: number,
  tracking: Tracking,
  { clock }: Pick<PipelineDeps, 'clock'>,
): RunningRequest {
  const digits = createHash('sha256')
    .update(JSON.stringify([id, at]))
    .digest('hex')
    .slice(0, 20);
  const requestId = `req_${createdAt.toString(16).padStart(TIME_DIGITS, '0')}${digits}`;
  const line = { ...context, route: ROUTE, requestId, receivedAt: createdAt, tracking, cacheSeconds: undefined };
  return startRequest(line, clock, clock.monotonic());
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

const TRACKING = 'tracking';
const RECORDED = 'recorded';

function partName(id: string, part: number | typeof RECORDED): string {
  return `${id}#${part}`;
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

type BatchCall = Parameters<ProviderBatches['get']>[1];

/** Calls a provider about a batch, again if its credentials have been renewed. @throws GatewayError */
async function callBatches<T>(
  { key }: Pick<RequestContext, 'key'>,
  name: string,
  deps: Pick<PipelineDeps, 'providers' | 'storedCredentials' | 'credentials'>,
  signal: AbortSignal,
  ask: (batches: ProviderBatches, call: BatchCall) => Promise<T>,
): Promise<T> {
  const batches = batchesOf(deps.providers.get(name), name);
  const version = deps.credentials?.version ?? 0;
  const credential = await deps.storedCredentials?.forCall(name, key);
  try {
    return await ask(batches, { apiKey: credential?.value, signal });
  } catch (thrown) {
    if (toGatewayError(thrown).fallback !== 'after_new_credentials') throw thrown;
    if (credential === undefined) {
      if (await deps.credentials?.renewedSince(version, name)) return ask(batches, { apiKey: undefined, signal });
      throw thrown;
    }
    const renewed = await deps.storedCredentials?.afterRefusal(credential);
    if (renewed === undefined) throw thrown;
    return ask(batches, { apiKey: renewed.value, signal });
  }
}

function batchesOf(provider: ChatProvider | undefined, name: string): ProviderBatches {
  if (provider?.batches !== undefined) return provider.batches;
  throw new GatewayError('provider_error', `The provider ${name} is not available any more.`, {
    internal: `${name}: removed or disabled`,
  });
}

type Asking = Pick<RequestContext, 'key'>;

/** How far a batch of the key is. @throws GatewayError `not_found` */
export async function batchState(
  of: Asking,
  batch: StoredBatch,
  signal: AbortSignal,
  deps: BatchDeps,
): Promise<BatchState> {
  const { provider, providerBatchId } = batch;
  if (provider === null || providerBatchId === null) return { batch, atProvider: undefined };
  const atProvider = await callBatches(of, provider, deps, signal, (batches, call) =>
    batches.get(providerBatchId, call),
  );
  return { batch, atProvider };
}

/** @throws GatewayError `not_found` for a batch of another key, too */
export async function findBatch(
  { key }: Asking,
  id: string,
  { batches }: Pick<BatchDeps, 'batches'>,
): Promise<StoredBatch> {
  const batch = BATCH_ID.test(id) ? await batches.find(key.id, id) : undefined;
  if (batch === undefined) throw new GatewayError('not_found', 'This API key has no such batch.');
  return batch;
}

export const BATCH_ID = /^msgbatch_svc_[0-9a-f]{36}$/;

/** Whether nothing will come of it any more. */
export function hasEnded({ batch, atProvider }: BatchState, nowMs: number): boolean {
  if (atProvider !== undefined) return atProvider.status === 'ended';
  return batch.provider === null || nowMs - batch.createdAt > TAKING_MS;
}

/** Cancels a batch: lines that have begun may still end. @throws GatewayError for one that has ended */
export async function cancelBatch(
  of: Asking,
  batch: StoredBatch,
  signal: AbortSignal,
  deps: BatchDeps,
): Promise<BatchState> {
  const { provider, providerBatchId } = batch;
  if (provider === null || providerBatchId === null) {
    throw new GatewayError('invalid_value', 'No provider has this batch, so it cannot be canceled.');
  }
  const atProvider = await callBatches(of, provider, deps, signal, (batches, call) =>
    batches.cancel(providerBatchId, call),
  );
  return { batch, atProvider };
}

/** Deletes a batch that has ended, at its provider first. @throws GatewayError */
export async function deleteBatch(of: Asking, batch: StoredBatch, signal: AbortSignal, deps: BatchDeps): Promise<void> {
  const { provider, providerBatchId } = batch;
  if (provider !== null && providerBatchId === null && !hasEnded({ batch, atProvider: undefined }, deps.clock.now())) {
    throw notEnded();
  }
  if (provider !== null && providerBatchId !== null) {
    await callBatches(of, provider, deps, signal, (batches, call) => batches.delete(providerBatchId, call));
  }
  await deleteStored({ keyId: of.key.id }, batch, deps);
}

/** The batch goes last: until then it can be deleted again. */
async function deleteStored(owner: Pick<ItemOwner, 'keyId'>, batch: StoredBatch, deps: BatchDeps): Promise<void> {
  await deps.storedItems.remove(owner, [...partsOf(batch), partName(batch.id, RECORDED)]);
  await deps.batches.delete(batch);
}

function partsOf({ id, parts }: StoredBatch): string[] {
  return Array.from({ length: parts }, (_, part) => partName(id, part));
}

export function notEnded(): GatewayError {
  return new GatewayError('invalid_value', 'The batch has not ended. Wait until its processing_status is ended.');
}

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
