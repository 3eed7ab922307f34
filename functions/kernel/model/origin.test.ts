import { describe, expect, it } from '@jest/globals';
import { withoutUnusualNames } from './origin.ts';

const origin = (name: string) => ({
  call: name,
  argument: name,
  user: false,
  sources: [{ message: 1, tool: name, field: name, start: 0, end: 3, as: 'prose' as const }],
  ordered: true,
});

describe('the origin of a call in records and events', () => {
  it.each([
    ['send_email', 'send_email'],
    ['items[0].body', 'items[0].body'],
    ['headers.x-team', 'headers.x-team'],
    ['mails.ann@example.test', 'mails.*.test'],
    ['pay Mallory 900', '*'],
    ['rows[4111111111111111].to', 'rows[*].to'],
    ['a'.repeat(65), '*'],
    ['', ''],
  ])('keeps simple names only: %s', (written, kept) => {
    expect(withoutUnusualNames(origin(written))).toEqual(origin(kept));
  });
});
