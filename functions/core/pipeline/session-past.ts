import { isRemembered, suspicionOf, withFlag, withTurn } from '../session/suspicion.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { flaggedEvent } from './exchange-events.ts';

/**
 * Joins the request to its session, and gives how suspicious that session's past is (0..1); 0 for a request of no session,
 * and where the store does not answer in time: then it is judged without its past, which `coverage.skipped` and the record
 * say, and an end user's request belongs to no session. Never rejects.
 */
export async function readSuspicion(exchange: Exchange, { sessions, clock }: PipelineDeps): Promise<number> {
  const { sessionId: name, endUserId } = exchange.tracking;
  const keyId = exchange.key.id;
  try {
    if (name !== null) {
      exchange.session = { keyId, name };
      return suspicionOf(await sessions.read(keyId, name), clock.now());
    }
    if (endUserId === null) return 0;
    const { sessionId, score } = await sessions.join(keyId, endUserId);
    exchange.session = { keyId, endUserId, sessionId };
    return suspicionOf(score, clock.now());
  } catch (error) {
    exchange.skipped('session score');
    exchange.noteInside(`session score not read: ${nameOf(error)}`);
    return 0;
  }
}

/**
 * Adds what the last turn scored to its session, which is told of where that flags it. Never rejects: the answer stands
 * without it, and the record says so.
 */
export async function rememberTurn(exchange: Exchange, { sessions, clock }: PipelineDeps): Promise<void> {
  const { session, lastTurnScore: score } = exchange;
  if (session === undefined || !isRemembered(score) || exchange.outcome === 'refused') return;
  try {
    await sessions.update(
      session,
      (known) => withFlag(withTurn(known, score, clock.now()), exchange.flagsSessionFrom),
      (known, changed) => flaggedEvent(exchange, known, changed, clock.now()),
    );
  } catch (error) {
    exchange.noteInside(`session score not written: ${nameOf(error)}`);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}
