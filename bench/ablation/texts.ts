import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary, percent } from '../../test/support/obfuscations/encodings.ts';
import { generator } from '../../training/generator.ts';
import { Families, type Row, readSets } from '../../training/read-sets.ts';
import type { ClassifierScore } from '../detection/classifier-score.ts';
import { type Read, surfaceOf } from '../detection/judge.ts';
import { PLAIN_ATTACKS } from '../detection/obfuscations/attacks.ts';
import { HARMLESS_TEXTS, STRANGE_TEXTS } from '../detection/obfuscations/benign.ts';
import { OBFUSCATIONS } from '../detection/obfuscations/index.ts';
import { classifyOutOfFold } from '../detection/out-of-fold.ts';

const DOCUMENTS = path.join(import.meta.dirname, '..', '..', 'training', 'data', 'ordinary-documents');
/** For so many attacks of a set one of its other texts is read. */
export const ATTACKS_PER_OTHER = 3;
/** Timed texts: harmless ones of `dev/` and ordinary documents. */
export const TIMED_UNITS = 100_000;
const LONGEST_TIMED = 8_000;
/** Disguises that only the ablation has, of whole texts: a part that no other text tries. */
const MORE_DISGUISES: readonly Disguise[] = [
  { name: 'percent, every character', disguise: percent },
  { name: 'entities, every character', disguise: eachByte((byte) => `&#x${byte.toString(16)};`) },
  { name: 'decimal list', disguise: eachByte((byte) => ` ${byte}`) },
  { name: 'octal list', disguise: eachByte((byte) => ` ${byte.toString(8)}`) },
  { name: 'zero-width bits', disguise: (text) => binary(text).replaceAll(' ', '').replace(/[01]/g, toZeroWidth) },
  { name: 'Atbash', disguise: (text) => text.toLowerCase().replace(/[a-z]/g, toMirrored) },
];
const SEED = 42;

interface Disguise {
  readonly name: string;
  readonly disguise: (text: string) => string;
}

/** What an engine is given of a text. */
export interface InspectedText {
  readonly text: string;
  readonly surface: Read;
  /** Of a text of `train/`, by a classifier that never saw its family. Absent where the deployed classifier reads the text. */
  readonly classifierScore?: ClassifierScore | 'none';
}

export interface AblationText extends InspectedText {
  readonly from: 'train' | 'dev' | 'disguised' | 'documents';
  /** The family in `train/`, the set in `dev/`, and the disguise of our texts. */
  readonly group: string;
  readonly label: string;
}

/** Our texts: attacks and harmless texts, plain and in every disguise, and ordinary documents. */
export function ownTexts(rows: number): AblationText[] {
  const plain = { name: 'plain', disguise: (text: string) => text };
  const disguised = [plain, ...OBFUSCATIONS, ...MORE_DISGUISES].flatMap(({ name, disguise }) => {
    const as = (label: string) => (text: string) =>
      ({ text: disguise(text), surface: 'user', from: 'disguised', group: name, label }) as const;
    return [...PLAIN_ATTACKS.map(as('attack')), ...HARMLESS_TEXTS.map(as('benign'))];
  });
  const strange = STRANGE_TEXTS.map(
    (text) => ({ text, surface: 'user', from: 'disguised', group: 'strange', label: 'benign' }) as const,
  );
  const documents = readdirSync(DOCUMENTS)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(DOCUMENTS, name), 'utf8').trim().split('\n'))
    .map((line) => {
      const { text } = JSON.parse(line) as { text: string };
      return { text, surface: 'tool', from: 'documents', group: 'documents', label: 'benign' } as const;
    });
  return [...disguised, ...strange, ...shuffled(documents).slice(0, rows)];
}

/**
 * A seeded sample of `dev/` and `train/`: at most `rows` attacks of each family in each set, and fewer other texts of each set. `scores`:
 * a file with those of an earlier run, written where it is missing, because the training takes most of the time.
 */
export function textsOfSets(data: string, rows: number, scores: string | undefined): AblationText[] {
  const families = new Families(path.join(data, 'families.json'));
  const train = readSets(path.join(data, 'train'), families);
  const judged = scoresOf(train, scores);
  const byRow = new Map(train.map((row, at) => [row, judged[at] ?? 'none']));
  const dev = sampled(readSets(path.join(data, 'dev'), families), rows);
  return [
    ...sampled(train, rows).map((row) => ({
      ...toText(row, 'train', row.family),
      classifierScore: byRow.get(row) ?? 'none',
    })),
    ...dev.map((row) => toText(row, 'dev', row.set)),
  ];
}

function scoresOf(rows: readonly Row[], file: string | undefined): readonly (ClassifierScore | 'none' | null)[] {
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const judged = classifyOutOfFold(rows).map((one) => (one === undefined || one === 'too short' ? 'none' : one));
  if (file !== undefined) writeFileSync(file, JSON.stringify(judged));
  return judged;
}

function toText(row: Row, from: 'train' | 'dev', group: string): AblationText {
  return { text: row.text, surface: surfaceOf(row), from, group, label: row.label };
}

function sampled(texts: readonly Row[], rows: number): Row[] {
  const groups = Map.groupBy(texts, ({ set, family, label }) => `${set} ${label === 'attack' ? family : ''}`);
  return [...groups.values()].flatMap((own) => {
    const isAttack = own[0]?.label === 'attack';
    return shuffled(own).slice(0, isAttack ? rows : Math.ceil(rows / ATTACKS_PER_OTHER));
  });
}

/** The texts that are timed. */
export function timedTexts(texts: readonly AblationText[]): AblationText[] {
  const ordinary = texts.filter(
    ({ from, label, text }) =>
      (from === 'dev' || from === 'documents') && label === 'benign' && text.length <= LONGEST_TIMED,
  );
  let units = 0;
  return shuffled(ordinary).filter(({ text }) => {
    units += text.length;
    return units <= TIMED_UNITS;
  });
}

function eachByte(write: (byte: number) => string): (text: string) => string {
  return (text) => Array.from(Buffer.from(text), write).join('');
}

function toZeroWidth(bit: string): string {
  return bit === '0' ? '\u200b' : '\u200c';
}

function toMirrored(letter: string): string {
  return String.fromCharCode(0x61 + 0x7a - letter.charCodeAt(0));
}

function shuffled<T>(items: readonly T[]): T[] {
  const random = generator(SEED);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The number of attacks and other texts by where they come from. */
export function sizesOf(texts: readonly AblationText[]): Record<string, { attacks: number; others: number }> {
  return Object.fromEntries(
    [...Map.groupBy(texts, ({ from }) => from)].map(([from, own]) => {
      const attacks = own.filter(({ label }) => label === 'attack').length;
      return [from, { attacks, others: own.length - attacks }];
    }),
  );
}
