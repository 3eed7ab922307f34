import { expect, it } from '@jest/globals';
import type { ChatRequest } from '../model/chat.ts';
import { estimateUsage, UsageMeter } from './usage-meter.ts';

const request: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'eightchr' }] }],
  stream: true,
  includeUsage: true,
  choiceCount: 0,
  others: [],
};

it('missing usage is estimated from the received characters', () =>
  expect(estimateUsage(request, 9, undefined)).toEqual({ inputTokens: 2, outputTokens: 3 }));

it('a non-text response is counted by its protocol if it was cut off, otherwise by its texts', () => {
  const meter = () => {
    const usage = new UsageMeter();
    usage.sends(request, { cutOff: { outputTokens: 6_240 }, isBilled: true });
    return usage;
  };
  expect(meter().close(false, false).used).toEqual({ inputTokens: 2, outputTokens: 6_240 });
  expect(meter().close(true, false).used).toEqual({ inputTokens: 2, outputTokens: 0 });
});

it('an impossible usage is limited to four times the reservation and reported', () => {
  const usage = new UsageMeter();
  usage.reserve({ input: 10, output: 20 });
  usage.report({ inputTokens: 10_040, outputTokens: 9_000_000 });
  expect(usage.close(true, false)).toEqual({
    used: { inputTokens: 10_040, outputTokens: 10_080 },
    disbelieved: '10040 input and 9000000 output tokens, where 10 and 20 were reserved',
  });
});

it('a stopped request is recorded with the estimate if the provider may bill it', () => {
  const usage = new UsageMeter();
  usage.sends(request, { cutOff: undefined, isBilled: true });
  usage.close(false, true);
  expect(usage.reported).toEqual({ inputTokens: 2, outputTokens: 0 });
});
