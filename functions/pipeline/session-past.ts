import {
  type IssuedId,
  SessionMemory,
  type SessionRef,
  type SessionStore,
  suspicionOf,
} from '../control/sessions/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { NamedId, Target } from '../translation/index.ts';
import { type Continued, Conversation, type ConversationStart, type SessionPast } from './conversation.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { Outcome } from './request-outcome.ts';

type SessionState = Awaited<ReturnType<SessionStore['read']>>;

/**
 * Joins the request to its session. If the store does not respond in time, the suspicion is 0, `coverage.skipped` and the notes report it,
 * and an end user's request has no session. Never rejects.
 */
export async function joinSession(
  { key, tracking }: RequestContext,
  { inspection, note }: Pick<Outcome, 'inspection' | 'note'>,
  { sessions, digestKeys, clock }: Pick<PipelineDeps, 'sessions' | 'digestKeys' | 'clock'>,
): Promise<SessionPast> {
  const { sessionId: name, endUserId } = tracking;
  const keyId = key.id;
  const named = name === null ? undefined : { keyId, name };
  const joined = async (session: SessionRef, state: SessionState): Promise<SessionPast> => {
    const memory = await SessionMemory.of(session, state, digestKeys);
    return { session, suspicion: suspicionOf(state, clock.now()), memory };
  };
  try {
    if (named !== undefined) return await joined(named, await sessions.read(keyId, named.name));
    if (endUserId === null) return { session: undefined, suspicion: 0, memory: undefined };
    const { sessionId, score } = await sessions.join(keyId, endUserId);
    return await joined({ keyId, endUserId, sessionId }, score);
  } catch (error) {
    inspection.skipped('session score');
    inspection.skipped('session memory');
    note(`session not read: ${errorName(error)}`);
    return { session: named, suspicion: 0, memory: UNREAD };
  }
}

/** The memory of a session that could not be read: it learns nothing. */
const UNREAD: SessionPast['memory'] = { has: () => false, hasOccurred: () => undefined, learn: () => undefined };

/** An error as the record notes it. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}

type IdDeps = Pick<PipelineDeps, 'issuedIds' | 'foreignIds' | 'sleep' | 'clock'>;

/** An id is bound after the response that contains it: one that is not found may be bound in a moment. */
const SECOND_LOOK_MS = 250;

/** Different ids in one request: each is a read. */
export const MAX_NAMED = 10_000;
const PLAIN_ID = /^[\w./-]{1,128}$/;

/** Characters that could make a provider read the id as another one. */
const AMBIGUOUS = /[\p{C}%?#\\]|^\s|\s$/u;

/** The ids in a request, and where they may lead. */
export interface Naming {
  readonly named: readonly NamedId[];
  /** Whether a provider would support them; without one they are not looked up. */
  readonly isSupported: boolean;
  readonly start: Pick<ConversationStart, 'isKept' | 'wrote'>;
  readonly targets: readonly Target[];
}

/**
 * The conversation that the ids of a request continue. Without ids nothing is read.
 * @throws GatewayError `not_found` for an id that this key may not name, `invalid_value` for too many; StoreUnavailable
 */
export async function findConversation(
  context: RequestContext,
  signal: AbortSignal,
  { named, isSupported, start, targets }: Naming,
  deps: IdDeps,
): Promise<Continued> {
  if (!isSupported) return { conversation: undefined, suspicion: 0 };
  if (named.length === 0) return { conversation: new Conversation(start), suspicion: 0 };
  const found = await findAll(context, signal, named, deps);
  refuseUnread(named, found);
  const makers = makersOf(named, found, targets);
  const nowMs = deps.clock.now();
  const scores = [...found.values()].flatMap(({ score }) => (score === undefined ? [] : [score]));
  const highest = scores.sort((a, b) => suspicionOf(b, nowMs) - suspicionOf(a, nowMs))[0];
  const previous = named.find(({ continues }) => continues)?.id;
  const unanswered = previous === undefined ? undefined : found.get(previous)?.unanswered;
  return {
    conversation: new Conversation({ ...start, previous, score: highest, makers, unanswered }),
    suspicion: suspicionOf(highest, nowMs),
  };
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
  { key }: RequestContext,
  signal: AbortSignal,
  named: readonly NamedId[],
  { issuedIds, foreignIds, sleep }: IdDeps,
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
    await sleep(SECOND_LOOK_MS, signal);
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
export async function findOwned(
  context: RequestContext,
  signal: AbortSignal,
  named: NamedId,
  deps: IdDeps,
): Promise<IssuedId> {
  const found = await findAll(context, signal, [named], { ...deps, foreignIds: [] }, () => false);
  const known = found.get(named.id) as IssuedId;
  // The provider's response has calls that were removed.
  if (known.unanswered !== undefined) throw idNotFound(named);
  return known;
}

/** Refuses to continue from text that was not inspected: a background response that was not fetched, or a kept exchange that did not pass. */
function refuseUnread(named: readonly NamedId[], found: ReadonlyMap<string, IssuedId>): void {
  const unread = named.find(({ id, isCompared }) => !isCompared && found.get(id)?.isUnread);
  if (unread === undefined) return;
  if (unread.details !== undefined || unread.unknownAt !== undefined) throw idNotFound(unread);
  const message = `${unread.what} '${unread.id}' was not fetched yet: read it with GET /v1/responses/{id} until it is completed.`;
  throw new GatewayError('invalid_value', message, { param: unread.param });
}
