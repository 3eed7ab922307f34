import { expect, test } from '@jest/globals';
import { type App, createApp, HeaderList } from '../kernel/http/index.ts';
import { toWebResponse } from '../kernel/http/to-web-response.fixture.ts';
import { getReadiness } from './service-routes.ts';

async function ask(app: App) {
  const request = {
    method: 'GET',
    url: 'http://gateway/readyz',
    headers: new HeaderList([]),
    bytes: async () => new Uint8Array(),
  };
  return toWebResponse(await app(request, { clientAddress: '127.0.0.1', signal: new AbortController().signal }));
}

test('names the unavailable store, and checks again a second later', async () => {
  let monotonic = 5;
  let asked = 0;
  let inReach = false;
  const events = async () => {
    asked += 1;
    if (!inReach) throw new Error('out of reach');
  };
  const clock = { now: () => 0, monotonic: () => monotonic };
  const handle = getReadiness({ storeChecks: { keys: async () => {}, events }, clock });
  const app = createApp([{ method: 'GET', path: '/readyz', handle }], {
    monotonic: clock.monotonic,
    onError: () => {},
    onAnswered: () => {},
  });

  const [first, second] = await Promise.all([ask(app), ask(app)]);
  expect([first.status, second.status]).toEqual([503, 503]);
  expect(await first.json()).toEqual({ status: 'unavailable', stores: { keys: 'ok', events: 'unavailable' } });

  inReach = true;
  monotonic += 999;
  expect((await ask(app)).status).toBe(503);
  expect(asked).toBe(1);
  monotonic += 1;
  const answer = await ask(app);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'ok', stores: { keys: 'ok', events: 'ok' } });
});

test('names the helper process that does not run', async () => {
  const states = { 'svc-webhooks': 'ok', 'svc-streams': 'unavailable' } as const;
  const clock = { now: () => 0, monotonic: () => 5 };
  let processes: Readonly<Record<string, 'ok' | 'unavailable'>> = states;
  const handle = getReadiness({ storeChecks: { keys: async () => {} }, processStates: () => processes, clock });
  const app = createApp([{ method: 'GET', path: '/readyz', handle }], {
    monotonic: clock.monotonic,
    onError: () => {},
    onAnswered: () => {},
  });

  const down = await ask(app);
  expect(down.status).toBe(503);
  expect(await down.json()).toEqual({ status: 'unavailable', stores: { keys: 'ok' }, processes: states });
  processes = { 'svc-webhooks': 'ok', 'svc-streams': 'ok' };
  expect((await ask(app)).status).toBe(200);
});
