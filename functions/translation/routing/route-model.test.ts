import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RouteEntry, routesSchema } from '../../kernel/configuration/index.ts';
import { ModelCatalog } from './model-catalog.ts';
import { DEFAULT_ROUTES, modelPath, modelSegment, routeModel } from './route-model.ts';
import { TargetChoice } from './target-choice.ts';

const chooseBy = (random: () => number) => {
  const choice = new TargetChoice({ random, speeds: { medianOf: () => undefined } });
  return (route: RouteEntry, targets: Parameters<typeof choice.choose>[1]) => choice.choose(route, targets, undefined);
};
const HERE = new Set(['echo', 'openai', 'anthropic', 'mistral']);
const way = (model: string, routes: readonly RouteEntry[] = [], random = () => 0) =>
  routeModel(model, [...routes, ...DEFAULT_ROUTES], HERE, chooseBy(random)).targets.map(
    (target) => `${target.provider} ${target.model}`,
  );

describe('the way of a model', () => {
  it.each([
    ['gpt-4o', ['openai gpt-4o']],
    ['openai/gpt-4o', ['openai gpt-4o']],
    ['anthropic/anything/at:all', ['anthropic anything/at:all']],
    ['o3-mini', ['openai o3-mini']],
  ])('%s', (model, expected) => expect(way(model)).toEqual(expected));

  it.each([
    ['llama-3', 'model_not_found'],
    ['grok-4', 'model_not_found'],
    ['acme/llama-3', 'unknown_provider'],
    ['openai/', 'model_not_found'],
    ['/gpt-4o', 'unknown_provider'],
  ])('%s is none: %s', (model, code) => expect(() => way(model)).toThrow(expect.objectContaining({ code })));

  it('of each maker and region of Bedrock is Bedrock, whichever prices are known', () => {
    const models = new ModelCatalog().names.filter(({ provider }) => provider === 'bedrock');
    expect(models.length).toBeGreaterThan(100);
    const here = new Set(['bedrock', 'openai', 'anthropic', 'mistral', 'cohere', 'deepseek', 'gemini', 'xai']);
    const arn = 'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0';
    for (const model of [...models.map((one) => one.model), arn, arn.replace('aws:', 'aws-us-gov:')]) {
      expect(routeModel(model, DEFAULT_ROUTES, here).targets).toEqual([{ provider: 'bedrock', model }]);
      expect(routeModel(`bedrock/${model}`, DEFAULT_ROUTES, here).targets).toEqual([{ provider: 'bedrock', model }]);
    }
  });

  it('is an alias, with fallbacks behind it, as far as they are here', () => {
    const routes = routesSchema.parse([
      {
        models: 'fast',
        targets: [{ provider: 'openai', model: 'gpt-4o-mini' }],
        fallbacks: [
          { provider: 'groq', model: 'llama' },
          { provider: 'anthropic', model: 'claude-haiku-4-5' },
        ],
      },
    ]);
    expect(way('fast', routes)).toEqual(['openai gpt-4o-mini', 'anthropic claude-haiku-4-5']);
  });

  it("keeps the caller's own name where a row gives none, without its provider's prefix", () => {
    const routes = [{ models: '*gpt-*', targets: [{ provider: 'openai' }], fallbacks: [{ provider: 'mistral' }] }];
    expect(way('openai/gpt-4o', routes)).toEqual(['openai gpt-4o', 'mistral openai/gpt-4o']);
  });

  it('falls by lot among weighted targets, by their weights', () => {
    const targets = [
      { provider: 'openai', weight: 3 },
      { provider: 'mistral', weight: 0 },
      { provider: 'anthropic', weight: 1 },
    ];
    const at = (random: number) => way('m', [{ models: 'm', targets }], () => random)[0];
    expect([0, 0.7, 0.75, 0.999].map(at)).toEqual(['openai m', 'openai m', 'anthropic m', 'anthropic m']);
    fc.assert(fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (r) => at(r) !== 'mistral m'));
  });

  it('leaves out what is disabled, and is none if a route has nothing else', () => {
    const off = { state: 'disabled' as const };
    const [openai, anthropic] = [{ provider: 'openai' }, { provider: 'anthropic' }];
    const routes: RouteEntry[] = [
      { models: 'half', targets: [{ ...openai, ...off }, anthropic] },
      { models: 'later', targets: [{ ...openai, ...off }], fallbacks: [{ ...openai, model: 'b', ...off }, anthropic] },
      { models: 'none', targets: [{ ...openai, ...off }], fallbacks: [{ ...anthropic, ...off }] },
      {
        models: 'unweighted',
        targets: [
          { ...openai, ...off },
          { ...anthropic, weight: 0 },
        ],
      },
      { models: 'gpt-*', targets: [openai], ...off },
      { models: 'openai/*', targets: [openai], ...off },
    ];
    expect(['half', 'later', 'half', 'later'].map((model) => way(model, routes, () => 0.4))).toEqual(
      ['half', 'later', 'half', 'later'].map((model) => [`anthropic ${model}`]),
    );
    const stopped = expect.objectContaining({ code: 'model_not_found', message: expect.stringContaining('disabled') });
    for (const model of ['none', 'unweighted', 'gpt-4o', 'openai/gpt-4o'])
      expect(() => way(model, routes)).toThrow(stopped);
  });

  it('leaves out providers that are disabled, and says so if nothing else is left', () => {
    const providers = { has: (name: string) => name === 'anthropic', isDisabled: (name: string) => name === 'openai' };
    const routes: RouteEntry[] = [
      { models: 'half', targets: [{ provider: 'openai' }], fallbacks: [{ provider: 'anthropic' }] },
      { models: 'last', targets: [{ provider: 'groq' }], fallbacks: [{ provider: 'openai' }] },
      ...DEFAULT_ROUTES,
    ];
    expect(routeModel('half', routes, providers).targets).toEqual([{ provider: 'anthropic', model: 'half' }]);
    const message = "The provider 'openai' is disabled: an administrator has stopped it.";
    const stopped = expect.objectContaining({ code: 'model_not_found', message });
    for (const model of ['last', 'gpt-4o', 'openai/gpt-4o'])
      expect(() => routeModel(model, routes, providers)).toThrow(stopped);
  });

  it('is never a target of weight 0, although sums of weights are rounded', () => {
    const targets = [0.1, 0.2, 0.3].map((weight) => ({ provider: 'openai', weight }));
    const routes = [{ models: 'm', targets: [...targets, { provider: 'mistral', weight: 0 }] }];
    expect(way('m', routes, () => 1 - 2 ** -53)).toEqual(['openai m']);
  });
});

