import type { Steps } from '../../kernel/tasks/index.ts';
import { decoderOf, type PartReader, type Resolved } from './decode-text.ts';
import { decodeBase64 } from './find-files.ts';
import { fromQuotedPrintable, fromQuotedWord } from './quoted-printable.ts';

/** These lines take about a millisecond. */
const STEP_LINES = 2_048;
const STEP_FIELDS = 256;
/** Header lines have 998 characters at most; a field has some of them. */
const MAX_FIELD = 32 * 1024;
/** Longer than the names of charsets, which reports quote. */
const MAX_LABEL = 40;
/** Mails have some tens of parts. */
const MAX_PARTS = 1_000;
const LINE = /([^\r\n]*)(?:\r\n|\r|\n|$)/g;
const ENCODING_FIELD = /^content-transfer-encoding[ \t]*:/im;
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/s;
/** `From ann@example.com Mon ...` begins a mail in a file of several. */
const NEXT_MAIL = /^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) /;
const MULTIPART = /^[ \t\r\n]*multipart\//i;
const BOUNDARY = /boundary(?:\*\d*\*?)?[ \t]*=[ \t]*(?:"([^"\r\n]+)"|([^\s;"]+))/gi;
const CHARSET = /charset[ \t]*=[ \t]*["']?([\w.:-]+)/i;
/** Comments may surround the encoding, and some readers accept quotation marks. */
const COMMENT = /\([^()]*\)/g;
const ENCODING = /^"?([\w-]+)/;
const WORD = /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bq])\?([^?\r\n]*)\?=/gi;
const WORDS = /(?:=\?[\w.:-]+(?:\*[\w-]*)?\?[bq]\?[^?\r\n]*\?=)+/gi;
/** White space between encoded words is not shown. */
const BETWEEN_WORDS = /\?=[ \t\r\n]+=\?/g;
const PLAIN_ENCODINGS = new Set(['', '7bit', '8bit', 'binary']);

/** Whether a text is a mail, or several, with encoded parts or header fields; also a saved web page (MHTML). */
export function isMail(text: string): boolean {
  return ENCODING_FIELD.test(text) || (FIELD.test(firstLine(text)) && /=\?|charset[ \t]*=/i.test(text));
}

function firstLine(text: string): string {
  const line = /[^\r\n\ufeff]+/.exec(text)?.[0] ?? '';
  return NEXT_MAIL.test(line) ? 'From:' : line;
}

/** The header fields and parts of a mail, decoded; undefined if nothing is encoded. One pass, whatever the structure. */
export function* mailText(text: string, read: PartReader): Steps<Resolved | undefined> {
  const reader = new MailReader(text, read);
  let count = 0;
  for (const { 0: whole, 1: line = '', index } of text.matchAll(LINE)) {
    if (whole !== '') yield* reader.take(line, index, index + whole.length);
    count += 1;
    if (count % STEP_LINES === 0) yield;
  }
  return yield* reader.end();
}

class MailReader {
  private readonly text: string;
  private readonly read: PartReader;
  private readonly boundaries = new Set<string>();
  private readonly shown: string[] = [];
  /** Header fields, unfolded; undefined in a body. */
  private fields: string[] | undefined = [];
  private isAtStart = true;
  private bodyStart = 0;
  private encodings = new Set(['']);
  private charset: string | undefined;
  private isChanged = false;
  private parts = 0;
  private unread: string | undefined;

  constructor(text: string, read: PartReader) {
    this.text = text;
    this.read = read;
  }

  *take(line: string, start: number, end: number): Steps<void> {
    const isNext = NEXT_MAIL.test(line);
    // A reader of one mail goes on decoding; what the next mails encode is not read.
    if (isNext && !this.isPlain()) this.unread ??= 'several mails in one file';
    if (this.isBoundary(line) || (isNext && this.isPlain())) {
      yield* this.endPart(start);
      this.fields = [];
    } else if (this.fields === undefined) {
      if (!this.isPlain() || !ENCODING_FIELD.test(line)) return;
      // A header that another parser finds here, behind lines that it leaves out.
      yield* this.endPart(start);
      this.fields = [line];
    } else yield* this.takeField(line, start, end);
  }

  *end(): Steps<Resolved | undefined> {
    yield* this.endPart(this.text.length);
    if (!this.isChanged && this.unread === undefined) return undefined;
    const text = this.isChanged ? this.shown.join('\n') : '';
    return { text, ...(this.unread !== undefined && { unread: this.unread }) };
  }

  private *takeField(line: string, start: number, end: number): Steps<void> {
    const fields = this.fields as string[];
    if (line.trim() === '') {
      if (this.isAtStart && fields.length === 0) return;
      yield* this.beginBody(end);
    } else if (/^[ \t]/.test(line) && fields.length > 0) fields.push(`${fields.pop()} ${line.trim()}`);
    else if (FIELD.test(line.replace(/^\ufeff/, ''))) fields.push(line);
    else yield* this.beginBody(start);
    this.isAtStart = false;
  }

