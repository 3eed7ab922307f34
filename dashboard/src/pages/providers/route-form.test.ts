import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { routesSchema } from '../../../../functions/kernel/configuration/routes.ts';
import type { ProviderView } from '../../api/client.ts';
import { changesOf } from '../../components/field-changes.ts';
import { toForm } from '../../components/field-form.ts';
import { type PlacedRoute, placedRoute, routeFields, toRoute, withRoute } from './route-form.ts';

const PROVIDERS = [
  { name: 'groq', isCallable: false },
  { name: 'openai', isCallable: true },
] as unknown as readonly ProviderView[];

const word = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
const target = {
  provider: word,
  model: word,
  state: fc.constantFrom('active', 'disabled'),
  maxConcurrent: fc.integer({ min: 1, max: 100_000 }),
};
const some = { requiredKeys: ['provider'] as const };
const routes = fc.record(
  {
    models: word,
    targets: fc.array(fc.record({ ...target, weight: fc.integer({ min: 1, max: 1_000_000 }) }, { ...some } as never), {
      minLength: 1,
      maxLength: 4,
    }),
    fallbacks: fc.array(fc.record(target, { ...some } as never), { minLength: 1, maxLength: 3 }),
    choose: fc.constantFrom('weight', 'latency', 'cost'),
    sticky: fc.constantFrom('session', 'key'),
    attempts: fc.integer({ min: 1, max: 5 }),
    timeoutMs: fc.integer({ min: 100, max: 900_000 }),
    state: fc.constantFrom('active', 'disabled'),
  },
  { requiredKeys: ['models', 'targets'] },
);

describe('the form of a route', () => {
  it('has every setting, and the place, of each route', () => {
    fc.assert(
      fc.property(fc.array(routes, { minLength: 1, maxLength: 3 }), fc.nat(), (drawn, number) => {
        const all = routesSchema.parse(drawn);
        const at = number % all.length;
        const fields = routeFields(all.toSpliced(at, 1), PROVIDERS);
        const made = toRoute(fields, toForm(fields, placedRoute(all, at)));
        expect(made).toEqual({ body: { ...all[at], order: String(at) } });
        expect(withRoute(all.toSpliced(at, 1), (made as { body: PlacedRoute }).body)).toEqual(all);
      }),
    );
  });

  it('begins a new route with one target, after all others', () => {
    const others = routesSchema.parse([{ models: 'fast', targets: [{ provider: 'openai' }] }]);
    const fields = routeFields(others, PROVIDERS);
    const form = toForm(fields, placedRoute(others, undefined));
    expect(toRoute(fields, form)).toEqual({ fault: { param: 'models', message: 'Enter an alias or a pattern.' } });
    expect(toRoute(fields, { ...form, models: 'slow' })).toEqual({
      fault: { param: 'targets[0].provider', message: 'Choose a provider.' },
    });
    const targets = [{ ...(form.targets as readonly object[])[0], provider: 'groq' }];
    expect(toRoute(fields, { ...form, models: 'slow', targets })).toEqual({
      body: { models: 'slow', targets: [{ provider: 'groq' }], order: '1' },
    });
  });

  it('offers the providers that can be called first, and those that a route names', () => {
    const others = routesSchema.parse([{ models: 'fast', targets: [{ provider: 'gone' }] }]);
    const provider = routeFields(others, PROVIDERS).find(({ name }) => name === 'targets')?.fields?.[0];
    expect(provider).toMatchObject({
      kind: 'select',
      choices: ['openai', 'groq', 'gone'],
      choiceLabels: { '': 'Choose', openai: 'openai', groq: 'groq (not configured)', gone: 'gone (not configured)' },
    });
    expect(routeFields(others, undefined).find(({ name }) => name === 'targets')?.fields?.[0]?.kind).toBe('text');
  });

  it('shows what a save changes, target by target', () => {
    const before = { models: 'fast', targets: [{ provider: 'openai', weight: 9 }], order: '0' };
    const after = {
      ...before,
      targets: [{ provider: 'openai', weight: 8, state: 'disabled' }, { provider: 'groq' }],
      choose: 'weight',
      sticky: 'session',
      order: '1',
    };
    const fields = routeFields(routesSchema.parse([{ models: 'a*', targets: [{ provider: 'openai' }] }]), PROVIDERS);
    expect(changesOf(fields, before, after)).toEqual([
      {
        label: 'Target 1',
        before: 'Provider openai, Weight 9',
        after: 'Provider openai, Weight 8, State Disabled',
      },
      { label: 'Target 2', before: 'none', after: 'Provider groq (not configured)' },
      { label: 'Keep the target', before: 'No', after: 'For a session' },
      { label: 'Order', before: 'First', after: 'After a*' },
    ]);
  });
});
