import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { openAddressReader } from './address-reader.ts';
import { otherHost } from './other-host.ts';

describe('an address to another host', () => {
  it.each([
    ['https://a.example/b', 'https://a.example/b'],
    [' \t https:\\\\a.example\\b', 'https://a.example/b'],
    ['http:a.example', 'http://a.example/'],
    ['https:a.example', 'https://a.example/'],
    ['/\\a.example', 'https://a.example/'],
    ['ht\ntps:/\t/ａ.example', 'https://a.example/'],
    ['//0x7f.1/', 'https://127.0.0.1/'],
  ])('is %j as a browser loads it', (written, loaded) => expect(otherHost(written)?.href).toBe(loaded));

  it.each([
    '/docs',
    'docs//a',
    '?q=//a.example',
    '#a',
    'C:\\Users',
    'c:/users',
    'mailto:a@b.example',
    'javascript:a()',
    'https://',
    'https://a b/',
  ])('is not %j', (written) => expect(otherHost(written)).toBeUndefined());
});

const PARTS = [
  ...[
    '<a ',
    '<img ',
    '<base ',
    '<script>',
    '</script>',
    '<style>',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '</',
    '<title>',
    '</title>',
    '<plaintext>',
    '{"a":"',
    '{\\"a\\":\\"',
    '\\"',
    '</style',
    '>',
    '<',
    'src=',
    'href="',
    "srcset='",
    'alt="',
    ' style=',
  ],
  ...['"', "'", '`', ' ', '\n', '\t', '=', '(', ')', '](', ']: ', 'url(', '@import', 'image-set('],
  ...[
    'https',
    'http',
    ':',
    '/',
    '\\',
    '//',
    '\\\\',
    'www.',
    'javascript',
    'data',
    'https:/',
    'http:\\\\',
    'a.example',
    '?q=',
  ],
  ...['&', '#', '47', ';', 'x2f', 'sol', 'amp;', '&#0000', '\\68', '\\2f ', '00', 'u002f', '\u{1f600}', 'é'],
];

describe('any split of a text', () => {
  it.each([
    ['a text', false],
    ['JSON', true],
  ])('has the same addresses: %s', (_, isJson) => {
    const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(120)), (stretches, cuts) => {
        const whole = openAddressReader(isJson);
        const split = openAddressReader(isJson);
        // The end of each stretch is where a placeholder would be.
        for (const stretch of stretches) {
          whole.read(stretch);
          for (const piece of cutAt(stretch, cuts)) split.read(piece);
          expect(split.isInAddress()).toBe(whole.isInAddress());
        }
      }),
      { numRuns: 2000 },
    );
  });
});
