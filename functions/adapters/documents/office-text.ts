import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { PICTURES_BESIDE_TEXT } from './document-limits.ts';
import { SharedStrings, textOfSheet } from './sheet-text.ts';
import { scanXml } from './xml-scanner.ts';
import { textOfXml } from './xml-text.ts';

/** A presentation of 500 slides has about 2,000. */
const MAX_PARTS = 5_000;
/** XML of more text than is taken from all documents. */
const MAX_PART_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;
/** Workbooks of charts are in presentations, and these in mails and folders. */
const MAX_DEPTH = 2;

/** One of these parts makes an archive an office document, or a book. */
const OFFICE_PART = /^(?:\[content_types\]\.xml|mimetype|meta-inf\/(?:manifest|container)\.xml)$/i;
/** Pictures, sounds, fonts and settings of printers, which readers use as nothing else. */
const MEDIUM =
  /(?:\.(?:png|jpe?g|jfif|gif|bmp|tiff?|webp|emf|wmf|emz|wmz|ico|mp[34]|m4[av]|wa?v|wma|wmv|mov|avi|odttf|fntdata|[ot]tf|woff2?)|\/printerSettings\d{0,9}\.bin)$/i;
const MACROS = /\/vba\w{0,20}\.bin$/i;
const EMBEDDED = 'embedded files';
const ENCRYPTED = 'encrypted office document';
const BROKEN = 'broken office document';
/** Elements of a page. */
const PAGES = new Set(['sld', 'document', 'document-content']);
const SHEETS = new Set(['worksheet', 'macrosheet']);
/** Enough to recognize a format. */
const HEAD_BYTES = 4_096;
const LOCAL_ENTRY = 0x04034b50;
/** A descriptor with sizes may be between two entries. */
const MAX_DESCRIPTOR_BYTES = 24;

/** What is left for all parts of a document, those of documents in it too. */
interface Room {
  parts: number;
  bytes: number;
}

type Take = (text: string) => void;

/**
 * Reads every part of an office document (DOCX, XLSX, PPTX, ODT, ODS, ODP) or another ZIP archive that is XML or text, whatever its name:
 * each reader follows other references. @returns why some of it is not read
 */
export async function readZip(bytes: Uint8Array, take: Take, maxChars: number): Promise<string | undefined> {
  return new OfficeReader(take, maxChars, { parts: MAX_PARTS, bytes: MAX_BYTES }, 0).read(bytes);
}

interface Part {
  readonly name: string;
  readonly entry: Entry;
}

class OfficeReader {
  private readonly take: Take;
  private readonly maxChars: number;
  private readonly room: Room;
  private readonly depth: number;
  private readonly strings = new SharedStrings();
  private pictures = 0;
  private hasPictureBesideText = false;
  private unread: string | undefined;

  constructor(take: Take, maxChars: number, room: Room, depth: number) {
    this.take = take;
    this.maxChars = maxChars;
    this.room = room;
    this.depth = depth;
  }

  async read(bytes: Uint8Array): Promise<string | undefined> {
    const file = archiveIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (file.length !== bytes.length) this.skip('bytes around the archive');
    try {
      // No name is refused, and a part with another size than declared is read too.
      const zip = await fromBufferPromise(file, { decodeStrings: false, validateEntrySizes: false });
      const parts = await this.list(zip);
      if (!parts.some(({ name }) => OFFICE_PART.test(name))) this.skip('an archive');
      if (parts.length === zip.entryCount && hasOtherEntries(file, parts))
        this.skip('entries that its directory lacks');
      const sheets: Part[] = [];
      for (const part of parts) if (await this.readPart(zip, part)) sheets.push(part);
      // Their cells name strings of any other part.
      for (const part of sheets) await this.readPart(zip, part, true);
    } catch {
      this.skip(BROKEN);
    }
    this.take(`${this.strings.rest}\n`);
    if (this.pictures > 0)
      this.skip(this.pictures === 1 ? 'a page without text' : `${this.pictures} pages without text`);
    if (this.hasPictureBesideText) this.skip(PICTURES_BESIDE_TEXT);
    return this.unread;
  }

