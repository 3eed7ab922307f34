import { GatewayError } from '../base/errors.ts';
import type { NamedId } from '../protocols/protocol.ts';
import type { IssuedId } from '../sessions/session-store.ts';
import { isRemembered, type SessionScore, suspicionOf, withFlag, withTurn } from '../sessions/suspicion.ts';
import { Conversation } from './conversation.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import { flaggedEvent } from './request-events.ts';

/**
 * Joins the request to its session. @returns the suspicion of its earlier turns (0..1); 0 without a session, or if the store does not respond in
 * time: then `coverage.skipped` and the record report it, and an end user's request has no session. Never rejects.
 */
export async function readSuspicion(
  { key, tracking, record }: RequestContext,
  { sessions, clock }: PipelineDeps,
): Promise<number> {
  const { sessionId: name, endUserId } = tracking;
  const keyId = key.id;
  try {
    if (name !== null) {
      record.joined({ keyId, name });
      return suspicionOf(await sessions.read(keyId, name), clock.now());
    }
    if (endUserId === null) return 0;
    const { sessionId, score } = await sessions.join(keyId, endUserId);
    record.joined({ keyId, endUserId, sessionId });
    return suspicionOf(score, clock.now());
  } catch (error) {
    record.skipped('session score');
    record.note(`session score not read: ${nameOf(error)}`);
    return 0;
  }
}

/** Adds the last turn's score to its session, with an event if that flags it. Never rejects: the record lists failures. */
export async function rememberTurn(context: RequestContext, { sessions, clock }: PipelineDeps): Promise<void> {
  const { record } = context;
  const { session, lastTurnScore: score, outcome, flagsSessionFrom } = record.known;
  if (session === undefined || !isRemembered(score) || outcome === 'refused') return;
  try {
    await sessions.update(
      session,
      (known) => withFlag(withTurn(known, score, clock.now()), flagsSessionFrom),
      (known, changed) => flaggedEvent(context, known, changed, clock.now()),
    );
  } catch (error) {
    record.note(`session score not written: ${nameOf(error)}`);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}

/** An id is bound after the response that contains it: one that is not found may be bound in a moment. */
const SECOND_LOOK_MS = 250;

/** As many items as the Responses API accepts; limits the number of reads. */
const MAX_NAMED = 2_048;
const PLAIN_ID = /^[\w./-]{1,128}$/;

/** Characters that could make a provider read the id as another one. */
const AMBIGUOUS = /[\p{C}%?#\\]|^\s|\s$/u;

/**
 * The suspicion of what came before a request (0..1): its session, and the conversation of its ids. Ids are only looked up if a provider
 * would support them; without ids nothing is read.
 * @throws GatewayError `not_found` for an id that this key may not name, `invalid_value` for too many; StoreUnavailable
 */
export async function readPast(
  context: RequestContext,
  named: readonly NamedId[] | undefined,
  isUnderstood: boolean,
  deps: PipelineDeps,
): Promise<number> {
  const session = readSuspicion(context, deps);
  if (named === undefined || !isUnderstood) return session;
  context.record.continues(new Conversation());
  if (named.length === 0) return session;
  const found = await findAll(context, named, deps);
  const nowMs = deps.clock.now();
  const scores = [...found.values()].flatMap(({ score }) => (score === undefined ? [] : [score]));
  const highest = scores.sort((a, b) => suspicionOf(b, nowMs) - suspicionOf(a, nowMs))[0];
  context.record.continues(new Conversation(named.find(({ continues }) => continues)?.id, highest));
  return Math.max(await session, suspicionOf(highest, nowMs));
}

async function findAll(
  { key, lifetime }: RequestContext,
  named: readonly NamedId[],
  { issuedIds, foreignIds, sleep }: PipelineDeps,
): Promise<ReadonlyMap<string, IssuedId>> {
  const ids = [...new Set(named.map(({ id }) => id))];
  if (ids.length > MAX_NAMED) {
    const param = named[MAX_NAMED]?.param ?? '';
    throw new GatewayError('invalid_value', `A request can name at most ${MAX_NAMED} ids.`, { param });
  }
  const isForeign = (id: string) => !AMBIGUOUS.test(id) && foreignIds.some((prefix) => id.startsWith(prefix));
  let found = await issuedIds.find(ids);
  const missing = ids.filter((id) => !found.has(id) && !isForeign(id));
  if (missing.length > 0) {
    await sleep(SECOND_LOOK_MS, lifetime.signal);
    found = new Map([...found, ...(await issuedIds.find(missing))]);
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
 * Binds the ids of a response to its key, with the score of the conversation. A suspicious turn without a stored response (blocked, or not
 * stored) counts for the previous response. Never rejects: the record lists failures.
 */
export async function rememberConversation(
  { key, tracking, record }: RequestContext,
  { issuedIds, clock }: PipelineDeps,
): Promise<void> {
  const { conversation, lastTurnScore, outcome } = record.known;
  if (conversation === undefined || outcome === 'refused') return;
  const { given, withheld, previous, score, isKept } = conversation;
  const withThis = (known: SessionScore | undefined) => withTurn(known, lastTurnScore, clock.now());
  const isSuspicious = isRemembered(lastTurnScore);
  const bound = { keyId: key.id, score: isSuspicious ? withThis(score) : score };
  try {
    await Promise.all([
      given.length > 0 && issuedIds.keep(given, bound, tracking.endUserId),
      withheld.length > 0 && issuedIds.keep(withheld, { keyId: null, score: undefined }, null),
      previous !== undefined && isSuspicious && !isKept && issuedIds.update(key.id, previous, withThis),
    ]);
  } catch (error) {
    record.note(`ids not bound: ${nameOf(error)}`);
  }
}
