import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compared, toNumber } from './compared-value.ts';
import { SaidText } from './said-text.ts';

const saidIn = (text: string, value: string | number) => {
  const said = new SaidText();
  said.add(text);
  return said.has(compared(value));
};

describe('a value that the user wrote', () => {
  it.each<[string, string | number]>([
    ['Write to Bob@Example.com.', 'bob@example.com'],
    ['Write to bob@example.com, please', 'bob@example.com'],
    ['to:bob@example.com', 'bob@example.com'],
    ["Is this bob's?", 'bob'],
    ['Pay 1,200 EUR', 1200],
    ['Pay 1.200,00 €', 1200],
    ['Pay 1 200,5', 1200.5],
    ['Pay 1200', '1,200.00'],
    ['Zahle an DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['Zahle an DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['Rechnung 7 an DE89 3704 0044 0532 0130 00 heute', 'DE89370400440532013000'],
    ['Call +49 (30) 123 456-7', '+49301234567'],
    ['Look at https://www.example.com/a/', 'example.com/a'],
    ['Look at example.com/a', 'https://example.com/a'],
    ['Look at https://example.com/a', 'example.com/a'],
    ['Look at www.example.com', 'http://example.com'],
    ['ticket #5512', '5512'],
    ['发给bob@example.com的邮件', 'bob@example.com'],
    ['请写给张三的', '张三'],
    ['Pay ＤＥ89370400440532013000', 'DE89370400440532013000'],
    ['the order 2026-03-04', '2026-03-04'],
  ])('%j has %j', (text, value) => expect(saidIn(text, value)).toBe(true));

  it.each<[string, string, string | number]>([
    ['a shorter host', 'Write to bob@example.co.uk', 'bob@example.co'],
    ['the end of an address', 'Write to jim.bob@example.com', 'bob@example.com'],
    ['the end of a local part', "Write to o'brien@example.com", 'brien@example.com'],
    ['the host of an address', 'Write to bob@example.com', 'example.com'],
    ['the host of a page', 'Read https://example.com/docs', 'https://example.com'],
    ['the same with a slash', 'Read https://example.com/docs', 'https://example.com/'],
    ['a page without its query', 'Read https://example.com/?q=1', 'https://example.com'],
    ['another port', 'Read https://example.com:8080', 'https://example.com'],
    ['a domain of a subdomain', 'Read docs.example.com', 'example.com'],
    ['another scheme', 'Read https://example.com/a', 'ftp://example.com/a'],
    ['a part of an amount', 'Pay 1,500', 500],
    ['its beginning', 'Pay 1,500.00', 1],
    ['a tenth', 'Pay 1500', 150],
    ['the decimals', 'Pay 7.50', 50],
    ['another sign', 'The balance is -500', 500],
    ['a negative amount', 'Pay 500', -500],
    ['a part of an id', 'ticket ACME-5512', '5512'],
    ['a part of an account', 'to 12345678901', '2345678901'],
    ['the digits of another account', 'to 12 34567890123', '34567890123'.slice(0, 10)],
    ['a path within a path', 'edit src/app.ts', 'app.ts'],
    ['a root', 'edit a/etc/passwd', '/etc/passwd'],
    ['an accent', 'Read paypal.example', 'paypäl.example'],
    ['a Cyrillic letter', 'Read paypal.example', 'p\u0430ypal.example'],
    ['an invisible letter', 'Write to bob@example.com', 'bob@example.c\u200bom'],
    ['another IP address', 'ssh 192.168.1.11', '192.168.11.1'],
    ['another version', '10.0.0.12', '100.0.12'],
    ['an ambiguous amount', 'Pay 1200', '1.200'],
    ['an id with leading zeros', 'customer 7', '007'],
    ['nothing', 'Pay', '\u200b'],
    ['two messages as one', 'Pay', 'pay\0pay'],
  ])('is not %s', (_, text, value) => expect(saidIn(text, value)).toBe(false));

  it('is not put together from two messages', () => {
    const said = new SaidText();
    for (const text of ['Pay to DE89', '370400440532013000 now']) said.add(text);
    expect(said.has(compared('DE89\x1f0400440532013000'))).toBe(false);
    expect(said.has(compared('DE89370400440532013000'))).toBe(false);
  });

  it('is found wherever they quote it', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.double(),
      fc.integer(),
      fc.emailAddress(),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(value, fc.lorem(), (some, around) => {
        if (String(some).trim() === '') return;
        expect(saidIn(`${around} "${some}" ${around}`, some)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the number of an argument', () => {
  it.each<[unknown, number]>([
    [500, 500],
    [-1.5, -1.5],
    [1e9, 1_000_000_000],
    ['500', 500],
    ['500.25', 500.25],
    ['-3', -3],
  ])('%j', (value, number) => expect(toNumber(value)).toBe(number));

  it.each([
    '1.000,00',
    '1,000.00',
    '1.000',
    '1,5',
    '1e9',
    'Infinity',
    'NaN',
    '',
    ' 500',
    '+500',
    '0500',
    '0x10',
    '５００',
    '500 EUR',
    Number.POSITIVE_INFINITY,
    Number.NaN,
    true,
    null,
    [1],
    {},
  ])('is none: %j', (value) => expect(toNumber(value)).toBeUndefined());
});
