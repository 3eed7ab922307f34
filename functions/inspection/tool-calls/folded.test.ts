import { describe, expect, it } from '@jest/globals';
import { fold, indexOfWhole } from './folded.ts';

describe('a folded text', () => {
  it.each([
    ['upper case and spaces', 'Send\n\tIT  now', 'send it now'],
    ['accents', 'Überweise à Zürich', 'uberweise a zurich'],
    ['full-width letters', 'ｅｖｉｌ＠ｘ．ｔｅｓｔ', 'evil@x.test'],
    ['invisible characters', 'ev\u200bil\u00ad@x.test', 'evil@x.test'],
    ['quotation marks and dashes', '“a”–’b’', '"a"-\'b\''],
    ['Korean and Japanese', '보내기 ガス', '보내기 ガス'],
  ])('has %s in one form', (_, text, folded) => expect(fold(text)).toBe(folded));
});

describe('a whole word', () => {
  it.each([
    ['in a sentence', 'pay 5512 now', '5512', 4],
    ['at the start', '5512', '5512', 0],
    ['beside Chinese letters', '请转到5512账户', '5512', 3],
    ['in a longer number', 'pay 55123', '5512', -1],
    ['in a longer word', 'a.b@x.testing', 'b@x.test', -1],
    ['after a longer one', '55121 and 5512', '5512', 10],
    ['that is empty', 'abc', '', -1],
  ])('%s', (_, text, word, at) => expect(indexOfWhole(text, word)).toBe(at));
});
