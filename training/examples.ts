import { TextView } from '../functions/core/inspect/view/text-view.ts';
import { generator } from './generator.ts';
import { INJECTIONS } from './injections/grammar.ts';
import { ENGLISH } from './own/english.ts';
import { EVERYDAY } from './own/everyday.ts';
import { LANGUAGES } from './own/languages/index.ts';
import { ROLES } from './own/roles.ts';
import { ROLES_BY_LANGUAGE } from './own/roles-languages.ts';
import { fill } from './own/sentence-grammar.ts';
import type { Row } from './read-sets.ts';

/** A text as the model learns from it and is judged by it. */
export interface Sample {
  readonly id: string;
  readonly set: string;
  readonly family: string;
  readonly category: string;
  readonly attack: boolean;
  /** Whole, folded. */
  readonly text: string;
  /** Where an attack's place in its document is known, that place with what is around it; else the whole. */
  readonly lesson: string;
}

/** Labels that are no attack; `harmful` is neither (the data's README), and a web payload is no sentence. */
const NO_ATTACK = new Set(['benign', 'pii', 'secret', 'toxic']);
/** Cannot be told from an ordinary request without its context: no miss, so no lesson either. */
const UNTEACHABLE = 'indirect_payload_bare';
const AROUND_SPAN = 80;

const SENTENCES_A_LANGUAGE = Number(process.env['SAL'] ?? 300);
const SENTENCES_IN_ENGLISH = 3_000;
const INJECTED = 3_000;
const ORDINARY = 3_000;
const ROLES_A_LANGUAGE = 150;
/** Texts that we wrote: in every training, judged in none. */
export const OWN_FAMILY = 'own-phrases';

/** The rows that teach, in order. */
export function toSamples(rows: readonly Row[]): Sample[] {
  return rows.flatMap((row) => {
    const attack = row.label === 'attack';
    if (attack ? row.category === UNTEACHABLE : !NO_ATTACK.has(row.label)) return [];
    const { id, set, family, category } = row;
    return [
      { id, set, family, category, attack, text: folded(row.text), lesson: folded(attack ? placeOf(row) : row.text) },
    ];
  });
}

/** Sentences of our own grammars, the same at every run: attacks and their harmless look-alikes in equal number. */
export function ownSamples(): Sample[] {
  const random = generator(7);
  const sample = (text: string, attack: boolean, index: number, set: string): Sample => {
    const shown = folded(text);
    return { id: `${set}-${index}`, set, family: OWN_FAMILY, category: set, attack, text: shown, lesson: shown };
  };
  const direct = [ENGLISH, ...LANGUAGES].flatMap((book) => {
    const count = book.lang === 'en' ? SENTENCES_IN_ENGLISH : SENTENCES_A_LANGUAGE;
    return Array.from({ length: count }, (_, index) => [
      sample(fill(pick(book.attacks, random), book.slots, random), true, index, `phrases-${book.lang}`),
      sample(fill(pick(book.harmless, random), book.slots, random), false, index, `phrases-${book.lang}`),
    ]).flat();
  });
  const { slots, attacks, harmless, wrappers } = INJECTIONS;
  const wrapped = (text: string) => pick(wrappers, random).replace('{payload}', () => text);
  const indirect = Array.from({ length: INJECTED }, (_, index) => [
    sample(wrapped(fill(pick(attacks, random), slots, random)), true, index, 'injections'),
    sample(wrapped(fill(pick(harmless, random), slots, random)), false, index, 'injections'),
  ]).flat();
  const ordinary = (
    [
      ['everyday', EVERYDAY],
      ['roles', ROLES],
    ] as const
  ).flatMap(([set, { harmless, slots }]) =>
    Array.from({ length: ORDINARY }, (_, index) =>
      sample(fill(pick(harmless, random), slots, random), false, index, set),
    ),
  );
  const roles = ROLES_BY_LANGUAGE.flatMap(({ lang, harmless, slots }) =>
    Array.from({ length: ROLES_A_LANGUAGE }, (_, index) =>
      sample(fill(pick(harmless, random), slots, random), false, index, `roles_by_language-${lang}`),
    ),
  );
  return [...direct, ...indirect, ...ordinary, ...roles];
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

function placeOf({ text, spans = [] }: Row): string {
  const span = spans.find(({ type }) => type === 'INJECTION');
  if (span === undefined) return text;
  return [...text].slice(Math.max(0, span.start - AROUND_SPAN), span.end + AROUND_SPAN).join('');
}

/** As the classifier is shown it. */
export function folded(text: string): string {
  const view = new TextView('folded');
  return view.push(text) + view.end();
}
