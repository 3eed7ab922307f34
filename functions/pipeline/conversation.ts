import type { SessionMemory, SessionRef, SessionScore } from '../control/sessions/index.ts';
import type { ResponsePiece } from '../kernel/model/index.ts';

type UnansweredCalls = NonNullable<ResponsePiece['unanswered']>['calls'];

/** What was before the request in its session. */
export interface SessionPast {
  /** Undefined for a request without a session. */
  readonly session: SessionRef | undefined;
  /** The suspicion of the session's earlier turns, 0..1. */
  readonly suspicion: number;
  /** What it remembers for tool calls. */
  readonly memory: RequestMemory | undefined;
}

/** What a session remembers for tool calls. It does not know what has occurred if it could not be read. */
export interface RequestMemory extends Pick<SessionMemory, 'has' | 'learn'> {
  hasOccurred(condition: string): boolean | undefined;
}

/** What a request continues. */
export interface Continued {
  /** Undefined if no provider would support its ids. */
  readonly conversation: Conversation | undefined;
  /** The suspicion of the conversation so far, 0..1. */
  readonly suspicion: number;
}

/** What is known about a request whose response may have ids. */
export interface ConversationStart {
  /** The id of the previous response that it continues. */
  readonly previous?: string | undefined;
  /** The score of the conversation so far; the most suspicious of several. */
  readonly score?: SessionScore | undefined;
  /** Removed calls of that response. */
  readonly unanswered?: UnansweredCalls | undefined;
  /** The providers that keep what it continues. */
  readonly makers?: ReadonlySet<string>;
  /** The stored response that the request fetches: its id is bound. */
  readonly fetched?: string;
  /** Whether the request asks the provider to keep the exchange, so that the response's own id may be named later. */
  readonly isKept?: boolean;
  /** Whether the request contains a text: an id that it wrote itself is not the provider's. */
  readonly wrote?: (text: string) => boolean;
}

/** A provider could fill the store. */
const MAX_STATE_IDS = 64;

/** The previous response of a request, and the ids that later requests may continue from. */
export class Conversation {
  /** The id of the previous response that it continues. */
  readonly previous: string | undefined;
  /** The score of the conversation so far; the most suspicious of several. */
  readonly score: SessionScore | undefined;
  /** The stored response that the request fetches: its id is bound. */
  readonly fetched: string | undefined;
  /** The providers that keep what the request continues: no other is called. */
  readonly makers: ReadonlySet<string>;
  /** Removed calls of the previous response: the provider needs an output of each. */
  readonly unanswered: UnansweredCalls;
  /** Removed calls of this response, by its id. */
  readonly removed = new Map<string, UnansweredCalls>();
  /** The write that binds `unread`; undefined before it starts. */
  binding: Promise<void> | undefined;
  private readonly issuedIds = new Set<string>();
  private readonly pendingIds = new Set<string>();
  private readonly stateIds = new Set<string>();
  private readonly asksToKeep: boolean;
  private readonly wrote: (text: string) => boolean;
  private unreadId: string | undefined;

  constructor({
    previous,
    score,
    unanswered = [],
    makers = new Set(),
    fetched,
    isKept = false,
    wrote = () => false,
  }: ConversationStart = {}) {
    this.previous = previous;
    this.score = score;
    this.fetched = fetched;
    this.unanswered = unanswered;
    this.makers = makers;
    this.asksToKeep = isKept;
    this.wrote = wrote;
  }

  /** Takes the ids of a released part of the response. `isCut`: a block has changed it, so its visible ids are withheld. */
  took(
    { issuedIds = [], pendingIds = [], unreadId, ownId, unknownIds = [], unanswered }: ResponsePiece,
    isCut: boolean,
  ): void {
    if (unanswered !== undefined && !isCut) this.removed.set(unanswered.id, unanswered.calls);
    this.unreadId ??= unreadId;
    if (this.asksToKeep && ownId) this.stateIds.add(ownId);
    for (const id of unknownIds) if (this.stateIds.size < MAX_STATE_IDS && !this.wrote(id)) this.stateIds.add(id);
    for (const id of pendingIds) this.pendingIds.add(id);
    for (const id of issuedIds) if (!isCut || !pendingIds.includes(id)) this.issuedIds.add(id);
  }

  /** The id of a background response that goes on at its provider; undefined once all of it was released. */
  get unread(): string | undefined {
    return this.unreadId === undefined || this.issuedIds.has(this.unreadId) || this.removed.has(this.unreadId)
      ? undefined
      : this.unreadId;
  }

  /** The ids that later requests of the key may name. */
  get given(): readonly string[] {
    return [...this.issuedIds].filter((id) => !this.stateIds.has(id));
  }

  /** Ids of what the provider keeps of the exchange: later requests may continue from them if all of it has passed. */
  get kept(): readonly string[] {
    return [...this.stateIds].filter((id) => !this.pendingIds.has(id));
  }

  /** Whether the provider stores the response and all of it was released. */
  get isKept(): boolean {
    return this.pendingIds.size > 0 && this.withheld.length === 0;
  }

  /** Ids in the response that no request may name: the provider stores content for them that was not inspected completely. */
  get withheld(): readonly string[] {
    return [...this.pendingIds].filter((id) => !this.issuedIds.has(id) && !this.removed.has(id));
  }
}
