import { GatewayError } from '../base/errors.ts';
import type { NamedId } from '../protocols/protocol.ts';
import type { Target } from '../routing/route-model.ts';
import type { IssuedId } from '../sessions/session-store.ts';
import { isRemembered, suspicionOf, withFlag, withTurn } from '../sessions/suspicion.ts';
import { Conversation, type ConversationStart } from './conversation.ts';
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
    record.note(`session score not read: ${errorName(error)}`);
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
    record.note(`session score not written: ${errorName(error)}`);
  }
}

/** An error as the record notes it. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}

/** An id is bound after the response that contains it: one that is not found may be bound in a moment. */
const SECOND_LOOK_MS = 250;

/** Different ids in one request: each is a read. */
export const MAX_NAMED = 10_000;
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
  start: Pick<ConversationStart, 'isKept' | 'wrote'> = {},
  targets: readonly Target[] = [],
): Promise<number> {
  const session = readSuspicion(context, deps);
  if (named === undefined || !isUnderstood) return session;
  context.record.continues(new Conversation(start));
  if (named.length === 0) return session;
  const found = await findAll(context, named, deps);
  refuseUnread(named, found);
  const makers = makersOf(named, found, targets);
  const nowMs = deps.clock.now();
  const scores = [...found.values()].flatMap(({ score }) => (score === undefined ? [] : [score]));
  const highest = scores.sort((a, b) => suspicionOf(b, nowMs) - suspicionOf(a, nowMs))[0];
  const previous = named.find(({ continues }) => continues)?.id;
  context.record.continues(new Conversation({ ...start, previous, score: highest, makers }));
  return Math.max(await session, suspicionOf(highest, nowMs));
}

/**
 * The providers that returned what the request continues: the same id may be another caller's at another provider.
 * @throws GatewayError `not_found` if no target is theirs
 */
function makersOf(
  named: readonly NamedId[],
  found: ReadonlyMap<string, IssuedId>,
  targets: readonly Target[],
): ReadonlySet<string> {
  const makers = new Set<string>();
  for (const one of named) {
    const maker = found.get(one.id)?.madeBy?.provider;
    if (maker === undefined || one.isCompared || (one.unknownAt === undefined && !one.continues)) continue;
    makers.add(maker);
    if (targets.length > 0 && madeByAll(targets, makers).length === 0) throw idNotFound(one);
  }
  return makers;
}

/** The targets whose provider is all of these. */
export function madeByAll(targets: readonly Target[], makers: ReadonlySet<string>): readonly Target[] {
  return targets.filter(({ provider }) => [...makers].every((maker) => maker === provider));
}

async function findAll(
  { key, lifetime }: RequestContext,
  named: readonly NamedId[],
  { issuedIds, foreignIds, sleep }: PipelineDeps,
  mayChange: (known: IssuedId) => boolean = ({ isUnread }) => isUnread === true,
): Promise<ReadonlyMap<string, IssuedId>> {
  const ids = [...new Set(named.map(({ id }) => id))];
  if (ids.length > MAX_NAMED) throw tooManyIds(named);
  const isForeign = (id: string) => !AMBIGUOUS.test(id) && foreignIds.some((prefix) => id.startsWith(prefix));
  let found = await issuedIds.find(ids);
  // An id of another key takes as long as an unknown one.
  const unsure = ids.filter((id) => {
    const known = found.get(id);
    return known === undefined ? !isForeign(id) : known.keyId !== key.id || mayChange(known);
  });
  if (unsure.length > 0) {
    await sleep(SECOND_LOOK_MS, lifetime.signal);
    found = new Map([...found, ...(await issuedIds.find(unsure))]);
  }
  const refused = named.find(({ id }) => {
    const known = found.get(id);
    return known === undefined ? !isForeign(id) : known.keyId !== key.id;
  });
  if (refused !== undefined) throw idNotFound(refused);
  return found;
}

/** The error for more than `MAX_NAMED` ids. */
export function tooManyIds(named: readonly NamedId[]): GatewayError {
  const param = named.at(-1)?.param ?? '';
  return new GatewayError('invalid_value', `A request can name at most ${MAX_NAMED} different ids.`, { param });
}

