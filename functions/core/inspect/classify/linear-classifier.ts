import type { Surface } from '../../model/threat.ts';
import type { Judgement, TextClassifier } from '../../ports/text-classifier.ts';
import type { Rule } from '../rule.ts';
import { agreedScore } from './agreed-score.ts';
import { bestWindow } from './best-window.ts';
import type { LinearModel } from './model-file.ts';
import { TokenWeigher } from './token-weigher.ts';
import type { WordClasses } from './word-classes.ts';

/** Logistic regression over the features of a text's most suspicious window (docs/detection.md). */
export class LinearClassifier implements TextClassifier {
  private readonly model: LinearModel;
  private readonly rules: readonly Rule[];
  private readonly weigher: TokenWeigher;

  /** The rule told is the first one for the text's surface; texts of other surfaces are not judged. */
  constructor(model: LinearModel, classes: WordClasses, rules: readonly Rule[]) {
    this.model = model;
    this.rules = rules;
    this.weigher = new TokenWeigher(model.weights, classes);
  }

  ruleFor(surface: Surface): Rule | undefined {
    return this.rules.find(({ surfaces }) => surfaces.includes(surface));
  }

  judge(text: string, surface: Surface): Judgement | undefined {
    const rule = this.ruleFor(surface);
    if (rule === undefined) return undefined;
    const { weigher, model } = this;
    weigher.read(text);
    const window = bestWindow(weigher);
    if (window === undefined) return undefined;
    const logit = agreedScore(text, weigher, window) * model.scale + model.bias;
    return {
      rule,
      score: 1 / (1 + Math.exp(-(model.slope * logit + model.offset))),
      start: weigher.startOf[window.first] as number,
      end: weigher.endOf[window.end - 1] as number,
    };
  }
}
