import { expect, it } from '@jest/globals';
import { PHONE } from './phone.ts';

const score = (number: string, earlier: number) => PHONE.check?.(number, { before: '', earlier });

it('looks up whether a number exists for the first numbers of a text, and assumes it of the rest', () => {
  const [real, unreal] = ['+49 30 901820', '+999 100 200-3000'];
  expect([score(real, 0), score(unreal, 0)]).toEqual([0.8, 0.55]);
  expect([score(real, 5_000), score(unreal, 5_000)]).toEqual([0.8, 0.8]);
});
