import type { GatewayEvent } from '../../kernel/model/index.ts';

/** States with a version, by id: each change is written with its event, so that one change emits one event. All methods throw StoreUnavailable. */
export interface StateStore<State extends { readonly version: number }> {
  /** The state of each, in their order; the first state of one that is not stored yet. */
  read(ids: readonly string[]): Promise<readonly State[]>;
  /** Replaces what was read, with an event in the same write. @returns false if another process did; nothing is written then */
  replace(id: string, read: State, next: State, event: GatewayEvent | undefined): Promise<boolean>;
  delete(id: string): Promise<void>;
}
