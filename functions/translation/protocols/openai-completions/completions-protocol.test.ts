import { expect, it } from '@jest/globals';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import { COMPLETIONS_PROTOCOL } from './completions-protocol.ts';

const check = (fields: object) =>
  COMPLETIONS_PROTOCOL.check(readJsonDocument(JSON.stringify({ model: 'm', prompt: 'Hi', ...fields })));

it('allows no output, and no candidates, as the API does: the prompt is then only scored', () => {
  const body = check({ max_tokens: 0, best_of: 0, echo: true, logprobs: 1 });
  expect(COMPLETIONS_PROTOCOL.read(body)).toMatchObject({ maxOutputTokens: 0, choiceCount: 1 });
});

it.each([
  [{}, 1],
  [{ n: 3 }, 3],
  [{ n: 2, best_of: 5 }, 5],
  [{ n: 2, best_of: 0 }, 2],
  [{ n: 2, prompt: ['b', 'c'], best_of: 0 }, 4],
])('counts what %j can generate', (fields, count) => {
  expect(COMPLETIONS_PROTOCOL.read(check(fields)).choiceCount).toBe(count);
});

it.each([
  ['max_tokens', -1],
  ['max_tokens', 0.5],
  ['best_of', -1],
  ['best_of', 21],
  ['best_of', 1.5],
  ['n', 0],
])('refuses %s: %j', (param, value) =>
  expect(() => check({ [param]: value })).toThrow(expect.objectContaining({ code: 'invalid_value', param })),
);