  /** Slide 2 is before slide 10. */
  private async list(zip: ZipFile): Promise<Part[]> {
    const parts: Part[] = [];
    try {
      for await (const entry of zip.eachEntry()) {
        this.room.parts -= 1;
        if (this.room.parts < 0) {
          this.skip(`over ${MAX_PARTS.toLocaleString('en')} parts`);
          break;
        }
        parts.push({ name: entry.fileNameRaw.toString(), entry });
      }
    } catch {
      this.skip(BROKEN);
    }
    const { compare } = new Intl.Collator('en', { numeric: true });
    return parts.sort((one, other) => compare(one.name, other.name));
  }

  /** @returns whether it is a worksheet, which is read later */
  private async readPart(zip: ZipFile, { name, entry }: Part, isSheetsTurn = false): Promise<boolean> {
    if (name.endsWith('/') && entry.compressedSize === 0) return false;
    if (!entry.canDecodeFileData()) {
      this.skip(entry.isEncrypted() ? ENCRYPTED : 'a part in another compression');
      return false;
    }
    const content = await this.unpack(zip, entry, isSheetsTurn);
    const format = formatOf(content);
    if (format === 'zip') await this.readInner(content);
    else if (format === 'other') this.skipMedium(name);
    else return this.readText(content, isSheetsTurn);
    return false;
  }

  /** The bytes of a part up to its limits; the first of a medium, and of a worksheet before its turn. */
  private async unpack(zip: ZipFile, entry: Entry, isSheetsTurn: boolean): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    let isEnough: boolean | undefined;
    try {
      const stream: Readable = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.room.bytes -= chunk.length;
        if (this.room.bytes < 0) this.skip('over 128 MiB unpacked');
        else if (size > MAX_PART_BYTES) this.skip('a part over 32 MiB');
        if (this.room.bytes < 0 || size > MAX_PART_BYTES) break;
        chunks.push(chunk);
        if (size >= HEAD_BYTES) isEnough ??= isReadLater(Buffer.concat(chunks), isSheetsTurn);
        if (isEnough) break;
      }
      if (!isEnough && size !== entry.uncompressedSize) this.skip(BROKEN);
    } catch {
      // What was unpacked before is read.
      this.skip(BROKEN);
    }
    return Buffer.concat(chunks);
  }

  private async readInner(content: Buffer): Promise<void> {
    if (this.depth >= MAX_DEPTH) this.skip('files in files');
    else this.skip(await new OfficeReader(this.take, this.maxChars, this.room, this.depth + 1).read(content));
  }

  /** @returns whether it is a worksheet before its turn */
  private readText(content: Buffer, isSheetsTurn: boolean): boolean {
    const charset = charsetOf(content);
    const decoder = decoderOf(charset);
    if (decoder === undefined) this.skip(`charset ${charset}`);
    const text = (decoder ?? new TextDecoder()).decode(content);
    const root = text.trimStart().startsWith('<') ? rootOf(text) : undefined;
    if (root !== undefined && SHEETS.has(root) && !isSheetsTurn) return true;
    if (root === 'sst') this.skip(this.strings.add(text, this.maxChars));
    else if (root !== undefined) this.readXml(text, root);
    else {
      // Formats that hide their text from all but their readers.
      if (text.trimStart().startsWith('{\\rtf') || /^MIME-Version:/im.test(text)) this.skip(EMBEDDED);
      this.take(`${text}\n`);
    }
    return false;
  }

  private readXml(xml: string, root: string): void {
    const part = SHEETS.has(root) ? textOfSheet(xml, this.strings, this.maxChars) : textOfXml(xml, this.maxChars);
    if (part.isPicture && PAGES.has(root)) this.pictures += 1;
    // The pictures of a theme are patterns.
    else if (part.hasPicture && root !== 'theme') this.hasPictureBesideText = true;
    if (root === 'manifest' && /<[\w-]{0,40}:?encryption-data/.test(xml)) this.unread = ENCRYPTED;
    this.skip(part.unread);
    this.take(`${part.text}\n`);
  }

  private skipMedium(name: string): void {
    if (MACROS.test(name)) this.skip('macros');
    else if (!MEDIUM.test(name)) this.skip(EMBEDDED);
  }

  /** The first reason is reported. */
  private skip(reason: string | undefined): void {
    this.unread ??= reason;
  }
}

