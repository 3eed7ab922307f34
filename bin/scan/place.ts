import type { ShownThreat } from '../../functions/kernel/model/index.ts';
import type { Item } from './read-texts.ts';

/** A range in a file; lines and columns count from 1, columns in UTF-16 code units, the end is exclusive. */
export interface Place {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Returns a function for the places of an item's findings. */
export function placesOf({ position, subject }: Item): (threat: ShownThreat) => Place {
  const first = position.line ?? 1;
  if (!position.isVerbatim || subject.kind !== 'text') return () => ({ startLine: first, startColumn: 1 });
  const { text } = subject;
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: first + low, column: offset - (starts[low] as number) + 1 };
  };
  return ({ location }) => {
    const start = lineAt(location.start);
    const end = lineAt(location.end);
    return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
  };
}
