import type { Surface } from '../../kernel/model/index.ts';
import type { ClassifierVerdict, Rule, TextClassifier } from '../matching/index.ts';
import { BUCKETS, type WordClasses } from './features.ts';
import { TokenWeigher } from './token-weigher.ts';
import { agreedScore, bestWindow, type PlacedTokens } from './window-score.ts';

/** A class of content: its score and its rules. The first rule for the surface of a text reports the finding. */
export interface Head {
  readonly model: LinearModel;
  /** From a score to a probability: `1 / (1 + exp(-(slope * score + offset)))`. */
  readonly slope: number;
  readonly offset: number;
  readonly rules: readonly Rule[];
}

/** The head of injections: the score is the sum of both models, each by its own most suspicious window. */
export interface SummedHead extends Head {
  readonly added: LinearModel;
}

/** Logistic regression over the features of a text's most suspicious window (docs/detection.md), for two classes in one pass. */
export class LinearClassifier implements TextClassifier {
  private readonly injections: SummedHead;
  private readonly harm: Head;
  private readonly weigher: TokenWeigher;

  constructor(injections: SummedHead, harm: Head, classes: WordClasses) {
    this.injections = injections;
    this.harm = harm;
    this.weigher = new TokenWeigher([injections.model.weights, injections.added.weights, harm.model.weights], classes);
  }

  rulesFor(surface: Surface): readonly Rule[] {
    return [this.injections, this.harm].flatMap((head) => ruleOf(head, surface) ?? []);
  }

  classify(text: string, surface: Surface): readonly ClassifierVerdict[] {
    const { injections, harm, weigher } = this;
    const injectionRule = ruleOf(injections, surface);
    const harmRule = ruleOf(harm, surface);
    if (injectionRule === undefined && harmRule === undefined) return [];
    weigher.read(text);
    const [main, added, harmful] = weigher.weighed as [PlacedTokens, PlacedTokens, PlacedTokens];
    const verdicts: ClassifierVerdict[] = [];
    if (injectionRule !== undefined) {
      const more = scoreOf(text, added, injections.added)?.score ?? 0;
      add(verdicts, scoreOf(text, main, injections.model), more, injections, injectionRule);
    }
    if (harmRule !== undefined) add(verdicts, scoreOf(text, harmful, harm.model), 0, harm, harmRule);
    return verdicts;
  }
}

function ruleOf({ rules }: Head, surface: Surface): Rule | undefined {
  return rules.find(({ surfaces }) => surfaces.includes(surface));
}

interface PlacedScore {
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

/** The score of a text by a model, and the place of its window; undefined if the text is too short. */
function scoreOf(text: string, tokens: PlacedTokens, { scale, bias }: LinearModel): PlacedScore | undefined {
  const window = bestWindow(tokens);
  if (window === undefined) return undefined;
  return {
    score: agreedScore(text, tokens, window) * scale + bias,
    start: tokens.startOf[window.first] as number,
    end: tokens.endOf[window.end - 1] as number,
  };
}

function add(
  to: ClassifierVerdict[],
  placed: PlacedScore | undefined,
  more: number,
  { slope, offset }: Head,
  rule: Rule,
): void {
  if (placed === undefined) return;
  const { score, start, end } = placed;
  to.push({ rule, score: 1 / (1 + Math.exp(-(slope * (score + more) + offset))), start, end });
}

/** A trained model in its committed form: small, and the same on every platform. */
export interface ModelFile {
  /** One signed byte a bucket, base64. Packing runs of zeros would save nothing and add milliseconds to a start. */
  readonly weights: string;
  /** Number of buckets: BUCKETS, or a smaller power of two, in which features share buckets by the low bits of their hash. */
  readonly buckets: number;
  /** Factor from a stored weight to its value. */
  readonly scale: number;
  readonly bias: number;
  /** Data sets that it was trained on. */
  readonly sets: readonly string[];
}

export interface LinearModel {
  readonly weights: Int8Array;
  readonly scale: number;
  readonly bias: number;
}

/** @throws RangeError if the number of weights does not match the number of buckets */
export function readModel({ weights, buckets, scale, bias }: ModelFile): LinearModel {
  if (!isSize(buckets)) throw new RangeError(`a model of ${buckets} buckets`);
  const bytes = Buffer.from(weights, 'base64');
  if (bytes.length !== buckets) throw new RangeError(`a model of ${bytes.length} buckets, not ${buckets}`);
  return { weights: new Int8Array(bytes.buffer, bytes.byteOffset, buckets), scale, bias };
}

function isSize(buckets: number): boolean {
  return buckets > 0 && buckets <= BUCKETS && (buckets & (buckets - 1)) === 0;
}

/** Encodes weights in the form that `readModel` takes. */
export function packWeights(weights: Int8Array): string {
  return Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength).toString('base64');
}
