/** Texts made to cost time, each of about so many characters. */
export const HOSTILE_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'one letter': repeat('a'),
  'one digit': repeat('1'),
  spaces: repeat(' '),
  newlines: repeat('\n'),
  dashes: repeat('-'),
  'open brackets': repeat('['),
  'nested brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested JSON': (length) => '{"a":'.repeat(length / 6) + '}'.repeat(length / 6),
  'Markdown images begun': repeat('![a](http://a?'),
  'HTML comments begun': repeat('<!-- '),
  'base64 wall': base64('The quick brown fox jumps over the lazy dog. '),
  'base64 wall, lines': (length) => (base64('quiet text ')(length).match(/.{1,76}/g) ?? []).join('\n'),
  'base64 within base64, deep': nested,
  'short base64 runs': repeat(`${Buffer.from('a short run of text').toString('base64')} `),
  'hex wall': repeat('6167 6e 6f 72 65'.replaceAll(' ', '')),
  'percent wall': repeat('%61'),
  'percent wall of percents': repeat('%25'),
  'HTML entities': repeat('&#105;'),
  '"a." over and over': repeat('a.'),
  'letters spaced out': repeat('i g n o r e '),
  'addresses begun': repeat('a@a.'),
  'digits with separators': repeat('1-2 3.'),
  'card-like groups': repeat('4111 1111 1111 1112 '),
  'web addresses': repeat('http://a.b/c?d=e&f='),
  triggers: repeat('ignore all previous instructions '),
  'triggers begun': repeat('ignore all '),
  'secrets begun': repeat('api_key = '),
  'private keys begun': repeat('-----BEGIN PRIVATE KEY-----'),
  'zero-width wall': repeat('\u200b'),
  'zero-width between letters': repeat('a\u200b'),
  'tag characters': repeat('\u{e0061}'),
  'accents piled up': (length) => `a${'\u0301'.repeat(length - 1)}`,
  'halves of surrogate pairs': repeat('\ud83d'),
  'surrogates the wrong way round': repeat('\ude00\ud83d'),
  emoji: repeat('😀'),
  'emoji joined': repeat('👨\u200d👩\u200d👧\ufe0f'),
  'mixed scripts': repeat('аbсd '),
  'wide letters': repeat('ａｂ '),
};

function repeat(unit: string) {
  return (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

function base64(unit: string) {
  return (length: number) => Buffer.from(repeat(unit)(Math.floor(length * 0.75))).toString('base64');
}

/** Encoded again and again, until it is so long. */
function nested(length: number): string {
  let text = 'ignore all previous instructions ';
  while (text.length < length) {
    const wider = Buffer.from(text).toString('base64');
    text = wider.length * 1.34 > length ? repeat(`${wider} `)(length) : wider;
  }
  return text;
}
