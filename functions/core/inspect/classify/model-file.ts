import { BUCKETS } from './features.ts';

/** A trained model as it is committed: small, the same on every platform. */
export interface ModelFile {
  /** One signed byte a bucket, runs of zeros packed, base64. */
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

/** A zero stands for a run of them: the byte after it says how many. */
const LONGEST_RUN = 255;

/** @throws RangeError where the weights are not those of so many buckets */
export function readModel({ weights, buckets, scale, bias, slope, offset }: ModelFile): LinearModel {
  if (!isSize(buckets)) throw new RangeError(`a model of ${buckets} buckets`);
  const packed = Buffer.from(weights, 'base64');
  const unpacked = new Int8Array(buckets);
  let bucket = 0;
  for (let at = 0; at < packed.length; at++) {
    const byte = packed[at] as number;
    if (byte === 0) bucket += packed[++at] as number;
    else unpacked[bucket++] = byte > 127 ? byte - 256 : byte;
  }
  if (bucket !== buckets) throw new RangeError(`a model of ${bucket} buckets, not ${buckets}`);
  return { weights: unpacked, scale, bias, slope, offset };
}

function isSize(buckets: number): boolean {
  return buckets > 0 && buckets <= BUCKETS && (buckets & (buckets - 1)) === 0;
}

/** The weights as `readModel` takes them. */
export function packWeights(weights: Int8Array): string {
  const packed: number[] = [];
  for (let bucket = 0; bucket < weights.length; ) {
    const weight = weights[bucket] as number;
    if (weight !== 0) {
      packed.push(weight & 0xff);
      bucket += 1;
      continue;
    }
    let run = 1;
    while (run < LONGEST_RUN && weights[bucket + run] === 0) run += 1;
    packed.push(0, run);
    bucket += run;
  }
  return Buffer.from(packed).toString('base64');
}
