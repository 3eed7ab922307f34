import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KeyView } from '../../api/client.ts';
import { changedFields } from '../../components/field-form.ts';
import { newKeyForm, toKeyBody, toKeyForm } from './key-form.ts';

const period = fc.constantFrom('second', 'minute', 'hour', 'day', 'month') as fc.Arbitrary<'second'>;
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const count = fc.integer({ min: 1, max: 1e9 });
const settings = fc.record({
  // The API trims names.
  name: fc
    .string({ minLength: 1 })
    .map((name) => name.trim())
    .filter((name) => name !== ''),
  environment: fc.constantFrom('Production', 'Staging', 'Development'),
  permissions: fc.subarray(['chat_completions', 'embeddings', 'admin']),
  excludePermissions: fc.subarray(['images', 'audio']),
  rateLimit: fc.record({ requests: count, period, burst: count }, { requiredKeys: ['requests', 'period'] }),
  tokenLimit: fc.option(fc.record({ tokens: count, period })),
  budget: fc.option(fc.record({ usd: fc.double({ min: 0.01, max: 1e6, noNaN: true }), period })),
  maxConcurrent: fc.option(count),
  onStoreFailure: fc.constantFrom('closed', 'open'),
  ipWhitelist: fc.array(fc.ipV4()),
  allowedModels: fc.array(word),
  policy: fc.constantFrom({}, { preset: 'strict' }, { rules: [{ id: 'a', literals: ['x'], action: 'block' }] }),
  tags: fc.dictionary(word, fc.string()),
  expiresAt: fc.option(fc.integer({ min: 1.7e9, max: 1.9e9 }).map((seconds) => new Date(seconds * 1000).toISOString())),
});

describe('the form of a key', () => {
  it('returns every setting of the key', () => {
    fc.assert(
      fc.property(settings, (key) => {
        expect(toKeyBody(toKeyForm(key as unknown as KeyView))).toEqual({ body: key });
      }),
    );
  });

  it('reports the field of a policy that is not a JSON object, a tag without a value, and a missing rate limit', () => {
    const paramOf = (changes: object) => {
      const made = toKeyBody({ ...newKeyForm({ name: 'a' }), ...changes });
      return 'fault' in made ? made.fault.param : undefined;
    };
    expect(paramOf({})).toBeUndefined();
    for (const policy of ['', '[]', 'null', '{', '"a"']) expect(paramOf({ policy })).toBe('policy');
    for (const tag of ['team', '=data', '']) expect(paramOf({ tags: [tag] })).toBe('tags');
    expect(paramOf({ rateLimit: { amount: '', period: 'hour' } })).toBe('rateLimit');
  });
});

it('leaves the concurrency of a new key to the deployment, unless it is set or removed', () => {
  const bodyOf = (changes: object) => toKeyBody({ ...newKeyForm({ name: 'a' }), ...changes });
  expect(bodyOf({})).toEqual({ body: expect.not.objectContaining({ maxConcurrent: expect.anything() }) });
  expect(bodyOf({ maxConcurrent: 50 })).toMatchObject({ body: { maxConcurrent: 50 } });
  expect(bodyOf({ maxConcurrent: '' })).toMatchObject({ body: { maxConcurrent: null } });
});

describe('changedFields', () => {
  it('returns only fields that differ', () => {
    fc.assert(
      fc.property(settings, settings, (before, after) => {
        const changes = changedFields<object>(before, after);
        expect({ ...before, ...changes }).toEqual(after);
        expect(changedFields<object>(before, before)).toEqual({});
      }),
    );
  });
});
