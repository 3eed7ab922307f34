import { isRefusal, wordsOf } from '../../kernel/words/index.ts';
import { canonicalCode, codesIn } from './approval.ts';
import words from './reply-words.json' with { type: 'json' };

/** What a user decides about calls that wait. */
export interface Reply {
  readonly decision: 'approve' | 'deny';
  /** `XXXX-XXXX`; none in a refusal of all that was asked last. */
  readonly codes: readonly string[];
}

/** A longer text has other words than a reply. */
const LONGEST_REPLY = 400;

const QUESTION = /[?？؟¿]/u;
const CONFIRMS = setOf(words.confirms);
const BESIDE = setOf(words.beside);

/**
 * The decision in what a user wrote. A text approves if it has codes and otherwise only words that confirm, as in "Yes, K7M2-9QXR please". It
 * denies if it has only such words and one that refuses, as in "No, do not approve K7M2-9QXR". Any other text, such as a question, decides
 * nothing: a code may be quoted in it.
 */
export function readReply(text: string): Reply | undefined {
  if (text.length > LONGEST_REPLY || QUESTION.test(text)) return undefined;
  const written = codesIn(text);
  const rest = written.reduce((left, code) => left.replace(code, ' '), text);
  const others = wordsOf(rest);
  if (!others.every((word) => CONFIRMS.has(word) || isRefusal(word) || BESIDE.has(word))) return undefined;
  const codes = [...new Set(written.map(canonicalCode))];
  if (others.some(isRefusal)) return { decision: 'deny', codes };
  return codes.length === 0 ? undefined : { decision: 'approve', codes };
}

function setOf(byLanguage: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(wordsOf(Object.values(byLanguage).join(' ')));
}
