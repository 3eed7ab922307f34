import { BUCKETS } from './features.ts';

/** A trained model as it is committed: small, the same on every platform. */
export interface ModelFile {
  /** One signed byte a bucket, base64. Packing runs of zeros saves nothing, and unpacking them takes a start milliseconds. */
  readonly weights: string;
  /** How many buckets: BUCKETS, or a power of two below it, which features share by their last bits. */
  readonly buckets: number;
  /** What a unit of a weight is worth. */
  readonly scale: number;
  readonly bias: number;
  /** From the score to a probability: `1 / (1 + exp(-(slope * score + offset)))`. */
  readonly slope: number;
  readonly offset: number;
  /** The sets of texts that it was trained on. */
  readonly sets: readonly string[];
}

export interface LinearModel {
  readonly weights: Int8Array;
  readonly scale: number;
  readonly bias: number;
  readonly slope: number;
  readonly offset: number;
}

/** @throws RangeError where the weights are not those of so many buckets */
export function readModel({ weights, buckets, scale, bias, slope, offset }: ModelFile): LinearModel {
  if (!isSize(buckets)) throw new RangeError(`a model of ${buckets} buckets`);
  const bytes = Buffer.from(weights, 'base64');
  if (bytes.length !== buckets) throw new RangeError(`a model of ${bytes.length} buckets, not ${buckets}`);
  return { weights: new Int8Array(bytes.buffer, bytes.byteOffset, buckets), scale, bias, slope, offset };
}

function isSize(buckets: number): boolean {
  return buckets > 0 && buckets <= BUCKETS && (buckets & (buckets - 1)) === 0;
}

/** The weights as `readModel` takes them. */
export function packWeights(weights: Int8Array): string {
  return Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength).toString('base64');
}
