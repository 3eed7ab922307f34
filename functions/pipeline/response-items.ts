import { type ItemOwner, itemsTooLarge } from '../control/stored-items/index.ts';
import { editSteps, type JsonEdit, type RequestDocument } from '../kernel/json/index.ts';
import type { OutputItem } from '../kernel/model/index.ts';
import { giveWayFor, runInSlices } from '../kernel/tasks/index.ts';
import type { Protocol } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import { errorName, idNotFound, MAX_NAMED, tooManyIds } from './session-past.ts';

/** How an API refers to items of earlier responses by id. */
export type ItemRules<Body> = NonNullable<Protocol<Body>['items']>;
type ItemReference = ReturnType<ItemRules<unknown>['references']>[number];

const ADVICE = ' Send the item itself, or set `store: false`, so that your client sends items and not their ids.';

type ItemDeps = Pick<PipelineDeps, 'storedItems' | 'maxBodyBytes' | 'scheduler'>;

/**
 * The request with the stored items in place of its references to them, one for one; the same request if it has none.
 * @throws GatewayError `not_found` for an item that this key has not received, or no longer has; `invalid_value` for too many references;
 * `request_too_large`; StoreUnavailable
 */
export async function expandReferences<Body>(
  context: RequestContext,
  document: RequestDocument,
  rules: ItemRules<Body> | undefined,
  deps: ItemDeps,
): Promise<RequestDocument> {
  const references = rules?.references(document.value) ?? [];
  if (rules === undefined || references.length === 0) return document;
  const { maxBodyBytes, scheduler } = deps;
  const edits = toEdits(references, await findItems(context, references, deps), rules, maxBodyBytes);
  const expanded = await runInSlices(editSteps(document, edits), scheduler);
  await giveWayFor(expanded, scheduler);
  if (Buffer.byteLength(expanded.text) > maxBodyBytes) throw itemsTooLarge(maxBodyBytes);
  return expanded;
}

async function findItems(
  context: RequestContext,
  references: readonly ItemReference[],
  { storedItems, maxBodyBytes }: ItemDeps,
): Promise<ReadonlyMap<string, OutputItem>> {
  const owner = ownerOf(context);
  if (owner === undefined) return new Map();
  const responseIds = new Set(references.map(({ responseId }) => responseId));
  if (responseIds.size > MAX_NAMED) throw tooManyIds(references);
  return storedItems.find(owner, responseIds, maxBodyBytes);
}

function toEdits<Body>(
  references: readonly ItemReference[],
  found: ReadonlyMap<string, OutputItem>,
  rules: ItemRules<Body>,
  maxBodyBytes: number,
): JsonEdit[] {
  const inputs = new Map<string, { readonly json: string; readonly bytes: number }>();
  let bytes = 0;
  return references.map((reference): JsonEdit => {
    const { id, path } = reference;
    const item = found.get(id);
    if (item === undefined) throw idNotFound(reference, ADVICE);
    let input = inputs.get(id);
    if (input === undefined) {
      const json = JSON.stringify(rules.toInput(item));
      input = { json, bytes: Buffer.byteLength(json) };
      inputs.set(id, input);
    }
    // Before the text is built: many references may name one large item.
    bytes += input.bytes;
    if (bytes > maxBodyBytes) throw itemsTooLarge(maxBodyBytes);
    return { kind: 'replace', path, json: input.json };
  });
}

/** Stores the items of a response before its end is sent. Never rejects: the notes list failures, and later references get a 404. */
export async function keepItems(
  context: RequestContext,
  { stopped }: Pick<RequestLifetime, 'stopped'>,
  items: readonly OutputItem[],
  note: (note: string) => void,
  { storedItems }: Pick<ItemDeps, 'storedItems'>,
): Promise<void> {
  const { requestId } = context;
  const owner = ownerOf(context);
  if (owner === undefined || items.length === 0 || stopped !== undefined) return;
  try {
    await storedItems.keep(owner, { id: requestId.slice('req_'.length), items, endUserId: endUserOf(context) });
  } catch (error) {
    note(`items not stored: ${errorName(error)}`);
  }
}

/** Whose data a response of the request is. */
export function endUserOf({ tracking, key }: RequestContext): string | null {
  return tracking.endUserId ?? (key.identity === undefined ? null : key.id);
}

/** undefined if nothing can be sealed for the caller. */
export function ownerOf({ key, sealerFor }: RequestContext): ItemOwner | undefined {
  return sealerFor && { keyId: key.id, sealerFor };
}
