import type { WordClasses } from '../functions/core/inspect/classifiers/features.ts';
import type { TokenTotals } from '../functions/core/inspect/classifiers/window-score.ts';
import { TextFeatures } from './text-features.ts';

/** So many features are remembered, at four bytes each; texts beyond are read anew each time. */
const MOST_REMEMBERED = 1 << 27;

interface Lesson {
  readonly tokens: number;
  readonly buckets: Int32Array;
  readonly features: Int32Array;
}

/** Texts as a model learns by them, over and over: what their features are is worked out once. Holds the text read last. */
export class Lessons implements TokenTotals {
  tokens = 0;
  buckets: Int32Array = new Int32Array(0);
  features: Int32Array = new Int32Array(0);
  weights = new Float64Array(1 << 12);

  private readonly reader: TextFeatures;
  private readonly known = new Map<string, Lesson>();
  private remembered = 0;

  constructor(classes: WordClasses) {
    this.reader = new TextFeatures(classes);
  }

  /** Reads a text and weighs it by a model. */
  read(text: string, model: Float32Array): void {
    const { tokens, buckets, features } = this.known.get(text) ?? this.learn(text);
    this.tokens = tokens;
    this.buckets = buckets;
    this.features = features;
    if (this.weights.length <= tokens) this.weights = new Float64Array(2 * tokens);
    const mask = model.length - 1;
    let sum = 0;
    for (let token = 0, at = 0; token < tokens; token++) {
      const end = features[token + 1] as number;
      for (; at < end; at++) sum += model[(buckets[at] as number) & mask] as number;
      this.weights[token + 1] = sum;
    }
  }

  private learn(text: string): Lesson {
    const { reader } = this;
    reader.readTokens(text);
    const { tokens } = reader;
    const count = reader.features[tokens] as number;
    if (this.remembered + count > MOST_REMEMBERED) return reader;
    const lesson = { tokens, buckets: reader.buckets.slice(0, count), features: reader.features.slice(0, tokens + 1) };
    this.known.set(text, lesson);
    this.remembered += count;
    return lesson;
  }
}
