import type { Reason } from '../../kernel/model/index.ts';
import { eachToken, hashToken } from '../classification/index.ts';
import type { Finding } from '../matching/index.ts';
import { isEnclosedInTags } from '../views/index.ts';
import type { Evidence } from './evidence.ts';
import { isAboutOwnModel, isForbidding, isMostly, isNarrated } from './passage-wording.ts';

/** Lower scores have no effect in any context, so most texts are not examined further. */
const WEIGHED_FROM = 0.25;

/** The classifier is wrong more often on passages of at most this many tokens. */
const SHORT: readonly { readonly tokens: number; readonly shift: number }[] = [
  { tokens: 5, shift: -0.9 },
  { tokens: 7, shift: -0.6 },
];
/** A few words repeated, whose weights add up: a form with empty fields, a chorus. */
const REPETITION = -1;
const FEWEST_DISTINCT = 0.6;
/** With fewer words, one that occurs twice is no repetition. Single letters and pairs of digits are not words: they may encode some. */
const REPEATED_FROM_WORDS = 6;
const FEWEST_UNITS = 3;

/** The first words of a longer text: they state its subject, or the model's role. */
const OPENING = -0.3;
/** A first line that announces what follows: a context, a document. */
const ANNOUNCING = -0.6;
const OPENING_AT_MOST = 0.7;
/** Minimum length of the rest: in scripts without spaces, a passage is a few characters and its sentence is short. */
const OPENING_BEFORE_UNITS = 60;
/** Within the lines of a user's text, or below a first line that announces it: a document, which addresses other readers. */
const PASTED = -0.3;
const PASTED_LINES = 3;
const ENDS_IN_COLON = /:[ \t]*$/;
const ANNOUNCEMENT = /^[^\n]{4,200}:[ \t]{0,8}\n/;
/** Many passages of a long text are scored, so each doubling from this length on makes a high score by chance likelier. */
const LONG_FROM_UNITS = 1500;
const A_DOUBLING = -0.25;
/**
 * Limit of the shift for length, including those for author and pasted text. It decreases to 0 over DOUBLINGS, since the classifier itself
 * requires more in longer texts (classification/window-score.ts): one sentence in 50 KB must still count.
 */
const LOWEST = -0.3;
const DOUBLINGS = 3;

/** Tool results and documents rarely have a good reason to instruct a model, so the same score is right more often. */
const TOOL = 0.15;
/** The model wrote it, unless the caller made it up: rules cover that. */
const ASSISTANT = -0.5;

const NARRATED = -2;
const FORBIDDING = -1;
/** Text that demands to keep instructions has the opposite intent of an attack, in similar words. */
const KEPT = -3;
const ABOUT_OWN_MODEL = -1;
/** Users may withdraw their own earlier words. */
const OWN_WORDS = -2;
const QUESTION = -0.3;
/** A question about how to do something does not order the model to do it. */
const HOW_TO = -0.7;
const ASKS_HOW = /\bhow (?:do|can|could|would|should|did) (?:i|we)\b[^.!?\n]{0,200}[.!?？]{0,3}$/i;
const BEFORE_UNITS = 40;
/** Length searched for the end of a question that the passage is part of. */
const QUESTION_WITHIN_UNITS = 120;
const SENTENCE_END = /[.!?？\n]/;

type Passage = Evidence['passage'];

/** The shifts of findings in texts of earlier turns: the cache returns the same findings for the same text, and each turn sends it again. */
const known = new WeakMap<Finding, { readonly by: string; readonly shifts: readonly Shift[] }>();

/** Shifts of a classifier's score for the passage that it found, the text around it, and the author. */
export function scoreShifts(evidence: Evidence): readonly Shift[] {
  const { finding, text, passage } = evidence;
  if (passage.text !== text.text) return readShifts(evidence);
  const by = `${text.author} ${text.surface}`;
  const held = known.get(finding);
  if (held?.by === by) return held.shifts;
  const shifts = readShifts(evidence);
  known.set(finding, { by, shifts });
  return shifts;
}

