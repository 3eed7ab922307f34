import { overChars } from './document-limits.ts';
import { attributeOf, attributesOf, scanXml, type XmlHandler } from './xml-scanner.ts';

/** What a part of a document shows, and the rest of its text. */
export interface PartText {
  readonly text: string;
  readonly hasPicture: boolean;
  /** It has pictures and no text. */
  readonly isPicture: boolean;
  readonly unread?: string | undefined;
}

/** Elements with one paragraph, field or string, of all office formats. */
const BLOCKS = new Set('p h text comment tc tr li td th'.split(' '));
/** Elements whose text is a piece of a block. Any other text right after a tag is separate: a position, an author. */
const PIECES = new Set('p h t delText instrText delInstrText span a text li td th r em strong b i u font'.split(' '));
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ tab: '\t', br: '\n', cr: '\n', 'line-break': '\n', s: ' ', noBreakHyphen: '-' },
};
/** Text that was deleted, or moved away. */
const DELETED = new Set('del moveFrom delText delInstrText deletion'.split(' '));
const INSERTED = new Set('ins moveTo'.split(' '));
/** Commands of fields, and the pronunciation above letters. */
const HIDDEN = new Set('instrText rPh rt'.split(' '));
/** The switches of a run that hide it. */
const VANISH = new Set('vanish webHidden specVanish'.split(' '));
const PICTURES = new Set('pic blip imagedata image'.split(' '));

