import type { Surface } from '../../model/threat.ts';
import type { Rule } from '../rule.ts';
import type { Judgement, TextClassifier } from '../text-classifier.ts';
import { agreedScore, type PlacedTokens } from './agreed-score.ts';
import { bestWindow } from './best-window.ts';
import type { LinearModel } from './model-file.ts';
import { TokenWeigher } from './token-weigher.ts';
import type { WordClasses } from './word-classes.ts';

/** What is looked for in texts: the weights, and how it is told, the first rule for a text's surface. */
export interface Head {
  readonly model: LinearModel;
  readonly rules: readonly Rule[];
}

/** Logistic regression over the features of a text's most suspicious window (docs/detection.md), for two things at once. */
export class LinearClassifier implements TextClassifier {
  private readonly heads: readonly [Head, Head];
  private readonly weigher: TokenWeigher;

  constructor(heads: readonly [Head, Head], classes: WordClasses) {
    this.heads = heads;
    this.weigher = new TokenWeigher(heads[0].model.weights, heads[1].model.weights, classes);
  }

  rulesFor(surface: Surface): readonly Rule[] {
    return this.heads.flatMap((head) => ruleOf(head, surface) ?? []);
  }

  judge(text: string, surface: Surface): readonly Judgement[] {
    const { heads, weigher } = this;
    const first = ruleOf(heads[0], surface);
    const second = ruleOf(heads[1], surface);
    if (first === undefined && second === undefined) return [];
    weigher.read(text);
    const judgements: Judgement[] = [];
    if (first !== undefined) add(judgements, text, weigher.first, heads[0].model, first);
    if (second !== undefined) add(judgements, text, weigher.second, heads[1].model, second);
    return judgements;
  }
}

function ruleOf({ rules }: Head, surface: Surface): Rule | undefined {
  return rules.find(({ surfaces }) => surfaces.includes(surface));
}

function add(to: Judgement[], text: string, tokens: PlacedTokens, model: LinearModel, rule: Rule): void {
  const window = bestWindow(tokens);
  if (window === undefined) return;
  const logit = agreedScore(text, tokens, window) * model.scale + model.bias;
  to.push({
    rule,
    score: 1 / (1 + Math.exp(-(model.slope * logit + model.offset))),
    start: tokens.startOf[window.first] as number,
    end: tokens.endOf[window.end - 1] as number,
  });
}
