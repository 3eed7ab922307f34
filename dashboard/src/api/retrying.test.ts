import { describe, expect, it } from '@jest/globals';
import { ApiError } from './client.ts';
import { retrying } from './retrying.ts';

const failure = (status: number) => new ApiError(status, 'x', 'x');

async function run(outcomes: readonly (number | 'done')[]) {
  const pauses: number[] = [];
  let at = 0;
  const work = async () => {
    const outcome = outcomes[at] ?? 'done';
    at += 1;
    if (outcome !== 'done') throw failure(outcome);
    return 'done';
  };
  const result = await retrying(work, async (pauseMs) => void pauses.push(pauseMs)).catch((error) => error.status);
  return { result, calls: at, pauses };
}

describe('work of many calls', () => {
  it('goes on after failures that pass, each pause longer than the one before', async () => {
    const { result, calls, pauses } = await run([0, 503, 429, 'done']);
    expect([result, calls]).toEqual(['done', 4]);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses).toHaveLength(3);
  });

  it('ends with the failure that does not pass', async () => {
    expect(await run([500, 500, 502, 503, 'done'])).toMatchObject({ result: 503, calls: 4 });
  });

  it('does not repeat what was refused', async () => {
    for (const status of [400, 401, 403, 404, 412])
      expect(await run([status])).toMatchObject({ result: status, calls: 1 });
  });
});
