import { expect, test } from '@jest/globals';
import { PROTOCOLS, ROUTES } from './routes.ts';

test('each method and path is served once', () => {
  const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('each protocol is loaded by its name and served on a route', async () => {
  const served = new Set(ROUTES.flatMap((route) => ('protocol' in route ? [route.protocol] : [])));
  for (const [name, load] of Object.entries(PROTOCOLS)) {
    expect([name, (await load()).name, served.has(name as never)]).toEqual([name, name, true]);
  }
});
