import type { Steps } from '../../kernel/tasks/index.ts';
import { type Decoder, decoderOf, type Resolved } from './decode-text.ts';

/** Real documents nest some tens of groups. */
const MAX_DEPTH = 1_000;
/** Escaped bytes that are decoded together; an even number, for characters of two bytes. */
const MAX_BYTES = 4_096;
/** These tokens take about a millisecond. */
const STEP_TOKENS = 1_024;

/** A control word with its number and the space that ends it, an escaped byte, a symbol, a brace, or text. */
const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi;

/** Groups that are no text of the page. Their text is read too, after the page's. */
const ASIDE = new Set('fonttbl colortbl stylesheet info filetbl listtable rsidtbl'.split(' '));
/** Groups whose digits are themes and settings of Word. */
const SETTINGS = new Set('themedata colorschememapping datastore latentstyles'.split(' '));
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ par: '\n', line: '\n', page: '\n', sect: '\n', row: '\n', column: '\n', softline: '\n', tab: '\t', cell: '\t' },
  ...{ emdash: '\u2014', endash: '\u2013', bullet: '\u2022', emspace: ' ', enspace: ' ', qmspace: ' ' },
  ...{ lquote: '\u2018', rquote: '\u2019', ldblquote: '\u201c', rdblquote: '\u201d' },
};
const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ '\\': '\\', '{': '{', '}': '}', '~': '\u00a0', _: '\u2011', '\n': '\n', '\r': '\n' },
};
/** Code pages of fonts, by `\fcharset`. */
const FONT_CODE_PAGES: Readonly<Record<number, number>> = {
  ...{ 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257 },
  ...{ 204: 1251, 222: 874, 238: 1250 },
};
const LABELS: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

/** What a group inherits from the one around it. */
interface Group {
  /** Where its text goes. */
  readonly place: 'page' | 'aside' | 'nowhere';
  /** Hidden or deleted text: readers show the text around it as one. */
  readonly isHidden: boolean;
  /** Characters after `\u` that repeat the same one for older readers. */
  readonly fallbacks: number;
  readonly codePage: number;
}

