import { table, withInterval } from './figures.ts';
import type { Detector } from './installed-peers.ts';

/** Texts of one kind, and whether something should be found in each of them. */
export interface Sample {
  readonly name: string;
  readonly kind: 'recall' | 'false alarms';
  readonly texts: readonly string[];
}

/** A table of samples and detectors: the part of the texts in which each finds something. */
export async function comparison(samples: readonly Sample[], detectors: readonly Detector[]): Promise<string> {
  const rows: string[][] = [];
  for (const { name, kind, texts } of samples) {
    const cells: string[] = [];
    for (const { detect } of detectors) cells.push(withInterval(await foundIn(texts, detect), texts.length));
    rows.push([name, kind, String(texts.length), ...cells]);
  }
  return table(['Texts', 'What', 'Number', ...detectors.map(({ name }) => name)], rows);
}

async function foundIn(texts: readonly string[], detect: Detector['detect']): Promise<number> {
  let found = 0;
  for (const text of texts) if (await detect(text)) found += 1;
  return found / texts.length;
}
