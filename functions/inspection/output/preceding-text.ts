import type { Finding, FindingStream } from '../matching/index.ts';

/** Opens a stream that counts only findings for which `isNew` returns true. */
type OpenCounting = (isNew: (finding: Finding) => boolean) => FindingStream;

/** Inspects the end of a text that was released before together with the text that follows it, for matches that span both. */
export class PrecedingText {
  private readonly length: number;
  private readonly stream: FindingStream;

  constructor(open: OpenCounting, text: string) {
    this.length = text.length;
    this.stream = open((finding) => this.isSpanning(finding));
    this.stream.push(text);
  }

  /** The findings that span both texts, as ranges of the text that follows. */
  read(text: string, last: boolean): Finding[] {
    const found = last ? this.stream.end(text) : this.stream.push(text);
    return found
      .filter((finding) => this.isSpanning(finding))
      .map((finding) => ({ ...finding, start: 0, end: finding.end - this.length }));
  }

  /** Offset in the text that follows before which no spanning finding ends any more. */
  get settled(): number {
    return this.stream.settled - this.length;
  }

  private isSpanning({ start, end }: Finding): boolean {
    return start < this.length && end > this.length;
  }
}
