import type { ResponsePiece } from '../protocols/protocol.ts';
import type { SessionScore } from '../sessions/suspicion.ts';

/** What a request goes on from, and what later requests can go on from. */
export class Conversation {
  /** The earlier answer that it continues. */
  readonly previous: string | undefined;
  /** What the conversation adds up to so far; of several that it names, the most suspicious. */
  readonly score: SessionScore | undefined;
  private readonly gives = new Set<string>();
  private readonly shows = new Set<string>();

  constructor(previous?: string, score?: SessionScore) {
    this.previous = previous;
    this.score = score;
  }

  /** Takes the ids of a part of the answer that leaves. `isCut`: a block has changed it, so that what it shows is not given. */
  took({ gives = [], shows = [] }: ResponsePiece, isCut: boolean): void {
    for (const id of shows) this.shows.add(id);
    for (const id of gives) if (!isCut || !shows.includes(id)) this.gives.add(id);
  }

  /** The ids that later requests of the key may name. */
  get given(): readonly string[] {
    return [...this.gives];
  }

  /** Whether the provider keeps the answer itself, all of which has left. */
  get isKept(): boolean {
    return this.shows.size > 0 && this.withheld.length === 0;
  }

  /** The ids that the answer showed and that no request may name: the provider keeps there what was not inspected to its end. */
  get withheld(): readonly string[] {
    return [...this.shows].filter((id) => !this.gives.has(id));
  }
}
