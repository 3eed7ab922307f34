import { expect, it } from '@jest/globals';
import type { ChatRequest } from '../model/chat.ts';
import { estimateUsage, UsageMeter } from './usage-meter.ts';

const request: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'eightchr' }] }],
  stream: true,
  includeUsage: true,
  choiceCount: 0,
  extra: {},
};

it('what a provider did not report is estimated by the characters that were received', () =>
  expect(estimateUsage(request, 9, undefined)).toEqual({ inputTokens: 2, outputTokens: 3 }));

it('a response that is no text counts as its protocol says where it was cut off, and as its texts where it was not', () => {
  const meter = () => {
    const usage = new UsageMeter();
    usage.sends(request, { cutOff: { outputTokens: 6_240 }, isBilled: true });
    return usage;
  };
  expect(meter().close(false, false).used).toEqual({ inputTokens: 2, outputTokens: 6_240 });
  expect(meter().close(true, false).used).toEqual({ inputTokens: 2, outputTokens: 0 });
});

it('a usage that is not possible is limited to four times what was reserved, and reported', () => {
  const usage = new UsageMeter();
  usage.reserve({ input: 10, output: 20 });
  usage.report({ inputTokens: 10_040, outputTokens: 9_000_000 });
  expect(usage.close(true, false)).toEqual({
    used: { inputTokens: 10_040, outputTokens: 10_080 },
    disbelieved: '10040 input and 9000000 output tokens, where 10 and 20 were reserved',
  });
});

it('what was ended from outside is recorded by the estimate, where a provider may have counted it', () => {
  const usage = new UsageMeter();
  usage.sends(request, { cutOff: undefined, isBilled: true });
  usage.close(false, true);
  expect(usage.reported).toEqual({ inputTokens: 2, outputTokens: 0 });
});
