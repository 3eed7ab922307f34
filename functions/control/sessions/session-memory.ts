import { createHmac } from 'node:crypto';
import type { SessionRef } from './session-store.ts';
import type { SessionState } from './suspicion.ts';

/** What a request adds, as texts. */
export interface SessionNews {
  readonly seen: readonly string[];
  /** Values that the user typed: they are removed. */
  readonly typed: readonly string[];
  readonly occurred: readonly string[];
}

/** Keyed hashes of a text, by the current secret first. */
export interface DigestKeys {
  hashes(text: string): Promise<readonly string[]>;
}

const MAX_VALUES = 256;
const MAX_OCCURRED = 64;
/** 64 bits: two values of a session share a digest by chance once in 10^14 sessions. */
const DIGEST_CHARS = 11;

/**
 * The digests of one session. Their key is made of a secret of the service, the API key and the session, so that the store shows no value,
 * and no other session has the same digest.
 */
export class SessionMemory {
  private readonly keys: readonly string[];
  private readonly values: ReadonlySet<string>;
  private readonly conditions: ReadonlySet<string>;

  private constructor(state: SessionState | undefined, keys: readonly string[]) {
    this.keys = keys;
    this.values = new Set(state?.values);
    this.conditions = new Set(state?.occurred);
  }

  static async of(ref: SessionRef, state: SessionState | undefined, keys: DigestKeys): Promise<SessionMemory> {
    const session = 'name' in ref ? [ref.keyId, ref.name] : [ref.keyId, ref.endUserId, ref.sessionId];
    return new SessionMemory(state, await keys.hashes(JSON.stringify(['session memory', ...session])));
  }

  /** Whether third parties' prose had a value before the user. */
  readonly has = (text: string): boolean => this.values.size > 0 && this.isIn(this.values, text);

  readonly hasOccurred = (condition: string): boolean => this.isIn(this.conditions, condition);

  /** The change of the stored state; undefined if the session knows all of it. */
  learn({
    seen,
    typed,
    occurred,
  }: SessionNews): ((known: SessionState | undefined, nowMs: number) => SessionState) | undefined {
    const added = [...new Set(seen)].filter((text) => !this.has(text)).map((text) => this.digestOf(text));
    const removed = new Set(typed.filter(this.has).flatMap((text) => this.digestsOf(text)));
    const conditions = occurred.filter((text) => !this.hasOccurred(text)).map((text) => this.digestOf(text));
    if (added.length + removed.size + conditions.length === 0) return undefined;
    return (known, nowMs) => ({
      ...(known ?? { highest: 0, accumulated: 0, at: nowMs }),
      // The latest value comes first in `seen`.
      values: latest(
        [...(known?.values ?? []), ...added.toReversed()].filter((one) => !removed.has(one)),
        MAX_VALUES,
      ),
      occurred: latest([...(known?.occurred ?? []), ...conditions], MAX_OCCURRED),
    });
  }

  private isIn(digests: ReadonlySet<string>, text: string): boolean {
    return digests.size > 0 && this.digestsOf(text).some((digest) => digests.has(digest));
  }

  private digestsOf(text: string): string[] {
    return this.keys.map((key) => createHmac('sha256', key).update(text).digest('base64url').slice(0, DIGEST_CHARS));
  }

  private digestOf(text: string): string {
    return this.digestsOf(text)[0] as string;
  }
}

function latest(digests: readonly string[], count: number): string[] {
  return [...new Set(digests)].slice(-count);
}
