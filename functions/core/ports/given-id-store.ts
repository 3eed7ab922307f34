import type { SessionScore } from '../session/suspicion.ts';

/** What is kept with an id. */
export interface GivenId {
  /** What the conversation up to it adds up to; undefined where it was never suspicious. */
  readonly score: SessionScore | undefined;
}

/** Ids that a provider gave in its answers, each bound to the key that got it. Throws StoreUnavailable. */
export interface GivenIdStore {
  /** Those of the ids that were given to this key. */
  find(keyId: string, ids: readonly string[]): Promise<ReadonlyMap<string, GivenId>>;
  /** Binds ids, in one call where there are 25 or fewer. `endUserId`: on whose behalf they were got. */
  keep(keyId: string, ids: readonly string[], given: GivenId, endUserId: string | null): Promise<void>;
  /** Puts what `change` makes of an id's score in its place; asks it again where another request came between. */
  update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void>;
}
