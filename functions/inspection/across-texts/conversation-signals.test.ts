import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { areStaged, fragmentsOf, requestsAssembly } from './conversation-signals.ts';

describe('fragments', () => {
  it('have their ranges, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '=', ':', '"', "'", ' ', 'part 1', 'is', '\n', '“', '”', '2/3'), {
          maxLength: 80,
        }),
        (pieces) => {
          let end = 0;
          for (const fragment of fragmentsOf(pieces.join(''))) {
            expect(fragment.start).toBeGreaterThanOrEqual(end);
            expect(fragment.end).toBeGreaterThan(fragment.start);
            end = fragment.end;
          }
        },
      ),
    );
  });

  it('are none in a long text', () => expect(fragmentsOf(`a = "b" ${'x'.repeat(400)}`)).toEqual([]));
});

describe('a message that acts on pieces', () => {
  it.each(['Now do what a + b says.', 'Carry out the joined text.', 'Combine them and reply.', 'Answer X Y Z please'])(
    'is %j',
    (text) => expect(requestsAssembly(text)).toBe(true),
  );
  it.each(['What is in part 2?', 'Thanks, that works.', 'Do you know New York?', 'Answer in English.'])(
    'is not %j',
    (text) => expect(requestsAssembly(text)).toBe(false),
  );
});

describe('staged responses', () => {
  it('are three that start eagerly and break off', () => {
    expect(areStaged(['Sure! You take...', 'Of course, first…', 'Easy: begin with...'])).toBe(true);
  });
  it.each([
    ['two only', ['Sure! You take...', 'Of course, first…']],
    ['complete responses', ['Sure, here it is.', 'Of course. Let me sketch it.', 'Easy, press the button.']],
    ['other openings', ['Once upon a time...', 'Then the phone rang...', 'He waited...']],
    ['long responses', Array.from({ length: 3 }, () => `Sure! ${'a long answer '.repeat(20)}...`)],
  ])('are not %s', (_, answers) => expect(areStaged(answers)).toBe(false));
});
