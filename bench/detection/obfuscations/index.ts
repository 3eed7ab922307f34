import {
  base32,
  base64,
  binary,
  caesar,
  dataUrl,
  hex,
  jsonString,
  morse,
  namedEntities,
  percent,
  quotedPrintable,
} from '../../../test/support/obfuscations/encodings.ts';
import {
  homoglyphs,
  mathematicalBold,
  signedLeet,
  simpleLeet,
  upsideDown,
  variationSelectors,
  zalgo,
  zeroWidth,
} from '../../../test/support/obfuscations/letters.ts';
import {
  dotted,
  emphasised,
  hyphenated,
  linked,
  reversed,
  reversedWords,
  spaced,
  spacedEvenly,
  split,
  splitByComments,
  splitByLines,
  splitByTags,
} from './words.ts';

/** A way to write a text so that its words are not seen. */
export interface Obfuscation {
  readonly name: string;
  readonly disguise: (text: string) => string;
}

const rot13 = caesar(13);

/** The 25 that the bench tries: of each kind one or a few, and pairs of two kinds. */
export const OBFUSCATIONS: readonly Obfuscation[] = [
  { name: 'base64', disguise: base64 },
  { name: 'hex', disguise: hex },
  { name: 'base32', disguise: base32 },
  { name: 'binary', disguise: binary },
  { name: 'Morse', disguise: morse },
  { name: 'ROT13', disguise: rot13 },
  { name: 'Caesar, 7', disguise: caesar(7) },
  { name: 'reversed', disguise: reversed },
  { name: 'each word reversed', disguise: reversedWords },
  { name: 'leetspeak', disguise: simpleLeet },
  { name: 'leetspeak with signs', disguise: signedLeet },
  { name: 'spaced letters', disguise: spaced },
  { name: 'spaced letters, words not parted', disguise: spacedEvenly },
  { name: 'dotted or hyphenated letters', disguise: (text) => (text.length % 2 === 0 ? dotted : hyphenated)(text) },
  { name: 'split words', disguise: (text) => (text.length % 2 === 0 ? split : splitByLines)(text) },
  {
    name: 'tags and comments in words',
    disguise: (text) => (text.length % 2 === 0 ? splitByTags : splitByComments)(text),
  },
  { name: 'Markdown around words', disguise: (text) => (text.length % 2 === 0 ? emphasised : linked)(text) },
  { name: 'HTML entities', disguise: namedEntities },
  { name: 'JSON string, data URL', disguise: (text) => (text.length % 2 === 0 ? jsonString : dataUrl)(text) },
  { name: 'quoted-printable, percent', disguise: (text) => (text.length % 2 === 0 ? quotedPrintable : percent)(text) },
  { name: 'homoglyphs and zero-width characters', disguise: (text) => zeroWidth(homoglyphs(text)) },
  {
    name: 'styled letters: bold, marked, upside down',
    disguise: (text) => [mathematicalBold, zalgo, upsideDown][text.length % 3]?.(text) ?? text,
  },
  { name: 'variation selectors behind an emoji', disguise: variationSelectors },
  {
    name: 'base64 of ROT13, base64 of reversed',
    disguise: (text) => base64((text.length % 2 === 0 ? rot13 : reversed)(text)),
  },
  {
    name: 'hex of base64, reversed leetspeak',
    disguise: (text) => (text.length % 2 === 0 ? hex(base64(text)) : reversed(simpleLeet(text))),
  },
];
