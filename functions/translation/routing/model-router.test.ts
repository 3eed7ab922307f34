import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, Meaning } from '../../kernel/model/index.ts';
import type { OperationName } from '../protocols/protocol.ts';
import { ModelRouter } from './model-router.ts';
import type { ChatProvider } from './provider.ts';

const PROVIDERS = new Map<string, ChatProvider>([
  ['native', provider('native', ['openai-chat'], ['openai-chat'])],
  ['translating', provider('translating', ['openai-chat'], [])],
  ['pictures', provider('pictures', ['openai-images'], [])],
]);

function provider(name: string, serves: OperationName[], native: OperationName[]): ChatProvider {
  return {
    name,
    serves: new Set(serves),
    isNative: (operation) => native.includes(operation),
    complete: () => Promise.reject(new Error(name)),
  };
}

const ROUTES = [{ models: 'shared', targets: [{ provider: 'translating' }], fallbacks: [{ provider: 'native' }] }];

function choose(model: string, { meaning, strict = false, further = [], allowedModels = [] }: Fields = {}) {
  const others = meaning === undefined ? [] : [{ path: 'tools[0]', meaning, value: {} }];
  const request = { model, stream: true, others } as unknown as ChatRequest;
  const router = new ModelRouter({
    ...{ routes: async () => ROUTES, providers: PROVIDERS, random: () => 0 },
    clock: { now: () => 0, monotonic: () => 0 },
  });
  const route = () => router.route({ allowedModels }, request, further);
  return { route, choose: async () => router.serving(await route(), request, 'openai-chat', strict) };
}

interface Fields {
  readonly meaning?: Meaning;
  readonly strict?: boolean;
  readonly further?: readonly { name: string; param: string; adds: boolean }[];
  readonly allowedModels?: string[];
}

describe('the targets of a request', () => {
  it('are those of its model', async () => {
    const { choose: run, route } = choose('shared');
    for (const targets of [await run(), (await route()).targets])
      expect(targets.map((target) => target.provider)).toEqual(['translating', 'native']);
  });

  it('are chosen among those that the key may use; a fallback is not chosen', async () => {
    const all = await choose('shared').route();
    expect(all.chosen).toMatchObject({ provider: 'translating', model: 'shared' });
    const few = await choose('shared', { allowedModels: ['native/*'] }).route();
    expect([few.targets.map(({ provider: name }) => name), few.chosen]).toEqual([['native'], undefined]);
  });

  it('are only those that support a field that cannot be translated', async () => {
    const cases: Fields[] = [
      { meaning: 'essential' },
      { meaning: 'essential', strict: true },
      { meaning: 'hint', strict: true },
    ];
    for (const fields of cases) {
      const targets = await choose('shared', fields).choose();
      expect(targets.map(({ provider: name }) => name)).toEqual(['native']);
      // It refuses the field itself, after the inspection.
      expect(await choose('translating/m', fields).choose()).toMatchObject([{ provider: 'translating' }]);
    }
  });

  it.each<Fields>([{ meaning: 'hint' }, { meaning: 'seed' }, { meaning: 'seed', strict: true }])(
    'are all that serve the path for a field that may be translated or dropped: %j',
    async (fields) => {
      const targets = await choose('shared', fields).choose();
      expect(targets.map(({ provider: name }) => name)).toEqual(['translating', 'native']);
    },
  );

  it('are an error if the provider does not serve the path', async () => {
    const refused = expect.objectContaining({ code: 'invalid_value', param: 'model' });
    await expect(choose('pictures/m').choose()).rejects.toEqual(refused);
  });

  it('are an error if the key may not use a further model of the request', async () => {
    const further = [{ name: 'other', param: 'models[0]', adds: false }];
    const { route } = choose('native/m', { further, allowedModels: ['native/m'] });
    await expect(route()).rejects.toEqual(expect.objectContaining({ param: 'models[0]' }));
  });
});
