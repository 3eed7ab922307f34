import { describe, expect, it } from '@jest/globals';
import { areStaged } from './staged-answers.ts';

describe('staged answers', () => {
  it('are three that open eagerly and break off', () => {
    expect(areStaged(['Sure! You take...', 'Of course, first…', 'Easy: begin with...'])).toBe(true);
  });
  it.each([
    ['two only', ['Sure! You take...', 'Of course, first…']],
    ['whole answers', ['Sure, here it is.', 'Of course. Let me sketch it.', 'Easy, press the button.']],
    ['other openings', ['Once upon a time...', 'Then the phone rang...', 'He waited...']],
    ['long answers', Array.from({ length: 3 }, () => `Sure! ${'a long answer '.repeat(20)}...`)],
  ])('are not %s', (_, answers) => expect(areStaged(answers)).toBe(false));
});
