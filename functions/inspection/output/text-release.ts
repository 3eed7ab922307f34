import { JsonStrings, mergeEdits, renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import type { Action } from '../../kernel/model/index.ts';
import { compareFindings, type Finding } from '../matching/index.ts';
import { redacted } from '../policy/index.ts';

/** A finding that ends the response, and the offset. */
interface Block {
  readonly at: number;
  readonly finding: Finding;
}

export interface TextReleaseOptions {
  readonly decide: (finding: Finding) => Action;
  readonly report: (finding: Finding, action: Action) => void;
  /** Whether text is released as it arrives. */
  readonly streams: boolean;
  /** Whether the text is JSON. */
  readonly isJson: boolean;
}

/**
 * What happens to a text on release: redactions become edits, blocks end it, and a finding is reported once the text where it starts
 * is released. Offsets are those of the text as received.
 */
export class TextRelease {
  private readonly options: TextReleaseOptions;
  /** All text before this offset was released. */
  private released = 0;
  /** In order of arrival: their final order may be known only later. */
  private edits: TextEdit[] = [];
  private readonly blocks: Block[] = [];
  private unreported: Finding[] = [];
  /** For text that is JSON. */
  private readonly strings: JsonStrings | undefined;

  constructor(options: TextReleaseOptions) {
    this.options = options;
    this.strings = options.isJson ? new JsonStrings() : undefined;
  }

  /** Takes the text as it arrives, before its edits. */
  push(text: string): void {
    this.strings?.push(text);
  }

  addEdits(edits: readonly TextEdit[]): void {
    this.edits.push(...edits);
  }

  addFindings(findings: readonly Finding[]): void {
    this.act(findings);
    this.report(findings);
  }

  /** Whether a finding changes the text. */
  acts(finding: Finding): boolean {
    return ['block', 'redact'].includes(this.options.decide(finding));
  }

  /** Turns findings into blocks and redactions; they are reported separately. */
  act(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const action = this.options.decide(finding);
      // Without streaming nothing was released yet.
      const at = (this.options.streams ? finding.cutsAt : undefined) ?? finding.start;
      if (action === 'block') this.blocks.push({ at, finding });
      if (action === 'redact') this.edits.push({ start: finding.start, end: finding.end, text: redacted(finding) });
    }
  }

  /** Reports findings, each once the text where it starts is released. */
  report(findings: readonly Finding[]): void {
    this.unreported.push(...findings);
    this.reportBefore(this.released);
  }

  /** The first block in the range. */
  blockWithin(start: number, end: number): Block | undefined {
    if (this.blocks.length === 0) return undefined;
    const within = this.blocks.filter(({ at }) => at >= start && at < end);
    return within.sort((a, b) => a.at - b.at)[0];
  }

  /** The edited text, which is now released. */
  render(text: string, start: number): string {
    const out = this.edits.length === 0 ? text : renderEdits(text, start, this.alignedEdits());
    this.released = start + text.length;
    if (this.edits.length > 0) this.edits = this.edits.filter((edit) => this.aligned(edit).end > this.released);
    this.strings?.forget(Math.min(this.released, ...this.edits.map((edit) => edit.start)));
    this.reportBefore(this.released);
    return out;
  }

  /** The text before a block, the last to be released. */
  renderLast(text: string, start: number): string {
    const out = this.render(text, start);
    this.reportBefore(this.released + 1);
    return out;
  }

  private alignedEdits(): TextEdit[] {
    return mergeEdits(this.edits).map((edit) => this.aligned(edit));
  }

  private aligned(edit: TextEdit): TextEdit {
    return this.strings?.align(edit) ?? edit;
  }

  private reportBefore(before: number): void {
    if (this.unreported.length === 0) return;
    const due = this.unreported.filter((finding) => finding.start < before);
    if (due.length === 0) return;
    this.unreported = this.unreported.filter((finding) => finding.start >= before);
    for (const finding of due.sort(compareFindings)) this.options.report(finding, this.options.decide(finding));
  }
}
