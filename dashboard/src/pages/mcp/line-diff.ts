export interface DiffLine {
  readonly text: string;
  readonly kind: 'same' | 'removed' | 'added';
}

/** Above it, all lines between the first and the last difference are shown as changed: a server chooses how long a definition is. */
const MAX_PAIRS = 1_000_000;

/** The lines of two texts, with those that only one of them has: the fewest. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const isShared = (at: number) => old[at] === now[at];
  let start = 0;
  while (start < Math.min(old.length, now.length) && isShared(start)) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const kept = (lines: readonly string[]) => lines.map((text) => ({ text, kind: 'same' as const }));
  return [
    ...kept(old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...kept(old.slice(old.length - end)),
  ];
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string) => ({ text, kind: 'removed' as const });
  const added = (text: string) => ({ text, kind: 'added' as const });
  if (old.length * now.length > MAX_PAIRS) return [...old.map(removed), ...now.map(added)];
  const shared = sharedLengths(old, now);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ text: old[i] as string, kind: 'same' });
      [i, j] = [i + 1, j + 1];
    } else if (lengthAt(shared, i + 1, j) >= lengthAt(shared, i, j + 1)) {
      lines.push(removed(old[i] as string));
      i += 1;
    } else {
      lines.push(added(now[j] as string));
      j += 1;
    }
  }
  return [...lines, ...old.slice(i).map(removed), ...now.slice(j).map(added)];
}

/** For each pair of places, how many lines the rests have in common, in order. */
function sharedLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const longest = Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
      (lengths[i] as Uint32Array)[j] = old[i] === now[j] ? lengthAt(lengths, i + 1, j + 1) + 1 : longest;
    }
  }
  return lengths;
}

function lengthAt(lengths: readonly Uint32Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
