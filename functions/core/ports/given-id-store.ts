import type { SessionScore } from '../session/suspicion.ts';

/** What is kept with an id. */
export interface GivenId {
  /** The key that it was given to; null where no key may name it. */
  readonly keyId: string | null;
  /** What the conversation up to it adds up to; undefined where it was never suspicious. */
  readonly score: SessionScore | undefined;
}

/**
 * Ids that providers gave in their answers, each bound to the first key that got it. A binding has no end: it must outlive what the
 * provider keeps. Throws StoreUnavailable.
 */
export interface GivenIdStore {
  /** Those of the ids that are bound, whichever key they are bound to. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, GivenId>>;
  /** Binds those of the ids that are not bound to another. `endUserId`: on whose behalf they were got. */
  keep(ids: readonly string[], given: GivenId, endUserId: string | null): Promise<void>;
  /** Puts what `change` makes of the score of a key's id in its place; asks it again where another request came between. */
  update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void>;
}