  private *beginBody(at: number): Steps<void> {
    const encodings: string[] = [];
    const types: string[] = [];
    for (const [count, field] of (this.fields ?? []).entries()) {
      if (count % STEP_FIELDS === STEP_FIELDS - 1) yield;
      const [, name = '', value = ''] = FIELD.exec(field) ?? [];
      if (/^content-transfer-encoding$/i.test(name)) encodings.push(encodingIn(value));
      if (/^content-type$/i.test(name)) types.push(value);
      this.shown.push(this.decodeWords(field));
    }
    this.encodings = new Set(encodings.length === 0 ? [''] : encodings);
    this.readTypes(types);
    this.fields = undefined;
    this.bodyStart = at;
  }

  private readTypes(types: readonly string[]): void {
    this.charset = CHARSET.exec(types.join(' '))?.[1]?.slice(0, MAX_LABEL);
    const isMultipart = types.some((type) => MULTIPART.test(type));
    // Parsers differ in which of two fields counts, and whether several parts can be encoded together.
    if (types.length > 1 || (isMultipart && !this.isPlain())) this.unread ??= 'a mail with an ambiguous part';
    for (const [, quoted, bare] of isMultipart ? types.join(' ').matchAll(BOUNDARY) : [])
      this.boundaries.add((quoted ?? bare ?? '').trimEnd());
  }

  private isPlain(): boolean {
    return [...this.encodings].every((name) => PLAIN_ENCODINGS.has(name));
  }

  private isBoundary(line: string): boolean {
    if (!line.startsWith('--')) return false;
    const name = line.slice(2).trimEnd();
    return this.boundaries.has(name) || (name.endsWith('--') && this.boundaries.has(name.slice(0, -2)));
  }

  private *endPart(end: number): Steps<void> {
    if (this.fields !== undefined) yield* this.beginBody(end);
    const body = this.text.slice(this.bodyStart, end);
    const encodings = this.encodings;
    this.encodings = new Set(['']);
    if (body.trim() === '') return;
    this.parts += 1;
    if (this.parts > MAX_PARTS) {
      this.unread ??= 'a mail with very many parts';
      return;
    }
    for (const encoding of encodings) {
      const bytes = yield* bytesOf(body, encoding);
      const part = bytes && (yield* this.read(bytes, { charset: this.charset }));
      if (bytes === undefined) this.unread ??= 'a mail part in an unknown encoding';
      else if (part === undefined || part.unread !== undefined) this.unread ??= part?.unread ?? 'an attachment';
      this.isChanged ||= part !== undefined && part.text !== body;
      this.shown.push(part?.text ?? '');
    }
  }

  private decodeWords(field: string): string {
    if (field.length > MAX_FIELD && field.includes('=?')) {
      this.unread ??= 'a mail with a very long field';
      return field;
    }
    const shown = field.replace(BETWEEN_WORDS, '?==?').replace(WORDS, (words) => {
      const decoded: { charset: string; bytes: Uint8Array[] }[] = [];
      for (const [, charset = '', kind = '', content = ''] of words.matchAll(WORD)) {
        const bytes = kind.toLowerCase() === 'q' ? fromQuotedWord(content) : Buffer.from(content, 'base64');
        const last = decoded.at(-1);
        // A character may be split over two words.
        if (last?.charset === charset.toLowerCase()) last.bytes.push(bytes);
        else decoded.push({ charset: charset.toLowerCase(), bytes: [bytes] });
      }
      return decoded.map(({ charset, bytes }) => this.decodeBytes(charset, Buffer.concat(bytes))).join('');
    });
    this.isChanged ||= shown !== field;
    return shown;
  }

  private decodeBytes(charset: string, bytes: Uint8Array): string {
    const decoder = decoderOf(charset);
    if (decoder === undefined) this.unread ??= `charset ${charset.slice(0, MAX_LABEL)}`;
    return (decoder ?? new TextDecoder('latin1')).decode(bytes);
  }
}

/** The name of a part's encoding; the whole value if it begins with none. */
function encodingIn(value: string): string {
  const named = value.replace(COMMENT, ' ').trim();
  return (ENCODING.exec(named)?.[1] ?? named).toLowerCase();
}

/** The bytes of a part; undefined for an unknown encoding. */
function* bytesOf(body: string, encoding: string): Steps<Uint8Array | undefined> {
  if (encoding === 'quoted-printable') return yield* fromQuotedPrintable(body);
  if (encoding === 'base64') return decodeBase64(body);
  return PLAIN_ENCODINGS.has(encoding) ? Buffer.from(body) : undefined;
}
