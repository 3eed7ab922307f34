import { describe, expect, it } from '@jest/globals';
import { readRequestTags } from './request-tags.ts';

const read = (value: string | undefined, fixed: Readonly<Record<string, string>> = {}) =>
  readRequestTags(new Headers(value === undefined ? {} : { 'x-svc-tags': value }), fixed);

const ten = Array.from({ length: 10 }, (_, at) => `t${at}=v`).join(',');

describe('X-Svc-Tags', () => {
  it('has names and values; without it there are none', () => {
    expect(read('feature=search, a.B-c_1=x').warnings).toEqual([]);
    expect(read('feature=search,tier=gold plan=2').tags).toEqual({ feature: 'search', tier: 'gold plan=2' });
    expect(read(undefined)).toEqual({ tags: {}, warnings: [] });
    expect(Object.keys(read(ten).tags)).toHaveLength(10);
  });

  it('keeps a name such as __proto__ as data', () => {
    expect(Object.entries(read('__proto__=x').tags)).toEqual([['__proto__', 'x']]);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('does not change a tag of the key, and warns', () => {
    const { tags, warnings } = read('team=mine,feature=search', { team: 'shop' });
    expect(tags).toEqual({ feature: 'search' });
    expect(warnings).toEqual([
      { code: 'tag_ignored', field: 'X-Svc-Tags', message: expect.stringContaining("'team'") },
    ]);
  });

  it.each([
    ['no value', 'feature='],
    ['no name', '=search'],
    ['neither', ','],
    ['a comma at the end', 'feature=search,'],
    ['a name with another letter', 'fea ture=search'],
    ['a long name', `${'n'.repeat(65)}=v`],
    ['a long value', `n=${'v'.repeat(65)}`],
    ['a value that is not ASCII', 'n=é'],
    ['a name twice', 'n=1, n=2'],
    ['eleven tags', `${ten},more=v`],
  ])('is refused with %s, without repeating it', (_, value) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        param: 'X-Svc-Tags',
        message: expect.not.stringContaining('v'.repeat(20)),
      }),
    );
  });
});
