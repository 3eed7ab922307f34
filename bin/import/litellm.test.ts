import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { importLitellm } from './litellm.ts';

const KEY = `sk-${'a1B2c3D4'.repeat(4)}`;
const model = (name: string, params: object, more: object = {}) => ({
  model_name: name,
  litellm_params: params,
  ...more,
});
const imported = (models: readonly object[], more: object = {}, exports: readonly unknown[] = [], env = {}) =>
  importLitellm({ model_list: models, ...more }, exports, env);
const routesOf = (...args: Parameters<typeof imported>) => imported(...args).file.routes;
const reasonsOf = (...args: Parameters<typeof imported>) =>
  imported(...args).notes.map(({ outcome, places, reason }) => `${outcome}: ${places.join(', ')}: ${reason}`);

describe('models of LiteLLM', () => {
  it('are routes: deployments of one name are targets', () => {
    const models = [
      model('gpt', { model: 'openai/gpt-4o', weight: 3, max_parallel_requests: 20 }),
      model('gpt', { model: 'groq/llama-3.1-8b-instant', weight: 1 }),
      model('one', { model: 'claude-haiku-4-5' }),
    ];
    expect(routesOf(models)).toEqual([
      {
        models: 'gpt',
        targets: [
          { provider: 'openai', model: 'gpt-4o', weight: 3, maxConcurrent: 20 },
          { provider: 'groq', model: 'llama-3.1-8b-instant', weight: 1 },
        ],
      },
      { models: 'one', targets: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }] },
    ]);
  });

  it('have fallbacks of other groups, of `order`, and by default', () => {
    const models = [
      model('a', { model: 'openai/a', order: 2 }),
      model('a', { model: 'mistral/a', order: 1 }),
      model('b', { model: 'groq/b' }),
      model('c', { model: 'xai/c' }),
    ];
    const settings = { router_settings: { fallbacks: [{ a: ['b'] }], default_fallbacks: ['c'] } };
    expect(routesOf(models, settings)).toMatchObject([
      { targets: [{ provider: 'mistral' }], fallbacks: [{ provider: 'openai' }, { provider: 'groq' }] },
      { targets: [{ provider: 'groq' }], fallbacks: [{ provider: 'xai' }] },
      { targets: [{ provider: 'xai' }] },
    ]);
  });

  it('keep retries, timeouts, the strategy and other names of a group', () => {
    const models = [model('a', { model: 'openai/a', timeout: 7 }), model('a', { model: 'openai/b' })];
    const settings = {
      router_settings: { routing_strategy: 'latency-based-routing', model_group_alias: { z: 'a', y: { model: 'a' } } },
      litellm_settings: { num_retries: 9, request_timeout: 30 },
    };
    const routes = routesOf(models, settings);
    expect(routes?.map(({ models }) => models)).toEqual(['a', 'z', 'y']);
    expect(routes).toMatchObject(Array(3).fill({ choose: 'latency', attempts: 5, timeoutMs: 7_000 }));
  });

  it('need no route if they are called by the same name here', () => {
    const models = [
      model('groq/*', { model: 'groq/*' }),
      model('*', { model: '*' }),
      model('gpt-*', { model: 'openai/gpt-*' }),
    ];
    expect(routesOf(models)).toEqual([{ models: 'gpt-*', targets: [{ provider: 'openai' }] }]);
    expect(reasonsOf([model('together_ai/*', { model: 'together_ai/*' })])).toEqual([
      'not imported: model_list[0] (together_ai/*): the provider is called together here: clients ask for together/<model>.',
    ]);
  });

  it('keep their own prices', () => {
    const costs = { input_cost_per_token: 1.5e-6, output_cost_per_token: '2e-6', cache_read_input_token_cost: 0 };
    expect(imported([model('a', { model: 'openai/a' }, { model_info: costs })]).file.prices).toEqual({
      'openai/a': { input: 1.5, output: 2, cachedInput: 0 },
    });
  });
});

