import { GatewayError } from '../../base/errors.ts';
import { escaped, JsonStrings } from '../../base/json-strings.ts';
import { finish, type Steps } from '../../base/steps.ts';
import { mergeEdits, renderEdits, type TextEdit } from '../../base/text-edit.ts';
import { type Piece, type TextSlot, withTexts } from '../../model/piece.ts';
import type { Action } from '../../model/threat.ts';
import { compareFindings, type Finding } from '../finding.ts';
import type { Policy } from '../policy.ts';
import { type Redaction, redacted } from '../redaction.ts';
import type { Rule } from '../rule.ts';
import type { AnswerDetector, FindingStream, Reading, TextInspector } from '../text-inspector.ts';
import { PositionMap, TextWindow } from '../views/text-offsets.ts';
import { Seam } from './seam.ts';

export interface OutputFinding {
  /** The channel in which it begins; its range is of the text there. */
  readonly channel: string;
  readonly finding: Finding;
  /** Where it goes on in later channels of the same run; absent where it ends in this one. */
  readonly rest?: readonly ChannelRange[];
  /** What is done about it. */
  readonly action: Action;
}

export interface ChannelRange {
  readonly channel: string;
  readonly start: number;
  readonly end: number;
}

export interface OutputGuardOptions {
  /** What looks for what only this exchange can tell. */
  readonly detectors?: readonly AnswerDetector[];
  /** Whether text leaves as it comes. Of a whole answer nothing has left when it is judged, and a block may cut it anywhere. */
  readonly streams?: boolean;
  /** Called once where a step is told that the CPU budget is used up: whether the answer ends there. */
  readonly endsOverspent?: () => boolean;
}

const never = () => false;
const NONE: ReadonlyMap<string, Channel> = new Map();
const SPACE = /^\s$/;

/**
 * Texts of an answer that may be open at once: each keeps the state of every rule, some kilobytes, and what closes texts looks at all of
 * them. 128 choices with seven calls each have as many.
 */
export const MAX_OPEN_TEXTS = 1024;
/** Texts of an answer in all: each chunk may cite pages anew, whose texts count. */
const MAX_TEXTS = 100_000;
/** So many texts of one piece take a millisecond or so. */
const STEP_SLOTS = 64;
/** A longer piece of text is read in slices. */
const SLICE_UNITS = 4096;

/** A finding that ends the answer, and where. */
interface Block {
  readonly at: number;
  readonly finding: Finding;
}

interface Queued {
  readonly piece: Piece;
  /** For each slot, its channel, the offset of its text there, and of what leads to it. */
  readonly places: readonly { readonly channel: Channel; readonly start: number; readonly leadStart: number }[];
  /** The texts that ended with it. */
  readonly ended: readonly Channel[];
  /** Characters of a divisible piece that have left. */
  released: number;
}