/** Readers differ in what they accept before the first word, and in its case. */
const START = /\{\s{0,8}\\rtf/i;

/** Whether a text is a document in Rich Text Format. */
export function isRtf(text: string): boolean {
  return START.test(text.slice(0, 1024));
}

/** The text of an RTF document as a reader shows it, then hidden text and text of its tables. One pass. */
export function* rtfText(text: string): Steps<Resolved> {
  const reader = new RtfReader();
  let count = 0;
  let binaryEnd = 0;
  for (const token of text.matchAll(TOKEN)) {
    if (token.index >= binaryEnd) binaryEnd = token.index + token[0].length + reader.take(token);
    count += 1;
    if (count % STEP_TOKENS === 0) yield;
  }
  return reader.end();
}

class RtfReader {
  private readonly written = { page: '', aside: '' };
  private readonly outer: Group[] = [];
  private readonly codePages = new Map<number, number>();
  private readonly decoders = new Map<number, Decoder>();
  private group: Group = { place: 'page', isHidden: false, fallbacks: 1, codePage: 1252 };
  private standardPage = 1252;
  private font = 0;
  private toSkip = 0;
  private isIgnorable = false;
  private bytes: number[] = [];
  private unread: string | undefined;

  /** Reads a token. @returns the number of characters of binary data after it */
  take([, word, number, byte, symbol, brace, shown]: RegExpExecArray): number {
    if (byte !== undefined) this.addByte(Number.parseInt(byte, 16));
    else if (shown !== undefined) this.add(shown.slice(this.fallback(shown.length)));
    else if (brace === '{') this.open();
    else if (brace === '}') this.close();
    else if (symbol === '*') this.isIgnorable = true;
    else if (symbol !== undefined) this.add((SYMBOLS[symbol] ?? '').slice(this.fallback(1)));
    else if (word !== undefined) return this.control(word, number === undefined ? undefined : Number(number));
    return 0;
  }

  end(): Resolved {
    this.flush();
    const text = [this.written.page, this.written.aside].filter((part) => part !== '').join('\n\n');
    return { text, ...(this.unread !== undefined && { unread: this.unread }) };
  }

  private open(): void {
    this.flush();
    if (this.outer.length >= MAX_DEPTH) this.unread = 'RTF with too many groups';
    else this.outer.push(this.group);
    this.toSkip = 0;
    this.isIgnorable = false;
  }

  private close(): void {
    this.flush();
    if (this.group.place === 'aside' && this.outer.at(-1)?.place === 'page') this.written.aside += '\n';
    this.group = this.outer.pop() ?? this.group;
    this.toSkip = 0;
  }

  private control(word: string, number: number | undefined): number {
    const isIgnorable = this.isIgnorable;
    this.isIgnorable = false;
    if (word === 'bin') {
      this.unread = 'RTF with binary data';
      return Math.max(0, number ?? 0);
    }
    if (word === 'u' && number !== undefined) {
      this.add(String.fromCharCode(number & 0xffff));
      this.toSkip = this.group.fallbacks;
    } else if (CHARACTERS[word] !== undefined) this.add(CHARACTERS[word]);
    else this.setProperty(word, number, isIgnorable);
    return 0;
  }

  private setProperty(word: string, number: number | undefined, isIgnorable: boolean): void {
    this.flush();
    const set = (changes: Partial<Group>) => {
      this.group = { ...this.group, ...changes };
    };
    if (word === 'pict' || word === 'objdata') {
      this.unread = word === 'pict' ? 'RTF with a picture' : 'RTF with an object';
      set({ place: 'nowhere' });
    } else if (SETTINGS.has(word)) set({ place: 'nowhere' });
    else if (isIgnorable || ASIDE.has(word)) set({ place: this.group.place === 'nowhere' ? 'nowhere' : 'aside' });
    else if (word === 'v' || word === 'deleted') set({ isHidden: number !== 0 });
    else if (word === 'plain') set({ isHidden: false });
    else if (word === 'uc') set({ fallbacks: Math.max(0, number ?? 1) });
    else if (word === 'ansicpg' && number !== undefined) {
      this.standardPage = number;
      set({ codePage: number });
    } else if (word === 'f') {
      this.font = number ?? 0;
      set({ codePage: this.codePages.get(this.font) ?? this.standardPage });
    } else if (word === 'fcharset') this.codePages.set(this.font, FONT_CODE_PAGES[number ?? 0] ?? this.standardPage);
  }

  /** How many of the next characters repeat the character before them. */
  private fallback(most: number): number {
    const skipped = Math.min(most, this.toSkip);
    this.toSkip -= skipped;
    return skipped;
  }

  private addByte(byte: number): void {
    if (this.fallback(1) > 0) return;
    this.bytes.push(byte);
    if (this.bytes.length >= MAX_BYTES) this.flush();
  }

  private add(text: string): void {
    this.flush();
    const { place, isHidden } = this.group;
    if (place !== 'nowhere') this.written[isHidden ? 'aside' : place] += text;
  }

  /** Adds the escaped bytes before this: together, since a character may have two. */
  private flush(): void {
    if (this.bytes.length === 0) return;
    const bytes = this.bytes;
    this.bytes = [];
    const isAscii = bytes.every((byte) => byte < 0x80);
    this.add(isAscii ? String.fromCharCode(...bytes) : this.decoder().decode(Uint8Array.from(bytes)));
  }

  private decoder(): Decoder {
    const { codePage } = this.group;
    let decoder = this.decoders.get(codePage);
    if (decoder === undefined) {
      decoder = decoderOf(LABELS[codePage] ?? `windows-${codePage}`);
      if (decoder === undefined) this.unread = `RTF in code page ${codePage}`;
      decoder ??= new TextDecoder('latin1');
      this.decoders.set(codePage, decoder);
    }
    return decoder;
  }
}
