import type { ResponsePiece } from '../protocols/protocol.ts';
import type { SessionScore } from '../sessions/suspicion.ts';

/** The previous response of a request, and the ids that later requests may continue from. */
export class Conversation {
  /** The id of the previous response that it continues. */
  readonly previous: string | undefined;
  /** The score of the conversation so far; the most suspicious of several. */
  readonly score: SessionScore | undefined;
  private readonly issuedIds = new Set<string>();
  private readonly pendingIds = new Set<string>();

  constructor(previous?: string, score?: SessionScore) {
    this.previous = previous;
    this.score = score;
  }

  /** Takes the ids of a released part of the response. `isCut`: a block has changed it, so its visible ids are withheld. */
  took({ issuedIds = [], pendingIds = [] }: ResponsePiece, isCut: boolean): void {
    for (const id of pendingIds) this.pendingIds.add(id);
    for (const id of issuedIds) if (!isCut || !pendingIds.includes(id)) this.issuedIds.add(id);
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
