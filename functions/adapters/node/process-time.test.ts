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
