import { LinearClassifier } from '../../core/inspect/classify/linear-classifier.ts';
import { readModel } from '../../core/inspect/classify/model-file.ts';
import model from './model.generated.json' with { type: 'json' };
import { CLASSIFIER_RULES } from './rules.ts';

/** The classifier with the weights that `npm run train` has written. */
export function createClassifier(): LinearClassifier {
  return new LinearClassifier(readModel(model), CLASSIFIER_RULES);
}
