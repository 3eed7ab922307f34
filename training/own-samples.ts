import { readDeclarations } from './declarations.ts';
import { folded, type Sample } from './examples.ts';
import { generator } from './generator.ts';
import { AGENT_ORDERS, INJECTIONS, type InjectionGrammar } from './injections/grammar.ts';
import { AGENT_SESSIONS } from './own/agent-sessions.ts';
import { AROUND_INSTRUCTIONS } from './own/around-instructions.ts';
import { ENGLISH } from './own/english.ts';
import { EVERYDAY } from './own/everyday.ts';
import { LANGUAGES } from './own/languages/index.ts';
import { ORDERS_TO_ATTACK } from './own/orders-to-attack.ts';
import { ROLES } from './own/roles.ts';
import { ROLES_BY_LANGUAGE } from './own/roles-languages.ts';
import { fill, type HarmlessGrammar, type SentenceGrammar } from './own/sentence-grammar.ts';

/** Texts that we wrote: in every training, judged in none. */
export const OWN_FAMILY = 'own-phrases';

/** How many texts a grammar makes; of those with attacks, so many of each kind. */
const SENTENCES = 600;
const SENTENCES_IN_ENGLISH = 3_000;
const INJECTED = 3_000;
/** Orders to do harm with tools are worded like any others: fewer, so that they weigh less. */
const TOOLS_MISUSED = 900;
const MACHINES_ATTACKED = 1_500;
const IN_AGENT_SESSIONS = 3_000;
const ORDINARY = 3_000;
const ROLES_A_LANGUAGE = 150;

/** Texts of our own grammars, the same at every run: attacks, and their harmless look-alikes in equal or greater number. */
export function ownSamples(): Sample[] {
  const random = generator(7);
  const books = [ENGLISH, ...LANGUAGES];
  return [
    ...books.flatMap((book) =>
      sentences('phrases', book, book.lang === 'en' ? SENTENCES_IN_ENGLISH : SENTENCES, random),
    ),
    ...injections('injections', INJECTIONS, INJECTED, random),
    ...harmless('everyday', EVERYDAY, ORDINARY, random),
    ...harmless('roles', ROLES, ORDINARY, random),
    ...harmless('around_instructions', AROUND_INSTRUCTIONS, ORDINARY, random),
    ...readDeclarations().map(({ lang, text }, index) => sample(`declarations-${lang}`, index, false, text)),
    ...ROLES_BY_LANGUAGE.flatMap((book) => harmless(`roles_by_language-${book.lang}`, book, ROLES_A_LANGUAGE, random)),
    ...injections('agents', AGENT_ORDERS, TOOLS_MISUSED, random),
    ...sentences('orders_to_attack', ORDERS_TO_ATTACK, MACHINES_ATTACKED, random),
    ...injections('agent_sessions', AGENT_SESSIONS, IN_AGENT_SESSIONS, random),
  ];
}

function sentences(name: string, book: SentenceGrammar, count: number, random: () => number): Sample[] {
  const set = `${name}-${book.lang}`;
  return repeat(count, (index) => [
    sample(set, index, true, one(book, book.attacks, random)),
    sample(set, index, false, one(book, book.harmless, random)),
  ]);
}

function injections(set: string, grammar: InjectionGrammar, count: number, random: () => number): Sample[] {
  const { wrappers, attacks, harmless } = grammar;
  const wrapped = (templates: readonly string[]) => {
    const text = one(grammar, templates, random);
    return fill(pick(wrappers, random), { ...grammar.slots, payload: [text] }, random);
  };
  return repeat(count, (index) => [
    sample(set, index, true, wrapped(attacks)),
    sample(set, index, false, wrapped(harmless)),
  ]);
}

function harmless(set: string, book: HarmlessGrammar, count: number, random: () => number): Sample[] {
  return repeat(count, (index) => [sample(set, index, false, one(book, book.harmless, random))]);
}

/** A text of a set of our own, whose name ends with the language where it has one. */
export function sample(set: string, index: number, attack: boolean, text: string): Sample {
  const id = `${set}-${index}`;
  const shown = folded(text);
  const lang = /-(.+)$/.exec(set)?.[1] ?? 'en';
  return { id, set, family: OWN_FAMILY, category: set, lang, attack, text: shown, lesson: shown };
}

/** A random sentence of one of the templates. */
export function one(
  { slots }: Pick<SentenceGrammar, 'slots'>,
  templates: readonly string[],
  random: () => number,
): string {
  return fill(pick(templates, random), slots, random);
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

function repeat<T>(count: number, make: (index: number) => readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => make(index)).flat();
}
