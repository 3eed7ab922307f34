import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { FairScheduler } from './process-time.ts';

it('lets one waiting task continue, then the event loop for several rounds', async () => {
  const scheduler = new FairScheduler();
  const happened: string[] = [];
  const round = () => {
    happened.push('round');
    if (happened.length < 30) setImmediate(round);
  };
  setImmediate(round);
  const first = scheduler.nextTurn().then(() => happened.push('first'));
  const second = scheduler.nextTurn().then(() => happened.push('second'));
  await Promise.all([first, second]);
  const [one, two] = [happened.indexOf('first'), happened.indexOf('second')];
  expect(one).toBeGreaterThanOrEqual(3);
  expect(two - one).toBeGreaterThanOrEqual(4);
});

it('counts the CPU time of the main thread, which never goes back, and no time in which it waits', async () => {
  const scheduler = new FairScheduler();
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const [first, start] = [scheduler.cpuMs(), threadMs()];
  let last = first;
  while (threadMs() - start < 100) {
    const now = scheduler.cpuMs();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  await sleep(100);
  // Systems count in steps of some milliseconds.
  const difference = scheduler.cpuMs() - first - (threadMs() - start);
  expect(Math.abs(difference)).toBeLessThan(20);
});