/** What precedes a block's end by so much may decide about what is found there. */
const CONTEXT_UNITS = 300;
/** A longer run of such characters counts as an address too. */
const ADDRESS_UNITS = 256;
const OUTSIDE_OF_ADDRESS = /[^!-~]|["'<>`]/;

/**
 * Holds an answer's pieces until no acting rule can still match in them, makes the redactions, and ends the answer where
 * a finding blocks. Pieces leave in their order. Any split of the same texts into pieces releases the same text. A finding
 * is reported once the text where it begins has left, and after a block only what begins no later: how much was held back
 * makes no difference.
 */
export class OutputGuard {
  /** The finding that ended the answer. */
  blocked: OutputFinding | undefined;
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: (found: OutputFinding) => void;
  private readonly detectors: readonly AnswerDetector[];
  private readonly streams: boolean;
  /** The names of all texts so far: what was inspected. */
  readonly inspected: string[] = [];
  /** The answer was cut for another reason than a finding. */
  private withheld = false;
  private isOverspent = false;
  private readonly endsOverspent: () => boolean;
  private readonly channels = new Map<string, Channel>();
  private readonly open = new Map<string, Channel>();
  private readonly queue: Queued[] = [];

  constructor(
    inspector: TextInspector,
    policy: Policy,
    redaction: Redaction,
    report: (found: OutputFinding) => void,
    { detectors = [], streams = true, endsOverspent = never }: OutputGuardOptions = {},
  ) {
    this.inspector = inspector;
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
    this.detectors = detectors;
    this.streams = streams;
    this.endsOverspent = endsOverspent;
  }

  /**
   * Takes a piece and gives those that may leave now. After a block nothing more leaves.
   * @throws GatewayError `provider_error` for more text in a channel that a piece, or the next channel of its run, has closed,
   * and for too many open texts
   */
  push(piece: Piece): Piece[] {
    return finish(this.pushSteps(piece));
  }

  /** The same in steps. */
  *pushSteps(piece: Piece): Steps<Piece[]> {
    if (this.isCut) return [];
    const { slots, closes = [] } = piece;
    const closing = closes.length === 0 ? never : prefixMatcher(closes);
    const lastOf = slots.length < 2 ? undefined : new Map(slots.map((slot, at) => [runOf(slot), at]));
    const places: Queued['places'][number][] = [];
    for (const [at, slot] of slots.entries()) {
      const { channel: name, text, lead = '' } = slot;
      const run = runOf(slot);
      const channel = this.channel(run, slot);
      const last = (slot.isWhole || closing(run)) && (lastOf === undefined || lastOf.get(run) === at);
      const leadStart = channel.length;
      if (!channel.has(name)) this.inspected.push(name);
      if (text.length <= SLICE_UNITS) channel.push(name, lead + text, last);
      else yield* this.pushLong(channel, name, lead + text, last);
      if (this.withheld) return [];
      places.push({ channel, leadStart, start: leadStart + lead.length });
      if (last) this.open.delete(run);
      if (at % STEP_SLOTS === STEP_SLOTS - 1 && (yield)) this.overspend();
    }
    const ended = places.filter(({ channel }) => channel.isOver).map(({ channel }) => channel);
    for (const [run, channel] of closes.length > 0 ? this.open : NONE) {
      channel.close(closing, run);
      if (!channel.isOver) continue;
      this.open.delete(run);
      ended.push(channel);
    }
    this.queue.push({ piece, places, ended, released: 0 });
    return this.release();
  }

  /** Gives a text its next piece, a long one, in slices. */
  private *pushLong(channel: Channel, name: string, text: string, last: boolean): Steps<void> {
    let at = 0;
    for (; text.length - at > SLICE_UNITS; at += SLICE_UNITS) {
      channel.push(name, text.slice(at, at + SLICE_UNITS), false);
      if (yield) this.overspend();
      if (this.withheld) return;
    }
    channel.push(name, text.slice(at), last);
  }

  /** The remaining pieces: the answer is over. */
  end(): Piece[] {
    if (this.isCut) return [];
    for (const channel of this.open.values()) channel.end();
    this.open.clear();
    const pieces = this.release();
    if (!this.isCut) this.blockAtEnd(this.channels.values());
    return pieces;
  }

  /** Its CPU budget is used up: the answer may end here, and what has not left is not to leave. */
  overspend(): void {
    if (this.isOverspent) return;
    this.isOverspent = true;
    this.withheld = this.endsOverspent();
  }

  /** Whether the answer ends before its end. */
  get isCut(): boolean {
    return this.withheld || this.blocked !== undefined;
  }

  /** Reports what was found and not told yet of text that has left: for an answer that ends before its end. */
  catchUp(): void {
    for (const channel of this.channels.values()) channel.catchUp();
  }

  /** Where a finding in a run, or in a channel of no run, begins and goes on. */
  locate(run: string, finding: Finding): Omit<OutputFinding, 'action'> {
    return this.channel(run).locate(finding);
  }

  /** Takes findings of another judge for a run, or a channel of none, of which nothing has left; they act like our own. */
  addFindings(run: string, findings: readonly Finding[]): void {
    this.channel(run).take(findings);
  }

  private channel(
    run: string,
    {
      isJson,
      isReadOnly,
      isName,
      isWord,
      before = '',
    }: Pick<TextSlot, 'isJson' | 'isReadOnly' | 'isName' | 'isWord' | 'before'> = {},
  ): Channel {
    let channel = this.channels.get(run);
    if (!channel) {
      if (this.open.size >= MAX_OPEN_TEXTS) throw tooManyTexts(`${MAX_OPEN_TEXTS} texts at once`);
      if (this.channels.size >= MAX_TEXTS) throw tooManyTexts(`${MAX_TEXTS} texts`);
      const open: OpenStream = (detectors, isNew, reading) =>
        this.inspector.open('output', isReadOnly ? never : this.policy.actsOnOutput, detectors, isNew, reading);
      const stream = open(isReadOnly ? [] : this.detectors, undefined, isName || isWord ? 'unjudged' : 'whole');
      channel = new Channel(stream, open, this.policy, this.redaction, this.report, {
        streams: this.streams,
        isJson: isJson === true,
        isReadOnly: isReadOnly === true,
      });
      if (before !== '') channel.follow(before);
      this.channels.set(run, channel);
      this.open.set(run, channel);
    }
    return channel;
  }

  private release(): Piece[] {
    const out: Piece[] = [];
    while (!this.isCut) {
      const head = this.queue[0];
      if (!head) break;
      const whole = head.piece.slots.every((slot, at) => {
        const { channel, start } = head.places[at] as Queued['places'][number];
        return channel.releasable >= start + slot.text.length;
      });
      if (!whole) {
        const part = this.releasePart(head);
        if (part) out.push(part);
        break;
      }
      this.queue.shift();
      const piece = this.render(head, head.released, undefined);
      if (piece) out.push(piece);
    }
    return out;
  }

  /** Ends the answer where its last words are objected to: all of it has left, and only its finish tells. */
  private blockAtEnd(channels: Iterable<Channel>): void {
    for (const channel of channels) {
      const finding = channel.blockAtEnd;
      if (finding && !this.blocked) this.block({ ...channel.locate(finding), action: 'block' });
    }
  }

  private block(found: OutputFinding): void {
    this.blocked = found;
    this.catchUp();
  }

  private releasePart(head: Queued): Piece | undefined {
    const place = head.places[0];
    if (!head.piece.divisible || !place) return undefined;
    const upTo = place.channel.releasable - place.start;
    if (upTo <= head.released) return undefined;
    const from = head.released;
    head.released = upTo;
    return this.render(head, from, upTo);
  }

  /** The piece with [from, to) of its texts, edits made; cut, and the answer over, where a block begins. */
  private render(head: Queued, from: number, to: number | undefined): Piece | undefined {
    const texts = head.piece.slots.map((slot, at) => {
      const { channel, start: begin, leadStart } = head.places[at] as Queued['places'][number];
      const start = begin + from;
      const text = slot.text.slice(from, to);
      const block = channel.blockWithin(from === 0 ? leadStart : start, start + text.length);
      if (!block || this.blocked) return this.blocked ? '' : channel.render(text, start);
      this.block({ ...channel.locate(block.finding), action: 'block' });
      return channel.renderLast(text.slice(0, Math.max(0, block.at - start)), start);
    });
    if (to === undefined && !this.blocked) this.blockAtEnd(head.ended);
    // The end of a piece that is cut says more than its texts (a finish reason): only its texts leave.
    if (this.blocked && texts.every((text) => text === '')) return undefined;
    return withTexts(head.piece, texts);
  }
}

/** Whether a name begins with one of the prefixes; takes as long however many there are of one length. */
function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  return (name) => lengths.some((length) => known.has(name.slice(0, length)));
}

