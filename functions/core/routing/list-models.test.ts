import { expect, test } from '@jest/globals';
import type { ApiKey } from '../model/api-key.ts';
import { listModels } from './list-models.ts';
import { ModelCatalog } from './model-catalog.ts';
import { DEFAULT_ROUTES, type RouteEntry } from './route-model.ts';

const OWN: readonly RouteEntry[] = [
  { models: 'fast', targets: [{ provider: 'openai', model: 'gpt-4o-mini' }], fallbacks: [{ provider: 'anthropic' }] },
  { models: 'gpt-4o', targets: [{ provider: 'openai', model: 'gpt-4o-2024-08-06' }] },
  { models: 'gone', targets: [{ provider: 'mistral', model: 'mistral-large-latest' }] },
  { models: 'team-*', targets: [{ provider: 'openai' }] },
];

function listed(allowedModels: string[] = []) {
  return listModels({ allowedModels } as unknown as ApiKey, {
    models: new ModelCatalog(),
    routes: [...OWN, ...DEFAULT_ROUTES],
    available: new Set(['openai']),
  });
}

test('aliases come first, with what is known of the model that they call', () => {
  const [first, second] = listed();
  expect(first).toMatchObject({ id: 'fast', provider: 'openai' });
  expect(first?.facts).toEqual(new ModelCatalog().find('openai', 'gpt-4o-mini'));
  expect(second).toMatchObject({ id: 'gpt-4o' });
});

test('each name once, without patterns and aliases that nothing serves', () => {
  const ids = listed().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toEqual(expect.arrayContaining(['gone']));
  expect(ids.some((id) => id.includes('*'))).toBe(false);
  expect(ids).toContain('gpt-4o-mini');
  expect(ids.some((id) => id.startsWith('claude'))).toBe(false);
});

test('only what the key may use', () => {
  expect(listed(['fast']).map(({ id }) => id)).toEqual(['fast']);
  expect(listed(['openai/gpt-4o-mini']).map(({ id }) => id)).toEqual(['fast', 'gpt-4o-mini']);
});
