import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { drained } from './drained.ts';

test('a stream that is waited for many times keeps no listener', async () => {
  const stream = new Writable({ highWaterMark: 1, write: (_, __, done) => setImmediate(done) });
  const before = stream.eventNames().map((name) => [name, stream.listenerCount(name)]);
  for (let count = 0; count < 20; count += 1) {
    stream.write('ab');
    await drained(stream);
  }
  expect(stream.eventNames().map((name) => [name, stream.listenerCount(name)])).toEqual(before);
  stream.destroy();
  await drained(stream);
});
