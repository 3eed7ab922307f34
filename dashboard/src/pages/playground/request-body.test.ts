import { describe, expect, test } from '@jest/globals';
import { conversationOf, NO_PARAMETERS, parametersBody } from './request-body.ts';

describe('parameters', () => {
  test('are sent if they are given', () => {
    expect(parametersBody(NO_PARAMETERS)).toEqual({});
    expect(parametersBody({ temperature: '0', maxTokens: ' 20', effort: 'low' })).toEqual({
      ...{ temperature: 0, max_completion_tokens: 20, reasoning_effort: 'low' },
    });
  });
});

const messages = [{ role: 'user', content: 'Hello' }];
const tools = [{ type: 'function', function: { name: 'pay' } }];

describe('a conversation as JSON', () => {
  test.each([
    [messages, { messages }],
    [{ messages }, { messages }],
    [
      { model: 'other', stream: true, messages, tools },
      { messages, tools },
    ],
    [{ messages, tools: [] }, { messages }],
    [[], undefined],
    [{ messages: [] }, undefined],
    [{ tools }, undefined],
    ['text', undefined],
    [null, undefined],
  ])('%j', (written, conversation) => {
    expect(conversationOf(JSON.stringify(written))).toEqual(conversation);
  });

  test('is not what is no JSON', () => {
    expect(conversationOf('[')).toBeUndefined();
  });
});
