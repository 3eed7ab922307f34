import { expect, it } from '@jest/globals';
import { fill, seeded } from './example-tokens.ts';
import { characterKindChanges, isPlaceholder, looksRandom } from './randomness.ts';

it('drawn characters are restless, names are calm', () => {
  const random = seeded(5);
  for (const form of ['{w40}', '{l32}', '{u32}', '{h40}']) {
    const drawn = Array.from({ length: 500 }, () => characterKindChanges(fill(form, random)));
    expect(drawn.filter((changes) => changes < 0.18).length).toBeLessThanOrEqual(10);
  }
  for (const name of [
    'RequestHandlerFactoryBean',
    'get_user_by_id',
    'ChatCompletionRequest9',
    'KUBERNETES_SERVICE_HOST',
  ]) {
    expect(characterKindChanges(name)).toBeLessThan(0.18);
  }
});

it.each(['your-api-key', 'xxxxxxxx', '<insert token>', 'changeme1', 'abcdef123456'])('%s is a placeholder', (text) =>
  expect(isPlaceholder(text)).toBe(true),
);

it('zeros in base64 are no placeholder', () =>
  expect(looksRandom('AAAAAAAAp6CQsIJKH1c5GjSIX3bcrRn6VsPf', 3.5)).toBe(true));
