import { createHash } from 'node:crypto';
import type { SealerFor } from '../../kernel/crypto/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { OutputItem } from '../../kernel/model/index.ts';
import { type Clock, runInSlices, type Scheduler } from '../../kernel/tasks/index.ts';
import type { ItemStore } from './item-store.ts';

/** As long as OpenAI keeps responses: https://platform.openai.com/docs/guides/conversation-state */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const MAX_SEALED_BYTES = 4 * 1024 * 1024;
/** A request may refer to some items of a response only; this bounds what is read for the others. */
const UNUSED_FACTOR = 2;

/** The caller to whom items belong. */
export interface ItemOwner {
  readonly keyId: string;
  readonly sealerFor: SealerFor;
}

/** The output items of responses, encrypted with their caller's API key, for later requests that name them by id. */
export class StoredItems {
  private readonly store: ItemStore;
  private readonly clock: Clock;
  private readonly scheduler: Scheduler;

  constructor(store: ItemStore, clock: Clock, scheduler: Scheduler) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Stores the items of a response. @throws RangeError if they are too large; StoreUnavailable */
  async keep(
    { keyId, sealerFor }: ItemOwner,
    response: { readonly id: string; readonly items: readonly OutputItem[]; readonly endUserId: string | null },
  ): Promise<void> {
    const { id, items, endUserId } = response;
    const name = nameOf(keyId, id);
    const sealer = sealerFor(name);
    const bytes = await runInSlices(sealer.seal(JSON.stringify(items)), this.scheduler);
    if (bytes.length > MAX_SEALED_BYTES) throw new RangeError(`larger than ${MAX_SEALED_BYTES} bytes`);
    await this.store.write({ name, salt: sealer.salt, bytes, expiresAtMs: this.clock.now() + KEPT_MS, endUserId });
  }

  /** Deletes the items of these responses. @throws StoreUnavailable */
  remove({ keyId }: Pick<ItemOwner, 'keyId'>, responseIds: readonly string[]): Promise<void> {
    return this.store.remove(responseIds.map((id) => nameOf(keyId, id)));
  }

  /**
   * The items of these responses, by their own ids. Responses that are unknown, expired, or stored with another secret have none.
   * @throws GatewayError `request_too_large` if they could never fit into a body of `maxBodyBytes`; StoreUnavailable
   */
  async find(
    { keyId, sealerFor }: ItemOwner,
    responseIds: ReadonlySet<string>,
    maxBodyBytes: number,
  ): Promise<ReadonlyMap<string, OutputItem>> {
    const names = [...responseIds].map((id) => nameOf(keyId, id));
    const found = new Map<string, OutputItem>();
    let size = 0;
    for await (const { name, salt, bytes } of this.store.read(names, this.clock.now())) {
      size += bytes.length;
      if (size > UNUSED_FACTOR * maxBodyBytes) throw itemsTooLarge(maxBodyBytes);
      const items = await opened(() => runInSlices(sealerFor(name, salt).open(bytes), this.scheduler));
      for (const item of items) found.set(item.id as string, item);
    }
    return found;
  }
}

/** The 413 of a request that is too large with the items that it refers to. */
export function itemsTooLarge(maxBodyBytes: number): GatewayError {
  const message = `With the items that it refers to, the request body is larger than the limit of ${maxBodyBytes} bytes.`;
  return new GatewayError('request_too_large', message);
}

/** No items if another secret of the key sealed them. */
async function opened(open: () => Promise<string>): Promise<OutputItem[]> {
  let text: string;
  try {
    text = await open();
  } catch {
    return [];
  }
  return JSON.parse(text) as OutputItem[];
}

/** The key is in the name, so the ids of another key's responses name nothing. */
function nameOf(keyId: string, responseId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['items', keyId, responseId]))
    .digest('hex');
}
