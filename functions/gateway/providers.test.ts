import { describe, expect, it } from '@jest/globals';
import { readLocalSettings } from '../../lib/settings/function-settings.ts';
import { DEADLINE_MS } from '../../test/support/eventually.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { providerConnections } from '../adapters/provider-connections.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { LiveProviders, ModelCatalog, type ProviderSettings } from '../translation/index.ts';
import { GATEWAY_SETTINGS } from './env.ts';
import { createOutsideDetectors } from './providers.ts';

const KEYS = { http: new UndiciHttpClient(), resolveKey: async (setting: string) => setting };
const made = (baseUrls: ProviderSettings) =>
  new LiveProviders({
    ...providerConnections(() => undefined),
    ...{
      settings: async () => baseUrls,
      baseUrls,
      echo: true,
      bedrock: false,
      timeoutMs: DEADLINE_MS,
      onFault: () => {},
    },
  });

it('a setting of a provider that cannot be used fails the moderation that uses it, not the start', async () => {
  const settings = readLocalSettings(GATEWAY_SETTINGS, { SVC_OUTSIDE_MODERATION: 'openai' });
  const baseUrls = { OPENAI_BASE_URL: 'planted', OPENAI_API_KEY: 'KEY' };
  const limiter = { admit: () => Promise.reject(new Error('not called')) };
  const more = { ...KEYS, limiter, backgroundTasks: new BackgroundTasks(), models: async () => new ModelCatalog() };
  const options = { ...more, settings: async () => baseUrls, baseUrls, providers: made(baseUrls) };
  expect(createOutsideDetectors(settings, options)).toBeDefined();
});

describe('the judging model', () => {
  const detectors = (variables: Record<string, string>) => {
    const settings = readLocalSettings(GATEWAY_SETTINGS, variables);
    const options = {
      ...KEYS,
      settings: async () => ({}),
      baseUrls: {},
      providers: made({}),
      models: async () => new ModelCatalog(),
      limiter: { admit: () => Promise.reject(new Error('not called')) },
      backgroundTasks: new BackgroundTasks(),
    };
    return () => createOutsideDetectors(settings, options);
  };

  it('is an outside detector', () => {
    expect(detectors({})()).toBeUndefined();
    expect(detectors({ SVC_JUDGE_MODEL: 'openai/gpt-4o-mini' })()).toBeDefined();
  });

  it.each([
    ['has no provider', 'vllm/small', "SVC_JUDGE_MODEL: no provider 'vllm' is set up"],
    ['has no price', 'openai/small', "SVC_JUDGE_MODEL: 'openai/small' has no price"],
  ])('stops the start if it %s', (_, SVC_JUDGE_MODEL, message) => {
    expect(detectors({ SVC_JUDGE_MODEL })).toThrow(message);
    expect(detectors({ SVC_JUDGE_MODEL })).toThrow(StoreUnavailable);
  });

  it('may have a price in the settings', () => {
    const SVC_MODEL_PRICES = '{"openai/small":{"input":1,"output":1}}';
    expect(detectors({ SVC_JUDGE_MODEL: 'openai/small', SVC_MODEL_PRICES })()).toBeDefined();
  });

  it.each([
    ['always', [false, true, true, false]],
    ['uncertain:0.5-1', [false, false, true, true]],
  ])('is called for uncertain texts only: %s', (SVC_OUTSIDE_WHEN, expected) => {
    const outside = detectors({ SVC_JUDGE_MODEL: 'openai/gpt-4o-mini', SVC_OUTSIDE_WHEN })();
    const request = {
      sender: 'key_1',
      signal: AbortSignal.abort(),
      admitted: Promise.resolve(),
      addCost: () => {},
    };
    const asked = [0.1, 0.2, 0.84, 0.85].map(
      (score) =>
        outside?.ask([{ text: `x${score}`, surface: 'user', score, attackScore: score }], request) !== undefined,
    );
    expect(asked).toEqual(expected);
  });
});
