import { LinearClassifier, readModel, WordClasses } from '../../classification/index.ts';
import type { Rule } from '../../matching/index.ts';
import { forbidsForgetting, withdrawsOwnWords } from '../languages/own-words.ts';
import harm from './harm.generated.json' with { type: 'json' };
import injections from './model.generated.json' with { type: 'json' };
import traffic from './traffic.generated.json' with { type: 'json' };
import words from './word-classes.generated.json' with { type: 'json' };

/** Creates the classifier with the weights that `npm run generate models` wrote. */
export function createClassifier(): LinearClassifier {
  return new LinearClassifier(
    { ...injections, model: readModel(injections), added: readModel(traffic), rules: INJECTION_RULES },
    { ...harm, model: readModel(harm), rules: HARM_RULES },
    readWordClasses(),
  );
}

/** Groups of English words by meaning, written by `npm run generate models -- --word-classes`. */
export function readWordClasses(): WordClasses {
  return WordClasses.unpack(words.classes);
}

const SHARED = { severity: 'high', score: 1, view: 'folded', patterns: [] } as const;

/** Findings of the injection model, by surface. The system prompt is not scored. */
export const INJECTION_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'classifier/injection',
    withdrawsOwnWords,
    forbidsForgetting,
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
    withdrawsOwnWords,
    forbidsForgetting,
    type: 'indirect_injection',
    category: 'injection_like',
    surfaces: ['tool'],
    message: 'A tool result or document reads like instructions for the model.',
    owasp: 'LLM01:2025',
    atlas: 'AML.T0051.001',
  },
  {
    ...SHARED,
    scoresAfterRelease: true,
    id: 'classifier/answer-injection',
    type: 'indirect_injection',
    category: 'injection_like',
    severity: 'medium',
    surfaces: ['output'],
    message: 'The response reads like instructions for another model that may receive it.',
    owasp: 'LLM05:2025',
    atlas: 'AML.T0051.001',
  },
];

/**
 * The finding of the harm model: a user asks for help with harm, without an injection. It is content, so it has a separate score and
 * does not raise the threat score.
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
