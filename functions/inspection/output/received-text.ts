import { GatewayError } from '../../kernel/errors/index.ts';
import type { Finding } from '../matching/index.ts';
import { TextWindow } from '../views/index.ts';

/** A range of the text of one channel. */
export interface ChannelRange {
  readonly channel: string;
  readonly start: number;
  readonly end: number;
}

/** A finding as a range of the channel in which it starts. */
export interface LocatedFinding {
  readonly channel: string;
  readonly finding: Finding;
  /** Its ranges in later channels of the same run; absent if it ends in this channel. */
  readonly rest?: readonly ChannelRange[];
}

/** The text of one channel, or of the channels of a run joined, as far as it arrived. */
export class ReceivedText {
  /** Its channels, with the offset of each in the text. */
  private readonly parts: { readonly name: string; readonly start: number; closed: boolean }[] = [];
  private readonly known = new Set<string>();
  /** The end of the text, which a block boundary may read again. */
  private readonly recent = new TextWindow();
  private ended = false;

  get length(): number {
    return this.recent.length;
  }

  get isEnded(): boolean {
    return this.ended;
  }

  /** Whether it contains text of this channel. */
  has(name: string): boolean {
    return this.known.has(name);
  }

  /**
   * Starts a new part if the channel changes; returns whether it does.
   * @throws GatewayError `provider_error` for text of a channel that is closed
   */
  begin(name: string): boolean {
    const last = this.parts.at(-1);
    const isNext = last?.name !== name;
    if (this.ended || (isNext ? this.known.has(name) : last.closed))
      throw new GatewayError('provider_error', 'The provider sent text after the end of its response.');
    if (isNext) this.parts.push({ name, start: this.length, closed: false });
    this.known.add(name);
    return isNext;
  }

  /** Takes more text of the channel that began last; `last` marks the end of the text. */
  push(text: string, last: boolean): void {
    this.recent.push(text);
    this.ended = last;
  }

  /** Ends the last channel if `closing` returns true for it. */
  closeChannel(closing: (name: string) => boolean): void {
    const part = this.parts.at(-1);
    if (part !== undefined && closing(part.name)) part.closed = true;
  }

  end(): void {
    this.ended = true;
  }

  /** The text from this offset on. */
  from(offset: number): string {
    return this.recent.slice(offset, this.length);
  }

  /** Allows discarding text before this offset. */
  forget(offset: number): void {
    this.recent.forget(offset);
  }

  locate(finding: Finding): LocatedFinding {
    const { parts } = this;
    const first = Math.max(
      0,
      parts.findLastIndex(({ start }) => start <= finding.start),
    );
    const ranges: ChannelRange[] = [];
    for (let at = first; at === first || (parts[at]?.start ?? finding.end) < finding.end; at++) {
      const { name, start } = parts[at] as (typeof parts)[number];
      const end = Math.min(finding.end, parts[at + 1]?.start ?? finding.end);
      ranges.push({ channel: name, start: Math.max(finding.start, start) - start, end: end - start });
    }
    const [{ channel, start, end }, ...rest] = ranges as [ChannelRange, ...ChannelRange[]];
    return { channel, finding: { ...finding, start, end }, ...(rest.length > 0 && { rest }) };
  }
}
