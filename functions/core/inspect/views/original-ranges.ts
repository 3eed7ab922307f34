import type { TextEdit } from '../../base/text-edit.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where an edit's replacement stands in the text as it is now, and how far what follows has moved. */
interface Moved {
  readonly edit: TextEdit;
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

/**
 * Finds where a range of a text with these edits made lies in the text before them; edits as `mergeEdits` gives them. What
 * begins or ends in a replacement takes in all that it replaced.
 */
export function originalRanges(edits: readonly TextEdit[]): (range: Range) => Range {
  let shift = 0;
  const moved = edits.map((edit): Moved => {
    const start = edit.start + shift;
    const end = start + edit.text.length;
    shift = end - edit.end;
    return { edit, start, end, shift };
  });
  return ({ start, end }) => {
    const before = lastWhere(moved, (one) => one.start <= start);
    const last = lastWhere(moved, (one) => one.start < end);
    return {
      start: before === undefined ? start : start < before.end ? before.edit.start : start - before.shift,
      end: last === undefined ? end : end <= last.end ? last.edit.end : end - last.shift,
    };
  };
}

/** The last for which `holds`, which holds for all before it. */
function lastWhere(moved: readonly Moved[], holds: (one: Moved) => boolean): Moved | undefined {
  let low = 0;
  let high = moved.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(moved[middle] as Moved)) low = middle + 1;
    else high = middle;
  }
  return moved[low - 1];
}