it('routes of a deployment that lead nowhere are refused', () => {
  expect(routesSchema.safeParse([{ models: 'a', targets: [] }]).success).toBe(false);
  expect(routesSchema.safeParse([{ models: 'a', targets: [{ provider: 'x', weight: 0 }] }]).success).toBe(false);
  expect(routesSchema.safeParse([{ models: 'a', targets: [{ provider: 'Not a name' }] }]).success).toBe(false);
});

describe('a model name in a URL', () => {
  it.each(['..', '.', 'a/..', '../a', 'a b', 'a?b', 'a%2e', '', 'a//b', 'a\\b'])(
    'cannot change the path: %j',
    (model) => {
      const invalid = expect.objectContaining({ code: 'invalid_value', param: 'model' });
      expect(() => modelSegment(model)).toThrow(invalid);
      expect(() => modelPath(model)).toThrow(invalid);
    },
  );

  it('has slashes only where the provider has them, as in an ARN', () => {
    const arn = 'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0';
    expect(modelPath(arn)).toBe(arn);
    expect(() => modelSegment(arn)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(modelSegment('ft:gpt-4o:me')).toBe('ft%3Agpt-4o%3Ame');
  });
});

it('a deployment has at most 256 routes', () => {
  const route = { models: 'fast', targets: [{ provider: 'echo' }] };
  expect(routesSchema.safeParse(Array(256).fill(route)).success).toBe(true);
  expect(routesSchema.safeParse(Array(257).fill(route)).success).toBe(false);
});
