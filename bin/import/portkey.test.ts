import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { importPortkey } from './portkey.ts';

const KEY = `sk-${'a1B2c3D4'.repeat(4)}`;
const target = (provider: string, model: string, more: object = {}) => ({
  ...{ provider, override_params: { model } },
  ...more,
});
const routesOf = (config: unknown) => importPortkey({ mine: config }).file.routes;
const reasonsOf = (config: unknown, exports: unknown[] = []) =>
  importPortkey({ mine: config }, exports).notes.map(({ places, reason }) => `${places.join(', ')}: ${reason}`);

describe('configs of Portkey', () => {
  it('that fall back are a target with fallbacks', () => {
    const config = {
      strategy: { mode: 'fallback' },
      retry: { attempts: 3 },
      request_timeout: 5_000,
      targets: [
        target('openai', 'gpt-4o'),
        target('azure-openai', 'gpt-4o', { custom_host: 'https://r.openai.azure.com' }),
      ],
    };
    expect(routesOf(config)).toEqual([
      {
        models: 'mine',
        targets: [{ provider: 'openai', model: 'gpt-4o' }],
        fallbacks: [{ provider: 'azure', model: 'gpt-4o' }],
        attempts: 4,
        timeoutMs: 5_000,
      },
    ]);
  });

  it('that balance load are targets with weights, in groups too', () => {
    const balanced = {
      strategy: { mode: 'loadbalance' },
      targets: [target('openai', 'a', { weight: 0.7 }), target('groq', 'b', { weight: 0.3 })],
    };
    const targets = [
      { provider: 'openai', model: 'a', weight: 0.7 },
      { provider: 'groq', model: 'b', weight: 0.3 },
    ];
    expect(routesOf(balanced)).toEqual([{ models: 'mine', targets }]);
    const grouped = { strategy: { mode: 'fallback' }, targets: [balanced, target('x-ai', 'c')] };
    expect(routesOf(grouped)).toEqual([{ models: 'mine', targets, fallbacks: [{ provider: 'xai', model: 'c' }] }]);
  });

  it.each([
    ['one', { provider: 'openai', override_params: { model: 'a' } }],
    ['camel case', { overrideParams: { model: 'a' }, provider: 'openai' }],
    ['a response of the API', { success: true, data: { slug: 'mine', config: target('openai', 'a') } }],
    ['a list', [{ slug: 'mine', config: target('openai', 'a') }]],
  ])('are read as %s', (_, content) =>
    expect(importPortkey(content).file.routes).toMatchObject([{ targets: [{ provider: 'openai', model: 'a' }] }]),
  );

  it.each([
    [
      'conditions',
      { strategy: { mode: 'conditional', conditions: [] }, targets: [target('openai', 'a')] },
      'conditions',
    ],
    ['no model', { provider: 'openai' }, 'the model that the client names'],
    ['no provider', { virtual_key: 'v', override_params: { model: 'a' } }, 'its provider is not named'],
    ['guardrails', { ...target('openai', 'a'), input_guardrails: ['pg-1'] }, 'config mine.inputGuardrails'],
  ])('with %s are reported', (_, config, reason) => expect(reasonsOf(config).join('\n')).toContain(reason));

  it('with virtual keys have a provider for each account', () => {
    const { file, steps } = importPortkey({
      a: target('openai', 'a', { virtual_key: 'main' }),
      b: target('openai', 'b', { virtual_key: 'other' }),
    });
    expect(file.providers).toMatchObject([{ name: 'openai-2', credentialId: 'openai-2' }]);
    expect(steps).toEqual([
      'Set OPENAI_API_KEY (there the virtual key main).',
      expect.stringMatching(/credentials create openai-2 .*# the key of the virtual key other$/),
    ]);
  });
});

describe('keys of Portkey', () => {
  const keyOf = (key: object) => importPortkey({}, [{ data: [{ name: 'shop', ...key }] }]).file.keys?.[0];

  it('keep limits, tags and expiry', () => {
    const key = {
      rate_limits: [
        { type: 'requests', unit: 'rpm', value: 100 },
        { type: 'tokens', unit: 'rph', value: 5_000 },
      ],
      usage_limits: { credit_limit: 10, periodic_reset: 'monthly' },
      defaults: { metadata: { team: 'backend' } },
      expires_at: '2027-01-01T00:00:00Z',
    };
    expect(keyOf(key)).toMatchObject({
      rateLimit: { requests: 100, period: 'minute' },
      tokenLimit: { tokens: 5_000, period: 'hour' },
      budget: { usd: 10, period: 'calendarMonth' },
      tags: { team: 'backend' },
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
  });

  it.each([
    ['exhausted', { status: 'exhausted' }],
    ['without money', { usage_limits: { credit_limit: 0 } }],
    ['with a limit that is not understood', { rate_limits: [{ type: 'requests', unit: 'rpw', value: 1 }] }],
  ])('that are %s are disabled', (_, key) => expect(keyOf(key)).toMatchObject({ state: 'disabled' }));
});

it('no value of a key gets out', () => {
  const config = { ...target('openai', 'a'), api_key: KEY, cache: KEY, override_params: { model: 'a', user: KEY } };
  const result = importPortkey({ a: config }, [
    [{ name: 'k', key: KEY, defaults: { metadata: { [KEY]: `,${KEY}` } } }],
  ]);
  expect(result.file.keys).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain(KEY);
});

it('anything that is parsed gives a valid file', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (value, exports) => {
      for (const config of [
        value,
        { a: value },
        { targets: [value], strategy: value },
        target('openai', 'a', { weight: value }),
      ])
        expect(importPortkey(config, exports).notes).toBeInstanceOf(Array);
    }),
  );
});
