import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  CLOSING_HEADS,
  type ClosingServer,
  type RawResponse,
  startClosingServer,
} from '../../../test/support/closing-server.ts';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { HttpFailure, type HttpResponse } from '../../kernel/http/index.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

/** More than waits for its reader (`MAX_WAITING_BYTES`), less than the connection buffers: its end arrives during the wait. */
const PAUSED_BYTES = 300 * 1024;
const LARGE_BYTES = 3 * 1024 * 1024;

let server: ClosingServer | undefined;
afterEach(() => server?.close());

async function send(response: RawResponse, calls = 1): Promise<HttpResponse[]> {
  server = await startClosingServer(() => response);
  const { url } = server;
  const client = new UndiciHttpClient();
  const timeouts = { headTimeoutMs: DEADLINE_MS, idleTimeoutMs: DEADLINE_MS };
  const call = { method: 'POST', url, headers: {}, body: 'x', ...timeouts } as const;
  return Promise.all(Array.from({ length: calls }, () => client.send(call)));
}

/** How many bytes a response has, and whether it ended by a failure. */
async function read({ body }: HttpResponse, waitMs = 0): Promise<{ bytes: number; failed: boolean }> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (waitMs > 0) await pause(waitMs);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(HttpFailure);
    return { bytes, failed: true };
  }
  return { bytes, failed: false };
}

// Jest fails a test during which an error is not caught.
describe.each(CLOSING_HEADS)('a response %s', (name, head) => {
  const failed = /fewer|last chunk/.test(name);

  it('arrives whole, or fails, at a reader that starts after its end', async () => {
    const [response] = await send({ head: head(PAUSED_BYTES), body: Buffer.alloc(PAUSED_BYTES, 'x') });
    await pause(100);
    expect(await read(response as HttpResponse)).toEqual({ bytes: PAUSED_BYTES, failed });
  });

  it('arrives whole, or fails, at a slow reader', async () => {
    const [response] = await send({ head: head(LARGE_BYTES), body: Buffer.alloc(LARGE_BYTES, 'x') });
    expect(await read(response as HttpResponse, 5)).toEqual({ bytes: LARGE_BYTES, failed });
  });

  it('arrives whole, or fails, four times at once', async () => {
    const responses = await send({ head: head(LARGE_BYTES), body: Buffer.alloc(LARGE_BYTES, 'x') }, 4);
    const results = await Promise.all(responses.map((response) => read(response)));
    expect(results).toEqual(Array(4).fill({ bytes: LARGE_BYTES, failed }));
  });

  it.each(['destroy', 'reset'] as const)('is survived if the connection breaks (%s)', async (close) => {
    const [response] = await send({ head: head(PAUSED_BYTES), body: Buffer.alloc(PAUSED_BYTES, 'x'), close });
    await pause(100);
    expect((await read(response as HttpResponse)).bytes).toBeLessThanOrEqual(PAUSED_BYTES);
  });

  it('is survived if its reader leaves', async () => {
    const [response] = await send({ head: head(PAUSED_BYTES), body: Buffer.alloc(PAUSED_BYTES, 'x') });
    await pause(100);
    for await (const _ of (response as HttpResponse).body) break;
    await pause(20);
  });
});
