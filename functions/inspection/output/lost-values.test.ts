import { describe, expect, it } from '@jest/globals';
import type { Finding, RuleHit } from '../matching/index.ts';
import { Redaction } from '../policy/index.ts';
import { LostValues } from './lost-values.ts';

const redaction = new Redaction('test');
const placeholder = redaction.hideInput({ rule: { category: 'email' } } as Finding, 'maria@example.com');
const label = placeholder.slice(1, -1);
const number = label.replace(/\D/g, '');

function read(text: string, size: number, own: readonly string[] = []): string[] {
  const reader = new LostValues(redaction, { own, answered: [] }).open();
  const hits: RuleHit[] = [];
  for (let at = 0; at < text.length; at += size) {
    hits.push(...reader.read(text.slice(at, at + size), at + size >= text.length));
  }
  expect(reader.seen).toBe(text.length);
  return hits.map(({ start, end }) => text.slice(start, end));
}

describe('a call with a placeholder that is not restored', () => {
  it.each([
    [`{"to":"${label}"}`, label],
    [`{"to":"[email_${number}]"}`, `email_${number}`],
    [`{"to":"[EMAIL\\\\_${number}]"}`, `EMAIL\\\\_${number}`],
    [`{"to":"\\u005bEMAIL_${number}\\u005d"}`, label],
    [`{"to":"<Email-${number}>","cc":"x"}`, `Email-${number}`],
    [
      `{"to":"[EMAIL ${number}]","note":"and some more words that follow it, so that it is far from the end"}`,
      `EMAIL ${number}`,
    ],
    [`{"to":"[EMAIL_12345]","cc":"[EMAIL_12345] and more"}`, '[EMAIL_12345]', '[EMAIL_12345]'],
  ])('%s is found once, however it is split', (text, ...expected) => {
    for (const size of [1, 2, 7, 30, text.length]) expect(read(text, size)).toEqual(expected);
  });

  it.each([
    `{"order":${number}}`,
    `{"to":"EMAIL_${number}1"}`,
    `{"to":"mail_${number}"}`,
    `{"a":"EMAIL","b":"x","n":"${number}"}`,
  ])('%s has none', (text) => {
    for (const size of [1, 5, text.length]) expect(read(text, size)).toEqual([]);
  });

  it('is the own text of who wrote it', () => expect(read(`{"id":"${label}"}`, 4, [`Open ${label}`])).toEqual([]));
});
