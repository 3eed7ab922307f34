import { expect, test } from '@jest/globals';
import type { RouteEntry } from '../../kernel/configuration/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import { listModels } from './list-models.ts';
import { ModelCatalog } from './model-catalog.ts';
import type { ProviderModel } from './provider-models.ts';
import { DEFAULT_ROUTES } from './route-model.ts';

const OWN: readonly RouteEntry[] = [
  { models: 'fast', targets: [{ provider: 'openai', model: 'gpt-4o-mini' }], fallbacks: [{ provider: 'anthropic' }] },
  { models: 'gpt-4o', targets: [{ provider: 'openai', model: 'gpt-4o-2024-08-06' }] },
  { models: 'gone', targets: [{ provider: 'mistral', model: 'mistral-large-latest' }] },
  { models: 'stopped', targets: [{ provider: 'openai', model: 'gpt-4o-mini' }], state: 'disabled' },
  { models: 'team-*', targets: [{ provider: 'openai' }] },
];

const PRICED = new ModelCatalog().ofProvider('openai');

function listed(allowedModels: string[] = [], known: readonly ProviderModel[] = PRICED) {
  return listModels({ allowedModels } as unknown as ApiKey, {
    models: new ModelCatalog(),
    known,
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

test('a model that the table does not know, with its provider where the bare name would call another', () => {
  const known = ['ft:gpt-4o-mini:me::1', 'o5-new', 'gpt-4o'].map((model) => ({ provider: 'openai', model }));
  const ids = listed([], known).map(({ id }) => id);
  // The alias `gpt-4o` calls another model than the name says.
  expect(ids).toEqual(['fast', 'gpt-4o', 'openai/ft:gpt-4o-mini:me::1', 'openai/o5-new', 'openai/gpt-4o']);
  expect(listed(['openai/o5*'], known).map(({ id }) => id)).toEqual(['openai/o5-new']);
});

test('keeps the methods that Google reports', () => {
  const [, , model] = listed([], [{ provider: 'openai', model: 'x', methods: ['embedContent'] }]);
  expect(model).toMatchObject({ id: 'openai/x', methods: ['embedContent'] });
});
