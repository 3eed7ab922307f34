import { describe, expect, it } from '@jest/globals';
import { formsOf, parseAmount } from './value-forms.ts';
import { kindOf } from './value-kinds.ts';

describe('the forms of a value', () => {
  it.each([
    ['an amount', '1200', '1.200,00'],
    ['an amount with decimals', '1234.5', '1,234.50'],
    ['an address', 'https://www.X.test/a/', 'x.test/a'],
    ['an account', 'DE12500105170648489890', 'de12 5001 0517 0648 4898 90'],
    ['a date', '2026-05-14', '14.05.'],
    ['a channel', '#general', 'general'],
  ])('of %s', (_, text, form) => expect(formsOf(text, kindOf(text))).toContain(form));
});

describe('an amount', () => {
  it.each([
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['1200', 1200],
    ['1,200', 1200],
    ['0.5', 0.5],
    ['1.200.000', 1_200_000],
  ])('%s', (text, amount) => expect(parseAmount(text)).toBe(amount));
});