/** By its first bytes, since names and declared types may be wrong. */
function formatOf(bytes: Buffer): 'text' | 'zip' | 'other' {
  if (bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_ENTRY) return 'zip';
  return hasControl(headOf(bytes)) ? 'other' : 'text';
}

/** Whether a part is a medium, or a worksheet before its turn. */
function isReadLater(bytes: Buffer, isSheetsTurn: boolean): boolean {
  const format = formatOf(bytes);
  return format === 'other' || (format === 'text' && !isSheetsTurn && SHEETS.has(rootOf(headOf(bytes))));
}

function headOf(bytes: Buffer): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  return (decoderOf(charsetOf(head)) ?? new TextDecoder()).decode(head, { stream: true });
}

function hasControl(text: string): boolean {
  return Array.from(text).some((letter) => letter === '\ufffd' || (letter < ' ' && !'\t\n\r\f'.includes(letter)));
}

/** The charset that an XML parser takes: by the byte order mark or the first letter, or as declared. */
function charsetOf(bytes: Buffer): string {
  const begin = bytes.toString('hex', 0, 2);
  if (begin === 'fffe' || begin === '3c00') return 'utf-16le';
  if (begin === 'feff' || begin === '003c') return 'utf-16be';
  const [, declared] =
    /^\W{0,8}\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/.exec(bytes.toString('latin1', 0, 300)) ?? [];
  // Without zeros it is not UTF-16, whatever it declares.
  return declared === undefined || /^utf-?16|^ucs/i.test(declared) ? 'utf-8' : declared;
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** The name of the first element. */
function rootOf(xml: string): string {
  let root = '';
  scanXml(xml, {
    open: (name) => {
      root ||= name;
    },
    close: () => {},
    text: () => {},
    get isFull() {
      return root !== '';
    },
  });
  return root;
}

/** The archive without bytes before and after it, which some readers ignore. */
function archiveIn(file: Buffer): Buffer {
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end < 0 || end + 22 > file.length) return file;
  const start =
    file.readUInt32LE(0) === LOCAL_ENTRY ? 0 : end - file.readUInt32LE(end + 12) - file.readUInt32LE(end + 16);
  return file.subarray(Math.max(0, start), end + 22 + file.readUInt16LE(end + 20));
}

/** Whether readers that follow the local entries see others than the directory lists. */
function hasOtherEntries(file: Buffer, parts: readonly Part[]): boolean {
  let end = 0;
  const entries = parts.map(({ entry }) => entry);
  for (const entry of entries.sort(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    const at = entry.relativeOffsetOfLocalHeader;
    const name = at + 30;
    if (at < end || at > end + (end === 0 ? 0 : MAX_DESCRIPTOR_BYTES) || name > file.length) return true;
    const nameEnd = name + file.readUInt16LE(at + 26);
    const size = file.readUInt32LE(at + 18);
    const isSame =
      file.subarray(name, nameEnd).equals(entry.fileNameRaw) &&
      file.readUInt16LE(at + 8) === entry.compressionMethod &&
      // A size of 0 or of all ones is elsewhere.
      (size === entry.compressedSize || size === 0 || size === 0xffffffff);
    if (!isSame) return true;
    end = nameEnd + file.readUInt16LE(at + 28) + entry.compressedSize;
  }
  return file.indexOf('PK\u0001\u0002', end, 'latin1') > end + MAX_DESCRIPTOR_BYTES;
}
