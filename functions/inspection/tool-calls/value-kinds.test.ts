import { describe, expect, it } from '@jest/globals';
import { kindOf, valuesIn } from './value-kinds.ts';

describe('the kind of a value', () => {
  it.each([
    ['kim.b@post.example', 'email'],
    ['https://x.test/a?b=1', 'url'],
    ['files.corp.example', 'url'],
    ['DE12 5001 0517 0648 4898 90', 'account'],
    ['61 1090 2590 0000 0001 5533 7710', 'account'],
    ['6214-0093-8871-2265', 'account'],
    ['+49 30 901820', 'phone'],
    ['4,200.50', 'number'],
    ['1200 €', 'number'],
    ['2026-05-14T15:00', 'date'],
    ['14.05.2026', 'date'],
    ['~/.ssh/authorized_keys', 'path'],
    ['src/app.ts', 'path'],
    ['INC0071188', 'id'],
    ['Marta Żak', 'name'],
    ['rows.append(StockRow)', 'name'],
  ])('%s: %s', (text, kind) => expect(kindOf(text)).toBe(kind));
});

it('finds addresses, paths and ids in a text, and no code', () => {
  const text =
    'Write to kim@post.example, see https://x.test/a. Ticket 5512, file /etc/hosts; Math.abs(sum) and DE12 5001 0517 0648 4898 90';
  expect(valuesIn(text).map(({ kind, text: value }) => `${kind} ${value}`)).toEqual([
    'email kim@post.example',
    'url https://x.test/a',
    'number 5512',
    'path /etc/hosts',
    'account DE12 5001 0517 0648 4898 90',
  ]);
});

describe('a value in a text', () => {
  it.each([
    ['beside letters without spaces', '请转到DE12500105170648489890账户', 'account DE12500105170648489890'],
    ['after a sign', 'iban=DE12500105170648489890;', 'account DE12500105170648489890'],
    ['in brackets', '(see <kim@post.example>)', 'email kim@post.example'],
    ['with a version', 'left-pad2@1.0.4', 'id left-pad2@1.0.4'],
    ['that is a time', 'at 14:30.', 'date 14:30'],
  ])('%s', (_, text, found) => {
    const [value] = valuesIn(text).map((one) => `${one.kind} ${one.text}`);
    expect(value).toBe(found);
  });
});
