import type { RuleExamples } from '../../matching/index.ts';
import sentences from './own-words-examples.json' with { type: 'json' };

type SentencesByLanguage = Readonly<Record<string, readonly string[]>>;

/** Sentences about earlier words, as own-words-examples.json groups them. */
interface OwnWordsExamples {
  /** Users withdraw their own words. No override: the model's instructions are not theirs. */
  readonly ownWords: SentencesByLanguage;
  /** Orders to drop the model's instructions, worded like `ownWords`, some of them after such words. */
  readonly overrides: SentencesByLanguage;
  /** Orders not to forget or ignore earlier words: the opposite of an override. */
  readonly kept: SentencesByLanguage;
  /** Orders not to forget or omit something that is itself an override. */
  readonly notOmitted: readonly string[];
}

export const OWN_WORDS_EXAMPLES: OwnWordsExamples = sentences;

/** Near misses of an override, and `ownWords` and `kept` in the languages that `isOf` selects. */
export function withOwnWords(
  negatives: RuleExamples['negatives'],
  isOf: (language: string) => boolean,
): RuleExamples['negatives'] {
  const negativesOf = (all: SentencesByLanguage, reason: string) =>
    Object.entries(all).flatMap(([language, texts]) => (isOf(language) ? texts.map((text) => ({ text, reason })) : []));
  return [
    ...negatives,
    ...negativesOf(sentences.ownWords, 'what the writer said before'),
    ...negativesOf(sentences.kept, 'not to be forgotten'),
  ];
}
