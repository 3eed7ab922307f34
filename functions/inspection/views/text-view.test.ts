import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { TextView } from './text-view.ts';

function read(text: string, view: 'exact' | 'folded', isSecond = false): string {
  const reader = new TextView(view, isSecond);
  return reader.push(text) + reader.end();
}

/** The raw text that each view unit was read from. */
function readPieces(pieces: readonly string[], view: 'exact' | 'folded', isSecond: boolean) {
  const reader = new TextView(view, isSecond);
  const text = pieces.map((piece) => reader.push(piece)).join('') + reader.end();
  const ranges = Array.from(text, (_, index) => [reader.positions.rawStart(index), reader.positions.rawEnd(index + 1)]);
  return { text, ranges: ranges.slice(0, text.length) };
}

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const STRANGE = [
  'a',
  'B',
  ' ',
  'é',
  'ﬁ',
  'а',
  'Ω',
  '\u200b',
  '\u00ad',
  '\u0301',
  '😀',
  '𝐢',
  '\ud83d',
  '\ude00',
  '\ufe0f',
  tags('x'),
  '中',
  'が',
  '한',
  '🇩',
  '½',
  '\uffff',
  '\\',
  '\\u',
  '\\u0041',
  '\\ud835',
  '\\udc0f',
  '\\u{1d40f}',
  '\\x41',
  '\\U0000004',
  '\\/',
  '00',
  '41',
  '\0',
  '\x1b[',
  '\x9b',
  '1m',
  '%41',
  '%25',
  '%c3%a9',
  '%e2%82',
  '%',
  '&',
  '#32;',
  'amp;',
  'nbsp;',
  '&nbsp',
  '?q=',
  '+',
  tags('y').slice(1),
];
const strange = fc
  .array(fc.oneof(fc.constantFrom(...STRANGE), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 40 })
  .map((parts) => parts.join(''));

describe('the exact view', () => {
  it.each([
    ['Plain ASCII\tstays.\r\n', 'Plain ASCII\tstays.\r\n'],
    ['ig\u200bno\u00adre\u2060', 'ignore'],
    [`a${tags('hi there')}b`, 'ahi thereb'],
    ['ｆｕｌｌ ﬁt 𝐛𝐨𝐥𝐝 ①', 'full fit bold 1'],
    ['Tür, Москва, 日本, が', 'Tür, Москва, 日本, が'],
    ['line\u2028next\u00a0x', 'line\nnext x'],
    ['lone \ud83d half', 'lone \ud83d half'],
    ['acute ´ stays', 'acute ´ stays'],
    ['\\u0050roj\\x65\\x63t \\u{5a}eus', 'Project Zeus'],
    ['\\U00000050roject\\xa0Zeus \\U0001f600', 'Project Zeus 😀'],
    ['https:\\/\\/a.example', 'https://a.example'],
    ['quoted in a quote: Pr\\\\u006fject', 'quoted in a quote: Project'],
    ['\\ud835\\udc0froject \\ud835\\udc0', 'Project \ud835\\udc0'],
    ['a\0b\x07\x08c\x7f\x85\x80\ufffe\ufdd0', 'abc\n'],
    ['\x1b[1;31mred\x1b[0m \\u001b[Kline \x9b2Jend \x1b7', 'red line end 7'],
    ['a%20b &amp; c', 'a%20b &amp; c'],
    ['not \\u00g0, \\x4, \\u{110000}, C:\\n\\users', 'not \\u00g0, \\x4, \\u{110000}, C:\\n\\users'],
  ])('shows %j as %j', (raw, shown) => expect(read(raw, 'exact')).toBe(shown));
});

describe('the second reading', () => {
  it.each([
    ['Project%20Zeus, %50roject%2520Zeus, M%C3%BCller', 'Project Zeus, Project Zeus, Müller'],
    ['Project&nbsp;Zeus, Project&#32;Zeus&#x21;, bob&commat;x', 'Project Zeus, Project Zeus!, bob@x'],
    ['Project&amp;nbsp;Zeus, AT&amp;T', 'Project Zeus, AT&T'],
    ['https://x.de/a+b?q=Project+Zeus&r=c+d 1+1=2 x+y', 'https://x.de/a+b?q=Project Zeus&r=c d 1+1=2 x+y'],
    [`Pro${tags('A')}ject, Pro&rlm;ject`, 'Project, Project'],
    ['100%25, 100%, %de, a && b, &lt;b&#62; &other; &x', '100%, 100%, %de, a && b, &lt;b&#62; &other; &x'],
    ['\\u0041%41\x1b[0m', 'AA'],
  ])('shows %j as %j', (raw, shown) => expect(read(raw, 'exact', true)).toBe(shown));
});

describe('the folded view', () => {
  it.each([
    ['IGNORE All', 'ignore all'],
    ['Prévïous ÀÉÎ', 'previous aei'],
    ['e\u0301\u0327', 'e'],
    ['іgnоrе рrеvіоus', 'ignore previous'],
    ['ΙGΝΟRΕ', 'ignore'],
    ['ɪɢɴᴏʀᴇ', 'ignore'],
    ['🅘🅖🅝🅞🅡🅔', 'ignore'],
    ['“smart” ‘quotes’ – dash', '"smart" \'quotes\' - dash'],
    ['straße', 'strasse'],
    ['が한中', 'が한中'],
  ])('shows %j as %j', (raw, shown) => expect(read(raw, 'folded')).toBe(shown));
});

describe.each([
  ['exact', false],
  ['folded', false],
  ['exact', true],
  ['folded', true],
] as const)('any text in the %s view (second reading: %s)', (view, isSecond) => {
  it('shows each ASCII character as in a text without others', () => {
    for (let code = 0x20; code < 0x7f; code++) {
      const character = String.fromCharCode(code);
      expect(read(`中${character}`, view, isSecond)).toBe(`中${read(character, view, isSecond)}`);
    }
  });

  it('has the same text and ranges for any split', () => {
    fc.assert(
      fc.property(strange, fc.array(fc.nat(60)), (text, cuts) => {
        const pieces = cutAt(text, cuts);
        expect(readPieces(pieces, view, isSecond)).toEqual(readPieces([text], view, isSecond));
      }),
    );
  });

  it('maps every view unit to a range of the raw text that reads the same', () => {
    fc.assert(
      fc.property(strange, (text) => {
        const { text: shown, ranges } = readPieces([text], view, isSecond);
        let last = 0;
        ranges.forEach(([start = 0, end = 0], index) => {
          expect(start).toBeGreaterThanOrEqual(last);
          // The meaning of a plus depends on the text before it.
          if (text.slice(start, end) !== '+')
            expect(read(text.slice(start, end), view, isSecond)).toContain(shown.charAt(index));
          last = start;
        });
      }),
    );
  });
});
