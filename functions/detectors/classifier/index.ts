import { WordClasses } from '../../core/inspect/classifiers/features.ts';
import { LinearClassifier, readModel } from '../../core/inspect/classifiers/linear-classifier.ts';
import harm from './harm.generated.json' with { type: 'json' };
import injections from './model.generated.json' with { type: 'json' };
import { HARM_RULES, INJECTION_RULES } from './rules.ts';
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
