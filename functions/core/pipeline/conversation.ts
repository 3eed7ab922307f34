import { GatewayError } from '../errors.ts';
import type { GivenId } from '../ports/given-id-store.ts';
import type { AnswerPiece } from '../protocols/answer-format.ts';
import type { NamedId } from '../protocols/protocol.ts';
import { isRemembered, type SessionScore, suspicionOf, withTurn } from '../session/suspicion.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { readSuspicion } from './session-past.ts';

/** An id is bound after the response that gave it: one that is not found may be bound in a moment. */
const SECOND_LOOK_MS = 250;
/** As many as the Responses API takes items; more would be a flood of reads. */
const MAX_NAMED = 2_048;
const PLAIN_ID = /^[\w./-]{1,128}$/;
/** What a provider may read as another id. */
const AMBIGUOUS = /[\p{C}%?#\\]|^\s|\s$/u;

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
  took({ gives = [], shows = [] }: AnswerPiece, isCut: boolean): void {
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

/**
 * How suspicious what came before a request is (0..1): in its session, and in the conversation that its ids name. Ids are looked
 * up only where a provider would understand them; without any nothing is read.
 * @throws GatewayError `not_found` for an id that this key may not name, `invalid_value` for too many; StoreUnavailable
 */
export async function readPast(
  exchange: Exchange,
  named: readonly NamedId[] | undefined,
  isUnderstood: boolean,
  deps: PipelineDeps,
): Promise<number> {
  const session = readSuspicion(exchange, deps);
  if (named === undefined || !isUnderstood) return session;
  exchange.conversation = new Conversation();
  if (named.length === 0) return session;
  const found = await findAll(exchange, named, deps);
  const nowMs = deps.clock.now();
  const scores = [...found.values()].flatMap(({ score }) => (score === undefined ? [] : [score]));
  const highest = scores.sort((a, b) => suspicionOf(b, nowMs) - suspicionOf(a, nowMs))[0];
  exchange.conversation = new Conversation(named.find(({ continues }) => continues)?.id, highest);
  return Math.max(await session, suspicionOf(highest, nowMs));
}

async function findAll(
  exchange: Exchange,
  named: readonly NamedId[],
  { givenIds, foreignIds, sleep }: PipelineDeps,
): Promise<ReadonlyMap<string, GivenId>> {
  const { key, abort } = exchange;
  const ids = [...new Set(named.map(({ id }) => id))];
  if (ids.length > MAX_NAMED) {
    const param = named[MAX_NAMED]?.param ?? '';
    throw new GatewayError('invalid_value', `A request can name ${MAX_NAMED} ids at most.`, { param });
  }
  const isForeign = (id: string) => !AMBIGUOUS.test(id) && foreignIds.some((prefix) => id.startsWith(prefix));
  let found = await givenIds.find(ids);
  const missing = ids.filter((id) => !found.has(id) && !isForeign(id));
  if (missing.length > 0) {
    await sleep(SECOND_LOOK_MS, abort.signal);
    found = new Map([...found, ...(await givenIds.find(missing))]);
  }
  const refused = named.find(({ id }) => {
    const known = found.get(id);
    return known === undefined ? !isForeign(id) : known.keyId !== key.id;
  });
  if (refused === undefined) return found;
  const { id, what, param } = refused;
  const called = PLAIN_ID.test(id) ? ` with id '${id}'` : '';
  throw new GatewayError('not_found', `${what}${called} not found.`, { param });
}

/**
 * Binds the ids of an answer to its key, with what the conversation adds up to. A suspicious turn of which nothing is kept (it
 * was blocked, or is not stored) counts where it came from. Never rejects: the record says what is missing.
 */
export async function rememberConversation(exchange: Exchange, { givenIds, clock }: PipelineDeps): Promise<void> {
  const { conversation, lastTurnScore, key, outcome, tracking } = exchange;
  if (conversation === undefined || outcome === 'refused') return;
  const { given, withheld, previous, score, isKept } = conversation;
  const withThis = (known: SessionScore | undefined) => withTurn(known, lastTurnScore, clock.now());
  const isSuspicious = isRemembered(lastTurnScore);
  const bound = { keyId: key.id, score: isSuspicious ? withThis(score) : score };
  try {
    await Promise.all([
      given.length > 0 && givenIds.keep(given, bound, tracking.endUserId),
      withheld.length > 0 && givenIds.keep(withheld, { keyId: null, score: undefined }, null),
      previous !== undefined && isSuspicious && !isKept && givenIds.update(key.id, previous, withThis),
    ]);
  } catch (error) {
    exchange.noteInside(`ids not bound: ${error instanceof Error ? error.message : typeof error}`);
  }
}
