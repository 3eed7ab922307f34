import { AnyTagReader } from './any-tag-reader.ts';
import { CharacterReferences } from './character-references.ts';
import { JsonTextReader } from './json-text-reader.ts';
import { LinkReader } from './link-reader.ts';
import { TagReader } from './tag-reader.ts';

/**
 * Decides whether text that follows would be part of an address to another host: in `https://host/?q=` it would, after the space behind it not.
 *
 * A browser decides that in two steps, and so do we. HTML, Markdown and CSS say which characters are an address and where it ends: a word in
 * plain text, all up to the quote in `src="..."`. The URL standard says where the address leads: `https:\\host`, `http:/host` and `/\host`
 * lead to another host, `/docs` and `C:\Users` do not. Two readers take the first step, and each can only add addresses:
 *
 *     LinkReader  text, Markdown, CSS   See https://host/?q=...   [x](<https://host/a b...>)   url("//host/...")
 *     TagReader   HTML                  <img srcset="a 1x, \\host/...">   <meta content="0;url=https://host/a b...">
 *
 * Both see only text before the place in question, so that a stream never waits for them, and keep 256 characters of it. An unclosed quote or
 * tag goes on to the end, as in a browser. What must never happen: that a split of the text changes the result.
 */
export interface AddressReader {
  /** Takes the next text, as the client receives it. */
  read(text: string): void;
  /** Whether text at this place would be part of an address. */
  isInAddress(): boolean;
}

/** Text that a client shows above others, on the same page. */
export interface TextAbove {
  /** A `<base>` in it has made relative addresses lead to another host. */
  readonly hasOtherBase: boolean;
}

/** Opens a reader of text that clients show above other texts. */
export function openTextAbove(): TextAbove & Pick<AddressReader, 'read'> {
  return new MarkupReader();
}

/**
 * Opens a reader of a text; of a JSON text, each string is a separate text. `argument`: the text is one string of such a JSON text that is
 * parsed already, in the member of this name. Arguments are shown below nothing.
 */
export function openAddressReader(isJson: boolean, argument?: string, above?: TextAbove): AddressReader {
  if (isJson) return openJsonReader();
  return argument === undefined ? new MarkupReader(undefined, above) : new ArgumentReader(argument);
}

function openJsonReader(): AddressReader {
  return new JsonTextReader((name) => (name === undefined ? new MarkupReader() : new ArgumentReader(name)));
}

const BLANKS = /[\0- \s]+/g;
/** More than ordinary text has in a row. */
const MAX_BLANKS = 16;

/** Shortens runs of white space, which a renderer skips before an address, so that what is before the address stays in sight. */
class ShortenedBlanks {
  private run = 0;
  private hasBreak = false;
  private hasEscape = false;

  push(text: string): string {
    let from = 0;
    const shortened = text.replace(BLANKS, (blanks, at: number) => {
      if (at > from) this.end();
      from = at + blanks.length;
      return this.shortened(blanks);
    });
    if (from < text.length) this.end();
    return shortened;
  }

  private end(): void {
    this.run = 0;
    this.hasBreak = false;
    this.hasEscape = false;
  }

  /** The first of a run, its first line break, and its first escape character, with which a terminal's link begins. */
  private shortened(blanks: string): string {
    const kept = blanks.slice(0, Math.max(0, MAX_BLANKS - this.run));
    const needsBreak = !this.hasBreak && !kept.includes('\n') && blanks.includes('\n');
    const needsEscape = !this.hasEscape && !kept.includes('\x1b') && blanks.includes('\x1b');
    this.run += blanks.length;
    this.hasBreak ||= blanks.includes('\n');
    this.hasEscape ||= blanks.includes('\x1b');
    return `${kept}${needsBreak ? '\n' : ''}${needsEscape ? '\x1b' : ''}`;
  }
}

/** A string of arguments: a text, which may also be JSON, as the body of a request that a program sends. */
class ArgumentReader implements AddressReader {
  private readonly text: AddressReader;
  private json: AddressReader | undefined;
  private isStart = true;

  constructor(name: string) {
    this.text = new MarkupReader(name);
  }

  read(text: string): void {
    this.text.read(text);
    const start = this.isStart ? text.trimStart() : text;
    if (start === '') return;
    if (this.isStart && /^[{[]/.test(start)) this.json = openJsonReader();
    this.isStart = false;
    this.json?.read(start);
  }

  isInAddress(): boolean {
    return this.text.isInAddress() || this.json?.isInAddress() === true;
  }
}

class MarkupReader implements AddressReader {
  private readonly blanks = new ShortenedBlanks();
  private readonly references = new CharacterReferences();
  private readonly links: LinkReader;
  private readonly tags = new TagReader();
  private readonly anyTags = new AnyTagReader();

  private readonly above: TextAbove | undefined;

  /** `name` as in LinkReader. */
  constructor(name?: string, above?: TextAbove) {
    this.links = new LinkReader(name);
    this.above = above;
  }

  get hasOtherBase(): boolean {
    return this.tags.hasOtherBase || this.anyTags.hasOtherBase || this.above?.hasOtherBase === true;
  }

  read(text: string): void {
    this.readPlain(this.references.push(this.blanks.push(text)));
  }

  private readPlain(text: string): void {
    if (text === '') return;
    this.tags.read(text);
    this.anyTags.read(text);
    this.links.read(text);
  }

  isInAddress(): boolean {
    this.readPlain(this.references.flush());
    const { tags, anyTags, links, hasOtherBase } = this;
    return tags.isInAddress(hasOtherBase) || anyTags.isInAddress(hasOtherBase) || links.isInAddress(hasOtherBase);
  }
}
