import { describe, expect, it } from '@jest/globals';
import {
  docxOf,
  officeBomb,
  officeOf,
  pptxOf,
  sheetPart,
  slidePart,
  slideText,
  stringsPart,
  wordParagraph,
  wordPart,
  xlsxOf,
  zipOf,
} from './office.fixture.ts';
import { readZip } from './office-text.ts';

const MAX_CHARS = 1_000_000;

async function read(document: Uint8Array) {
  let text = '';
  const unread = await readZip(
    document,
    (part) => {
      text += part;
    },
    MAX_CHARS,
  );
  return { text: text.replace(/\n{2,}/g, '\n').trim(), unread };
}
const body = (xml: string) => read(officeOf({ 'word/document.xml': wordPart(xml) }));
const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;

describe('the text of an office document', () => {
  it.each([
    ['a document', docxOf(['The first.', 'The second.']), 'The first.\nThe second.'],
    ['slides, in their order', pptxOf(Array.from({ length: 11 }, (_, at) => `No. ${at + 1}`)), 'No. 9\nNo. 10\nNo. 11'],
    ['the rows of a workbook', xlsxOf(['to whom it', 'may concern']), 'to\twhom\tit\nmay\tconcern'],
  ])('is that of %s', async (_, document, text) => {
    const result = await read(document);
    expect(result.unread).toBeUndefined();
    expect(result.text).toContain(text);
  });

  it.each<readonly [place: string, parts: Record<string, string>]>([
    ['a header', { 'word/header1.xml': `<w:hdr>${wordParagraph('Needle.')}</w:hdr>` }],
    ['a footnote', { 'word/footnotes.xml': `<w:footnotes>${wordParagraph('Needle.')}</w:footnotes>` }],
    ['a comment', { 'word/comments.xml': `<w:comments>${wordParagraph('Needle.')}</w:comments>` }],
    ['a property', { 'docProps/core.xml': '<cp:coreProperties><dc:subject>Needle.</dc:subject></cp:coreProperties>' }],
    ['hidden text', { 'word/b.xml': wordPart(`<w:p>${run('Needle.', '<w:rPr><w:vanish/></w:rPr>')}</w:p>`) }],
    ['deleted text', { 'word/b.xml': wordPart('<w:p><w:del><w:r><w:delText>Needle.</w:delText></w:r></w:del></w:p>') }],
    ['the command of a field', { 'word/b.xml': wordPart('<w:p><w:r><w:instrText>Needle.</w:instrText></w:r></w:p>') }],
    [
      'the description of a picture',
      { 'word/b.xml': wordPart('<w:drawing><wp:docPr id="1" descr="Needle."/></w:drawing>') },
    ],
    ['an attribute that no one knows', { 'word/b.xml': wordPart('<w:x a="A longer Needle. that people read"/>') }],
    [
      'a link',
      { 'word/_rels/a.rels': '<Relationships><Relationship Target="https://a.example/Needle."/></Relationships>' },
    ],
    [
      'the notes of a slide',
      { 'ppt/notesSlides/notesSlide1.xml': slidePart(slideText('Needle.')).replaceAll('p:sld', 'p:notes') },
    ],
    [
      'a hidden slide',
      { 'ppt/slides/slide7.xml': slidePart(slideText('Needle.')).replace('<p:sld', '<p:sld show="0"') },
    ],
    [
      'a comment of a cell',
      { 'xl/comments1.xml': '<comments><comment><text><t>Needle.</t></text></comment></comments>' },
    ],
    [
      'a hidden row',
      { 'xl/worksheets/s.xml': sheetPart('<row hidden="1"><c t="inlineStr"><is><t>Needle.</t></is></c></row>') },
    ],
    [
      'a text that a formula joins',
      { 'xl/worksheets/s.xml': sheetPart('<row><c><f>"Nee" &amp; "dle."</f><v>0</v></c></row>') },
    ],
    ['a formula', { 'xl/worksheets/s.xml': sheetPart('<row><c><f>"Needle."&amp;A1</f><v>0</v></c></row>') }],
    [
      'the footer of a sheet',
      { 'xl/worksheets/s.xml': sheetPart('', '<headerFooter><oddFooter>Needle.</oddFooter></headerFooter>') },
    ],
    ['the prompt of a cell', { 'xl/worksheets/s.xml': sheetPart('', '<dataValidation promptTitle="Needle."/>') }],
    [
      'the name of a sheet',
      { 'xl/workbook.xml': '<workbook><sheets><sheet name="Needle." state="veryHidden"/></sheets></workbook>' },
    ],
    ['a string that no cell shows', { 'xl/sharedStrings.xml': stringsPart('Needle.') }],
    ['a part that is called a picture', { 'word/media/image1.png': wordPart(wordParagraph('Needle.')) }],
    ['a part that is plain text', { 'word/afchunk.txt': 'Needle.' }],
  ])('includes %s', async (_, parts) => {
    const result = await read(docxOf(['Minutes.'], parts));
    expect(result.text).toContain('Needle.');
    expect(result.unread).toBeUndefined();
  });

  it.each([
    ['runs', `${run('Nee')}${run('dle')}${run('.')}`],
    ['deletions', `${run('Nee')}<w:del><w:r><w:delText>xx</w:delText></w:r></w:del>${run('dle.')}`],
    ['insertions', `${run('Nee')}<w:ins>${run('xx')}</w:ins>${run('dle.')}`],
    ['hidden text', `${run('Nee')}${run('xx', '<w:rPr><w:vanish/></w:rPr>')}${run('dle.')}`],
    ['commands of fields', `${run('Nee')}<w:r><w:instrText>PAGE</w:instrText></w:r>${run('dle.')}`],
    ['a text box', `${run('Nee')}<w:r><w:txbxContent>${wordParagraph('xx')}</w:txbxContent></w:r>${run('dle.')}`],
    ['a position', `${run('Nee')}<w:r><wp:posOffset>99</wp:posOffset></w:r>${run('dle.')}`],
    ['comments and sections of XML', '<w:r><w:t>Nee<!-- x --><![CDATA[dl]]>&#101;.</w:t></w:r>'],
  ])('joins words that are split by %s', async (_, xml) => {
    expect((await body(`<w:p>${xml}</w:p>`)).text).toMatch(/\bNeedle\./);
  });

  it('has the cells of a sheet in the order of their places, and strings of a later part', async () => {
    const cell = (place: string, at: number) => `<c r="${place}" t="s"><v>${at}</v></c>`;
    const rows = `<row r="2">${cell('B2', 3)}${cell('A2', 2)}</row><row r="1">${cell('AA1', 1)}${cell('Z1', 0)}</row>`;
    const sheet = officeOf({ 'a.xml': sheetPart(rows), 'b.xml': stringsPart('one', 'two', 'three', 'four') });
    expect((await read(sheet)).text).toContain('one\ttwo\nthree\tfour');
  });

  it('is that of UTF-16 and declared charsets too', async () => {
    const utf16 = Buffer.from(`\ufeff${wordPart(wordParagraph('Größe.'))}`, 'utf16le');
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="windows-1252"?>${wordPart(wordParagraph('Fläche.'))}`,
      'latin1',
    );
    const { text, unread } = await read(officeOf({ 'a.xml': utf16, 'b.xml': latin }));
    expect([text, unread]).toEqual(['Größe.\nFläche.', undefined]);
  });

  it('does not depend on what is before the first element', async () => {
    const before = `${' '.repeat(9_000)}<!-- <sst> --><?a <sst?>`;
    const parts = {
      'a.png': `${before}${wordPart(wordParagraph('Needle.'))}`,
      'b.xml': `${before}${stringsPart('one')}`,
    };
    const sheet = { 'a.xml': `${before}${sheetPart('<row><c t="s"><v>0</v></c><c><v>2</v></c></row>')}` };
    expect((await read(officeOf({ ...parts, ...sheet }))).text).toBe('Needle.\none\t2');
  });

  it('includes documents in it, and those of OpenDocument', async () => {
    const content =
      '<office:document-content><text:p>Nee<text:span>dle</text:span>.</text:p></office:document-content>';
    const odt = zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content });
    const { text, unread } = await read(pptxOf(['Hi'], { 'ppt/embeddings/a.odt': odt }));
    expect(text).toContain('Needle.');
    expect(unread).toBeUndefined();
  });
});

describe('what is not read', () => {
  const nested = (depth: number): Buffer => docxOf(['Hi'], depth === 0 ? {} : { 'word/a.docx': nested(depth - 1) });
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`word/${at}.xml`, '<a/>']));
  const cut = docxOf(['Hi']).subarray(40);

  it.each<readonly [name: string, document: Buffer, unread: string]>([
    ['an encrypted part', officeOf({ 'word/document.xml': wordPart('') }, { flags: 1 }), 'encrypted office document'],
    ['an archive', zipOf({ 'a.txt': 'Hi' }), 'an archive'],
    ['a broken archive', cut, 'broken office document'],
    ['a file in it', docxOf(['Hi'], { 'word/embeddings/a.bin': Buffer.from([1, 2, 3]) }), 'embedded files'],
    ['an RTF in it', docxOf(['Hi'], { 'word/a.rtf': '{\\rtf1 Hi}' }), 'embedded files'],
    ['macros', docxOf(['Hi'], { 'word/vbaProject.bin': Buffer.from([1, 2, 3]) }), 'macros'],
    [
      'a page that is a picture',
      pptxOf(['Hi'], { 'ppt/slides/slide2.xml': slidePart('<p:pic/>') }),
      'a page without text',
    ],
    [
      'a picture beside text',
      docxOf(['Hi'], { 'word/document.xml': wordPart(`${wordParagraph('Hi')}<w:drawing><pic:pic/></w:drawing>`) }),
      'pictures beside text',
    ],
    [
      'a picture in a header',
      docxOf(['Hi'], { 'word/header1.xml': '<w:hdr xmlns:w="w"><w:drawing><pic:pic/></w:drawing></w:hdr>' }),
      'pictures beside text',
    ],
    [
      'a picture in a worksheet',
      docxOf(['Hi'], { 'xl/drawings/drawing1.xml': '<xdr:wsDr xmlns:xdr="x"><xdr:pic/></xdr:wsDr>' }),
      'pictures beside text',
    ],
    [
      'a document type',
      officeOf({ 'a.xml': `<!DOCTYPE a [<!ENTITY b "c">]>${wordPart('')}` }),
      'XML with a document type',
    ],
    ['a tag without an end', officeOf({ 'a.xml': '<a>Hi<b c="' }), 'broken XML'],
    [
      'a charset that no one knows',
      officeOf({ 'a.xml': '<?xml version="1.0" encoding="utf-7"?><a>Hi</a>' }),
      'charset utf-7',
    ],
    [
      'bytes that the directory lacks',
      officeOf({ 'a.xml': '<a/>' }, { hidden: Buffer.alloc(99) }),
      'entries that its directory lacks',
    ],
    ['bytes before it', Buffer.concat([Buffer.from('GIF89a'), docxOf(['Hi'])]), 'bytes around the archive'],
    ['bytes after it', Buffer.concat([docxOf(['Hi']), Buffer.from('<end>')]), 'bytes around the archive'],
    ['more parts than the limit', officeOf(many, { isStored: true }), 'over 5,000 parts'],
    ['a part that expands too far', officeBomb(40_000_000), 'a part over 32 MiB'],
    ['files in files', nested(4), 'files in files'],
  ])('is reported: %s', async (_, document, unread) => {
    expect((await read(document)).unread).toBe(unread);
  });

  it('is not the archive in other bytes', async () => {
    const surrounded = Buffer.concat([Buffer.from('GIF89a'), docxOf(['Needle.']), Buffer.from('<end>')]);
    expect((await read(surrounded)).text).toBe('Needle.');
  });

  it('leaves what else the document has', async () => {
    const part = (bytes: number) => Buffer.concat([Buffer.from(wordParagraph('Before.')), Buffer.alloc(bytes, ' ')]);
    const { text, unread } = await read(
      officeOf({ 'a.xml': part(40_000_000), 'b.xml': wordPart(wordParagraph('After.')) }),
    );
    expect([text.split(/\s+/), unread]).toEqual([['Before.', 'After.'], 'a part over 32 MiB']);
  });

  it('is not a part that is longer than it declares', async () => {
    const document = officeOf({ 'a.xml': wordPart(wordParagraph('Needle.')) });
    document.writeUInt32LE(5, document.lastIndexOf('a.xml') - 22);
    const { text, unread } = await read(document);
    expect([text, unread]).toEqual(['Needle.', 'broken office document']);
  });

  it('is limited for all parts together', async () => {
    const part = Buffer.concat([Buffer.from('<a>'), Buffer.alloc(30_000_000, ' ')]);
    const parts = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`word/${at}.xml`, part]));
    expect((await read(officeOf(parts))).unread).toBe('over 128 MiB unpacked');
  });

  it('is text beyond the limit of characters', async () => {
    const text = 'words '.repeat(1_000);
    let length = 0;
    const count = (part: string) => {
      length += part.length;
    };
    await readZip(docxOf(Array.from({ length: 1_000 }, () => text)), count, 100_000);
    expect(length).toBeGreaterThan(100_000);
    expect(length).toBeLessThan(400_000);
  });
});

it.each([
  ['tags', '<a>'.repeat(2_000_000)],
  ['text boxes', '<p>x'.repeat(1_000_000)],
  ['open quotes', `<a b="${'"<a b='.repeat(1_000_000)}`],
  ['comments without an end', '<!--'.repeat(1_000_000)],
  ['attributes without values', `<a ${'b '.repeat(1_000_000)}=>`],
  ['equal signs', `<a ${'='.repeat(2_000_000)}>`],
  ['references', '&#x41'.repeat(1_000_000)],
])('a part of many %s is read once', async (_, xml) => {
  const { unread } = await read(officeOf({ 'word/document.xml': xml }));
  expect([undefined, 'broken XML', 'text in too many boxes', 'over 1,000,000 characters of documents']).toContain(
    unread,
  );
});
