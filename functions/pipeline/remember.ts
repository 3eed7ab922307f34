import { type IssuedId, isRemembered, withTurn } from '../control/sessions/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { Target } from '../translation/index.ts';
import type { Conversation } from './conversation.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import { flaggedEvent } from './request-events.ts';
import type { RunningRequest } from './request-outcome.ts';
import { errorName } from './session-past.ts';

/**
 * Adds the last turn's score to its session, with an event if that flags it, and what later requests of the session need about tool calls.
 * Nothing is written if nothing is new. Never rejects: the notes list failures.
 */
export async function rememberTurn(
  { context, outcome }: RunningRequest,
  { sessions, clock }: Pick<PipelineDeps, 'sessions' | 'clock'>,
): Promise<void> {
  const { session, recording, inspection } = outcome;
  const score = inspection.lastTurnScore;
  if (session === undefined || outcome.ending === 'refused') return;
  try {
    const learned = outcome.news && outcome.memory?.learn(outcome.news);
    if (learned === undefined && !isRemembered(score)) return;
    await sessions.update(
      session,
      (known) => {
        const state = learned === undefined ? known : learned(known, clock.now());
        if (state !== undefined && !isRemembered(score)) return state;
        return withTurn(state, score, clock.now(), recording.flagsSessionFrom);
      },
      (known, changed) => flaggedEvent({ context, outcome }, known, changed, clock.now()),
    );
  } catch (error) {
    outcome.note(`session not written: ${errorName(error)}`);
  }
}

/**
 * Binds the ids of a response to its key, with the score of the conversation. A suspicious turn without a stored response (blocked, or not
 * stored) counts for the previous response. Never rejects: the notes list failures.
 */
export async function rememberConversation(
  { context: { key, tracking }, outcome }: RunningRequest,
  { issuedIds, clock }: Pick<PipelineDeps, 'issuedIds' | 'clock'>,
): Promise<void> {
  const { conversation, ending, target } = outcome;
  const { lastTurnScore } = outcome.inspection;
  if (conversation === undefined || ending === 'refused') return;
  const { withheld, unread, binding, previous, fetched, isKept, kept, removed } = conversation;
  const given = conversation.given.filter((id) => id !== fetched);
  const bound = boundTo(key.id, conversation, { lastTurnScore, target }, clock);
  const keptBound = ending === 'completed' ? bound : { ...bound, isUnread: true as const };
  try {
    await binding;
    await Promise.all([
      unread !== undefined && ending === 'blocked' && issuedIds.read(key.id, unread, true),
      given.length > 0 && issuedIds.keep(given, bound, tracking.endUserId),
      kept.length > 0 && issuedIds.keep(kept, keptBound, tracking.endUserId),
      ...[...removed].map(([id, unanswered]) => issuedIds.keep([id], { ...bound, unanswered }, tracking.endUserId)),
      withheld.length > 0 && issuedIds.keep(withheld, { keyId: null, score: undefined }, null),
      previous !== undefined &&
        isRemembered(lastTurnScore) &&
        !isKept &&
        issuedIds.update(key.id, previous, (known) => withTurn(known, lastTurnScore, clock.now())),
    ]);
  } catch (error) {
    outcome.note(`ids not bound: ${errorName(error)}`);
  }
}

/** What the ids of a response are bound with: the score of its turn, and the target that returned them. */
export interface BoundTurn {
  readonly lastTurnScore: number;
  readonly target: Target | undefined;
}

/** What is stored with the ids of a response. */
function boundTo(
  keyId: string,
  { score }: Conversation,
  { lastTurnScore, target }: BoundTurn,
  clock: Clock,
): Pick<IssuedId, 'keyId' | 'score' | 'madeBy'> {
  const now = isRemembered(lastTurnScore) ? withTurn(score, lastTurnScore, clock.now()) : score;
  return { keyId, score: now, ...(target && { madeBy: target }) };
}

/**
 * Binds the id of a background response before the response ends, so that its key may fetch or cancel it while it is streamed. Does nothing
 * for other responses.
 */
export function bindUnread(
  { key, tracking }: RequestContext,
  conversation: Conversation,
  turn: BoundTurn,
  { issuedIds, clock, backgroundTasks }: Pick<PipelineDeps, 'issuedIds' | 'clock' | 'backgroundTasks'>,
): void {
  if (conversation.unread === undefined || conversation.binding !== undefined) return;
  const bound = { ...boundTo(key.id, conversation, turn, clock), isUnread: true as const };
  conversation.binding = issuedIds.keep([conversation.unread], bound, tracking.endUserId);
  backgroundTasks.add(conversation.binding);
}