describe('providers of LiteLLM', () => {
  it('are one for each address and account', () => {
    const at = (name: string, region: string, key: string) =>
      model(name, {
        model: `azure/${name}`,
        api_base: `https://${region}.openai.azure.com/`,
        api_key: `os.environ/${key}`,
      });
    const { file, steps } = imported([at('a', 'eu', 'A'), at('b', 'eu', 'A'), at('c', 'ca', 'B')]);
    expect(file.providers).toEqual([
      { name: 'azure', protocol: 'azure', baseUrl: 'https://eu.openai.azure.com', credentialId: 'azure' },
      { name: 'azure-2', protocol: 'azure', baseUrl: 'https://ca.openai.azure.com', credentialId: 'azure-2' },
    ]);
    expect(file.routes?.flatMap(({ targets }) => targets.map(({ provider }) => provider))).toEqual([
      'azure',
      'azure',
      'azure-2',
    ]);
    expect(steps).toEqual([
      expect.stringMatching(/credentials create azure .*--hosts eu\.openai\.azure\.com .*# the key of A$/),
      expect.stringMatching(/credentials create azure-2 .*--hosts ca\.openai\.azure\.com .*# the key of B$/),
    ]);
  });

  it.each<[string, object, object]>([
    [
      'a second account',
      { model: 'openai/a', api_key: 'os.environ/B' },
      { name: 'openai-2', baseUrl: 'https://api.openai.com/v1' },
    ],
    [
      'another host',
      { model: 'openai/a', api_base: 'https://llm.example.com/v1/' },
      { name: 'openai-llm-example-com', baseUrl: 'https://llm.example.com/v1' },
    ],
    [
      'a region',
      { model: 'bedrock/converse/m', aws_region_name: 'eu-west-1' },
      { name: 'bedrock', baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com' },
    ],
    [
      'a location of Vertex AI',
      { model: 'vertex_ai/claude-sonnet-4-5@20250929', vertex_project: 'p-1', vertex_location: 'os.environ/WHERE' },
      { protocol: 'vertex', baseUrl: 'https://aiplatform.eu.rep.googleapis.com/v1/projects/p-1/locations/eu' },
    ],
    [
      'Claude at Microsoft',
      { model: 'azure_ai/claude-opus-4-5', api_base: 'https://r.services.ai.azure.com/anthropic/v1/messages' },
      { protocol: 'anthropic', baseUrl: 'https://r.services.ai.azure.com/anthropic' },
    ],
    [
      'a server of no known name',
      { model: 'lab/x', api_base: 'https://lab.example.com/v1/chat/completions' },
      { name: 'lab', protocol: 'openai', baseUrl: 'https://lab.example.com/v1' },
    ],
    [
      'a server that LiteLLM has an address for',
      { model: 'deepinfra/x' },
      { name: 'deepinfra', protocol: 'openai', baseUrl: 'https://api.deepinfra.com/v1/openai' },
    ],
    [
      'a variable',
      { model: 'lab/x', api_base: 'os.environ/LAB' },
      { name: 'lab', baseUrl: 'https://lab.example.com/v1' },
    ],
  ])('%s is a separate provider', (_, params, provider) => {
    const first = model('first', { model: 'openai/a', api_key: 'os.environ/OPENAI_API_KEY' });
    const { file } = imported([first, model('m', params)], {}, [], { LAB: 'https://lab.example.com/v1', WHERE: 'eu' });
    expect(file.providers).toEqual([expect.objectContaining(provider)]);
  });

  it('inside of a network come from the settings', () => {
    const { file, steps } = imported([model('m', { model: 'hosted_vllm/x', api_base: 'http://10.0.0.7:8000/v1' })]);
    expect(file.providers).toBeUndefined();
    expect(steps).toEqual(['Set VLLM_BASE_URL=http://10.0.0.7:8000/v1.']);
  });

  it.each<[string, object, string]>([
    [
      'Vertex AI without a project',
      { model: 'vertex_ai/gemini-2.5-pro', vertex_location: 'global' },
      'its project or location',
    ],
    ['a prefix of an object', { model: 'constructor/x' }, "no provider 'constructor'"],
    ['an address that is none', { model: 'lab/x', api_base: 'lab' }, 'its address is none'],
    ['a variable that is not set', { model: 'lab/x', api_base: 'os.environ/LAB' }, 'its address is not known'],
    ['a model without a provider', { model: 'something' }, 'the provider of the model is not named'],
  ])('%s is reported', (_, params, reason) => {
    expect(routesOf([model('m', params)])).toBeUndefined();
    expect(reasonsOf([model('m', params)]).join('\n')).toContain(reason);
  });
});

describe('keys and teams of LiteLLM', () => {
  const keyOf = (key: object, exports: unknown[] = []) =>
    imported([], {}, [{ keys: [{ token: '88dc28d0f030', key_alias: 'shop', ...key }] }, ...exports]).file.keys?.[0];

  it('keep limits, models, team and expiry', () => {
    const teams = [
      {
        team_id: 't',
        team_alias: 'Shop',
        rpm_limit: 600,
        max_budget: 100,
        budget_duration: '1mo',
        members_with_roles: [{ user_email: 'ada@example.com', role: 'admin' }],
      },
    ];
    const key = {
      rpm_limit: 60,
      tpm_limit: 1_000,
      max_parallel_requests: 5,
      max_budget: 3,
      budget_duration: '24h',
      models: ['fast'],
      team_id: 't',
      expires: '2027-01-01T00:00:00+01:00',
    };
    expect(keyOf(key, [teams])).toMatchObject({
      name: 'shop',
      rateLimit: { requests: 60, period: 'minute' },
      tokenLimit: { tokens: 1_000, period: 'minute' },
      budget: { usd: 3, period: 'day' },
      maxConcurrent: 5,
      allowedModels: ['fast'],
      teamId: 'Shop',
      expiresAt: '2026-12-31T23:00:00.000Z',
    });
    expect(imported([], {}, [teams]).file.teams).toEqual([
      {
        name: 'Shop',
        members: [{ match: { email: ['ada@example.com'] }, role: 'owner' }],
        rateLimit: { requests: 600, period: 'minute' },
        budget: { usd: 100, period: 'calendarMonth' },
      },
    ]);
  });

  it('tokens a day are a limit, and limits that are not set or of its owner change nothing', () => {
    const key = { tpd_limit: 9_000, tpm_limit: null, budget_limits: [], access_group_ids: null, user_tpm_limit: 1 };
    expect(keyOf(key)).toMatchObject({ tokenLimit: { tokens: 9_000, period: 'day' } });
    expect(keyOf(key)).not.toHaveProperty('state');
  });

  it.each<[string, object, object]>([
    ['never reset', { max_budget: 10, spend: 4 }, { usd: 6, period: 'calendarMonth' }],
    ['of a week', { max_budget: 7, budget_duration: '7d' }, { usd: 1, period: 'day' }],
    ['of 30 days', { max_budget: 7, budget_duration: '30d' }, { usd: 7, period: 'month' }],
    ['of two months', { max_budget: 8, budget_duration: '2mo' }, { usd: 4, period: 'calendarMonth' }],
    [
      'of a shared table',
      { litellm_budget_table: { max_budget: 2, budget_duration: '1h' } },
      { usd: 2, period: 'hour' },
    ],
    ['that is used up', { max_budget: 1, spend: 3 }, { usd: 0.000001, period: 'calendarMonth' }],
  ])('a budget %s never allows more', (_, key, budget) => expect(keyOf(key)).toMatchObject({ budget }));

  it.each([
    ['blocked', { blocked: true }],
    ['with no model', { models: ['no-default-models'] }],
    ['with no request', { rpm_limit: 0 }],
    ['with no money', { max_budget: 0 }],
    ['whose team is missing', { team_id: 'gone' }],
    ['with no token a day', { tpd_limit: 0 }],
    ['with tokens a minute and a day', { tpm_limit: 10, tpd_limit: 100 }],
    ['with several budgets', { budget_limits: [{ budget_duration: '1d', max_budget: 3 }] }],
    ['with groups of models', { access_group_ids: ['group-1'] }],
    ['with a limit of a later version', { rph_limit: 5 }],
  ])('a key %s is disabled', (_, key) => expect(keyOf(key)).toMatchObject({ state: 'disabled' }));

  it('have the models of their access groups, and names of their own', () => {
    const models = [model('a', { model: 'openai/a' }, { model_info: { access_groups: ['beta'] } })];
    const keys = [
      { token: '1', key_alias: 'x', models: ['beta', 'b'] },
      { token: '2', key_alias: 'x', models: ['all-team-models'] },
    ];
    const [first, second] = imported(models, {}, [keys]).file.keys ?? [];
    expect(first).toMatchObject({ name: 'x', allowedModels: ['a', 'b'] });
    expect(second).toMatchObject({ name: 'x (2)' });
    expect(second).not.toHaveProperty('allowedModels');
  });
});

it('no value of a key, an address with a password or a token gets out', () => {
  const config = {
    general_settings: { master_key: KEY, database_url: `postgresql://u:${KEY}@h/db` },
    environment_variables: { OPENAI_API_KEY: KEY },
    guardrails: [{ guardrail_name: 'g', litellm_params: { api_key: KEY } }],
  };
  const params = {
    model: 'openai/a',
    api_key: KEY,
    api_base: `https://u:${KEY}@llm.example.com/v1?key=${KEY}`,
    aws_secret_access_key: KEY,
  };
  const result = imported([model('a', params)], config, [[{ token: KEY, key_name: KEY, metadata: { k: KEY } }]]);
  expect(result.file.keys).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain(KEY);
});

it('anything that is parsed gives a valid file or an error with its places', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (value, exports) => {
      for (const config of [
        value,
        { model_list: [value] },
        { model_list: [model('a', { model: 'openai/a', weight: value })], router_settings: value },
      ])
        expect(importLitellm(config, exports).notes).toBeInstanceOf(Array);
    }),
  );
});
