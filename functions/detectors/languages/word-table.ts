import { toFolded } from '../../core/inspect/views/characters.ts';

/** What a word does in an order to the model. */
export const KINDS = [
  /** Disregards: `ignore`, `do not follow`, in the forms that orders and requests have. */
  'drop',
  /** Follows, in the forms that stand behind a word that takes it back: `do not obey`, `stop following`. */
  'obey',
  /** What takes it back, apart from `not`: `stop`, `without`, `you need not`. */
  'cease',
  /** Makes void, a thing done to much else too: `delete`, `cancel`. */
  'undo',
  /** The same in phrases, and what has been made void: `no longer apply`. */
  'void',
  /** `as if there were no`. */
  'asIf',
  /** Says it all by itself: `listen only to me`. */
  'alone',
  /** What tells the model what to do: `instructions`, `guidelines`, `prompt`. */
  'norm',
  /** What keeps it from doing something: `rules`, `restrictions`, `filters`. */
  'limit',
  /** `safety`, before or behind a limit. */
  'safety',
  /** What the model is made of: `training`, `values`. */
  'nature',
  /** An instruction or limit, in a form that says that they are the reader's. */
  'ownNorm',
  /** Says that they came before, or are the system's: `previous`, `above`, `original`, `hidden`. */
  'prior',
  /** `your`. */
  'yours',
  /** `given`, `told`, `received`, `learned`. */
  'given',
  /** `all`, `any`. */
  'all',
  /** `everything`, `whatever`. */
  'things',
  /** All that was said before, in one word or phrase: `the aforesaid`. */
  'told',
  /** `the text`, `the words`. */
  'text',
  /** Takes an order back: `not`, `never`. */
  'not',
  /** Tells not to drop: `do not forget`, in one word or phrase. */
  'keep',
  /** Somebody else does it: `I`, `they`. */
  'others',
  /** What people send and ask each other: `mail`, `question`. */
  'message',
  /** The writer said or sent it: `that I wrote`, `which I sent`. */
  'said',
  /** `my`. */
  'mine',
  /** Says who the reader is from now on: `you are`. */
  'role',
  /** What a harmless limit is about: `length`, `budget`. */
  'scope',
  /** `show`, `repeat`, `tell me`. */
  'show',
  /** `what is`, `which`. */
  'ask',
  /** `system prompt`. */
  'prompt',
  /** Of these, those that make known what is kept: `reveal`, `repeat`, `print`. */
  'reveal',
  /** Says that something does not bind the reader: `you have no`; behind it, where verbs come last: `there are none`. */
  'freed',
  /** `you`, where `freed` does not say it. */
  'you',
  /** Says what the reader is to be or do: `you are`, `answer`. */
  'be',
  /** `without`, `free of`. */
  'without',
  /** What the reader is to do instead: `follow`. */
  'follow',
  /** Who made the reader: `developer`. */
  'maker',
  /** `word for word`. */
  'verbatim',
  /** Begins another order: `and`, `but`, and where verbs come last, `read`, `follow`. */
  'next',
] as const;
export type Kind = (typeof KINDS)[number];

/** How a language puts such an order together. */
export interface Grammar {
  /** Where the verb of an order stands: before its object, behind it, or in either place. */
  readonly order: 'first' | 'last' | 'free';
  /** Whether it is named first what is not there, then said that it is not, and said apart from both to whom. */
  readonly saysItBehind: boolean;
}

/** A language's words for orders to a model, in the forms that orders, requests and their objects take. */
export interface LanguageWords extends WordTable<Kind> {
  readonly order: Grammar['order'];
}

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

const ORDERS: readonly Grammar['order'][] = ['first', 'last', 'free'];

/**
 * The tables of a text file: a section for each language, `[de] German`, with a line `name: value` for each field of its table
 * and each kind of its words. A line that begins with spaces goes on with the one before it, and one with `#` is a comment.
 * @throws Error where a line has another name, or an order is none
 */
export function parseWordTables<Kind extends string>(
  text: string,
  kinds: readonly Kind[],
): (WordTable<Kind> & Partial<Grammar>)[] {
  const sections = text.replace(/^#.*\n/gm, '').split(/^(?=\[)/m);
  return sections.filter((section) => section.trim() !== '').map((section) => parseTable(section, kinds));
}

function parseTable<Kind extends string>(section: string, kinds: readonly Kind[]): WordTable<Kind> & Partial<Grammar> {
  const [head = '', ...lines] = section.replace(/\n +/g, ' ').trim().split('\n');
  const lang = /^\[([^\]]+)\]/.exec(head)?.[1] ?? '';
  const table: { spaced?: boolean; ending?: number; prefixes?: string; order?: Grammar['order'] } = {};
  const words: Partial<Record<Kind, string>> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1).trim();
    const kind = kinds.find((one) => one === name);
    const order = ORDERS.find((one) => one === value);
    if (kind !== undefined) words[kind] = value;
    else if (name === 'spaced') table.spaced = value === 'true';
    else if (name === 'ending') table.ending = Number(value);
    else if (name === 'prefixes') table.prefixes = value;
    else if (name === 'order' && order !== undefined) table.order = order;
    else throw new Error(`not a field of the words of ${lang}: ${line.slice(0, 40)}`);
  }
  return { lang, ...table, words };
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
