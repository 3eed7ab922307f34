/** Runs the work for each item, a limited number at a time; rejects with the first failure after running work has ended. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const item = items[next++] as T;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Texts in order, in batches with a limit of texts and bytes; a larger text gets a batch for itself. */
export function batchesOf(texts: readonly string[], maxTexts: number, maxBytes: number): string[][] {
  const batches: string[][] = [];
  let bytes = maxBytes;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
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
