import type { WordTable } from './word-table.ts';

/** What a word does in an order to the model. */
const KINDS = [
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
