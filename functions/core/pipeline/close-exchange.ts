import type { RequestRef } from '../base/request-trace.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { eventOf } from './exchange-events.ts';
import { rememberConversation, rememberTurn } from './session-past.ts';
import { toExchangeRecord } from './to-exchange-record.ts';
import { toRequestRecord } from './to-request-record.ts';

/**
 * Begins what happens at the end of every exchange, however it ended: its turn is added to its session, and there is one
 * record, which holds the event that tells of it. The answer waits for none of it; the platform is kept awake until it is done.
 */
export function closeExchange(exchange: Exchange, deps: PipelineDeps): void {
  exchange.end();
  deps.backgroundTasks.add(finish(exchange, deps));
}

/**
 * None of it rejects: the answer stands without what could not be stored, and the log says what is missing. So all of it goes on
 * at once though it is awaited in turn, which makes fewer promises than `Promise.all`.
 */
async function finish(exchange: Exchange, deps: PipelineDeps): Promise<void> {
  const stored = [writeRecord(exchange, deps), keepTexts(exchange, deps)];
  const remembered = [rememberTurn(exchange, deps), rememberConversation(exchange, deps)];
  for (const one of remembered) await one;
  deps.log.record(toExchangeRecord(exchange, deps.models));
  for (const one of stored) await one;
}

async function writeRecord(exchange: Exchange, deps: PipelineDeps): Promise<void> {
  const { records, models, log, refusals, clock } = deps;
  try {
    await records.write(toRequestRecord(exchange, models), eventOf(exchange, refusals, clock.now()));
  } catch (error) {
    log.lost(refOf(exchange), 'record', error);
  }
}

async function keepTexts(exchange: Exchange, { captures, log }: PipelineDeps): Promise<void> {
  const { requestId, transcript } = exchange;
  if (transcript === undefined || transcript.kept === 'none') return;
  try {
    await captures.write(requestId, transcript.toCapture());
  } catch (error) {
    log.lost(refOf(exchange), 'capture', error);
  }
}

function refOf({ requestId, trace }: Exchange): RequestRef {
  return { requestId, traceId: trace.traceId };
}
