import { isRemembered, suspicionOf, withTurn } from '../session/suspicion.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/**
 * How suspicious the session's past is (0..1); 0 for a request of no session, and where the store does not answer in time:
 * then it is judged without its past, which `coverage.skipped` and the record say. Never rejects.
 */
export async function readSuspicion(exchange: Exchange, { sessions, clock }: PipelineDeps): Promise<number> {
  const { sessionId } = exchange.tracking;
  if (sessionId === null) return 0;
  try {
    return suspicionOf(await sessions.read(exchange.key.id, sessionId), clock.now());
  } catch (error) {
    exchange.skipped('session score');
    exchange.noteInside(`session score not read: ${nameOf(error)}`);
    return 0;
  }
}

/** Adds what the last turn scored to its session. Never rejects: the answer stands without it, and the record says so. */
export async function rememberTurn(exchange: Exchange, { sessions, clock }: PipelineDeps): Promise<void> {
  const { sessionId } = exchange.tracking;
  const score = exchange.lastTurnScore;
  if (sessionId === null || !isRemembered(score) || exchange.outcome === 'refused') return;
  try {
    await sessions.update(exchange.key.id, sessionId, (known) => withTurn(known, score, clock.now()));
  } catch (error) {
    exchange.noteInside(`session score not written: ${nameOf(error)}`);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}