function readShifts({ finding, text, passage }: Evidence): readonly Shift[] {
  // The context of an encoded run is no evidence about the decoded text.
  if (finding.decodedFrom.length > 0 || finding.score < WEIGHED_FROM) return [];
  const { text: whole, start, end } = passage;
  const { withdrawsOwnWords, forbidsForgetting } = finding.rule;
  const isKept = forbidsForgetting !== undefined && isMostly(forbidsForgetting, whole, start, end);
  const tokens = tokensOf(passage);
  const isUsers = text.surface === 'user';
  const doublings = Math.max(0, Math.log2(whole.length / LONG_FROM_UNITS));
  const lowest = LOWEST * Math.max(0, 1 - doublings / DOUBLINGS);
  const pasted = isUsers && isPasted(passage) ? Math.max(PASTED, lowest) : 0;
  const tool = text.author === 'tool' ? TOOL : 0;
  const shifts: Shift[] = [
    ['short_text', SHORT.find((step) => tokens.count <= step.tokens)?.shift ?? 0],
    ['long_text', Math.max(lowest - pasted - tool, A_DOUBLING * doublings)],
    ['repetition', isRepeated(tokens) ? REPETITION : 0],
    ['opening', isUsers && isOpening(passage) ? (announces(passage) ? ANNOUNCING : OPENING) : 0],
    ['pasted', pasted],
    ['question', isUsers && isQuestion(passage) ? (asksHow(passage) ? HOW_TO : QUESTION) : 0],
    ['narrated', isNarrated(whole, start, end) ? NARRATED : 0],
    ['forbidding', isKept ? KEPT : isForbidding(whole, start, end) ? FORBIDDING : 0],
    ['about_model', isAboutOwnModel(whole, start, end) ? ABOUT_OWN_MODEL : 0],
    ['own_words', withdrawsOwnWords !== undefined && isMostly(withdrawsOwnWords, whole, start, end) ? OWN_WORDS : 0],
    ['assistant', text.author === 'assistant' ? ASSISTANT : 0],
  ];
  const lowering = shifts.filter(([, shift]) => shift < 0);
  return tool > 0 ? [...lowering, ['tool', tool]] : lowering;
}

interface Tokens {
  readonly count: number;
  readonly words: number;
  readonly distinctWords: number;
}

function tokensOf({ text, start, end }: Passage): Tokens {
  const seen = new Set<number>();
  let count = 0;
  let words = 0;
  eachToken(text.slice(start, end).toLowerCase(), (units, from, to, isWord) => {
    count += 1;
    if (!isWord || to - from < FEWEST_UNITS) return;
    words += 1;
    seen.add(hashToken(units, from, to, isWord));
  });
  return { count, words, distinctWords: seen.size };
}

function isRepeated({ words, distinctWords }: Tokens): boolean {
  return words >= REPEATED_FROM_WORDS && distinctWords < FEWEST_DISTINCT * words;
}

function isOpening({ text, start, end }: Passage): boolean {
  const isPart = end < OPENING_AT_MOST * text.length && text.length - end >= OPENING_BEFORE_UNITS;
  return isPart && text.slice(0, start).trim() === '';
}

/** Whether the line in which a passage ends closes with a colon and more text follows. */
function announces({ text, end }: Passage): boolean {
  const newline = text.indexOf('\n', end);
  return newline > 0 && newline < text.trimEnd().length && ENDS_IN_COLON.test(text.slice(end - 1, newline));
}

function isPasted({ text, start, end }: Passage): boolean {
  if (start >= (ANNOUNCEMENT.exec(text)?.[0].length ?? text.length)) return true;
  // Text that a client attached is also a document.
  if (isEnclosedInTags(text)) return true;
  if (start === 0 || end === text.length) return false;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && lines < PASTED_LINES; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= PASTED_LINES;
}

function isQuestion({ text, end }: Passage): boolean {
  const mark = SENTENCE_END.exec(text.slice(Math.max(0, end - 1), end + QUESTION_WITHIN_UNITS))?.[0];
  return mark === '?' || mark === '？';
}

function asksHow({ text, start, end }: Passage): boolean {
  return ASKS_HOW.test(text.slice(Math.max(0, start - BEFORE_UNITS), end));
}

/** The reason and size of a change to a score, in log-odds. */
export type Shift = readonly [reason: Reason, logOdds: number];

/** Whether a classifier made the finding; rules check length and author themselves. */
export function isClassifierFinding({ rule }: Finding): boolean {
  return rule.id.startsWith('classifier/');
}
