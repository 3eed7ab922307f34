import { expect, it } from '@jest/globals';
import { inParallel } from './batches.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('does the work for each item, so many at a time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel([1, 2, 3, 4, 5, 6, 7, 8, 9], 4, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    done.push(item);
  });
  expect(most).toBe(4);
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('rejects with the first failure, begins nothing after it, and leaves nothing running', async () => {
  const begun: number[] = [];
  let running = 0;
  const working = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    running += 1;
    await turn();
    if (item !== 1) await turn();
    running -= 1;
    if (item === 1) throw new Error('first');
  });
  await expect(working).rejects.toThrow('first');
  expect([begun, running]).toEqual([[1, 2], 0]);
});
