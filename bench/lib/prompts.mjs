import path from 'node:path';
import { readLines } from '../../training/read-sets.ts';
import { prose } from './prose.mjs';

/** Of the folder's `dev`. */
const SETS = ['arena_hard_v2', 'alpaca_instructions_train', 'alpaca_instructions_dev', 'mt_bench', 'toxicchat_train'];
const SHIFT_BYTES = 37;
const TEXTS = 32;
/** Length of the number that makes each generated text another. */
const NUMBER_UNITS = 8;

/** Gives prompts of a number of UTF-8 bytes (at most, of real text), no two alike: from a folder of labelled texts where there is one, else generated. */
export function promptSource(dataDir) {
  return dataDir === undefined ? generatedPrompts() : realPrompts(dataDir);
}

function generatedPrompts() {
  const texts = new Map();
  let count = 0;
  return (bytes) => {
    if (!texts.has(bytes))
      texts.set(
        bytes,
        Array.from({ length: TEXTS }, (_, seed) => prose(bytes, seed)),
      );
    count += 1;
    return String(count).padStart(NUMBER_UNITS, '0') + texts.get(bytes)[count % TEXTS].slice(NUMBER_UNITS);
  };
}

/**
 * What people have asked models, one text after another and cut where a prompt is full. Each time around starts further on, so that
 * no prompt comes twice.
 */
function realPrompts(dataDir) {
  const rows = SETS.flatMap((set) => readLines(path.join(dataDir, 'dev'), set).map((line) => JSON.parse(line)));
  const texts = rows.filter(({ label }) => label === 'benign').map(({ text }) => text);
  const bytes = Buffer.from(texts.join('\n\n'));
  let at = 0;
  let round = 0;
  return (size) => {
    if (at + size > bytes.length) {
      round += 1;
      at = round * SHIFT_BYTES;
    }
    at += size;
    return bytes
      .subarray(at - size, at)
      .toString()
      .replace(/^\ufffd+|\ufffd+$/g, '');
  };
}
