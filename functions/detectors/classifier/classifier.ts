import { WordClasses } from '../../core/inspect/classifiers/features.ts';
import { LinearClassifier, readModel } from '../../core/inspect/classifiers/linear-classifier.ts';
import type { Rule } from '../../core/inspect/rule.ts';
import { keepsToWords, takesBackOwnWords } from '../languages/own-words.ts';
import harm from './harm.generated.json' with { type: 'json' };
import injections from './model.generated.json' with { type: 'json' };
import words from './word-classes.generated.json' with { type: 'json' };

/** The classifier with the weights that `npm run generate models` has written. */
export function createClassifier(): LinearClassifier {
  return new LinearClassifier(
    [
      { model: readModel(injections), rules: INJECTION_RULES },
      { model: readModel(harm), rules: HARM_RULES },
    ],
    readWordClasses(),
  );
}

/** English words by meaning, as `npm run generate models -- --word-classes` has written them. */
export function readWordClasses(): WordClasses {
  return WordClasses.unpack(words.classes);
}

const SHARED = { severity: 'high', score: 1, view: 'folded', patterns: [] } as const;

/** How judgements of injections are told, by who wrote the text. The operator's own text is not judged. */
export const INJECTION_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'classifier/injection',
    takesBack: takesBackOwnWords,
    keepsTo: keepsToWords,
    type: 'prompt_injection',
    category: 'injection_like',
    surfaces: ['user'],
    message: 'Text reads like an attempt to override or misuse the model.',
    owasp: 'LLM01:2025',
    atlas: 'AML.T0051.000',
  },
  {
    ...SHARED,
    id: 'classifier/indirect-injection',
    keepsTo: keepsToWords,
    type: 'indirect_injection',
    category: 'injection_like',
    surfaces: ['tool'],
    message: 'A tool result or document reads as if it held instructions for the model.',
    owasp: 'LLM01:2025',
    atlas: 'AML.T0051.001',
  },
  {
    ...SHARED,
    judgesAfter: true,
    id: 'classifier/answer-injection',
    type: 'indirect_injection',
    category: 'injection_like',
    severity: 'medium',
    surfaces: ['output'],
    message: 'The answer reads as if it held instructions for a model that it is passed on to.',
    owasp: 'LLM05:2025',
    atlas: 'AML.T0051.001',
  },
];

/**
 * How a request for harm is told, which overrides nothing: of what a user asks. A type of content, so that it has a score of
 * its own and raises no threat score.
 */
export const HARM_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'classifier/harmful-request',
    type: 'toxicity',
    category: 'harmful_request',
    severity: 'medium',
    surfaces: ['user'],
    message: 'Text reads like a request for help with harm: violence, crime, hate or self-harm.',
    owasp: 'LLM09:2025',
    atlas: 'AML.T0048',
  },
];