/** The same error for an id that does not exist and one that the key may not name. `advice`: what the caller can do. */
export function idNotFound({ id, what, param, details }: NamedId, advice = ''): GatewayError {
  const called = PLAIN_ID.test(id) ? ` with id '${id}'` : '';
  return new GatewayError('not_found', `${what}${called} not found.${advice}`, { param, ...(details && { details }) });
}

/** The owned id of a stored response. @throws GatewayError `not_found`; StoreUnavailable */
export async function findOwned(context: RequestContext, named: NamedId, deps: PipelineDeps): Promise<IssuedId> {
  const found = await findAll(context, [named], { ...deps, foreignIds: [] }, () => false);
  return found.get(named.id) as IssuedId;
}

/** Refuses to continue from text that was not inspected: a background response that was not fetched, or a kept exchange that did not pass. */
function refuseUnread(named: readonly NamedId[], found: ReadonlyMap<string, IssuedId>): void {
  const unread = named.find(({ id, isCompared }) => !isCompared && found.get(id)?.isUnread);
  if (unread === undefined) return;
  if (unread.details !== undefined || unread.unknownAt !== undefined) throw idNotFound(unread);
  const message = `${unread.what} '${unread.id}' was not fetched yet: read it with GET /v1/responses/{id} until it is completed.`;
  throw new GatewayError('invalid_value', message, { param: unread.param });
}

/**
 * Binds the ids of a response to its key, with the score of the conversation. A suspicious turn without a stored response (blocked, or not
 * stored) counts for the previous response. Never rejects: the record lists failures.
 */
export async function rememberConversation(context: RequestContext, { issuedIds, clock }: PipelineDeps): Promise<void> {
  const { key, tracking, record } = context;
  const { conversation, lastTurnScore, outcome } = record.known;
  if (conversation === undefined || outcome === 'refused') return;
  const { withheld, unread, binding, previous, fetched, isKept, kept } = conversation;
  const given = conversation.given.filter((id) => id !== fetched);
  const bound = boundTo(context, conversation, clock);
  const keptBound = outcome === 'completed' ? bound : { ...bound, isUnread: true as const };
  try {
    await binding;
    await Promise.all([
      unread !== undefined && outcome === 'blocked' && issuedIds.read(key.id, unread, true),
      given.length > 0 && issuedIds.keep(given, bound, tracking.endUserId),
      kept.length > 0 && issuedIds.keep(kept, keptBound, tracking.endUserId),
      withheld.length > 0 && issuedIds.keep(withheld, { keyId: null, score: undefined }, null),
      previous !== undefined &&
        isRemembered(lastTurnScore) &&
        !isKept &&
        issuedIds.update(key.id, previous, (known) => withTurn(known, lastTurnScore, clock.now())),
    ]);
  } catch (error) {
    record.note(`ids not bound: ${errorName(error)}`);
  }
}

/** What is stored with the ids of a response. */
function boundTo(
  { key, record }: RequestContext,
  { score }: Conversation,
  clock: PipelineDeps['clock'],
): Pick<IssuedId, 'keyId' | 'score' | 'madeBy'> {
  const { lastTurnScore, target } = record.known;
  const now = isRemembered(lastTurnScore) ? withTurn(score, lastTurnScore, clock.now()) : score;
  return { keyId: key.id, score: now, ...(target && { madeBy: target }) };
}

/**
 * Binds the id of a background response before the response ends, so that its key may fetch or cancel it while it is streamed. Does nothing
 * for other responses.
 */
export function bindUnread(context: RequestContext, { issuedIds, clock, backgroundTasks }: PipelineDeps): void {
  const { record, tracking } = context;
  const { conversation } = record.known;
  if (conversation?.unread === undefined || conversation.binding !== undefined) return;
  const bound = { ...boundTo(context, conversation, clock), isUnread: true as const };
  conversation.binding = issuedIds.keep([conversation.unread], bound, tracking.endUserId);
  backgroundTasks.add(conversation.binding);
}
