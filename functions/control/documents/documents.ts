import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';

/** From this age on the document is read again in the background; from STALE_MS on, requests wait for the read. */
const FRESH_MS = 5_000;
const STALE_MS = 10_000;

/**
 * A document as this process knows it: a new version takes effect within 10 s. While the store is unavailable the last known version stays
 * in force, since a change would need the same store; a process that never read it serves no request.
 */
export class LiveDocument<Content> {
  private known: Known<Content> | undefined;
  private running: Promise<DocumentVersion<Content>> | undefined;
  private readonly reader: DocumentReader<Content>;
  private readonly clock: Clock;
  private readonly onStale: (ageMs: number) => void;

  /** @param onStale called when a version of this age, more than 10 s, cannot be read again and stays in force */
  constructor(reader: DocumentReader<Content>, clock: Clock, onStale: (ageMs: number) => void = () => {}) {
    this.reader = reader;
    this.clock = clock;
    this.onStale = onStale;
  }

  /** The same object while the version is the same. @throws StoreUnavailable if it was never read */
  async settings(): Promise<Content> {
    return (await this.current()).settings;
  }

  /** The version in force; the same object while it is. @throws StoreUnavailable if it was never read */
  async current(): Promise<DocumentVersion<Content>> {
    const { known } = this;
    if (known === undefined) return this.read();
    const age = this.clock.monotonic() - known.readAt;
    if (age >= STALE_MS) return this.read().catch(() => this.stale(known));
    if (age >= FRESH_MS) this.read().catch(() => {});
    return known.version;
  }

  /** Reads it now: a caller has a reason to expect another version. @throws StoreUnavailable */
  async renew(): Promise<void> {
    await this.read();
  }

  private stale({ version, readAt }: Known<Content>): DocumentVersion<Content> {
    this.onStale(this.clock.monotonic() - readAt);
    return version;
  }

  private read(): Promise<DocumentVersion<Content>> {
    // The age starts before the read.
    const readAt = this.clock.monotonic();
    this.running ??= this.reader
      .current()
      .then((version) => {
        const same = this.known?.version.version === version.version ? this.known.version : version;
        this.known = { version: same, readAt };
        return same;
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }
}

interface Known<Content> {
  readonly version: DocumentVersion<Content>;
  readonly readAt: number;
}

/** One version of a document. */
export interface DocumentVersion<Content> {
  /** 0 before the first was set, then 1, 2, 3, ... */
  readonly version: number;
  readonly settings: Content;
  /** ISO 8601; null in version 0. */
  readonly createdAt: string | null;
  /** Who set it: id of the key, or the person's e-mail address or subject; null in version 0 and for an operator. */
  readonly createdBy: string | null;
}

export interface DocumentPage<Content> {
  readonly versions: readonly DocumentVersion<Content>[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads a document. Throws StoreUnavailable when the store does not respond in time. */
interface DocumentReader<Content> {
  current(): Promise<DocumentVersion<Content>>;
}

/** A document and its versions. Throws StoreUnavailable when the store does not respond in time. */
export interface DocumentStore<Content> extends DocumentReader<Content> {
  /**
   * Replaces what was read by `next`, and emits the event if there is one; the old version stays in the list.
   * @returns false if another version was set since; nothing is written then
   */
  replace(
    read: DocumentVersion<Content>,
    next: DocumentVersion<Content>,
    event?: GatewayEvent | undefined,
  ): Promise<boolean>;
  /** Undefined if there is no such version; 0 is the first document. */
  get(version: number): Promise<DocumentVersion<Content> | undefined>;
  /** Newest first, including the current one. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<DocumentPage<Content>>;
}
