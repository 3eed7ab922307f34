import { expect, it } from '@jest/globals';
import type { ChatRequest } from '../kernel/model/index.ts';
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

it('a response without usage is counted by its protocol where texts do not show it, whole or cut off', () => {
  const meter = () => {
    const usage = new UsageMeter();
    usage.sends(request, { unseen: { outputTokens: 6_240 }, isBilled: true });
    return usage;
  };
  const estimated = ['inputTokens', 'outputTokens'];
  for (const isCompleted of [true, false])
    expect(meter().close(isCompleted).used).toEqual({ inputTokens: 2, outputTokens: 6_240, estimated });
});

it('an impossible usage is limited to four times the reservation and reported', () => {
  const usage = new UsageMeter();
  usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 0 });
  usage.report({ inputTokens: 10_040, outputTokens: 9_000_000 });
  expect(usage.close(true)).toEqual({
    used: { inputTokens: 10_040, outputTokens: 10_080 },
    disbelieved: '10040 input and 9000000 output tokens, where 10 and 20 were reserved',
  });
});

it('a response that goes on at its provider uses what is reserved, unless its usage is reported', () => {
  const meter = () => {
    const usage = new UsageMeter();
    usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 0 });
    usage.sends(request, { unseen: undefined, isBilled: true });
    usage.continuesAtProvider();
    return usage;
  };
  for (const isCompleted of [true, false]) {
    const usage = meter();
    expect([usage.close(isCompleted).used, usage.reported]).toEqual([{ inputTokens: 10, outputTokens: 20 }, null]);
  }
  const cut = meter();
  cut.fillWithEstimate();
  expect(cut.close(false).used).toMatchObject({ inputTokens: 10, outputTokens: 20 });
  const reported = meter();
  reported.report({ inputTokens: 3, outputTokens: 4 });
  expect(reported.close(true).used).toEqual({ inputTokens: 3, outputTokens: 4 });
});

it('a background response uses what is reserved also before its provider has responded', () => {
  const inBackground = { ...request, isInBackground: true };
  const meter = () => {
    const usage = new UsageMeter();
    usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 0 });
    usage.sends(inBackground, { unseen: undefined, isBilled: true });
    return usage;
  };
  const abandoned = meter();
  const charged = { inputTokens: 10, outputTokens: 20, estimated: ['inputTokens', 'outputTokens'] };
  expect(abandoned.close(false).used).toEqual(charged);
  // No later request has its record.
  expect(abandoned.reported).toEqual(charged);
  const unlimited = new UsageMeter();
  unlimited.sends(inBackground, { unseen: undefined, isBilled: true });
  unlimited.close(false);
  expect(unlimited.reported).toMatchObject({ estimated: ['inputTokens', 'outputTokens'] });
  const refused = meter();
  refused.refused();
  expect(refused.close(false).used).toEqual({ inputTokens: 0, outputTokens: 0 });
  const reported = meter();
  reported.report({ inputTokens: 3, outputTokens: 4 });
  expect(reported.close(true).used).toEqual({ inputTokens: 3, outputTokens: 4 });
});

it('the usage of an earlier request is recorded, and used for nothing', () => {
  const usage = new UsageMeter();
  usage.belongsToEarlier();
  usage.report({ inputTokens: 3, outputTokens: 4 });
  expect([usage.close(true).used, usage.reported]).toEqual([{}, { inputTokens: 3, outputTokens: 4 }]);
  usage.drop();
  expect(usage.reported).toBeNull();
});

it('the usage of a repeated response is saved, and used for nothing', () => {
  const usage = new UsageMeter();
  usage.repeats();
  usage.report({ inputTokens: 3, outputTokens: 4 });
  const nothing = { inputTokens: 0, outputTokens: 0 };
  expect([usage.close(true).used, usage.reported, usage.saved]).toEqual([
    ...[nothing, nothing],
    { inputTokens: 3, outputTokens: 4 },
  ]);
});

it('what a provider may bill and did not report is recorded with its estimate, and with what was reserved', () => {
  for (const isCompleted of [true, false]) {
    const usage = new UsageMeter();
    usage.reserve({ input: 10, output: 20, searches: 0, nanoUsd: 7 });
    usage.sends(request, { unseen: undefined, isBilled: true });
    usage.report({ inputTokens: 3 });
    const used = { inputTokens: 3, outputTokens: 0, estimated: ['outputTokens'], reservedNanoUsd: 7 };
    expect([usage.close(isCompleted).used, usage.reported]).toEqual([used, used]);
  }
});

it('what a provider does not bill is not recorded', () => {
  const usage = new UsageMeter();
  usage.sends(request, { unseen: undefined, isBilled: true });
  usage.refused();
  expect([usage.close(false).used, usage.reported]).toEqual([{ inputTokens: 0, outputTokens: 0 }, null]);
});
