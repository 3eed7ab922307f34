import { describe, expect, it } from '@jest/globals';
import { MEANINGS } from '../../kernel/model/chat.ts';
import type { Meaning, OtherField } from '../../kernel/model/index.ts';
import { fieldsFor, merge, type TargetFields, Translation } from './translation.ts';

const errorOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a translation', () => {
  it('has a warning for each dropped or adjusted field, with its name and why', () => {
    const translation = new Translation('gemini');
    expect(translation.warnings).toEqual([]);
    translation.dropped('seed');
    translation.dropped('top_k', 'this model has no such control');
    translation.adjusted('temperature', 'its range is 0 to 1');
    expect(translation.warnings).toEqual([
      {
        code: 'field_dropped',
        field: 'seed',
        message: 'The provider gemini gets no `seed`: it has no equivalent.',
      },
      {
        code: 'field_dropped',
        field: 'top_k',
        message: 'The provider gemini gets no `top_k`: this model has no such control.',
      },
      {
        code: 'field_adjusted',
        field: 'temperature',
        message: 'The provider gemini gets another value of `temperature`: its range is 0 to 1.',
      },
    ]);
  });

  it('has one warning per place, whatever the positions in lists', () => {
    const translation = new Translation('x');
    for (const at of [0, 1, 20]) translation.dropped(`messages[${at}].content[${at}].cache_control`);
    translation.dropped('messages[0].cache_control');
    translation.adjusted('messages[0].cache_control', 'x');
    expect(translation.warnings.map(({ code, field }) => [code, field])).toEqual([
      ['field_dropped', 'messages[0].content[0].cache_control'],
      ['field_dropped', 'messages[0].cache_control'],
      ['field_adjusted', 'messages[0].cache_control'],
    ]);
  });

  it('has at most 50 warnings', () => {
    const translation = new Translation('x');
    for (let at = 0; at < 60; at += 1) translation.dropped(`field_${at}`);
    expect(translation.warnings).toHaveLength(50);
    expect(translation.warnings.at(-1)?.field).toBe('field_49');
  });

  it('shortens names beyond 200 characters, in the field and in the message', () => {
    const translation = new Translation('x');
    translation.dropped('a'.repeat(200));
    translation.dropped('b'.repeat(201));
    const [kept, cut] = translation.warnings;
    expect(kept?.field).toBe('a'.repeat(200));
    expect(cut?.field).toBe(`${'b'.repeat(200)}...`);
    expect(cut?.message).toContain(`\`${cut?.field}\``);
    expect(cut?.message.length).toBeLessThan(300);
  });

  it('that is strict has an error instead of each warning', () => {
    const strict = new Translation('x', true);
    for (const warn of [() => strict.dropped('seed', 'why'), () => strict.adjusted('seed', 'why')]) {
      expect(errorOf(warn)).toMatchObject({
        code: 'invalid_value',
        status: 400,
        param: 'seed',
        message: expect.stringMatching(/`seed`: why\. The header X-Svc-Translation is strict\.$/),
      });
    }
    expect(strict.warnings).toEqual([]);
  });

  it('returns the error for a refused field', () =>
    expect(new Translation('x').refused('n', 'it returns one choice')).toMatchObject({
      code: 'invalid_value',
      status: 400,
      param: 'n',
      message: 'The provider x does not support this value of `n`: it returns one choice.',
    }));
});

describe('the fields for those without a member', () => {
  const drops = { otherwise: 'dropped' } as const;
  const TARGET: TargetFields<{ readonly one: number }> = {
    ...(Object.fromEntries(MEANINGS.map((meaning) => [meaning, drops])) as unknown as TargetFields<{ one: number }>),
    seed: { set: (seed, { one }) => (seed === 0 ? undefined : { seed, one }), otherwise: 'dropped', reason: 'zero' },
    top_k: { set: (k, _, { path }) => ({ nested: { [path]: k } }), otherwise: 'dropped' },
    verbosity: { set: (verbosity) => ({ nested: { verbosity } }), otherwise: 'dropped' },
    response_format: { otherwise: 'refused', reason: 'no JSON' },
    logit_bias: { set: () => ({}), otherwise: 'dropped' },
  };
  const other = (meaning: Meaning, value: unknown, path: string = meaning): OtherField => ({ path, meaning, value });
  const fields = (others: readonly OtherField[], strict = false) => {
    const translation = new Translation('x', strict);
    const found = fieldsFor(others, TARGET, { one: 1 }, translation);
    return { found, warnings: translation.warnings.map(({ field, message }) => `${field} ${message}`) };
  };

  it('are set by the target, with nested objects merged', () =>
    expect(fields([other('seed', 7), other('top_k', 3, 'k'), other('verbosity', 'low')])).toEqual({
      found: { seed: 7, one: 1, nested: { k: 3, verbosity: 'low' } },
      warnings: [],
    }));

  it('are dropped with a warning if the target has none, or not for this value', () => {
    const { found, warnings } = fields([other('seed', 0), other('hint', 1, 'x_new'), other('end_user', 'u', 'user')]);
    expect(found).toEqual({});
    expect(warnings).toEqual([
      'seed The provider x gets no `seed`: zero.',
      'x_new The provider x gets no `x_new`: it has no equivalent.',
      'user The provider x gets no `user`: it has no equivalent.',
    ]);
    expect(() => fields([other('hint', 1, 'x_new')], true)).toThrow(expect.objectContaining({ param: 'x_new' }));
  });

  it('are nothing, without a warning, where the target says so', () =>
    expect(fields([other('logit_bias', {})], true)).toEqual({ found: {}, warnings: [] }));

  it('are refused if they change the result', () => {
    expect(() => fields([other('essential', 1, 'tools[0]')])).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'tools[0]' }),
    );
    expect(() => fields([other('response_format', {}, 'text.format')])).toThrow(
      expect.objectContaining({ param: 'text.format', message: expect.stringContaining('no JSON') }),
    );
  });
});

describe('merge', () => {
  it('merges objects under one name, and replaces everything else', () => {
    const into: Record<string, unknown> = { a: { b: 1, c: { d: 1 } }, list: [1], text: 'x' };
    merge(into, { a: { c: { e: 2 } }, list: [2], text: { y: 1 } });
    expect(into).toEqual({ a: { b: 1, c: { d: 1, e: 2 } }, list: [2], text: { y: 1 } });
  });

  it('does not change nested objects, which may be of the request', () => {
    const schema = { type: 'object' };
    const into: Record<string, unknown> = { schema };
    merge(into, { schema: { title: 'a' } });
    expect([into, schema]).toEqual([{ schema: { type: 'object', title: 'a' } }, { type: 'object' }]);
  });

  it('does not change the prototype of objects', () => {
    const into: Record<string, unknown> = { schema: {} };
    const from = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    merge(into, JSON.parse(from));
    merge(into, JSON.parse(from));
    merge(into, { schema: JSON.parse(from) });
    expect(JSON.stringify(into.schema)).toBe(from);
    for (const object of [{}, into, into.schema] as Record<string, unknown>[]) {
      expect([object.polluted, Object.getPrototypeOf(object)]).toEqual([undefined, Object.prototype]);
    }
  });
});
