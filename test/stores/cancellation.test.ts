import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoCancellationStore } from '../../functions/adapters/dynamo/dynamo-cancellation-store.ts';
import type { StreamRef } from '../../functions/pipeline/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from './engines.ts';

const WAITING = new AbortController().signal;

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let client: DynamoClient;
  let stop = async () => {};
  beforeAll(async () => {
    const started = await engine.start();
    stop = started.stop;
    client = createDynamoClient(embeddedAccess(started.url));
  });
  afterAll(async () => {
    await stop();
  });
  /** A separate function. */
  const store = () => new DynamoCancellationStore(client, 'idempotency');
  const streams = (keyId: string, count: number): StreamRef[] =>
    Array.from({ length: count }, (__, at) => ({ keyId, requestId: `req_${at}` }));

  it('of any number of streams, exactly the cancelled ones are found', async () => {
    const running = streams('key_many', 250);
    expect(await store().asked(running, WAITING)).toEqual([]);
    const chosen = [0, 99, 100, 249].map((at) => running[at] as StreamRef);
    await Promise.all(chosen.map((stream) => store().ask(stream, Date.now() + 60_000)));
    expect(await store().asked(running, WAITING)).toEqual(chosen);
    expect(await store().asked([], WAITING)).toEqual([]);
  });

  it('a cancellation by another key is ignored', async () => {
    const [mine] = streams('key_mine', 1) as [StreamRef];
    await store().ask({ ...mine, keyId: 'key_other' }, Date.now() + 60_000);
    expect(await store().asked([mine], WAITING)).toEqual([]);
    expect(await store().isConfirmed(mine)).toBe(false);
  });

  it('a confirmed cancellation stays confirmed on repetition', async () => {
    const [stream] = streams('key_again', 1) as [StreamRef];
    const asked = await Promise.all([1, 2, 3].map(() => store().ask(stream, Date.now() + 60_000)));
    expect(asked).toEqual([false, false, false]);
    await store().confirm(stream);
    expect(await store().isConfirmed(stream)).toBe(true);
    expect(await store().ask(stream, Date.now() + 60_000)).toBe(true);
    expect(await store().isConfirmed(stream)).toBe(true);
  });

  it('a lookup for streams that have ended is aborted', async () => {
    const over = AbortSignal.abort();
    await expect(store().asked(streams('key_over', 1), over)).rejects.toThrow();
  });
});
