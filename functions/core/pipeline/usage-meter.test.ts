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
  usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 0 });
  usage.report({ inputTokens: 10_040, outputTokens: 9_000_000 });
  expect(usage.close(true, false)).toEqual({
    used: { inputTokens: 10_040, outputTokens: 10_080 },
    reservedNanoUsd: 0,
    disbelieved: '10040 input and 9000000 output tokens, where 10 and 20 were reserved',
  });
});

it('a response that goes on at its provider uses what is reserved, unless its usage is reported', () => {
  const meter = () => {
    const usage = new UsageMeter();
    usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 0 });
    usage.sends(request, { cutOff: undefined, isBilled: true });
    usage.continuesAtProvider();
    return usage;
  };
  for (const [isCompleted, stopped] of [
    [true, false],
    [false, true],
  ] as const) {
    const usage = meter();
    expect([usage.close(isCompleted, stopped).used, usage.reported]).toEqual([
      { inputTokens: 10, outputTokens: 20 },
      null,
    ]);
  }
  const cut = meter();
  cut.fillWithEstimate();
  expect(cut.close(false, false).used).toEqual({ inputTokens: 10, outputTokens: 20 });
  const reported = meter();
  reported.report({ inputTokens: 3, outputTokens: 4 });
  expect(reported.close(true, false).used).toEqual({ inputTokens: 3, outputTokens: 4 });
});

it('the usage of an earlier request is recorded, and used for nothing', () => {
  const usage = new UsageMeter();
  usage.belongsToEarlier();
  usage.report({ inputTokens: 3, outputTokens: 4 });
  expect([usage.close(true, false).used, usage.reported]).toEqual([{}, { inputTokens: 3, outputTokens: 4 }]);
  usage.drop();
  expect(usage.reported).toBeNull();
});

it('a stopped request is recorded with the estimate if the provider may bill it', () => {
  const usage = new UsageMeter();
  usage.sends(request, { cutOff: undefined, isBilled: true });
  usage.close(false, true);
  expect(usage.reported).toEqual({ inputTokens: 2, outputTokens: 0 });
});
