import { describe, expect, it } from '@jest/globals';
import { readJsonDocument } from '../../base/json-document.ts';
import { COMPLETIONS_PROTOCOL } from './completions-protocol.ts';

describe('the number of completions', () => {
  const read = (body: object) =>
    COMPLETIONS_PROTOCOL.read(
      COMPLETIONS_PROTOCOL.check(readJsonDocument(JSON.stringify({ model: 'a', prompt: 'b', ...body }))),
    ).choiceCount;

  it.each([
    [{}, 1],
    [{ n: 3 }, 3],
    [{ n: 2, best_of: 5 }, 5],
    // OpenAI's document allows 0; at least `n` are generated.
    [{ best_of: 0 }, 1],
    [{ n: 2, best_of: 0 }, 2],
    [{ n: 2, prompt: ['b', 'c'], best_of: 0 }, 4],
  ])('covers what %j can generate', (body, count) => {
    expect(read(body)).toBe(count);
  });

  it.each([-1, 21, 1.5])('is refused outside what is published: best_of %s', (best_of) => {
    expect(() => read({ best_of })).toThrow(expect.objectContaining({ param: 'best_of' }));
  });
});
