import type { RequestText } from '../../kernel/model/index.ts';
import { type ConcatenatedText, ConcatenatedTextBuilder, type PlaceInText } from './concatenated-text.ts';

/** Between two marks only this much of each end of a text is read with them. */
const EDGE_UNITS = 1024;
/** Units read at a time, with up to MAX_AGAIN of their end read again with the next window. */
const WINDOW_UNITS = 16_384;
const WINDOW_MARKS = 4096;
const MAX_AGAIN = 1024;
/** Units searched at a time. */
const STEP_UNITS = 65_536;
/** From this number on, marks between two letters are no coincidence. */
const MANY_MARKS = 8;

/** Tags, comments and CDATA sections. Character references are resolved in every text (escapes.ts). */
const MARKUP = /<!--|<!\[CDATA\[|\]\]>|<[/a-z!?][^<>]*>/iy;
/** What they begin with. */
const TAG = '<';
const CDATA_END = ']]>';
const COMMENT = '<!--';
const COMMENT_END = '-->';
/** Elements that start a new line; the content of others continues the same word. */
const BLOCK =
  /^<\/?(?:address|article|aside|blockquote|body|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|main|nav|ol|option|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)\b/i;
/** Tags that are not known as inline: an element of data ends a value. */
const NOT_INLINE =
  /<(?!\/?(?:a|abbr|b|bdi|bdo|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tspan|tt|u|var|wbr)\b|!--|!\[CDATA\[)/i;
const LETTERS = /[\p{L}\p{N}]/u;

/** A part of a text without its markup. */
export interface TextWithoutMarkup {
  readonly joined: ConcatenatedText;
  /** Whether markup splits its words. */
  readonly isCut: boolean;
  /** Whether a finding in these places is not in the text with its markup. */
  readonly isNew: (places: readonly PlaceInText[], isPersonal: boolean) => boolean;
}

/** A range that is not shown. */
interface Mark {
  readonly start: number;
  readonly end: number;
  /** Whether it separates the texts around it. */
  readonly parts: boolean;
}

/** Whether a text may have markup; names have none. */
export function mayHaveMarkup({ text, name }: RequestText): boolean {
  return name === undefined && (text.includes(TAG) || text.includes(CDATA_END));
}

/**
 * Yields a text without its markup, if it has any; undefined regularly, for a pause.
 * @param source the index of the text in its request
 */
export function* textsWithoutMarkup(text: RequestText, source: number): Generator<TextWithoutMarkup | undefined> {
  let window = new Window(text, source);
  for (const mark of markupIn(text.text)) {
    if (mark === undefined) {
      yield undefined;
      continue;
    }
    if (window.isFarFrom(mark)) {
      yield window.close(mark.start);
      window = new Window(text, source, mark.start - EDGE_UNITS);
    } else if (window.isFull) {
      yield window.close(mark.start);
      window = window.next();
    }
    window.take(mark);
  }
  yield window.close(text.text.length);
}

function* markupIn(text: string): Generator<Mark | undefined> {
  let commentEnd = 0;
  let pause = STEP_UNITS;
  let nextTag = -1;
  let nextEnd = -1;
  for (let at = 0; ; at += 1) {
    if (nextTag < at) nextTag = indexOf(text, TAG, at);
    if (nextEnd < at) nextEnd = indexOf(text, CDATA_END, at);
    at = Math.min(nextTag, nextEnd);
    if (at === Number.POSITIVE_INFINITY) return;
    if (at >= pause) {
      pause = at + STEP_UNITS;
      yield undefined;
    }
    MARKUP.lastIndex = at;
    const mark = MARKUP.exec(text)?.[0];
    if (mark === undefined) continue;
    let end = at + mark.length;
    if (mark === COMMENT) {
      if (commentEnd >= 0 && commentEnd < end) commentEnd = text.indexOf(COMMENT_END, end);
      if (commentEnd < 0) continue;
      end = commentEnd + COMMENT_END.length;
    }
    yield { start: at, end, parts: BLOCK.test(mark) };
    at = end - 1;
  }
}

/** Infinity if there is none. */
function indexOf(text: string, start: string, from: number): number {
  const at = text.indexOf(start, from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** A stretch of a text without its markup. */
class Window {
  private readonly text: RequestText;
  private readonly source: number;
  private readonly builder: ConcatenatedTextBuilder;
  /** The offset up to which the text is read. */
  private at: number;
  private separator = '';
  private readonly marks: { readonly mark: Mark; readonly shownAt: number }[] = [];
  private cuts = 0;

  constructor(text: RequestText, source: number, from = 0) {
    this.text = text;
    this.source = source;
    this.builder = new ConcatenatedTextBuilder(text.surface);
    this.at = Math.max(0, from);
  }

  get isFull(): boolean {
    return this.marks.length >= WINDOW_MARKS || this.builder.length >= WINDOW_UNITS;
  }

  isFarFrom({ start }: Mark): boolean {
    return this.marks.length > 0 && start - this.at > 2 * EDGE_UNITS;
  }

  take(mark: Mark): void {
    const { start, end, parts } = mark;
    this.read(this.marks.length === 0 ? Math.max(this.at, start - EDGE_UNITS) : this.at, start);
    this.marks.push({ mark, shownAt: this.builder.length });
    if (parts) this.separator = '\n';
    const around = [this.text.text[start - 1] ?? '', this.text.text[end] ?? ''];
    if (around.every((unit) => unit === '<' || unit === '>' || LETTERS.test(unit))) this.cuts += 1;
    this.at = end;
  }

  /** @param end the start of the next mark */
  close(end: number): TextWithoutMarkup | undefined {
    this.read(this.at, Math.min(end, this.at + EDGE_UNITS));
    const joined = this.builder.build();
    if (joined === undefined) return undefined;
    const isNew: TextWithoutMarkup['isNew'] = (places, isPersonal) => {
      const [first, last] = [places[0], places.at(-1)];
      if (first === undefined || last === undefined) return false;
      if (places.length < 2 || !isPersonal) return places.length > 1;
      return !NOT_INLINE.test(this.text.text.slice(first.start, last.end));
    };
    return { joined, isCut: this.cuts >= MANY_MARKS, isNew };
  }

  /** The next window, which reads the end of this one again. */
  next(): Window {
    const { length } = this.builder;
    const isAgain = ({ shownAt }: { readonly shownAt: number }) => shownAt > length - EDGE_UNITS;
    const first = this.marks.length - this.marks.slice(1 - MAX_AGAIN).filter(isAgain).length;
    const next = new Window(this.text, this.source, this.marks[first - 1]?.mark.end ?? this.at);
    for (const { mark } of this.marks.slice(first)) next.take(mark);
    return next;
  }

  private read(from: number, to: number): void {
    if (to <= from) return;
    this.builder.add(this.source, this.text.text, from, to, this.separator);
    this.separator = '';
    this.at = to;
  }
}
