import { isAttackType } from '../../kernel/model/index.ts';
import type { Finding, FindingStream, Rule } from '../matching/index.ts';

/** Separates blocks in this reading. */
const SEPARATOR = ' ';
/** Units read after the end of a block. Findings of rules that do not act are reported up to this much later. */
const REACH_UNITS = 300;

/**
 * Inspects the ends of adjacent blocks with a space between them: in the joined text, a word at a boundary is not a separate word.
 * Offsets are those of the joined text.
 */
export class BlockBoundary {
  private readonly stream: FindingStream;
  private readonly from: number;
  /** Start offsets of blocks, in order. */
  private readonly ends: number[] = [];
  private length: number;
  /** Findings since it was opened that are not reported yet, and those of the joined text. */
  private found: Finding[] = [];
  private readonly joined: Finding[] = [];

  /** `open` opens a stream that counts only findings for which its argument returns true; `before` starts at the offset `from`. */
  constructor(open: (isNew: (finding: Finding) => boolean) => FindingStream, before: string, from: number) {
    this.from = from;
    this.length = from + before.length;
    this.stream = open((finding) => this.isNew(this.toJoined(finding)));
    this.stream.push(before);
  }

  /** Takes more text; `begins` marks the start of a block. Returns findings to act on. */
  push(text: string, begins: boolean): Finding[] {
    if (begins) this.ends.push(this.length);
    this.length += text.length;
    return this.take(this.stream.push(begins ? SEPARATOR + text : text));
  }

  end(): Finding[] {
    return this.take(this.stream.end());
  }

  catchUp(): Finding[] {
    return this.take(this.stream.catchUp());
  }

  /** Takes the findings of the joined text since it was opened. */
  addJoined(findings: readonly Finding[]): void {
    this.joined.push(...findings);
  }

  /** The findings that neither were reported before nor are in the joined text, which may have longer ones. */
  takeUnreported(): Finding[] {
    const isSame = (a: Rule, b: Rule) =>
      a === b || (a.type === b.type && a.forcedAction === undefined && b.forcedAction === undefined);
    const isKnown = ({ rule, start, end }: Finding) =>
      this.joined.some((known) => isSame(known.rule, rule) && known.start < end && start < known.end);
    const found = this.found.filter((finding) => !isKnown(finding));
    this.found = [];
    return found;
  }

  /** Offset before which no acting finding starts any more. */
  get settled(): number {
    return this.offset(this.stream.settled);
  }

  /** Whether text from here on reads the same as in the joined text. */
  get isOver(): boolean {
    const last = this.ends.at(-1) as number;
    return this.length >= last + REACH_UNITS && this.settled > last;
  }

  private take(findings: readonly Finding[]): Finding[] {
    const found = findings.map((finding) => this.toJoined(finding)).filter((finding) => this.isNew(finding));
    this.found.push(...found);
    return found;
  }

  /** A value is split only without a separator between its parts; a phrase may be split between words. */
  private isNew({ rule, start, end }: Finding): boolean {
    if (rule.scoresAfterRelease) return false;
    const first = this.countWhere((at) => at < start);
    const isAtEdge = this.ends[first] === start;
    const next = this.ends[isAtEdge ? first + 1 : first] ?? Number.POSITIVE_INFINITY;
    if (next < end) return rule.forcedAction !== undefined || isAttackType(rule.type);
    return isAtEdge || next === end;
  }

  private toJoined(finding: Finding): Finding {
    return { ...finding, start: this.offset(finding.start), end: this.offset(finding.end) };
  }

  /** Converts an offset to the joined text; a separator maps to the start of the next block. */
  private offset(own: number): number {
    const at = own + this.from;
    return at - this.countWhere((end, index) => end + index * SEPARATOR.length < at) * SEPARATOR.length;
  }

  /** The number of `ends` before the first for which `holds` is false. */
  private countWhere(holds: (end: number, index: number) => boolean): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.ends[middle] as number, middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
