import { GatewayError } from '../errors.ts';
import type { GivenId } from '../ports/given-id-store.ts';
import type { AnswerFormat } from '../protocols/answer-format.ts';
import type { NamedId } from '../protocols/protocol.ts';
import { isRemembered, type SessionScore, suspicionOf, withTurn } from '../session/suspicion.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { readSuspicion } from './session-past.ts';

/** An id is bound behind the answer that gave it: one that is not found may be on its way still. */
const SECOND_LOOK_MS = 250;
const PLAIN_ID = /^[\w-]{1,128}$/;

/** What a request of an API whose provider keeps its answers goes on from. */
export class Conversation {
  /** The earlier answer that it continues. */
  readonly previous: string | undefined;
  /** What the conversation adds up to so far; of several that it names, the most suspicious. */
  readonly score: SessionScore | undefined;
  private answer: AnswerFormat | undefined;

  constructor(previous?: string, score?: SessionScore) {
    this.previous = previous;
    this.score = score;
  }

  answeredBy(answer: AnswerFormat): void {
    this.answer = answer;
  }

  /** The ids by which later requests may name its answer. */
  get given(): readonly string[] {
    return this.answer?.givenIds ?? [];
  }
}

/**
 * How suspicious what came before a request is (0..1): in its session, and in the conversation that its ids name. Ids are looked
 * up only where a provider would understand them; without any nothing is read.
 * @throws GatewayError `not_found` for an id that was not given to this key; StoreUnavailable where that cannot be known
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
  { givenIds, sleep }: PipelineDeps,
): Promise<ReadonlyMap<string, GivenId>> {
  const { key, abort } = exchange;
  const ids = [...new Set(named.map(({ id }) => id))];
  let found = await givenIds.find(key.id, ids);
  if (found.size < ids.length) {
    await sleep(SECOND_LOOK_MS, abort.signal);
    const missing = ids.filter((id) => !found.has(id));
    found = new Map([...found, ...(await givenIds.find(key.id, missing))]);
  }
  const unknown = named.find(({ id }) => !found.has(id));
  if (unknown === undefined) return found;
  const { id, what, param } = unknown;
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
  const { given, previous, score } = conversation;
  const add = (known: SessionScore | undefined) =>
    isRemembered(lastTurnScore) ? withTurn(known, lastTurnScore, clock.now()) : known;
  try {
    if (given.length > 0) await givenIds.keep(key.id, given, { score: add(score) }, tracking.endUserId);
    else if (previous !== undefined && isRemembered(lastTurnScore)) {
      await givenIds.update(key.id, previous, (known) => withTurn(known, lastTurnScore, clock.now()));
    }
  } catch (error) {
    exchange.noteInside(`ids not bound: ${error instanceof Error ? error.message : typeof error}`);
  }
}
