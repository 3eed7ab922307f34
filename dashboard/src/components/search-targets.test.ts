import { expect, test } from '@jest/globals';
import { directTargets, requestIdIn, settingTargets, traceIdIn, traceTargets } from './search-targets.ts';

const DIGITS = '019ac0ffee'.padEnd(32, '7');

test.each(['req_', 'evt_', 'chatcmpl-', 'cmpl-', 'msg_', 'resp_', 'guard-'])('%s… names a request', (prefix) => {
  expect(requestIdIn(` ${prefix}${DIGITS} `)).toBe(`req_${DIGITS}`);
});

test.each(['', DIGITS, 'req_', `req_${DIGITS}0`, `key_${DIGITS}`, 'a talk', `req_${DIGITS}/../x`])(
  '%j names none',
  (text) => {
    expect(requestIdIn(text)).toBeUndefined();
  },
);

test.each([
  [`key_${DIGITS}`, true, [`/keys/key_${DIGITS}`, `/requests?keyId=key_${DIGITS}&range=7d`]],
  [`key_${DIGITS}`, false, [`/requests?keyId=key_${DIGITS}&range=7d`]],
  ['wh_1', true, ['/webhooks/wh_1']],
  ['wh_1', false, []],
  ['thr_a_b_0', false, ['/threats/thr_a_b_0']],
  ['Shop', true, []],
])('%s leads an administrator (%j) to %j', (text, isAdmin, expected) => {
  expect(directTargets(text, isAdmin).map(({ href }) => href)).toEqual(expected);
});

test.each([
  DIGITS,
  ` 00-${DIGITS}-00f067aa0ba902b7-01 `,
  `1-${DIGITS.slice(0, 8)}-${DIGITS.slice(8)}`,
  `Root=1-${DIGITS.slice(0, 8)}-${DIGITS.slice(8)};Parent=00f067aa0ba902b7;Sampled=1`,
  `Self=1-11111111-222222222222222222222222;Root=1-${DIGITS.slice(0, 8)}-${DIGITS.slice(8)}`,
])('%j names a trace', (text) => {
  expect(traceIdIn(text)).toBe(DIGITS);
  expect(traceTargets(text).map(({ href }) => href)).toEqual([`/requests?traceId=${DIGITS}&range=7d`]);
});

test.each(['', `req_${DIGITS}`, `${DIGITS}0`, DIGITS.toUpperCase(), `00-${DIGITS}`])('%j names no trace', (text) => {
  expect(traceTargets(text)).toEqual([]);
});

test('settings are found by the beginnings of words', () => {
  const names = (text: string) => settingTargets(text, true, true).map(({ name }) => name);
  expect(names('lab')).toEqual([]);
  expect(names('EXCEPTIONS (al')).toEqual(['Exceptions (allow)']);
  expect(names('unavail')).toContain('While the limits store is unavailable');
  expect(names('=')).toEqual([]);
});
