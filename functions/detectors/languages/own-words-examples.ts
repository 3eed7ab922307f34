import type { RuleExamples } from '../../core/inspect/rule.ts';
import sentences from './own-words-examples.json' with { type: 'json' };

type SentencesByLanguage = Readonly<Record<string, readonly string[]>>;

/** Sentences about words that were said before, as own-words-examples.json groups them. */
interface OwnWordsExamples {
  /** How users take back what they said themselves. No override: the model's instructions are not theirs. */
  readonly ownWords: SentencesByLanguage;
  /** Orders to drop what the model was given: as `ownWords` are worded, and some of them behind such words. */
  readonly overrides: SentencesByLanguage;
  /** Telling not to forget or ignore what was said: the opposite of an override. */
  readonly kept: SentencesByLanguage;
  /** What is not to be forgotten or omitted here is an override. */
  readonly notOmitted: readonly string[];
}

export const OWN_WORDS_EXAMPLES: OwnWordsExamples = sentences;

/** Near misses of an override, and the sentences of `ownWords` and `kept` in the languages that `isOf` chooses. */
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
