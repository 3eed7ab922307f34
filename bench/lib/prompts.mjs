import path from 'node:path';
import { readLines } from '../../training/read-sets.ts';
import { textsByKind, wholeCharacters } from './texts.ts';

/** Of the folder's `dev`. */
const SETS = ['arena_hard_v2', 'alpaca_instructions_train', 'alpaca_instructions_dev', 'mt_bench', 'toxicchat_train'];

/**
 * Returns prompts of at most so many UTF-8 bytes, no two alike, from a folder of labelled texts or from the committed samples.
 * Once every passage was used, they come again in another order.
 */
export function promptSource(dataDir) {
  const passages = dataDir === undefined ? samplePassages() : labelledTexts(dataDir);
  const choose = chooser(1);
  let bytes = Buffer.alloc(0);
  return (size) => {
    while (bytes.length < size)
      bytes = Buffer.concat([bytes, Buffer.from(`${shuffled(passages, choose).join('\n\n')}\n\n`)]);
    const prompt = wholeCharacters(bytes.subarray(0, size));
    bytes = bytes.subarray(size);
    return prompt;
  };
}

function samplePassages() {
  return [...textsByKind().values()].flatMap((text) => text.trim().split('\n\n'));
}

/** Harmless texts that people have sent to models. */
function labelledTexts(dataDir) {
  const rows = SETS.flatMap((set) => readLines(path.join(dataDir, 'dev'), set).map((line) => JSON.parse(line)));
  return rows.filter(({ label }) => label === 'benign').map(({ text }) => text);
}

function shuffled(list, choose) {
  const rest = [...list];
  for (let end = rest.length - 1; end > 0; end -= 1) {
    const at = choose(end + 1);
    [rest[end], rest[at]] = [rest[at], rest[end]];
  }
  return rest;
}

/** A linear congruential generator is random enough for an order (Numerical Recipes' constants). */
function chooser(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
