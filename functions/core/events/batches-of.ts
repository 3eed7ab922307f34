import { utf8Length } from '../json/utf8-length.ts';

/** Texts in order, in batches of so many texts and bytes at most; one that is larger stands alone. */
export function batchesOf(texts: readonly string[], maxTexts: number, maxBytes: number): string[][] {
  const batches: string[][] = [];
  let bytes = maxBytes;
  for (const text of texts) {
    const size = utf8Length(text);
    const last = batches.at(-1);
    if (last === undefined || last.length === maxTexts || bytes + size > maxBytes) {
      batches.push([text]);
      bytes = size;
    } else {
      last.push(text);
      bytes += size;
    }
  }
  return batches;
}
