import { escaped, renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import { type AddressReader, openAddressReader, type TextAbove } from '../addresses/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import type { Redaction } from '../policy/index.ts';
import { PositionMap } from '../views/index.ts';

/**
 * The text of a response with placeholders replaced by the caller's originals: this is the text that is inspected. In an address to another
 * host the placeholder is kept, since that host would receive the original.
 */
export class RestoredText {
  private readonly redaction: Redaction;
  private readonly isJson: boolean;
  /** Reads the text as the client receives it. */
  private readonly addresses: AddressReader;
  /** Maps the restored text to the text as received. */
  private readonly positions = new PositionMap();
  /** Start and end of restored placeholders in the text as received. */
  private readonly placeholders = new Map<number, number>();
  /** The end of the text, from where a placeholder may be open. */
  private tail = '';

  /** `argument` and `above` as in openAddressReader. */
  constructor(redaction: Redaction, isJson: boolean, argument?: string, above?: TextAbove) {
    this.redaction = redaction;
    this.isJson = isJson;
    this.addresses = openAddressReader(isJson, argument, above);
  }

  /** Takes text that clients may join with this one. */
  follow(before: string): void {
    this.addresses.read(before);
  }

  /**
   * Takes a piece that ends at offset `end` of the text as received. Returns the restored text up to any open placeholder, and the edits to
   * make in the text as received.
   */
  push(piece: string, end: number, last: boolean): { readonly text: string; readonly edits: readonly TextEdit[] } {
    const pending = this.tail + piece;
    const from = end - pending.length;
    const ready = last ? pending : pending.slice(0, this.redaction.openFrom(pending));
    this.tail = pending.slice(ready.length);
    const found = this.redaction.restorations(ready, from);
    const edits = this.isJson ? found.map((edit) => ({ ...edit, text: escaped(edit.text) })) : found;
    const made: TextEdit[] = [];
    let at = from;
    for (const edit of edits) {
      const { start, end, text } = edit;
      this.positions.addLinear(start - at);
      this.positions.addAtom(end - start, text.length);
      this.placeholders.set(start, end);
      this.addresses.read(ready.slice(at - from, start - from));
      const isKept = this.addresses.isInAddress();
      this.addresses.read(isKept ? ready.slice(start - from, end - from) : text);
      if (!isKept) made.push(edit);
      at = end;
    }
    this.positions.addLinear(from + ready.length - at);
    this.addresses.read(ready.slice(at - from));
    return { text: renderEdits(ready, from, edits), edits: made };
  }

  /** Returns the rest of the restored text at the end. */
  end(): string {
    this.positions.addLinear(this.tail.length);
    return this.tail;
  }

  /** The offset in the text as received for an offset in the restored text. */
  receivedOffset(offset: number): number {
    return this.positions.rawStart(offset);
  }

  /** Findings as ranges of the text as received, without those of the caller's own data. */
  receivedFindings(findings: readonly Finding[]): readonly Finding[] {
    return findings.flatMap((finding) => {
      const { rule, cutsAt } = finding;
      const start = this.positions.rawStart(finding.start);
      const end = this.positions.rawEnd(finding.end);
      if (this.isOwn(rule, start, end)) return [];
      return { ...finding, start, end, ...(cutsAt !== undefined && { cutsAt: this.positions.rawStart(cutsAt) }) };
    });
  }

  /** Whether a finding is in an original only (which only a custom rule can block), or is personal data that contains an original. */
  private isOwn({ type, forcedAction }: Rule, start: number, end: number): boolean {
    if (this.placeholders.get(start) === end) return forcedAction !== 'block';
    if (type !== 'pii' || forcedAction !== undefined) return false;
    // Text before an original may read as its start: the `n` of a line break in JSON.
    for (let at = start; at < end; at += 1) if (this.placeholders.has(at)) return true;
    return false;
  }
}
