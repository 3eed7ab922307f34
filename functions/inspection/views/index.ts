export { isInvisible, isTag, toExact, toFolded } from './characters.ts';
export { closingTagStart, isEnclosedInTags, openingTagEnd } from './enclosing-tags.ts';
export {
  ALL_ESCAPES,
  hidesLetters,
  holdsWebEscapes,
  mayHoldWebEscapes,
  PROGRAM_ESCAPES,
  QUERY_UNITS,
} from './escapes.ts';
export { PlainWordReader, type PlainWords, plainWords, WORD_NUMBERS, wordNumbers } from './plain-words.ts';
export { originalRanges, PositionMap, TextWindow } from './text-offsets.ts';
export { isPlainAscii, TextView, TextViews } from './text-view.ts';
export { VIEWS, type View } from './view.ts';
