import { expect, test } from '@jest/globals';
import { PROTOCOLS, ROUTES } from './routes.ts';

test('each method and path is served once to the clients of an API', () => {
  const names = ROUTES.map((route) => `${route.method} ${route.path} ${'isFor' in route && route.isFor?.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('each protocol is loaded by its name and served on a route', async () => {
  const served = new Set(ROUTES.flatMap((route) => ('protocol' in route ? [route.protocol] : [])));
  for (const [name, load] of Object.entries(PROTOCOLS)) {
    expect([name, (await load()).name, served.has(name as never)]).toEqual([name, name, true]);
  }
});
