import type { BatchStore, StoredBatch } from '../control/batches/index.ts';
import type { ItemOwner } from '../control/stored-items/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import type { ChatProvider, ProviderBatch, ProviderBatches } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';

export interface BatchDeps extends PipelineDeps {
  readonly batches: BatchStore;
}

/** Longer than the call of a provider that takes a batch. Its id is not written later. */
const TAKING_MS = 15 * 60_000;

type ErrorBody = object;

/** The result of a line as its caller gets it. */
export type LineOutcome =
  | { readonly type: 'succeeded'; readonly message: unknown }
  | { readonly type: 'errored'; readonly error: ErrorBody }
  | { readonly type: 'canceled' | 'expired' };

/** A stored line, sealed: what was sent, or what it got instead. Its id is its number. */
export type StoredLine = { readonly customId: string } & (
  | { readonly sent: { readonly text: string; readonly model: string; readonly marker: string } }
  | { readonly outcome: LineOutcome }
);

/** A batch as its caller sees it. */
export interface BatchState {
  readonly batch: StoredBatch;
  /** Undefined where no provider has it. */
  readonly atProvider: ProviderBatch | undefined;
}

export const TRACKING = 'tracking';

export const RECORDED = 'recorded';

export function partName(id: string, part: number | typeof RECORDED): string {
  return `${id}#${part}`;
}

export type BatchCall = Parameters<ProviderBatches['get']>[1];

/** Calls a provider about a batch, again if its credentials have been renewed. @throws GatewayError */
export async function callBatches<T>(
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
export async function deleteStored(
  owner: Pick<ItemOwner, 'keyId'>,
  batch: StoredBatch,
  deps: BatchDeps,
): Promise<void> {
  await deps.storedItems.remove(owner, [...partsOf(batch), partName(batch.id, RECORDED)]);
  await deps.batches.delete(batch);
}

export function partsOf({ id, parts }: StoredBatch): string[] {
  return Array.from({ length: parts }, (_, part) => partName(id, part));
}

export function notEnded(): GatewayError {
  return new GatewayError('invalid_value', 'The batch has not ended. Wait until its processing_status is ended.');
}
