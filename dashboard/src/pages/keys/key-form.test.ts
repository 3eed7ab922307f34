import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KeyView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { changedFields } from '../../components/field-form.ts';
import { newKeyForm, toKeyBody, toKeyForm } from './key-form.ts';

const count = fc.integer({ min: 1, max: 1e9 });
const word = fc.stringMatching(/^[a-z]{1,8}$/);
/** The API trims texts. */
const trimmed = fc
  .string({ minLength: 1 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const number = ({ isWhole }: FormField) => (isWhole === true ? count : fc.double({ min: 0.01, max: 1e6, noNaN: true }));

/** Values of a field, by how they are entered. */
function valuesOf(field: FormField): fc.Arbitrary<unknown> {
  const { kind, choices = [], amount = '', periods = [], fields = [] } = field;
  switch (kind) {
    case 'number':
      return number(field);
    case 'switch':
      return fc.boolean();
    case 'select':
      return fc.constantFrom(...choices);
    case 'choices':
      return fc.subarray([...choices]);
    case 'list':
      return fc.array(word);
    case 'pairs':
      return fc.dictionary(word, fc.string());
    case 'amount':
      return fc.record(
        {
          [amount]: number(field),
          period: fc.constantFrom(...periods),
          ...Object.fromEntries(fields.map((inner) => [inner.name, valuesOf(inner)])),
        },
        { requiredKeys: [amount, 'period'] },
      );
    case 'time':
      return fc.integer({ min: 1.7e9, max: 1.9e9 }).map((seconds) => new Date(seconds * 1000).toISOString());
    case 'json':
      return fc.constantFrom({}, { preset: 'strict' }, { rules: [{ id: 'a', literals: ['x'], action: 'block' }] });
    default:
      return trimmed;
  }
}

const settings = fc.record(
  Object.fromEntries(
    OPERATIONS.createKey.body.map((field) => [
      field.name,
      field.isNullable === true ? fc.option(valuesOf(field)) : valuesOf(field),
    ]),
  ),
);

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
