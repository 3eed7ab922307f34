import { expect, test } from '@jest/globals';
import { GATEWAY_OPERATIONS } from '../../functions/gateway/operations/index.ts';
import { ROUTES as COMPARED } from '../fidelity/routes.ts';

const served = Object.values(GATEWAY_OPERATIONS).flatMap((route) => {
  if (route.method !== 'POST' && !('protocol' in route)) return [];
  return [{ name: `${route.method} ${route.path}`, protocol: 'protocol' in route ? route.protocol : route.path }];
});

test('every route with a body or a provider has an entry that compares its fields with the published form', () => {
  const compared = served.filter(({ name }) => Object.hasOwn(COMPARED, name));
  const names = new Set(Object.keys(COMPARED).map((name) => name.replace(/ \(JSON\)$/, '')));
  expect([...names].sort()).toEqual(compared.map(({ name }) => name).sort());
  const missing = served.filter(({ protocol }) => !compared.some((other) => other.protocol === protocol));
  expect(missing).toEqual([]);
});
