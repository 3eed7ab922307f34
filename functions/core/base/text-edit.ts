/** A change to a text: the half-open range and what takes its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits in order and without overlap, whatever order they come in: one that starts within an earlier one only widens it. */
export function mergeEdits(edits: readonly TextEdit[]): TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of [...edits].sort(compareEdits)) {
    const last = merged[merged.length - 1];
    if (last && edit.start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
    else merged.push(edit);
  }
  return merged;
}

function compareEdits(a: TextEdit, b: TextEdit): number {
  return a.start - b.start || b.end - a.end || (a.text < b.text ? -1 : 1);
}

/** The part [start, end) of a text with the edits made; `text` begins at `start`. A replacement stands where its range begins. */
export function renderEdits(text: string, start: number, edits: readonly TextEdit[]): string {
  const end = start + text.length;
  let out = '';
  let at = start;
  for (const edit of edits) {
    if (edit.end <= at || edit.start >= end) continue;
    if (edit.start >= at) out += text.slice(at - start, edit.start - start) + edit.text;
    at = Math.min(edit.end, end);
  }
  return out + text.slice(at - start);
}
