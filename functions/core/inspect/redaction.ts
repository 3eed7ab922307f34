import type { Finding } from './finding.ts';

/** A change to a text: the half-open range and what takes its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a placeholder looks like while its end is not there yet. */
const OPEN_PLACEHOLDER = /\[[A-Z]*(?:_[A-Z]*)*\d*$/;
const PLACEHOLDER = /\[[A-Z]+(?:_[A-Z]+)*_\d+\]/g;
const MAX_PLACEHOLDER_CHARS = 48;

/**
 * The placeholders of one exchange. Personal data of the request gets one that comes back: the provider sees `[EMAIL_1]`,
 * the caller's answer has the address again. Everything else is gone for good.
 */
export class Redaction {
  private readonly placeholders = new Map<string, string>();
  private readonly originals = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** What stands in the place of `original` in the request. */
  hideInput(finding: Finding, original: string): string {
    if (finding.rule.type !== 'pii') return redacted(finding);
    const known = this.placeholders.get(original);
    if (known !== undefined) return known;
    const label = toLabel(finding.rule.category);
    const count = (this.counts.get(label) ?? 0) + 1;
    this.counts.set(label, count);
    const placeholder = `[${label}_${count}]`;
    this.placeholders.set(original, placeholder);
    this.originals.set(placeholder, original);
    return placeholder;
  }

  get isEmpty(): boolean {
    return this.originals.size === 0;
  }

  /** The edits that put originals back for the placeholders in a text that begins at `offset`. */
  restorations(text: string, offset: number): TextEdit[] {
    const edits: TextEdit[] = [];
    for (const match of text.matchAll(PLACEHOLDER)) {
      const original = this.originals.get(match[0]);
      const start = offset + match.index;
      if (original !== undefined) edits.push({ start, end: start + match[0].length, text: original });
    }
    return edits;
  }

  /** The offset in `text` from which a placeholder may still be open; its length where none is. */
  openFrom(text: string): number {
    const tail = Math.max(0, text.length - MAX_PLACEHOLDER_CHARS);
    const open = OPEN_PLACEHOLDER.exec(text.slice(tail));
    return open ? tail + open.index : text.length;
  }
}

/** What stands in the place of a finding that does not come back. */
export function redacted(finding: Finding): string {
  return `[REDACTED_${toLabel(finding.rule.category)}]`;
}

function toLabel(category: string): string {
  return (
    category
      .toUpperCase()
      .replace(/[^A-Z]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 32) || 'DATA'
  );
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
