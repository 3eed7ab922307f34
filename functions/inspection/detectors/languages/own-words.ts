import { DISREGARDING, disregardingVerbs, isAboutWritersWords, TAKEOVERS } from './disregarding-verbs.ts';
import { GRAMMARS, Sentence, SentenceWords } from './sentence.ts';
import { type Grammar, type Kind, readable } from './word-table.ts';

/** Phrases by which users refer to their earlier words. Folded view. */
const SAID_BEFORE =
  /\b(?:said|told|wrote|written|asked|typed|sent|gave|given|mentioned|pasted|posted|requested|ordered|shared|described|listed|proposed|suggested|uploaded|attached|provided|specified|entered|quoted|submitted|stated|copied|drafted|called|named|used|put|wanted|meant)\b/;
/** The same for a pattern. */
export const SAID = SAID_BEFORE.source.slice(2, -2);
const DISMISSES =
  /\b(?:ignore|disregard|forget|scratch|scrap|discard|dismiss|overlook|skip|drop|strike|(?:never|don't|do not) mind|pay no (?:attention|heed) to|(?:do not|don't) (?:use|consider|answer|look at|follow)|stop using)\b/g;
/** Objects of dismissing, after the verb. */
const MINE = /^ (?:\w{1,24} ){0,2}my\b/;
const I_SAID = /\bi\b/;
const CLAUSE_END = /[,;:]/;
const REACH = 72;

/** What others gave the model, and what turns it to something else. */
const OF_THE_MODEL =
  /\b(?:instruct(?:s|ed|ing|ions?)?|prompts?|rules?|guidelines?|guidance|guardrails?|directives?|commands?|polic(?:y|ies)|restrictions?|constraints?|limitations?|filters?|programming|training|system|developer|demands?|passwords?|secrets?|you(?: are|['’]re) (?:now|no longer)|from now on|act as|pretend|role ?play|obey|unrestricted|unfiltered)\b/;

/** Whether a sentence only withdraws its writer's words: "forget what I wrote", "ignore my last message". */
export function withdrawsOwnWords(sentence: string): boolean {
  const text = readable(sentence);
  return (withdrawsInEnglish(text) && !OF_THE_MODEL.test(text)) || withdrawsInOtherLanguages(text);
}

/** Verbs of dropping, and a negation before them: "do not forget", but not "do not forget to ignore". */
const DROPS =
  /\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overlook(?:ing)?|neglect(?:ing)?|dismiss(?:ing)?|skip(?:ping)?|bypass(?:ing)?|overrid(?:e|ing)|discard(?:ing)?|drop(?:ping)?|abandon(?:ing)?|erase|delete|cancel)\b/g;
const NEVER =
  /(?:\b(?:not|never|cannot|without|dont)|n['’]t)(?: (?:you|ever|please|to|just|simply|accidentally)){0,2} $/;
/** After "do not forget", these assign a role or request a disclosure. */
const NOT_KEPT =
  /\b(?:passwords?|secrets?|you(?: are|['’]re) (?:now|no longer)|from now on|act as|pretend|role ?play|obey|unrestricted|unfiltered|no (?:rules|restrictions|limits)|system prompt|reveal|print|verbatim|word for word)\b/;

/** Whether a sentence only orders not to forget or ignore earlier words: "do not forget the instructions above". */
export function forbidsForgetting(sentence: string): boolean {
  const text = readable(sentence);
  return forbidsInEnglish(text) || forbidsInOtherLanguages(text);
}

function forbidsInEnglish(text: string): boolean {
  const drops = [...text.matchAll(DROPS)];
  const isKept = ({ index }: RegExpExecArray) => NEVER.test(text.slice(Math.max(0, index - REACH), index));
  return drops.length > 0 && drops.every(isKept) && !NOT_KEPT.test(text);
}

function withdrawsInEnglish(text: string): boolean {
  for (const { 0: verb, index } of text.matchAll(DISMISSES)) {
    const end = index + verb.length;
    const [clause = ''] = text.slice(end, end + REACH).split(CLAUSE_END, 1);
    if (MINE.test(clause)) return true;
    const subject = clause.search(I_SAID);
    if (subject >= 0 && SAID_BEFORE.test(clause.slice(subject))) return true;
  }
  return false;
}

/** What others gave the model: sentences about these are left to the rules. */
const KINDS_OF_THE_MODEL: readonly Kind[] = ['norm', 'limit', 'ownNorm', 'nature', 'prompt'];

/** After "do not forget", these assign a role. */
const KINDS_NOT_KEPT: readonly Kind[] = [...TAKEOVERS, 'freed', 'reveal'];

/** Whether a sentence of the folded view takes back what its writer said before, in a language other than English. */
function withdrawsInOtherLanguages(text: string): boolean {
  const sentence = new Sentence(text, { before: '', earlier: 0 });
  return [...sentence.words].some(([lang, words]) => {
    const of = new SentenceWords(sentence, GRAMMARS.get(lang) as Grammar, words);
    if (KINDS_OF_THE_MODEL.some((kind) => of.byKind.has(kind))) return false;
    return disregardingVerbs(of).some((verb) => isAboutWritersWords(verb, of));
  });
}

/** Whether a sentence of the folded view orders not to forget or ignore earlier words, in a language other than English. */
function forbidsInOtherLanguages(text: string): boolean {
  const sentence = new Sentence(text, { before: '', earlier: 0 });
  return [...sentence.words].some(([lang, words]) => {
    const of = new SentenceWords(sentence, GRAMMARS.get(lang) as Grammar, words);
    if (KINDS_NOT_KEPT.some((kind) => of.byKind.has(kind))) return false;
    if (!of.byKind.has('keep') && words.every(({ kind }) => !DISREGARDING.has(kind))) return false;
    return disregardingVerbs(of).length === 0;
  });
}