/** Attributes with text for people: of pictures, cells, sheets and fields. */
const TEXT_ATTRIBUTES = new Set(
  'descr title alt prompt promptTitle error errorTitle tooltip string string-value instr'.split(' '),
);
const NAMED_ELEMENTS = new Set('docPr cNvPr sheet definedName'.split(' '));
/** Attributes with names of fonts, namespaces and kinds, and elements with names of styles and fonts: no one wrote these words. */
const NO_TEXT = new Set('typeface ascii hAnsi eastAsia cs font-name font-family Ignorable Type uri'.split(' '));
const NO_TEXT_ELEMENTS = new Set(['lsdException', 'name', 'font']);
/** Three words, or a few letters of a script without spaces. */
const PROSE = /\p{L}{2,20}\s{1,9}\p{L}{2,20}\s{1,9}\p{L}{2,20}|[\u3040-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{6}/u;
const ADDRESS = /^[a-z]{3,10}:\/\/|^(?:mailto|javascript|data):/i;
/** A longer value is text. */
const MAX_SETTING = 1_000;
/** Text boxes in text boxes; real documents nest two or three. */
const MAX_BLOCKS = 64;
const TOO_DEEP = 'text in too many boxes';

/** The text of an XML part of a document. At most about `maxChars` are kept. */
export function textOfXml(xml: string, maxChars: number): PartText {
  const reader = new XmlReader(maxChars);
  const unread = scanXml(xml, reader);
  return reader.end(unread);
}

/** A block in each of the ways in which readers show it. */
interface Block {
  /** With all hidden and deleted text. */
  all: string;
  /** As a person sees it. */
  shown: string;
  /** Without changes that are not accepted yet. */
  unchanged: string;
}

/** An element whose content is hidden, by its depth. */
interface Region {
  readonly names: ReadonlySet<string>;
  from: number;
}

export class XmlReader implements XmlHandler {
  private written = '';
  /** Blocks as other readers show them, and other text. */
  private readonly aside: string[] = [];
  private readonly known = new Set<string>();
  /** The block around all others is the document. */
  private readonly blocks: Block[] = [{ all: '', shown: '', unchanged: '' }];
  private readonly deleted: Region = { names: DELETED, from: 0 };
  private readonly inserted: Region = { names: INSERTED, from: 0 };
  private readonly hidden: Region = { names: HIDDEN, from: 0 };
  private isRunHidden = false;
  private hasPicture = false;
  private depth = 0;
  /** The element that begins right before the next text. */
  private before: string | undefined;
  private readonly maxChars: number;
  private left: number;
  private unread: string | undefined;

  constructor(maxChars: number) {
    this.maxChars = maxChars;
    this.left = maxChars;
  }

  get isFull(): boolean {
    return this.left < 0;
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    if (attributes.length > 3 && !NO_TEXT_ELEMENTS.has(name)) this.addAttributes(name, attributes);
    if (PICTURES.has(name)) this.hasPicture = true;
    if (VANISH.has(name)) this.isRunHidden = !/^(?:0|false|off)$/.test(attributeOf(attributes, 'val') ?? '');
    const character = CHARACTERS[name];
    if (character !== undefined) this.add(character);
    if (isEmpty) return;
    this.depth += 1;
    for (const region of [this.deleted, this.inserted, this.hidden])
      if (region.from === 0 && region.names.has(name)) region.from = this.depth;
    if (name === 'r') this.isRunHidden = false;
    if (BLOCKS.has(name)) this.begin();
    this.before = name;
  }

  close(name: string): void {
    for (const region of [this.deleted, this.inserted, this.hidden]) if (region.from === this.depth) region.from = 0;
    this.depth = Math.max(0, this.depth - 1);
    if (name === 'r') this.isRunHidden = false;
    if (BLOCKS.has(name) && this.blocks.length > 1) this.endBlock();
    this.before = undefined;
  }

  text(text: string): void {
    const { before } = this;
    if (before !== undefined && !PIECES.has(before)) this.addAside(text);
    else if (text.trim() !== '') this.add(text);
    // Line breaks between tags are for people who read the source.
    else if (!text.includes('\n')) this.add(' ');
  }

  end(unread: string | undefined): PartText {
    while (this.blocks.length > 0) this.endBlock();
    const text = this.written.trim();
    return {
      text: [text, ...this.aside].filter((part) => part !== '').join('\n'),
      hasPicture: this.hasPicture,
      isPicture: this.hasPicture && text === '',
      unread: this.isFull ? overChars(this.maxChars) : (unread ?? this.unread),
    };
  }

  private begin(): void {
    if (this.blocks.length >= MAX_BLOCKS) this.unread = TOO_DEEP;
    this.blocks.push({ all: '', shown: '', unchanged: '' });
  }

  /** A block in a block, such as a text box, is written before the one around it, whose own text stays together. */
  private endBlock(): void {
    const block = this.blocks.pop();
    if (block === undefined) return;
    const { all, shown, unchanged } = block;
    if (all !== '') this.written += `${all}\n`;
    if (shown !== all) this.aside.push(shown);
    if (unchanged !== all && unchanged !== shown) this.aside.push(unchanged);
  }

  private add(text: string): void {
    this.spend(text);
    const block = this.blocks.at(-1) as Block;
    const isDeleted = this.deleted.from > 0;
    block.all += text;
    if (!isDeleted && this.hidden.from === 0 && !this.isRunHidden) block.shown += text;
    if (!isDeleted && this.inserted.from === 0) block.unchanged += text;
  }

  private addAttributes(element: string, attributes: string): void {
    for (const [name, value] of attributesOf(attributes)) {
      const isText =
        TEXT_ATTRIBUTES.has(name) ||
        (name === 'name' && NAMED_ELEMENTS.has(element)) ||
        value.length > MAX_SETTING ||
        ADDRESS.test(value) ||
        PROSE.test(value);
      if (isText && !NO_TEXT.has(name)) this.addAside(value);
    }
  }

  /** Text that is not in the order of the page, each once. */
  private addAside(text: string): void {
    const trimmed = text.trim();
    if (trimmed === '' || this.known.has(trimmed)) return;
    this.spend(trimmed);
    this.known.add(trimmed);
    this.aside.push(trimmed);
  }

  /** Takes the room of a text; what is beyond it is not read. */
  spend(text: string): void {
    this.left -= text.length + 1;
  }
}
