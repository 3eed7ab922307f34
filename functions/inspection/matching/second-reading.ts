import { mayHoldWebEscapes, QUERY_UNITS, type TextWindow } from '../views/index.ts';
import { type Finding, findingKey } from './finding.ts';
import { CONTEXT_UNITS } from './hit-findings.ts';
import type { FindingStream } from './text-inspector.ts';

/**
 * Reads a text once more with the escapes of URLs and HTML resolved: `%69gnore` and `&#105;gnore` as `ignore`. It begins at the first piece
 * that may have one, with earlier text that may be part of a match.
 */
export class SecondReading {
  private readonly open: () => FindingStream;
  /** `found`: keys of the findings by either reading since it began. */
  private begun: { readonly stream: FindingStream; readonly from: number; readonly found: Set<string> } | undefined;

  constructor(open: () => FindingStream) {
    this.open = open;
  }

  /** Whether it begins with this piece, the next after `raw`. */
  beginsWith(piece: string, raw: TextWindow): boolean {
    if (this.begun !== undefined) return false;
    return mayHoldWebEscapes(piece, () => raw.slice(Math.max(0, raw.length - QUERY_UNITS), raw.length));
  }

  /** `settled`: the offset before which the first reading is complete. */
  begin(raw: TextWindow, settled: number): void {
    const from = Math.max(0, settled - CONTEXT_UNITS);
    const stream = this.open();
    stream.push(raw.slice(from, raw.length));
    this.begun = { stream, from, found: new Set() };
  }

  read(piece: string, last: boolean): Finding[] {
    const stream = this.begun?.stream;
    if (stream === undefined) return [];
    return this.moved(last ? stream.end(piece) : stream.push(piece));
  }

  catchUp(): Finding[] {
    return this.moved(this.begun?.stream.catchUp() ?? []);
  }

  /** Raw offset before which this reading finds nothing more; Infinity if it has not begun. */
  get settled(): number {
    return this.begun === undefined ? Number.POSITIVE_INFINITY : this.begun.from + this.begun.stream.settled;
  }

  /** Removes findings that both readings have. Either may come first, so those with two scores are both reported. */
  withoutRepeated(findings: Finding[]): Finding[] {
    const found = this.begun?.found;
    if (found === undefined || findings.length === 0) return findings;
    return findings.filter((finding) => found.size < found.add(`${findingKey(finding)} ${finding.score}`).size);
  }

  private moved(findings: readonly Finding[]): Finding[] {
    const from = this.begun?.from ?? 0;
    return findings.map((finding) => ({ ...finding, start: finding.start + from, end: finding.end + from }));
  }
}
