import { describe, expect, it } from '@jest/globals';
import { turnsAgo } from './request-text.ts';

describe('the number of responses since a message', () => {
  it.each([
    ['a first question', ['system', 'user'], [0, 0]],
    ['a conversation', ['user', 'assistant', 'user', 'assistant', 'user', 'user'], [2, 2, 1, 1, 0, 0]],
    [
      'tool calls, each an assistant turn',
      ['user', 'assistant', 'tool', 'tool', 'assistant', 'tool'],
      [2, 2, 1, 1, 1, 0],
    ],
    ['consecutive assistant messages count once', ['user', 'assistant', 'assistant', 'user'], [1, 1, 1, 0]],
    ['a response that is started for the model', ['user', 'assistant', 'user', 'assistant'], [1, 1, 0, 0]],
    ['nothing', [], []],
  ])('%s', (_, roles, ages) => expect(turnsAgo(roles)).toEqual(ages));
});
