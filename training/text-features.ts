import {
  KIND_FEATURES,
  kindOf,
  kindsBucket,
  MAX_OWN_FEATURES,
  NO_KIND,
  ownFeatures,
  pairBucket,
  tripleBucket,
} from '../functions/inspection/classification/features.ts';
import { eachToken, hashToken, type WordClasses } from '../functions/inspection/classification/index.ts';
import type { PlacedTokens, TokenTotals } from '../functions/inspection/classification/window-score.ts';

/** The features of a text, for training; holds those of the last text. */
export class TextFeatures implements PlacedTokens {
  tokens = 0;
  buckets = new Int32Array(1 << 16);
  features = new Int32Array(1 << 12);
  weights = new Float64Array(1 << 12);
  startOf = new Int32Array(1 << 12);
  endOf = new Int32Array(1 << 12);

  private readonly classes: WordClasses;

  constructor(classes: WordClasses) {
    this.classes = classes;
  }

  /** Reads a text and computes its weights by a model. */
  read(text: string, model: Float32Array): void {
    this.readTokens(text);
    this.weigh(model);
  }

  /** Reads a text without computing weights. */
  readTokens(text: string): void {
    let size = 0;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    this.tokens = 0;
    eachToken(text, (units, start, end, isWord) => {
      if (size + MAX_OWN_FEATURES + 2 + KIND_FEATURES > this.buckets.length) this.buckets = longer(this.buckets);
      if (this.tokens + 2 > this.features.length) this.grow();
      this.startOf[this.tokens] = start;
      this.endOf[this.tokens] = end;
      const hash = hashToken(units, start, end, isWord);
      const kind = kindOf(hash, units[start] as number, isWord, this.classes);
      size = ownFeatures(hash, kind, units, start, end, isWord, this.buckets, size);
      this.buckets[size++] = pairBucket(previous, hash);
      this.buckets[size++] = tripleBucket(beforePrevious, previous, hash);
      this.buckets[size++] = kindsBucket(1, kind1, kind);
      this.buckets[size++] = kindsBucket(2, kind2, kind);
      this.buckets[size++] = kindsBucket(3, kind3, kind);
      [kind3, kind2, kind1] = [kind2, kind1, kind];
      beforePrevious = previous;
      previous = hash;
      this.features[++this.tokens] = size;
    });
  }

  private grow(): void {
    this.features = longer(this.features);
    this.startOf = longer(this.startOf);
    this.endOf = longer(this.endOf);
  }

  private weigh(model: Float32Array): void {
    if (this.weights.length <= this.tokens) this.weights = new Float64Array(this.features.length);
    const mask = model.length - 1;
    let sum = 0;
    for (let token = 0, at = 0; token < this.tokens; token++) {
      const end = this.features[token + 1] as number;
      for (; at < end; at++) sum += model[(this.buckets[at] as number) & mask] as number;
      this.weights[token + 1] = sum;
    }
  }
}

function longer(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * array.length);
  copy.set(array);
  return copy;
}

/** Maximum number of cached features, four bytes each; further texts are read again each time. */
const MOST_REMEMBERED = 1 << 27;

interface Lesson {
  readonly tokens: number;
  readonly buckets: Int32Array;
  readonly features: Int32Array;
}

/** Training texts with cached features. Holds the last text. */
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

  /** Reads a text and computes its weights by a model. */
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
