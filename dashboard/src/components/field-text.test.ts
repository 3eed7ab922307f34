import { expect, it } from '@jest/globals';
import { OPERATIONS } from '../api/operations.ts';
import { fieldText } from './field-text.ts';

const FIELDS = OPERATIONS.createKey.body;

it.each([
  ['name', 'Shop', 'Shop'],
  ['environment', 'Production', 'Production'],
  ['permissions', ['chat_completions', 'images'], 'Chat, Images'],
  ['rateLimit', { requests: 1_200, period: 'minute', burst: 50 }, '1,200 per minute, burst 50'],
  ['rateLimit', { requests: 1_200, period: 'minute' }, '1,200 per minute'],
  ['tokenLimit', { tokens: 50_000, period: 'day' }, '50,000 per day'],
  ['budget', { usd: 2.5, period: 'month' }, '$2.50 per month'],
  [
    'budget',
    { usd: 50, period: 'calendarMonth', timeZone: 'Europe/Berlin' },
    '$50.00 per calendar month, time zone Europe/Berlin',
  ],
  ['maxConcurrent', 1_000, '1,000'],
  ['onStoreFailure', 'closed', 'Refuse requests'],
  ['allowedModels', ['gpt-*', 'echo'], 'gpt-*, echo'],
  ['tags', { team: 'shop', stage: 'a' }, 'team=shop, stage=a'],
  ['expiresAt', '2031-05-01T12:00:00.000Z', expect.stringContaining('1 May 2031')],
])('%s: %j', (name, value, text) => {
  expect(fieldText(FIELDS.find((field) => field.name === name) ?? { name, kind: 'text', label: '' }, value)).toEqual(
    text,
  );
});

it('a field without a value has the words for it', () => {
  const empties: Readonly<Record<string, unknown>> = { choices: [], list: [], pairs: {} };
  for (const field of FIELDS.filter(({ kind, isNullable }) => isNullable || kind in empties)) {
    expect([field.name, fieldText(field, empties[field.kind] ?? null, 'Any')]).toEqual([field.name, 'Any']);
  }
});