function tooManyTexts(limit: string): GatewayError {
  return new GatewayError('provider_error', `The provider gave an answer of more than ${limit}.`, {
    internal: `more than ${limit}`,
  });
}

type OpenStream = (
  detectors: readonly AnswerDetector[],
  isNew?: (finding: Finding) => boolean,
  reading?: Reading,
) => FindingStream;

function runOf({ run, channel }: TextSlot): string {
  return run ?? channel;
}

/** One text of the answer as it grows: that of a channel, or of a run of them. */
class Channel {
  /** Its channels, and where in the text each begins. */
  private readonly parts: { readonly name: string; readonly start: number; closed: boolean }[] = [];
  private readonly known = new Set<string>();
  /** undefined once the text has ended: it holds the state of every rule. */
  private stream: FindingStream | undefined;
  private readonly open: OpenStream;
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: (found: OutputFinding) => void;
  /** Units so far. */
  length = 0;
  private ended = false;
  /** The text behind what came before it; undefined once nothing can span both. */
  private following: FindingStream | undefined;
  /** How long that is. */
  private before = 0;
  /** Everything before it has left. */
  private released = 0;
  /** As they came: which of two that overlap comes first may show only later. */
  private edits: TextEdit[] = [];
  private untold: Finding[] = [];
  private readonly blocks: Block[] = [];
  /** The text's end, from where a placeholder may be open; kept only where there are placeholders to put back. */
  private tail = '';
  /** From the text with originals put back, which is what is inspected, to the text as it came; absent where there are none. */
  private readonly restored: PositionMap | undefined;
  /** Where placeholders that were put back begin, and where each ends. */
  private readonly placeholders = new Map<number, number>();
  /** The text that a seam may have to read again. */
  private readonly recent = new TextWindow();
  private seam: Seam | undefined;
  /** Found since the seam was opened: in the joined text, and by the seam. */
  private sinceSeam: Finding[] = [];
  private atSeam: Finding[] = [];
  private readonly streams: boolean;
  private readonly isReadOnly: boolean;
  /** Of a text that is JSON itself. */
  private readonly strings: JsonStrings | undefined;

