import { describe, expect, it } from '@jest/globals';
import { createKeySchema } from '../model/api-key.ts';
import type { ChatRequest, Meaning } from '../model/chat.ts';
import type { Protocol, ProtocolName } from '../protocols/protocol.ts';
import type { ChatProvider } from '../routing/provider.ts';
import { chooseTargets } from './plan-request.ts';
import { createRequestContext } from './request-context.ts';

const PROVIDERS = new Map<string, ChatProvider>([
  ['native', provider('native', ['openai-chat'], ['openai-chat'])],
  ['translating', provider('translating', ['openai-chat'], [])],
  ['pictures', provider('pictures', ['openai-images'], [])],
]);

function provider(name: string, serves: ProtocolName[], nativeProtocols: ProtocolName[]): ChatProvider {
  return {
    name,
    serves: new Set(serves),
    nativeProtocols: new Set(nativeProtocols),
    complete: () => Promise.reject(new Error(name)),
  };
}

const ROUTES = [{ models: 'shared', targets: [{ provider: 'translating' }], fallbacks: [{ provider: 'native' }] }];

function choose(model: string, { meaning, strict = false, further = [], allowedModels = [] }: Fields = {}) {
  const clock = { now: () => 0, monotonic: () => 0 };
  const created = createKeySchema.parse({ name: 'test' });
  const key = { ...created, allowedModels, id: 'key_1', state: 'active', last4: 'abcd', createdAt: '', secretHash: '' };
  const fields = { requestId: 'req_1', route: '/', key: key as never, clock, startedAt: 0 };
  const context = { ...createRequestContext(fields), strictTranslation: strict };
  const others = meaning === undefined ? [] : [{ path: 'tools[0]', meaning, value: {} }];
  const request = { model, stream: true, others } as unknown as ChatRequest;
  const protocol = { name: 'openai-chat' } as Protocol<unknown>;
  const deps = { routes: ROUTES, providers: PROVIDERS, random: () => 0 };
  return { context, choose: () => chooseTargets(context, { request, further }, protocol, deps) };
}

interface Fields {
  readonly meaning?: Meaning;
  readonly strict?: boolean;
  readonly further?: readonly { name: string; param: string; adds: boolean }[];
  readonly allowedModels?: readonly string[];
}

describe('the targets of a request', () => {
  it('are those of its model, with the first one in the record', () => {
    const { choose: run, context } = choose('shared');
    expect(run().map((target) => target.provider)).toEqual(['translating', 'native']);
    expect(context.record.known).toMatchObject({ model: 'shared', stream: true, target: { provider: 'translating' } });
  });

  it('are only those that support a field that cannot be translated', () => {
    const cases: Fields[] = [
      { meaning: 'essential' },
      { meaning: 'essential', strict: true },
      { meaning: 'hint', strict: true },
    ];
    for (const fields of cases) {
      const targets = choose('shared', fields).choose();
      expect(targets.map(({ provider: name }) => name)).toEqual(['native']);
      // It refuses the field itself, after the inspection.
      expect(choose('translating/m', fields).choose()).toMatchObject([{ provider: 'translating' }]);
    }
  });

  it.each<Fields>([{ meaning: 'hint' }, { meaning: 'seed' }, { meaning: 'seed', strict: true }])(
    'are all that serve the path for a field that may be translated or dropped: %j',
    (fields) =>
      expect(
        choose('shared', fields)
          .choose()
          .map(({ provider: name }) => name),
      ).toEqual(['translating', 'native']),
  );

  it('are an error if the provider does not serve the path', () => {
    expect(choose('pictures/m').choose).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'model' }));
  });

  it('are an error if the key may not use a further model of the request', () => {
    const further = [{ name: 'other', param: 'models[0]', adds: false }];
    const { choose: run, context } = choose('native/m', { further, allowedModels: ['native/m'] });
    expect(run).toThrow(expect.objectContaining({ param: 'models[0]' }));
    expect(context.record.known.target).toBeUndefined();
  });
});
