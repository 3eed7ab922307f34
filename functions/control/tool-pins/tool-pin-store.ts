import type { ToolVersion } from '../../kernel/model/index.ts';

/** A version of a tool, and when it was first seen. */
export interface SeenVersion extends ToolVersion {
  readonly seenAtMs: number;
}

/** The pinned version of a tool. */
export interface ToolPin extends SeenVersion {
  /** The last other version that a request had; undefined if there was none. */
  readonly pending: SeenVersion | undefined;
}

/** The pinned tools of a key, by name. */
export interface KeyPins {
  readonly pins: ReadonlyMap<string, ToolPin>;
  /** When they may be deleted; milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export type SeenTools = ReadonlyMap<string, SeenVersion>;

/** Pins by key. Throws StoreUnavailable when the store does not respond in time. */
export interface ToolPinStore {
  read(keyId: string): Promise<KeyPins>;
  /** Pins tools without a pin: of concurrent versions of a tool one wins, for all writers. @returns the key's pins then */
  pin(keyId: string, tools: SeenTools, expiresAtMs: number): Promise<KeyPins>;
  /** Stores the pending versions of tools. */
  suggest(keyId: string, tools: SeenTools): Promise<void>;
  /** Keeps the pins until then. */
  renew(keyId: string, expiresAtMs: number): Promise<void>;
  /** Replaces the pin by this pending version. @returns false if another version is pending by now */
  accept(keyId: string, tool: string, pending: SeenVersion): Promise<boolean>;
  /** Removes a pin: the next version is pinned. @returns false if there was none */
  remove(keyId: string, tool: string): Promise<boolean>;
}
