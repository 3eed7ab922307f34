import { readFileSync } from 'node:fs';
import { NO_LIMITS_CUES } from '../functions/inspection/detectors/languages/no-limits.ts';
import { OVERRIDE_CUES } from '../functions/inspection/detectors/languages/override.ts';
import {
  type LexiconData,
  packLexicon,
  type WrittenPhrase,
} from '../functions/inspection/detectors/languages/packed-phrases.ts';
import { PROMPT_REQUEST_CUES } from '../functions/inspection/detectors/languages/prompt-request.ts';
import {
  type Grammar,
  KINDS,
  type Kind,
  type LanguageWords,
  parseWordTables,
  partsOf,
  phrasesOf,
  readable,
  type Stem,
  type WordTable,
} from '../functions/inspection/detectors/languages/word-table.ts';

/** Files of functions/inspection/detectors/languages/words; their order is that of the languages in the lexicons. */
const FAMILIES = [
  'germanic',
  'romance',
  'slavic',
  'other-european',
  'west-asian',
  'south-asian',
  'south-east-asian',
  'east-asian',
  'african',
];

/** The languages other than English in which orders to a model are detected. */
const LANGUAGES: readonly LanguageWords[] = FAMILIES.flatMap((family) =>
  parseWordTables(readWords(family), KINDS).map((table) => {
    if (table.order === undefined) throw new Error(`the words of ${table.lang} have no order`);
    return { ...table, order: table.order };
  }),
);

/** Words of any language that describe an attack or a quotation. */
const ABOUT = parseWordTables(readWords('about'), ['about']);

function readWords(name: string): string {
  const url = new URL(`../functions/inspection/detectors/languages/words/${name}.txt`, import.meta.url);
  return readFileSync(url, 'utf8');
}

/** Kinds of words that select candidates. */
const CUES: ReadonlySet<string> = new Set(
  [OVERRIDE_CUES, NO_LIMITS_CUES, PROMPT_REQUEST_CUES]
    .flatMap(({ kinds }) => [...kinds])
    .filter((kind) => kind !== 'without'),
);

/** The words of all tables in their folded form: those that select candidates, and the others. */
export function lexicons() {
  const grammars = LANGUAGES.map(({ lang, order, words }): [string, Grammar] => [
    lang,
    { order, saysItBehind: words.you !== undefined },
  ]);
  return {
    grammars: Object.fromEntries(grammars),
    cues: dataOf(LANGUAGES.map((table) => withKinds(table, (kind) => isCue(kind, table)))),
    others: dataOf(LANGUAGES.map((table) => withKinds(table, (kind) => !isCue(kind, table)))),
    about: dataOf(ABOUT),
  };
}

/** In languages that name the limits before they deny them, `without` may be the only cue. */
function isCue(kind: Kind, { words }: LanguageWords): boolean {
  return CUES.has(kind) || (kind === 'without' && words.you !== undefined);
}

function withKinds(table: LanguageWords, isKept: (kind: Kind) => boolean): LanguageWords {
  const words = Object.entries(table.words).filter(([kind]) => isKept(kind as Kind));
  return { ...table, words: Object.fromEntries(words) };
}

function dataOf<Kind extends string>(tables: readonly WordTable<Kind>[]): LexiconData {
  return packLexicon(
    writtenPhrases(tables.filter(({ spaced = true }) => spaced)),
    writtenPhrases(tables.filter(({ spaced = true }) => !spaced)),
    tables.flatMap(({ lang, prefixes = '' }) => partsOf(prefixes).map((prefix) => [lang, readable(prefix)] as const)),
  );
}

function writtenPhrases<Kind extends string>(tables: readonly WordTable<Kind>[]): WrittenPhrase[] {
  return tables.flatMap((table) =>
    (Object.keys(table.words) as Kind[]).flatMap((kind) => {
      const phrases = new Set(
        phrasesOf(table, kind)
          .filter((phrase) => phrase.length > 0)
          .map(written),
      );
      return [...phrases].map((phrase) => ({ lang: table.lang, kind, phrase }));
    }),
  );
}

function written(phrase: readonly Stem[]): string {
  const words = phrase.map(({ text, ending }) => (ending > 0 ? `${text}*${ending}` : text));
  const bad = phrase.find(({ text }) => /[|,*]/.test(text));
  if (bad !== undefined) throw new Error(`a word may not hold what parts words: ${bad.text}`);
  return words.join(' ');
}
