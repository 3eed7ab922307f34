import { expect, it } from '@jest/globals';
import { world } from './pipeline-routes.fixture.ts';

const LIFE = { from: '2026-11-30T03:00:00Z', until: '2026-11-30T03:30:00Z' };

it('a request is refused by an override before its limits are asked and its provider is called, and is recorded', async () => {
  const { ask, over, settled, calls, records } = world({ override: () => ({ mode: 'refuse', ...LIFE }) });
  const response = await ask();
  await over();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect([settled, calls]).toEqual([[], []]);
  expect(records).toMatchObject([{ state: 'failed', status: 503, errorCode: 'unavailable', tokens: { input: null } }]);
});

it('a stream that runs goes on while an override refuses', async () => {
  let mode: 'refuse' | undefined;
  const { ask, cancel, over, records } = world({ override: () => mode && { mode, ...LIFE } });
  const response = await ask();
  mode = 'refuse';
  expect((await ask()).status).toBe(503);
  const reader = response.body?.getReader();
  for (let read = 0; read < 20; read += 1) expect((await reader?.read())?.done).toBe(false);
  expect(records).toHaveLength(1);
  await cancel();
  await over();
  expect(records[1]).toMatchObject({ state: 'cancelled', status: 200 });
});

it('a request under an override that observes has a warning, and its record says so', async () => {
  const { ask, cancel, over, records } = world({ override: () => ({ mode: 'observe', ...LIFE }) });
  const response = await ask();
  expect([response.status, response.headers.get('x-svc-warnings')]).toEqual([200, '1']);
  await cancel();
  await over();
  expect(records).toMatchObject([{ override: 'observe' }]);
});
