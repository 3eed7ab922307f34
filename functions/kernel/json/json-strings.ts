import type { TextEdit } from './edits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/**
 * Tracks strings and escapes of a JSON text that arrives in pieces, such as the arguments of a tool call, so that a redaction leaves
 * it valid JSON. Linear; harmless for text that is not JSON.
 */
export class JsonStrings {
  private length = 0;
  private isOpen = false;
  /** Units missing from the escape at the end of the text. */
  private lacking = 0;
  private quotes: number[] = [];
  private escapes: { readonly start: number; readonly end: number }[] = [];
  /** Whether the text before the first kept quote ends within a string. */
  private wasOpen = false;

  push(text: string): void {
    for (let at = 0; at < text.length; at++) this.read(text.charCodeAt(at), this.length + at);
    this.length += text.length;
  }

  /**
   * The same change without cut escapes and with balanced quotes: the replacement of a number becomes a string. A range over several
   * values leaves valid JSON if it covers complete values.
   */
  align({ start, end, text }: TextEdit): TextEdit {
    const from = this.behindEscape(start);
    const to = this.behindEscape(end);
    const open = this.isOpenAt(from) ? '' : '"';
    const close = this.isOpenAt(to) ? '' : '"';
    return { start: from, end: Math.max(from, to), text: open + text + close };
  }

  /** Drops state about text before the offset. */
  forget(before: number): void {
    const gone = countBefore(this.quotes, (quote) => quote < before);
    if (gone % 2 === 1) this.wasOpen = !this.wasOpen;
    this.quotes.splice(0, gone);
    this.escapes.splice(
      0,
      countBefore(this.escapes, ({ end }) => end <= before),
    );
  }

  private isOpenAt(offset: number): boolean {
    const passed = countBefore(this.quotes, (quote) => quote < offset);
    return (passed % 2 === 1) !== this.wasOpen;
  }

  /** The end of the escape that the offset is within; the offset itself elsewhere. */
  private behindEscape(offset: number): number {
    const last = this.escapes[countBefore(this.escapes, ({ start }) => start < offset) - 1];
    return last !== undefined && offset < last.end ? last.end : offset;
  }

  private read(unit: number, at: number): void {
    if (this.lacking > 0) {
      const isLong = unit === LETTER_U && this.escapes.at(-1)?.start === at - 1;
      this.lacking = isLong ? 4 : this.lacking - 1;
      if (isLong) this.escapes[this.escapes.length - 1] = { start: at - 1, end: at + 5 };
    } else if (unit === QUOTE) {
      this.isOpen = !this.isOpen;
      this.quotes.push(at);
    } else if (unit === BACKSLASH && this.isOpen) {
      this.escapes.push({ start: at, end: at + 2 });
      this.lacking = 1;
    }
  }
}

/** The number of leading items of an ordered list for which `isBefore` holds. */
function countBefore<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The decoded part of a JSON string; the part itself if it cannot be decoded. */
export function unescaped(part: string): string {
  if (!part.includes('\\')) return part;
  try {
    return JSON.parse(`"${part}"`) as string;
  } catch {
    return part;
  }
}

/** A text encoded as the inside of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
