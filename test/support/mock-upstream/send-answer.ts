import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { drained } from '../drained.ts';
import type { Behaviour } from './behaviour.ts';
import type { StagedAnswer } from './stage-answer.ts';

/** A response, and whether it was the mock that broke it off. */
export interface Exchange {
  response: ServerResponse;
  cutByMock: boolean;
}

/** Long enough that what was written is read before the connection breaks. */
const BEFORE_CUT_MS = 10;
const COMMENT_EVERY_MS = 100;

/** Sends a staged response; stops silently when the client has gone. */
export async function sendAnswer(exchange: Exchange, staged: StagedAnswer, pace: Behaviour): Promise<void> {
  const { response } = exchange;
  const { head, writes, ending } = staged;
  await wait(pace.headDelayMs);
  if (response.destroyed) return;
  if (head !== undefined) {
    response.writeHead(head.status, head.headers);
    if (writes.length === 0 || pace.firstChunkDelayMs) response.flushHeaders();
    if (pace.firstChunkDelayMs) await wait(pace.firstChunkDelayMs);
    if (pace.commentsUntil) await sendComments(response, pace.commentsUntil);
    await sendWrites(response, writes, pace.delayMs);
    if (response.destroyed) return;
  }
  if (ending === 'end') response.end();
  else if (ending !== 'stall') await cut(exchange, ending);
}

async function sendComments(response: ServerResponse, until: Promise<void>): Promise<void> {
  const timer = setInterval(() => response.write(': wait\n\n'), COMMENT_EVERY_MS);
  await Promise.race([until, once(response, 'close')]).finally(() => clearInterval(timer));
}

async function sendWrites(response: ServerResponse, writes: Buffer[], delayMs: number | undefined): Promise<void> {
  for (const [index, bytes] of writes.entries()) {
    // Without a delay, a turn of the event loop keeps the writes apart on the wire, as far as that can be done.
    if (index > 0) await (delayMs ? wait(delayMs) : nextTurn());
    if (response.destroyed) return;
    if (!response.write(bytes)) await drained(response);
  }
}

async function cut(exchange: Exchange, ending: 'reset' | 'fin'): Promise<void> {
  const { response } = exchange;
  if (response.headersSent) await wait(BEFORE_CUT_MS);
  if (response.destroyed) return;
  exchange.cutByMock = true;
  if (ending === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.end();
}

/** Waits without keeping the process alive. */
async function wait(delayMs = 0): Promise<void> {
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
}
