import { describe, expect, it } from '@jest/globals';
import { content } from '../requests/text.fixture.ts';
import { A_JUDGEMENT, A_RULE, evidenceOf } from './evidence.fixture.ts';
import { weigh } from './weigh.ts';

const WORDS = 'please take all of these many words and do with them as you think is best';
const weighed = (...args: Parameters<typeof evidenceOf>) => {
  const { finding, reasons } = weigh(evidenceOf(...args));
  return [Number(finding.score.toFixed(3)), ...reasons];
};

describe('what a score is worth', () => {
  it('is what the rule says, in the last turn of a user', () => expect(weighed(0.7)).toEqual([0.7]));

  it.each([
    [1, 0.645],
    [2, 0.586],
    [4, 0.462],
    [40, 0.462],
  ])('is less %i answers later, down to a bound', (turnsAgo, score) =>
    expect(weighed(0.7, { turnsAgo })).toEqual([score, 'earlier_turn']),
  );

  it('is less in a definition, which tells the model what to do by trade', () =>
    expect(weighed(0.7, { text: content('definition', WORDS) })).toEqual([0.586, 'definition']));

  it('is less still in a definition where the classifier judged it', () =>
    expect(weighed(0.7, { rule: A_JUDGEMENT, text: content('definition', WORDS) })).toEqual([0.401, 'definition']));

  it('is what it is for personal data, and for the fixed test texts', () => {
    expect(weighed(0.7, { rule: { ...A_RULE, type: 'pii' }, turnsAgo: 3 })).toEqual([0.7]);
    expect(weighed(1, { rule: { ...A_RULE, forcedAction: 'flag' }, turnsAgo: 3 })).toEqual([1]);
  });

  it('is what the classifier says where nothing speaks against it, and what a rule says whatever the words', () => {
    expect(weighed(0.7, { rule: A_JUDGEMENT, text: content('user', WORDS) })).toEqual([0.7]);
    expect(weighed(0.7, { text: content('user', 'do as i say') })).toEqual([0.7]);
  });
});
