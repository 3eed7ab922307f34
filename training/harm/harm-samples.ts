import type { Sample } from '../examples.ts';
import { generator } from '../generator.ts';
import type { SentenceGrammar } from '../own/sentence-grammar.ts';
import { one, ownSamples, sample } from '../own-samples.ts';
import { HARM_IN_ENGLISH } from './english.ts';
import { EVERYDAY_WISHES } from './english-everyday.ts';
import { HARM_BY_LANGUAGE } from './languages/index.ts';

const IN_ENGLISH = 6_000;
const EVERYDAY = 12_000;
const A_LANGUAGE = 700;
/** Of each other language beside English, which most data is in. */
const HARM_ABROAD = 0.25;
const HARMLESS_ABROAD = 0.6;

/** Texts of our own: harmful requests with twins that ask for no harm, and all else that we have which is harmless. */
export function harmSamples(): Sample[] {
  const random = generator(13);
  return [
    ...wishes(HARM_IN_ENGLISH, IN_ENGLISH, [1, 1], random),
    ...HARM_BY_LANGUAGE.flatMap((book) => wishes(book, A_LANGUAGE, [HARM_ABROAD, HARMLESS_ABROAD], random)),
    ...Array.from({ length: EVERYDAY }, (_, index) =>
      sample('everyday_wishes', index, false, one(EVERYDAY_WISHES, EVERYDAY_WISHES.harmless, random)),
    ),
    ...ownSamples().flatMap((own) => (own.attack ? [] : [inItsLanguage(own)])),
  ];
}

/** Everyday sentences count by language: in most of them there is hardly any other harmless text. */
function inItsLanguage(own: Sample): Sample {
  return own.set.startsWith('phrases-') ? { ...own, worth: HARMLESS_ABROAD } : own;
}

function wishes(
  book: SentenceGrammar,
  count: number,
  [harm, harmless]: readonly [number, number],
  random: () => number,
): Sample[] {
  const set = `wishes-${book.lang}`;
  return Array.from({ length: count }, (_, index) => [
    { ...sample(set, index, true, one(book, book.attacks, random)), worth: harm },
    { ...sample(set, index, false, one(book, book.harmless, random)), worth: harmless },
  ]).flat();
}
