import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../kernel/errors/index.ts';
import { HttpFailure } from '../kernel/http/index.ts';
import { batchWorld, lineOf, refusal } from './run-batch.fixture.ts';

/** As many as a batch may have are in the slow test. */
const LINES = 200;
const textOf = (at: number) => (at % 50 === 7 ? `oleander ${at}` : `heliotrope ${at}`);
const lines = (count = LINES) => Array.from({ length: count }, (_, at) => lineOf(`line_${at}`, textOf(at)));
const HOUR = 60 * 60_000;

describe('a batch', () => {
  it('loses and repeats nothing if the process is killed again and again while its results are read', async () => {
    const world = batchWorld();
    const { batch } = await world.create(lines());
    expect([world.rows.size, world.atProvider.size, batch.lines]).toEqual([
      1,
      1,
      { sent: 196, failed: 4, answered: 0 },
    ]);
    const passes: Map<string, unknown>[] = [];
    for (const effects of [0, 1, 23, 60, 41, 80]) {
      world.killAfter(effects);
      await world.read(batch, passes).catch(() => {});
    }
    world.restart();
    await world.read(batch, passes);
    const all = passes.at(-1) as Map<string, { type: string }>;
    expect(all.size).toBe(LINES);
    for (const [name, result] of all) {
      const isBlocked = Number(name.slice('line_'.length)) % 50 === 7;
      expect([name, result.type]).toEqual([name, isBlocked ? 'errored' : 'succeeded']);
      expect(JSON.stringify(result)).not.toMatch(/heliotrope|oleander/);
    }
    // An earlier reading has the same results, as far as it came.
    for (const pass of passes)
      for (const [name, result] of pass) expect((result as { type: string }).type).toBe(all.get(name)?.type);
    const ofLines = [...world.records.values()].filter(({ route }) => route === '/v1/messages/batches');
    expect(ofLines).toHaveLength(LINES);
    await world.read(batch, passes);
    const again = world.written.length;
    await world.read(batch, passes);
    // The record of the reading itself.
    expect(world.written.length).toBe(again + 1);
  }, 120_000);

  it('is found after a kill while it was created only with all of its lines, and is sent once at most', async () => {
    for (const [effects, found, sent] of [
      [0, 0, 0],
      [1, 0, 0],
      [2, 1, 0],
      [3, 1, 1],
    ] as const) {
      const world = batchWorld();
      world.killAfter(effects);
      await world.create([lineOf('a', 'one'), lineOf('b', 'two')]).catch(() => {});
      world.restart();
      expect([effects, world.rows.size]).toEqual([effects, found]);
      const [batch] = world.rows.values();
      if (batch === undefined) continue;
      expect(batch.providerBatchId).toBe(null);
      // No client would read what the provider has: it is canceled if the process still can.
      expect(world.atProvider.size).toBeLessThanOrEqual(sent);
      const passes: Map<string, unknown>[] = [];
      await expect(world.read(batch, passes)).rejects.toMatchObject({ code: 'invalid_value' });
      world.clock.time += HOUR;
      await world.read(batch, passes);
      expect([...(passes.at(-1)?.values() ?? [])]).toMatchObject([{ type: 'errored' }, { type: 'errored' }]);
    }
  });

  it('counts half of what its lines may use, and nothing if the provider refuses it', async () => {
    const world = batchWorld();
    await world.create(lines(2));
    const { nanoUsd = 0 } = world.settled.at(-1) ?? {};
    // 50 tokens of each line at half of 10 dollars for a million, and its input.
    expect([nanoUsd > 500_000, nanoUsd < 750_000, world.settled.length]).toEqual([true, true, 1]);
    world.failure.create = refusal();
    await expect(world.create(lines(2))).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect([world.rows.size, world.entries.size, world.settled.at(-1)?.nanoUsd]).toEqual([1, 1, 0]);
    // It may have been taken.
    const cause = new HttpFailure('reset', true);
    world.failure.create = new GatewayError('provider_error', 'The connection broke.', {
      fallback: 'after_retry',
      cause,
    });
    await expect(world.create(lines(2))).rejects.toMatchObject({
      code: 'provider_error',
      headers: { 'x-should-retry': 'false' },
    });
    expect([world.rows.size, world.settled.at(-1)?.nanoUsd]).toEqual([2, nanoUsd]);
  });

  it('cannot be read with another secret of the key, and its lines cannot be read in the store', async () => {
    const world = batchWorld();
    const { batch } = await world.create(lines(3));
    const bytes = [...world.entries.values()].map((entry) => Buffer.from(entry.bytes).toString('latin1')).join('');
    expect(bytes).not.toMatch(/heliotrope|line_0/);
    await expect(world.read(batch, [], 'another secret')).rejects.toMatchObject({ code: 'not_found' });
  });
});
