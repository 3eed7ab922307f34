import { expect, it } from '@jest/globals';
import type { ChatRequest } from '../model/chat.ts';
import { estimateUsage } from './estimate-usage.ts';

const request: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'eightchr' }] }],
  stream: true,
  includeUsage: true,
  choiceCount: 0,
  extra: {},
};

it('what a provider did not tell is estimated by the characters that came', () =>
  expect(estimateUsage(request, { receivedChars: 9, outcome: 'failed' })).toEqual({ inputTokens: 2, outputTokens: 3 }));

it('an answer that is no text counts as its protocol says where it was cut off, and as its texts where it was not', () => {
  for (const outcome of ['failed', 'blocked'] as const)
    expect(estimateUsage(request, { receivedChars: 0, outcome }, { outputTokens: 6_240 }).outputTokens).toBe(6_240);
  expect(estimateUsage(request, { receivedChars: 0, outcome: 'completed' }, { outputTokens: 6_240 }).outputTokens).toBe(
    0,
  );
});
