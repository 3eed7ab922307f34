import { toFolded } from '../../views/index.ts';

/** What a word does in an order to the model. */
export const KINDS = [
  /** Disregards: `ignore`, `do not follow`, in the forms that orders and requests have. */
  'drop',
  /** Follows, in the forms after a negating word: `do not obey`, `stop following`. */
  'obey',
  /** Negates, apart from `not`: `stop`, `without`, `you need not`. */
  'cease',
  /** Makes void; many other things can be its object too: `delete`, `cancel`. */
  'undo',
  /** The same in phrases, and its result: `no longer apply`. */
  'void',
  /** `as if there were no`. */
  'asIf',
  /** A complete override: `listen only to me`. */
  'alone',
  /** Instructs the model: `instructions`, `guidelines`, `prompt`. */
  'norm',
  /** Restrains it: `rules`, `restrictions`, `filters`. */
  'limit',
  /** `safety`, before or behind a limit. */
  'safety',
  /** The nature of the model: `training`, `values`. */
  'nature',
  /** An instruction or limit in a form that makes it the reader's. */
  'ownNorm',
  /** Marks them as earlier or as the system's: `previous`, `above`, `original`, `hidden`. */
  'prior',
  /** `your`. */
  'yours',
  /** `given`, `told`, `received`, `learned`. */
  'given',
  /** `all`, `any`. */
  'all',
  /** `everything`, `whatever`. */
  'things',
  /** All earlier words, in one word or phrase: `the aforesaid`. */
  'told',
  /** `the text`, `the words`. */
  'text',
  /** Negates an order: `not`, `never`. */
  'not',
  /** Orders not to drop: `do not forget`, in one word or phrase. */
  'keep',
  /** Another person acts: `I`, `they`. */
  'others',
  /** What people exchange: `mail`, `question`. */
  'message',
  /** The writer said or sent it: `that I wrote`, `which I sent`. */
  'said',
  /** `my`. */
  'mine',
  /** Assigns a role to the reader: `you are`. */
  'role',
  /** Object of a harmless limit: `length`, `budget`. */
  'scope',
  /** `concerning`, `about`: before the topic of instructions; in verb-final languages after it. No word that also means `in order to` or `if`. */
  'topic',
  /** Where people learn, or keep their instructions: `school`, `manual`, `README`. */
  'place',
  /** `show`, `repeat`, `tell me`. */
  'show',
  /** `what is`, `which`. */
  'ask',
  /** `system prompt`. */
  'prompt',
  /** Those of them that disclose: `reveal`, `repeat`, `print`. */
  'reveal',
  /** States that something does not bind the reader: `you have no`; in verb-final languages after it: `there are none`. */
  'freed',
  /** `you`, if `freed` does not include it. */
  'you',
  /** Assigns the reader a role or task: `you are`, `answer`. */
  'be',
  /** `without`, `free of`. */
  'without',
  /** What the reader should do instead: `follow`. */
  'follow',
  /** Who made the reader: `developer`. */
  'maker',
  /** `word for word`. */
  'verbatim',
  /** Begins another order: `and`, `but`, and where verbs come last, `read`, `follow`. */
  'next',
  /** Makes a clause of a verb, with its subject where the verb has the form of an order: `before`, `if you`; where verbs come last, after it. */
  'when',
  /** Says that it happened or happens, also with the verb: `were`, `often`, `has ignored`. */
  'report',
  /** Begins a condition, if `when` has it with a subject only: `if`. */
  'if',
  /** Others request it, a person with the verb: `the user asks to`, `they ask you to`; where verbs come last, after it, as a condition or report. */
  'asked',
] as const;
export type Kind = (typeof KINDS)[number];

/** Word order of such an order in a language. */
export interface Grammar {
  /** Position of the verb of an order: before its object, after it, or either. */
  readonly order: 'first' | 'last' | 'free';
  /** Whether the absent thing comes first, then its absence, and the addressee separately. */
  readonly saysItBehind: boolean;
}

/** A language's words for orders to a model, in the forms that orders, requests and their objects take. */
export interface LanguageWords extends WordTable<Kind> {
  readonly order: Grammar['order'];
}

/**
 * A language's words in lower case, as the language writes them, those of a kind between bars. A star matches
 * an ending; a space separates the words of a phrase, and braces hold a choice: `{do not,never} follow`.
 */
export interface WordTable<Kind extends string> {
  /** BCP-47. */
  readonly lang: string;
  /** Whether the script separates words by spaces; true if absent. */
  readonly spaced?: boolean;
  /** Maximum letters that a star matches; 4 if absent. */
  readonly ending?: number;
  /** Written together with the next word: articles, prepositions, conjunctions. */
  readonly prefixes?: string;
  readonly words: Partial<Readonly<Record<Kind, string>>>;
}

const ORDERS: readonly Grammar['order'][] = ['first', 'last', 'free'];

/**
 * The tables of a text file: a section for each language, `[de] German`, with a line `name: value` for each field of its table
 * and each kind of its words. A line that begins with spaces continues the one before it, and one with `#` is a comment.
 * @throws Error if a line has another name or an invalid order
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

/** A word of a phrase in the folded view, and how many letters may follow it. */
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

/** A phrase with each word of its choices: `{a,b} c` is `a c` and `b c`. */
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

/** Letters of the Arabic script that are interchangeable in practice, each group by its first. */
const SAME_LETTERS = ['اأإآٱ', 'هةۀ', 'يىیئ', 'كک', 'وؤ'];
/** Those that are not the first. */
const OTHERS = /[\u0623\u0625\u0622\u0671\u0629\u06c0\u0649\u06cc\u0626\u06a9\u0624]/g;
const FIRST_OF = new Map(
  SAME_LETTERS.flatMap((group) => [...group].map((letter) => [letter, group.charAt(0)] as const)),
);

const READ = new Map<string, string>();

/** A text in the folded view, with interchangeable letters made one. */
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

/** Text of the folded view with interchangeable letters made one, at the same length. */
export function unified(text: string): string {
  return text.replace(OTHERS, (letter) => FIRST_OF.get(letter) as string);
}
