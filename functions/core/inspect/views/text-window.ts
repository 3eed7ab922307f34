const TRIM_UNITS = 4096;

/** The part of a growing text that is still needed, addressed by offsets in the whole. */
export class TextWindow {
  private text = '';
  private from = 0;

  push(piece: string): void {
    this.text += piece;
  }

  slice(start: number, end: number): string {
    return this.text.slice(start - this.from, end - this.from);
  }

  /** Lets go of what lies before this offset, now or later. */
  forget(offset: number): void {
    if (offset - this.from < TRIM_UNITS) return;
    this.text = this.text.slice(offset - this.from);
    this.from = offset;
  }
}
