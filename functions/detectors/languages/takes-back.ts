import { VERBS, verbsOf } from './override.ts';
import { isOfWriter, TAKEOVERS } from './own-words.ts';
import { GRAMMARS, Sentence } from './sentence.ts';
import type { Grammar, Kind } from './words.ts';

/** What a model was given by others: what is said of these is for the rules. */
const OF_THE_MODEL: readonly Kind[] = ['norm', 'limit', 'ownNorm', 'nature', 'prompt'];

/** Who is told not to forget one of these is told what to be. */
const NOT_KEPT: readonly Kind[] = [...TAKEOVERS, 'freed', 'reveal'];

/** Whether a sentence of the folded view takes back what its writer said before, in a language other than English. */
export function takesBackInOtherLanguages(text: string): boolean {
  const sentence = new Sentence(text, { before: '', earlier: 0 });
  return [...sentence.words].some(([lang, words]) => {
    const { order } = GRAMMARS.get(lang) as Grammar;
    const byKind = Map.groupBy(words, ({ kind }) => kind);
    if (OF_THE_MODEL.some((kind) => byKind.has(kind))) return false;
    return verbsOf(words, byKind, order, sentence).some((verb) => isOfWriter(verb, order, byKind, sentence));
  });
}

/** Whether a sentence of the folded view tells not to forget or ignore what was said, in a language other than English. */
export function keepsInOtherLanguages(text: string): boolean {
  const sentence = new Sentence(text, { before: '', earlier: 0 });
  return [...sentence.words].some(([lang, words]) => {
    const byKind = Map.groupBy(words, ({ kind }) => kind);
    if (NOT_KEPT.some((kind) => byKind.has(kind))) return false;
    if (!byKind.has('keep') && words.every(({ kind }) => !VERBS.has(kind))) return false;
    return verbsOf(words, byKind, (GRAMMARS.get(lang) as Grammar).order, sentence).length === 0;
  });
}
