import { expect, it } from '@jest/globals';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { LastRequest } from './last-request.ts';

const isPending = async (promise: Promise<void>) => {
  const timeout = new Promise((resolve) => setTimeout(() => resolve('pending'), 10));
  return (await Promise.race([promise, timeout])) === 'pending';
};

it('lets the only request end after the background tasks, including those added meanwhile', async () => {
  const tasks = new BackgroundTasks();
  const [write, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const request = new LastRequest(tasks).begin();
  tasks.add(write.promise);
  const settled = request.settled();
  tasks.add(next.promise);
  write.resolve();
  expect(await isPending(settled)).toBe(true);
  next.resolve();
  await settled;
});

it('does not delay a request beside others, and leaves its tasks to the last of them', async () => {
  const tasks = new BackgroundTasks();
  const write = Promise.withResolvers<void>();
  const last = new LastRequest(tasks);
  const [first, second] = [last.begin(), last.begin()];
  tasks.add(write.promise);
  await first.settled();
  const settled = second.settled();
  expect(await isPending(settled)).toBe(true);
  write.resolve();
  await settled;
});

it('releases a waiting request when another one begins', async () => {
  const tasks = new BackgroundTasks();
  tasks.add(new Promise(() => {}));
  const last = new LastRequest(tasks);
  const settled = last.begin().settled();
  expect(await isPending(settled)).toBe(true);
  const next = last.begin();
  await settled;
  expect(await isPending(next.settled())).toBe(true);
});

it('counts a request once, also if its client left while it waited', async () => {
  const tasks = new BackgroundTasks();
  const write = Promise.withResolvers<void>();
  tasks.add(write.promise);
  const last = new LastRequest(tasks);
  const left = last.begin();
  const waiting = left.settled();
  left.close();
  left.close();
  const next = last.begin().settled();
  expect(await isPending(next)).toBe(true);
  write.resolve();
  await Promise.all([waiting, next]);
});