  constructor(
    stream: FindingStream,
    open: OpenStream,
    policy: Policy,
    redaction: Redaction,
    report: (found: OutputFinding) => void,
    { streams, isJson, isReadOnly }: { streams: boolean; isJson: boolean; isReadOnly: boolean },
  ) {
    this.streams = streams;
    this.isReadOnly = isReadOnly;
    this.restored = redaction.isEmpty || isReadOnly ? undefined : new PositionMap();
    this.strings = isJson ? new JsonStrings() : undefined;
    this.stream = stream;
    this.open = open;
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
  }

  /** Whether it has had text of one of its channels. */
  has(name: string): boolean {
    return this.known.has(name);
  }

  /** Takes text that has left before, which clients may join with what is to come. */
  follow(before: string): void {
    this.before = before.length;
    this.following = this.open([], ({ start, end }) => start < before.length && end > before.length, 'shallow');
    this.following.push(before);
  }

  /** Takes more text of one of its channels, with `last` the rest of it. */
  push(name: string, text: string, last: boolean): void {
    const isSeam = this.begin(name) && this.length > 0;
    if (isSeam) this.openSeam(text);
    this.length += text.length;
    this.recent.push(text);
    this.strings?.push(text);
    this.ended = last;
    const shown = this.restored === undefined ? text : this.restore(text, last, this.restored);
    this.take(this.asCame((last ? this.stream?.end(shown) : this.stream?.push(shown)) ?? []));
    this.readSeam(text, isSeam);
    this.readFollowing(text, last);
    if (last) this.stream = undefined;
    else this.recent.forget(Math.min(this.settled, this.length - CONTEXT_UNITS));
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** Ends what is closed: the text, or the channel that has grown last. */
  close(closing: (name: string) => boolean, run: string): void {
    if (closing(run)) this.end();
    const part = this.parts.at(-1);
    if (part !== undefined && closing(part.name)) part.closed = true;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.restored?.addLinear(this.tail.length);
    this.take(this.asCame(this.stream?.end(this.tail) ?? []));
    this.stream = undefined;
    this.readSeam('', false);
    this.readFollowing('', true);
  }

  catchUp(): void {
    if (this.ended) return;
    this.take(this.asCame(this.stream?.catchUp() ?? []));
    if (this.seam === undefined) return;
    this.act(this.seam.catchUp(), this.atSeam);
    this.tellOfSeam();
  }

  /** A finding as a range of the channel in which it begins. */
  locate(finding: Finding): Omit<OutputFinding, 'action'> {
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

  /** Whether the text is of another channel than the text before it. */
  private begin(name: string): boolean {
    const { parts, ended } = this;
    const last = parts.at(-1);
    const isNext = last?.name !== name;
    if (ended || (isNext ? this.known.has(name) : last.closed))
      throw new GatewayError('provider_error', 'The provider gave text after the end of its answer.');
    if (isNext) parts.push({ name, start: this.length, closed: false });
    this.known.add(name);
    return isNext;
  }

  private openSeam(text: string): void {
    if (
      this.seam !== undefined ||
      SPACE.test(text[0] ?? '') ||
      SPACE.test(this.recent.slice(this.length - 1, this.length))
    )
      return;
    const from = Math.max(0, Math.min(this.settled, this.length - CONTEXT_UNITS));
    const before = this.recent.slice(from, this.length);
    this.seam = new Seam((isNew) => this.open([], isNew), before, from);
  }

  private readSeam(text: string, begins: boolean): void {
    const { seam } = this;
    if (seam === undefined) return;
    if (text !== '') this.act(seam.push(text, begins), this.atSeam);
    if (!this.ended && !seam.isOver) return;
    if (!this.ended) this.take(this.asCame(this.stream?.catchUp() ?? []));
    this.act(this.ended ? seam.end() : seam.catchUp(), this.atSeam);
    this.tellOfSeam();
    this.seam = undefined;
    this.sinceSeam = [];
  }

  /** Reports what the seam found, unless the joined text shows it or more of it. */
  private tellOfSeam(): void {
    const isSame = (a: Rule, b: Rule) =>
      a === b || (a.type === b.type && a.forcedAction === undefined && b.forcedAction === undefined);
    const isKnown = ({ rule, start, end }: Finding) =>
      this.sinceSeam.some((known) => isSame(known.rule, rule) && known.start < end && start < known.end);
    this.untold.push(...this.atSeam.filter((finding) => !isKnown(finding)));
    this.atSeam = [];
    this.tell(this.released);
  }

  /** The offset before which nothing can change any more. */
  get releasable(): number {
    if (this.ended || this.isReadOnly) return this.length;
    return Math.min(this.settled, this.seam?.settled ?? this.length);
  }

  private get settled(): number {
    const settled = this.stream?.settled ?? this.length;
    const settledAsCame =
      this.restored === undefined || this.stream === undefined ? settled : this.restored.rawStart(settled);
    return this.following === undefined ? settledAsCame : Math.min(settledAsCame, this.following.settled - this.before);
  }

  /** Acts on what begins in the text before this one and goes on in it. */
  private readFollowing(text: string, last: boolean): void {
    const { following, before } = this;
    if (following === undefined) return;
    const found = last ? following.end(text) : following.push(text);
    const spanning = found.filter(({ start, end }) => start < before && end > before);
    const acting = spanning.filter((finding) => ['block', 'redact'].includes(this.actionFor(finding)));
    this.take(acting.map((finding) => ({ ...finding, start: 0, end: finding.end - before })));
    if (last || following.settled >= before) this.following = undefined;
  }

  /** The first block that begins in the range. */
  blockWithin(start: number, end: number): Block | undefined {
    if (this.blocks.length === 0) return undefined;
    const within = this.blocks.filter(({ at }) => at >= start && at < end);
    return within.sort((a, b) => a.at - b.at)[0];
  }

  /** A block of a text that is over, all of which may leave. */
  get blockAtEnd(): Finding | undefined {
    return this.ended ? this.blockWithin(this.length, Number.POSITIVE_INFINITY)?.finding : undefined;
  }

  /** The text with its edits made; it leaves now. */
  render(text: string, start: number): string {
    if (this.edits.length === 0) {
      this.released = start + text.length;
      this.strings?.forget(this.released);
      this.tell(this.released);
      return text;
    }
    const out = renderEdits(
      text,
      start,
      mergeEdits(this.edits).map((edit) => this.aligned(edit)),
    );
    this.released = start + text.length;
    this.edits = this.edits.filter((edit) => this.aligned(edit).end > this.released);
    this.strings?.forget(Math.min(this.released, ...this.edits.map((edit) => edit.start)));
    this.tell(this.released);
    return out;
  }

  private aligned(edit: TextEdit): TextEdit {
    return this.strings?.align(edit) ?? edit;
  }

  /** The text before a block, the last that leaves. */
  renderLast(text: string, start: number): string {
    const out = this.render(text, start);
    this.tell(this.released + 1);
    return out;
  }

  take(findings: readonly Finding[]): void {
    if (this.seam !== undefined) this.sinceSeam.push(...findings);
    this.act(findings, this.untold);
    this.tell(this.released);
  }

  /** Makes blocks and redactions of findings that are still to be reported. */
  private act(findings: readonly Finding[], untold: Finding[]): void {
    for (const finding of findings) {
      const action = this.actionFor(finding);
      // Of a whole answer nothing has left.
      const at = (this.streams ? finding.cutsAt : undefined) ?? finding.start;
      if (action === 'block') this.blocks.push({ at, finding });
      if (action === 'redact') this.edits.push({ start: finding.start, end: finding.end, text: redacted(finding) });
      untold.push(finding);
    }
  }

  /** Reports the findings that begin before the offset. */
  private tell(before: number): void {
    if (this.untold.length === 0) return;
    const told = this.untold.filter((finding) => finding.start < before);
    if (told.length === 0) return;
    this.untold = this.untold.filter((finding) => finding.start >= before);
    for (const finding of told.sort(compareFindings))
      this.report({ ...this.locate(finding), action: this.actionFor(finding) });
  }

  private actionFor(finding: Finding): Action {
    const action = this.policy.decide(finding, 'output');
    return this.isReadOnly && action !== 'allow' ? 'flag' : action;
  }

  /**
   * The text for which no placeholder is open any more, with originals put back: what the caller gets is what is judged. In an address
   * the placeholder stays.
   */
  private restore(text: string, last: boolean, restored: PositionMap): string {
    const known = this.tail + text;
    const from = this.length - known.length;
    const ready = last ? known : known.slice(0, this.redaction.openFrom(known));
    this.tail = known.slice(ready.length);
    const found = this.redaction.restorations(ready, from);
    const edits = this.strings ? found.map((edit) => ({ ...edit, text: escaped(edit.text) })) : found;
    let at = from;
    for (const { start, end, text } of edits) {
      restored.addLinear(start - at);
      restored.addAtom(end - start, text.length);
      this.placeholders.set(start, end);
      at = end;
    }
    restored.addLinear(from + ready.length - at);
    this.edits.push(...edits.filter(({ start }) => !this.isInAddress(start)));
    return renderEdits(ready, from, edits);
  }

  /** Whether what is put back here would be part of an address, which whoever serves it reads. */
  private isInAddress(start: number): boolean {
    const before = this.recent.slice(Math.max(0, start - ADDRESS_UNITS), start);
    let from = before.length;
    while (from > 0 && !OUTSIDE_OF_ADDRESS.test(before[from - 1] as string)) from -= 1;
    return from === 0 ? before.length === ADDRESS_UNITS || before.includes('//') : before.indexOf('//', from) >= 0;
  }

  /** Findings in the text as it came, without those of the caller's own data. */
  private asCame(findings: readonly Finding[]): readonly Finding[] {
    const { restored } = this;
    if (restored === undefined) return findings;
    return findings.flatMap((finding) => {
      const { rule, cutsAt } = finding;
      const start = restored.rawStart(finding.start);
      const end = restored.rawEnd(finding.end);
      if (this.isOwn(rule, start, end)) return [];
      return { ...finding, start, end, ...(cutsAt !== undefined && { cutsAt: restored.rawStart(cutsAt) }) };
    });
  }

  /** Whether a finding is in an original alone, which only a policy's own rule can block, or is personal data that one is part of. */
  private isOwn({ type, forcedAction }: Rule, start: number, end: number): boolean {
    if (this.placeholders.get(start) === end) return forcedAction !== 'block';
    if (type !== 'pii' || forcedAction !== undefined) return false;
    // What stands before an original may read as its beginning: the `n` of a line break in JSON.
    for (let at = start; at < end; at += 1) if (this.placeholders.has(at)) return true;
    return false;
  }
}
