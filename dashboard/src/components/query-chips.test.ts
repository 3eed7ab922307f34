import { describe, expect, it } from '@jest/globals';
import { type Chip, chipsIn, filterOf, toFilterQuery, withChip, withoutChip, withoutChips } from './query-chips.ts';

const search = (text: string) => new URLSearchParams(text);
const chip = (name: string, value: string, isNot = false): Chip => ({ name, value, isNot });
const add = (text: string, one: Chip) => withChip(search(text), one, filterOf('listRequests', one.name)).toString();

describe('the filters of a URL', () => {
  it('are those of the list, which hold or do not', () => {
    const found = chipsIn(
      search('range=7d&model=a&not=status%3D429&not=tag%3Dteam%3Dshop&tag=a%3Db&x=y&not=from%3D1'),
      'listRequests',
    );
    expect(found).toEqual([
      chip('model', 'a'),
      chip('status', '429', true),
      chip('tag', 'team=shop', true),
      chip('tag', 'a=b'),
    ]);
  });

  it('have one value of a name, but several tags and several exclusions', () => {
    expect(add('model=a&range=7d', chip('model', 'b'))).toBe('model=b&range=7d');
    expect(add('tag=a', chip('tag', 'b'))).toBe('tag=a&tag=b');
    expect(add('not=model%3Da', chip('model', 'b', true))).toBe('not=model%3Da&not=model%3Db');
  });

  it('become an exclusion, and back', () => {
    expect(add('model=a', chip('model', 'a', true))).toBe('not=model%3Da');
    expect(add('not=model%3Da', chip('model', 'a'))).toBe('model=a');
  });

  it('are removed one by one or all, and the rest stays', () => {
    const text = 'range=7d&tag=a&tag=b&not=model%3Da';
    expect(withoutChip(search(text), chip('tag', 'a')).toString()).toBe('range=7d&tag=b&not=model%3Da');
    expect(withoutChips(search(text), 'listRequests').toString()).toBe('range=7d');
  });

  it('are sent as the API takes them, incomplete numbers left out', () => {
    const text = 'tag=a&tag=b&not=status%3D429&not=minScore%3Dx&minCostUsd=0.&minTokens=5&model=+m+';
    expect(toFilterQuery('listRequests', search(text))).toEqual({
      tag: ['a', 'b'],
      not: ['status=429'],
      minTokens: '5',
      model: 'm',
    });
  });
});
