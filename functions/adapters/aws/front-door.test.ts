import { describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { behindDistribution, createFrontDoor, openFrontDoor } from './front-door.ts';

const word = (letter: string) => letter.repeat(64);
const secret = async () => JSON.stringify({ sent: word('a'), next: word('b'), before: word('c') });
const SOURCE = '198.51.100.1';
const viewer = { 'x-svc-viewer-address': '2001:db8::7', 'x-forwarded-for': '192.0.2.66' };
const shown = (text: string) => ({ ...viewer, 'x-svc-origin-secret': text });

describe.each([true, false])('accepts only requests through the distribution: %s', (only) => {
  const frontDoor = behindDistribution({ secret, only });

  test.each([word('a'), word('b'), word('c')])('takes the client address from the distribution: %s', async (text) => {
    expect(await frontDoor(shown(text), SOURCE)).toEqual({ clientAddress: '2001:db8::7' });
  });

  test.each([undefined, '', 'x', '203.0.113.7:1', '[2001:db8::7]', '203.0.113.7, 203.0.113.8'])(
    'has no client address if the distribution sends none: %s',
    async (address) => {
      const headers = { 'x-svc-origin-secret': word('a'), 'x-svc-viewer-address': address };
      expect(await frontDoor(headers, SOURCE)).toEqual({ clientAddress: '' });
    },
  );

  test.each([
    ['no secret', viewer],
    ["another deployment's secret", shown(word('d'))],
    ['an empty one', shown('')],
    ['two', shown(`${word('a')},${word('a')}`)],
  ])('%s: the connecting address is the client, whatever headers contain', async (_, headers) => {
    const { clientAddress, refusal } = await frontDoor(headers, SOURCE);
    expect([clientAddress, refusal?.status]).toEqual([SOURCE, only ? 403 : undefined]);
  });

  test.each([
    ['cannot be read', () => Promise.reject(new StoreUnavailable('away'))],
    ['has an unknown format', async () => '{}'],
  ])('refuses requests with a secret if the origin secret %s', async (_, broken) => {
    const { refusal } = await behindDistribution({ secret: broken, only })(shown(word('a')), SOURCE);
    expect(refusal?.status).toBe(503);
  });
});

test('accepts a rotated secret as soon as it is read', async () => {
  let text = JSON.stringify({ sent: word('a') });
  const frontDoor = behindDistribution({ secret: async () => text, only: true });
  expect((await frontDoor(shown(word('b')), SOURCE)).refusal?.status).toBe(403);
  text = JSON.stringify({ sent: word('a'), next: word('b') });
  expect(await frontDoor(shown(word('b')), SOURCE)).toEqual({ clientAddress: '2001:db8::7' });
});

test('says how long the distribution waits, only for its requests', async () => {
  const frontDoor = behindDistribution({ secret, only: false, firstByteMs: 60_000 });
  expect((await frontDoor(shown(word('a')), SOURCE)).firstByteMs).toBe(60_000);
  expect((await frontDoor(viewer, SOURCE)).firstByteMs).toBeUndefined();
});

test('ignores headers without a distribution, and refuses all requests without a secret', async () => {
  expect(createFrontDoor(undefined, false)).toBe(openFrontDoor);
  expect(await openFrontDoor(shown(word('a')), SOURCE)).toEqual({ clientAddress: SOURCE });
  const closed = createFrontDoor(undefined, true);
  expect((await closed(viewer, SOURCE)).refusal?.status).toBe(403);
  expect((await closed(shown(word('a')), SOURCE)).refusal?.status).toBe(503);
});
