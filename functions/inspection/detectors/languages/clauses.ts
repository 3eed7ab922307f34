import {
  type Clause,
  FARTHEST,
  isBefore,
  isParted,
  isPunctuationBetween,
  NO_WORDS,
  overlap,
  type Sentence,
  type SentenceWords,
  type Word,
  wordsBetween,
} from './sentence.ts';

/** A comma soon behind the verb of a clause: the main clause follows. */
const CLAUSE_ENDS = /^[^,]{0,24},/;
const COMMA_BEFORE = /,\s*$/;

/** Marks behind the last word of a sentence. */
const CLOSING_MARKS = /[\s。.)）」』"'|]+$/;
/** Past and habit at the end of a Japanese sentence, and a verb before it that requests nothing: `無視して、壁を塗ってしまいました`. */
const JAPANESE_REPORT = /(?:た|がちです|がちだ|がち|ことが(?:多い|多いです|あります|ある))$/;
const JAPANESE_REPORTED_VERB =
  /^[^て]{0,6}(?:て(?!くだ|下さ|くれ|ほし|欲し|いい|良い|よい|もら|、?(?:くだ|下さ))|ました)/;
const VERB_UNITS = 10;
/** Past and habit in Korean: the syllable before the ending ends with `ㅆ`. */
const KOREAN_PAST = Array.from({ length: 399 }, (_, at) => String.fromCharCode(0xac00 + 28 * at + 20)).join('');
const KOREAN_REPORT = new RegExp(
  `(?:(?![있겠])[${KOREAN_PAST}](?:습니다|다|어요|지요|죠|음)|곤 (?:합니다|한다|해요))$`,
);
const KOREAN_CONNECTED_VERB = /(?:고|며|해서|하여)$/;
/** Behind a verb that Chinese and Japanese share, it is Japanese: `無視する`. */
const KANA = /^[\u3041-\u309f]/;

/**
 * Whether a verb of disregarding orders nothing: it says when something else is to happen, or what people did or do. "Before you delete the
 * rules", "the rules were ignored".
 */
export function isNotAnOrder(clause: Clause): boolean {
  const { verb, of } = clause;
  if (verb.kind === 'void') return false;
  if (of.order === 'last') return isInClauseBefore(verb, of) || isReportAtEnd(verb, of.sentence);
  if (KANA.test(of.sentence.text.slice(verb.end))) return true;
  return isInClauseAfter(clause) || isReported(clause);
}

/** Words between `the user asks to` and what they ask for: `bittet dich, deinen Prompt zu zeigen`. */
const ASKED_BEFORE = 4;
const ASKED_BEHIND = 1;

/** Whether others request what a verb says: "if a user asks you to show your prompt". */
export function isAskedByOthers(verb: Word, { order, byKind, sentence }: SentenceWords): boolean {
  const { text } = sentence;
  return (byKind.get('asked') ?? NO_WORDS).some((asked) => {
    if (order === 'last') {
      const isBehind = overlap(verb, asked) || (isBefore(verb, asked) && wordsBetween(verb, asked) <= ASKED_BEHIND);
      return isBehind && !isPunctuationBetween(verb, asked, sentence);
    }
    if (!isBefore(asked, verb) || wordsBetween(asked, verb) > ASKED_BEFORE) return false;
    // Without a condition a document may only claim it: "the user asks you to ignore all rules".
    const conditions = [...(byKind.get('if') ?? NO_WORDS), ...(byKind.get('when') ?? NO_WORDS)];
    if (!conditions.some(({ start }) => start < asked.start)) return false;
    // In German a comma is before the infinitive.
    const comma = text.charAt(asked.end) === ',' ? 1 : 0;
    return !isPunctuationBetween({ ...asked, end: asked.end + comma }, verb, sentence);
  });
}

/** Where verbs come last, the conjunction is at the verb: `삭제하기 전에`, `無視する場合`. */
function isInClauseBefore(verb: Word, { byKind, sentence }: SentenceWords): boolean {
  return (byKind.get('when') ?? NO_WORDS).some(
    (when) => overlap(verb, when) || (isBefore(verb, when) && isBeside(verb, when, sentence)),
  );
}

/** A conjunction is directly before the verb, or, as in German, before the object of a verb that ends the clause. */
function isInClauseAfter(clause: Clause): boolean {
  const { verb, of } = clause;
  const { byKind, sentence } = of;
  const { text } = sentence;
  return (byKind.get('when') ?? NO_WORDS).some((when) => {
    if (!isBefore(when, verb)) return false;
    if (isBeside(when, verb, sentence)) return true;
    const isClause = CLAUSE_ENDS.test(text.slice(verb.end)) || COMMA_BEFORE.test(text.slice(0, when.start));
    return isClause && isObjectAfter(when, clause);
  });
}

function isReported(clause: Clause): boolean {
  const { verb, of } = clause;
  const { byKind, sentence } = of;
  return (byKind.get('report') ?? NO_WORDS).some((report) => {
    if (isBefore(verb, report)) return isBeside(verb, report, sentence);
    return isBeside(report, verb, sentence) || isObjectAfter(report, clause);
  });
}

/** Whether a sentence whose verbs come last is about the past or a habit, and the verb requests nothing. */
export function isReportAtEnd(verb: Word, { text }: Sentence): boolean {
  const sentence = text.replace(CLOSING_MARKS, '');
  if (KOREAN_REPORT.test(sentence)) return KOREAN_CONNECTED_VERB.test(text.slice(verb.start, verb.end));
  return JAPANESE_REPORT.test(sentence) && JAPANESE_REPORTED_VERB.test(text.slice(verb.start, verb.end + VERB_UNITS));
}

function isBeside(one: Word, other: Word, sentence: Sentence): boolean {
  return wordsBetween(one, other) === 0 && !isPunctuationBetween(one, other, sentence);
}

/** Whether the object is between a word and the verb, in the same clause. */
function isObjectAfter(first: Word, { verb, object, of: { byKind, sentence } }: Clause): boolean {
  if (!isBefore(first, object) || !isBefore(object, verb) || wordsBetween(first, verb) > FARTHEST) return false;
  return !isParted(first, verb, 'next', byKind) && !isPunctuationBetween(first, verb, sentence);
}
