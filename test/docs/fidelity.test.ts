import { expect, test } from '@jest/globals';
import { GATEWAY_OPERATIONS } from '../../functions/gateway/operations/index.ts';
import { ROUTES as COMPARED } from '../fidelity/routes.ts';

const served = Object.values(GATEWAY_OPERATIONS).flatMap((route) => {
  if (route.method !== 'POST' && !('operation' in route)) return [];
  return [{ name: `${route.method} ${route.path}`, operation: 'operation' in route ? route.operation : route.path }];
});

test('every route with a body or a provider has an entry that compares its fields with the published form', () => {
  const compared = served.filter(({ name }) => Object.hasOwn(COMPARED, name));
  const names = new Set(Object.keys(COMPARED).map((name) => name.replace(/ \(JSON\)$/, '')));
  expect([...names].sort()).toEqual(compared.map(({ name }) => name).sort());
  const missing = served.filter(({ operation }) => !compared.some((other) => other.operation === operation));
  expect(missing).toEqual([]);
});
