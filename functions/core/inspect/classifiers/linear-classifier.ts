import type { Surface } from '../../model/threat.ts';
import type { Rule } from '../rule.ts';
import type { ClassifierVerdict, TextClassifier } from '../text-inspector.ts';
import { BUCKETS, type WordClasses } from './features.ts';
import { TokenWeigher } from './token-weigher.ts';
import { agreedScore, bestWindow, type PlacedTokens } from './window-score.ts';

/** A class of content: its weights and its rules. The first rule for the surface of a text reports the finding. */
export interface Head {
  readonly model: LinearModel;
  readonly rules: readonly Rule[];
}

/** Logistic regression over the features of a text's most suspicious window (docs/detection.md), for two classes in one pass. */
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

  classify(text: string, surface: Surface): readonly ClassifierVerdict[] {
    const { heads, weigher } = this;
    const first = ruleOf(heads[0], surface);
    const second = ruleOf(heads[1], surface);
    if (first === undefined && second === undefined) return [];
    weigher.read(text);
    const verdicts: ClassifierVerdict[] = [];
    if (first !== undefined) add(verdicts, text, weigher.first, heads[0].model, first);
    if (second !== undefined) add(verdicts, text, weigher.second, heads[1].model, second);
    return verdicts;
  }
}

function ruleOf({ rules }: Head, surface: Surface): Rule | undefined {
  return rules.find(({ surfaces }) => surfaces.includes(surface));
}

function add(to: ClassifierVerdict[], text: string, tokens: PlacedTokens, model: LinearModel, rule: Rule): void {
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

/** A trained model in its committed form: small, and the same on every platform. */
interface ModelFile {
  /** One signed byte a bucket, base64. Packing runs of zeros would save nothing and add milliseconds to a start. */
  readonly weights: string;
  /** Number of buckets: BUCKETS, or a smaller power of two, in which features share buckets by the low bits of their hash. */
  readonly buckets: number;
  /** Factor from a stored weight to its value. */
  readonly scale: number;
  readonly bias: number;
  /** Converts the score to a probability: `1 / (1 + exp(-(slope * score + offset)))`. */
  readonly slope: number;
  readonly offset: number;
  /** Data sets that it was trained on. */
  readonly sets: readonly string[];
}

interface LinearModel {
  readonly weights: Int8Array;
  readonly scale: number;
  readonly bias: number;
  readonly slope: number;
  readonly offset: number;
}

/** @throws RangeError if the number of weights does not match the number of buckets */
export function readModel({ weights, buckets, scale, bias, slope, offset }: ModelFile): LinearModel {
  if (!isSize(buckets)) throw new RangeError(`a model of ${buckets} buckets`);
  const bytes = Buffer.from(weights, 'base64');
  if (bytes.length !== buckets) throw new RangeError(`a model of ${bytes.length} buckets, not ${buckets}`);
  return { weights: new Int8Array(bytes.buffer, bytes.byteOffset, buckets), scale, bias, slope, offset };
}

function isSize(buckets: number): boolean {
  return buckets > 0 && buckets <= BUCKETS && (buckets & (buckets - 1)) === 0;
}

/** Encodes weights in the form that `readModel` takes. */
export function packWeights(weights: Int8Array): string {
  return Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength).toString('base64');
}
