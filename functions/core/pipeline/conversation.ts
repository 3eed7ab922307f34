import type { ResponsePiece } from '../protocols/protocol.ts';
import type { SessionScore } from '../sessions/suspicion.ts';

/** The previous response of a request, and the ids that later requests may continue from. */
export class Conversation {
  /** The id of the previous response that it continues. */
  readonly previous: string | undefined;
  /** The score of the conversation so far; the most suspicious of several. */
  readonly score: SessionScore | undefined;
  /** The stored response that the request fetches: its id is bound. */
  readonly fetched: string | undefined;
  /** The write that binds `unread`; undefined before it starts. */
  binding: Promise<void> | undefined;
  private readonly issuedIds = new Set<string>();
  private readonly pendingIds = new Set<string>();
  private unreadId: string | undefined;

  constructor(previous?: string, score?: SessionScore, fetched?: string) {
    this.previous = previous;
    this.score = score;
    this.fetched = fetched;
  }

  /** Takes the ids of a released part of the response. `isCut`: a block has changed it, so its visible ids are withheld. */
  took({ issuedIds = [], pendingIds = [], unreadId }: ResponsePiece, isCut: boolean): void {
    this.unreadId ??= unreadId;
    for (const id of pendingIds) this.pendingIds.add(id);
    for (const id of issuedIds) if (!isCut || !pendingIds.includes(id)) this.issuedIds.add(id);
  }

  /** The id of a background response that goes on at its provider; undefined once all of it was released. */
  get unread(): string | undefined {
    return this.unreadId === undefined || this.issuedIds.has(this.unreadId) ? undefined : this.unreadId;
  }

  /** The ids that later requests of the key may name. */
  get given(): readonly string[] {
    return [...this.issuedIds];
  }

  /** Whether the provider stores the response and all of it was released. */
  get isKept(): boolean {
    return this.pendingIds.size > 0 && this.withheld.length === 0;
  }

  /** Ids in the response that no request may name: the provider stores content for them that was not inspected completely. */
  get withheld(): readonly string[] {
    return [...this.pendingIds].filter((id) => !this.issuedIds.has(id));
  }
}
