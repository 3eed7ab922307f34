/** Text is read again in passages of at most so many units, so that time and memory are bounded. */
export const MAX_PASSAGE = 4096;
/** A passage ends at a line's end, or else at a space, if there is one behind this offset in it. */
const MIN_PASSAGE = 3072;

/** A part of a view's text. */
export interface Passage {
  readonly text: string;
  /** Offset of its first unit in the view. */
  readonly start: number;
}

/** Cuts a text that arrives in pieces; where it is cut depends on the text alone. */
export class PassageCutter {
  private held = '';
  private start = 0;

  /** The passages that are complete; with `last`, all that is left. */
  push(text: string, last: boolean): Passage[] {
    this.held += text;
    const passages: Passage[] = [];
    let from = 0;
    while (this.held.length - from > MAX_PASSAGE) {
      const length = cutWithin(this.held.slice(from, from + MAX_PASSAGE));
      passages.push({ text: this.held.slice(from, from + length), start: this.start + from });
      from += length;
    }
    if (last && this.held.length > from) {
      passages.push({ text: this.held.slice(from), start: this.start + from });
      from = this.held.length;
    }
    this.held = this.held.slice(from);
    this.start += from;
    return passages;
  }

  /** Whether nothing has been read yet. */
  get isFresh(): boolean {
    return this.start === 0 && this.held === '';
  }

  /** Offset in the view before which everything has been given. */
  get done(): number {
    return this.start;
  }
}

function cutWithin(text: string): number {
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark);
    if (at >= MIN_PASSAGE) return at + 1;
  }
  return text.length;
}
