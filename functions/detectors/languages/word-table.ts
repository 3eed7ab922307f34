import { toFolded } from '../../core/inspect/views/characters.ts';

/**
 * A language's words, written as the language writes them in lower case, those of a kind between bars. A star stands for
 * an ending; a space parts the words of a phrase, and braces hold a choice: `{do not,never} follow`.
 */
export interface WordTable<Kind extends string> {
  /** BCP-47. */
  readonly lang: string;
  /** Whether the script parts words by spaces; true where absent. */
  readonly spaced?: boolean;
  /** How many letters a star may stand for; 4 where absent. */
  readonly ending?: number;
  /** What is written together with the word that follows: articles, prepositions, conjunctions. */
  readonly prefixes?: string;
  readonly words: Partial<Readonly<Record<Kind, string>>>;
}

/** A word of a phrase as the folded view shows it, and how many letters may follow it. */
export interface Stem {
  readonly text: string;
  readonly ending: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+\*?/gu;
const USUAL_ENDING = 4;

/** The phrases of a kind, each as its words; of a script without spaces, each as one. */
export function phrasesOf<Kind extends string>(table: WordTable<Kind>, kind: Kind): Stem[][] {
  const { spaced = true, ending = USUAL_ENDING, words } = table;
  return partsOf(words[kind] ?? '')
    .flatMap(spelledOut)
    .map((phrase) => {
      if (!spaced) return [{ text: readable(phrase), ending: 0 }];
      return (readable(phrase).match(WORD) ?? []).map((word) =>
        word.endsWith('*') ? { text: word.slice(0, -1), ending } : { text: word, ending: 0 },
      );
    });
}

/** A phrase with each of the words that it leaves a choice of: `{a,b} c` is `a c` and `b c`. */
function spelledOut(phrase: string): string[] {
  const start = phrase.indexOf('{');
  if (start < 0) return [phrase];
  const choice: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < phrase.length; at++) {
    const character = phrase.charAt(at);
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth > (character === ',' ? 1 : 0) || !',}'.includes(character)) continue;
    choice.push(phrase.slice(from, at).trim());
    from = at + 1;
    if (depth === 0) break;
  }
  const before = phrase.slice(0, start);
  const rest = spelledOut(phrase.slice(from));
  return choice.flatMap(spelledOut).flatMap((word) => rest.map((behind) => before + word + behind));
}

/** What a table writes between bars. */
export function partsOf(list: string): string[] {
  return list.split('|').flatMap((part) => part.trim() || []);
}

/** Letters of the Arabic script that people write one for the other, each group by its first. */
const SAME_LETTERS = ['اأإآٱ', 'هةۀ', 'يىیئ', 'كک', 'وؤ'];
/** Those that are not the first. */
const OTHERS = /[\u0623\u0625\u0622\u0671\u0629\u06c0\u0649\u06cc\u0626\u06a9\u0624]/g;
const FIRST_OF = new Map(
  SAME_LETTERS.flatMap((group) => [...group].map((letter) => [letter, group.charAt(0)] as const)),
);

const READ = new Map<string, string>();

/** A text as the folded view shows it, with letters that are written for each other made one. */
export function readable(text: string): string {
  let shown = '';
  for (const character of text) {
    let read = READ.get(character);
    if (read === undefined) {
      read = unified(toFolded(character));
      READ.set(character, read);
    }
    shown += read;
  }
  return shown;
}

/** Text of the folded view with letters that are written for each other made one; as long as it was. */
export function unified(text: string): string {
  return text.replace(OTHERS, (letter) => FIRST_OF.get(letter) as string);
}
