import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The parts of an archive, by name. */
type Parts = Readonly<Record<string, string | Buffer>>;

interface ZipOptions {
  /** Without compression. */
  readonly isStored?: boolean;
  /** Flags of each entry: 1 is encrypted. */
  readonly flags?: number;
  /** Bytes between the last entry and the directory. */
  readonly hidden?: Buffer;
}

/** A ZIP archive of these parts. */
export function zipOf(
  parts: Parts,
  { isStored = false, flags = 0, hidden = Buffer.alloc(0) }: ZipOptions = {},
): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  /** Parts with the same bytes are packed once. */
  const packed = new Map<Buffer, Buffer>();
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const data = isStored ? bytes : (packed.get(bytes) ?? deflateRawSync(bytes, { strategy: constants.Z_RLE }));
    packed.set(bytes, data);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt16LE(isStored ? 0 : 8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const entry = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), head, rest, Buffer.from(name));
    local.push(entry);
    offset += entry.length;
  }
  const count = Object.keys(parts).length;
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count % 65_536, 4);
  end.writeUInt16LE(count % 65_536, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset + hidden.length, 12);
  return Buffer.concat([...local, hidden, entries, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

const TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

/** The parts of an office document, and others of a test. */
export function officeOf(parts: Parts, options?: ZipOptions): Buffer {
  return zipOf({ '[Content_Types].xml': TYPES, ...parts }, options);
}

export const wordPart = (body: string) => `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`;
export const wordParagraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
export const slidePart = (shapes: string) => `<p:sld ${P}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
export const slideText = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
export const sheetPart = (data: string, rest = '') =>
  `<worksheet ${S}><sheetData>${data}</sheetData>${rest}</worksheet>`;
export const stringsPart = (...strings: string[]) =>
  `<sst ${S}>${strings.map((one) => `<si><t>${one}</t></si>`).join('')}</sst>`;

/** Documents whose first part has these paragraphs. */
export const docxOf = (texts: readonly string[], more: Parts = {}) =>
  officeOf({ 'word/document.xml': wordPart(texts.map(wordParagraph).join('')), ...more });
export const pptxOf = (texts: readonly string[], more: Parts = {}) =>
  officeOf({
    ...Object.fromEntries(texts.map((text, at) => [`ppt/slides/slide${at + 1}.xml`, slidePart(slideText(text))])),
    ...more,
  });
/** Each text is a row of words, one in each cell. */
export function xlsxOf(texts: readonly string[], more: Parts = {}): Buffer {
  const words = [...new Set(texts.flatMap((text) => text.split(' ')))].sort();
  const rows = texts.map(
    (text) =>
      `<row>${text
        .split(' ')
        .map((word) => `<c t="s"><v>${words.indexOf(word)}</v></c>`)
        .join('')}</row>`,
  );
  return officeOf({
    'xl/worksheets/sheet1.xml': sheetPart(rows.join('')),
    'xl/sharedStrings.xml': stringsPart(...words),
    ...more,
  });
}

/** A document with a part that expands to so many bytes of text. */
export function officeBomb(bytes: number): Buffer {
  return officeOf({ 'word/document.xml': Buffer.concat([Buffer.from('<a>'), Buffer.alloc(bytes, ' ')]) });
}
