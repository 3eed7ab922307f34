import { constants, deflateSync } from 'node:zlib';

type PdfObject = string | Buffer;

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export function pdfOf(objects: readonly PdfObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets = objects.map((object, at) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n'));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const end = parts.reduce((sum, part) => sum + part.length, 0);
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const head = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${end}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(table + head)]);
}

export function pdfStream(data: Buffer, filters: string): Buffer {
  const head = `<</Length ${data.length}/Filter[${filters}]>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')]);
}

/** A PDF with a compressed page for each text; `more` is added to each page's dictionary. */
export function pdfOfTexts(texts: readonly string[], { more = '', trailer = '' } = {}): Buffer {
  return pdfOfContents(
    texts.map((text) => text && `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`),
    { more, trailer },
  );
}

/** A PDF with these operators on each page. */
export function pdfOfContents(texts: readonly string[], { more = '', trailer = '' } = {}): Buffer {
  const font = '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  const pages = texts.map(
    (_, at) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources${font}/Contents ${3 + texts.length + at} 0 R${more}>>`,
  );
  const contents = texts.map((text) => deflateSync(Buffer.from(text)));
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${pages.map((_, at) => `${3 + at} 0 R`).join(' ')}]/Count ${pages.length}>>`,
      ...pages,
      ...contents.map((content) => pdfStream(content, '/FlateDecode')),
    ],
    trailer,
  );
}

let bomb: Buffer | undefined;

/** About a kilobyte that expands to a page of 400 MB. With Z_RLE packing takes an eighth of the time. */
export function pdfBomb(): Buffer {
  if (bomb !== undefined) return bomb;
  const content = deflateSync(deflateSync(Buffer.alloc(400_000_000, ' '), { strategy: constants.Z_RLE }));
  bomb = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<>>>>',
    pdfStream(content, '/FlateDecode/FlateDecode'),
  ]);
  return bomb;
}

/** A PDF that requires a password. */
export function encryptedPdf(): Buffer {
  const unknown = '00'.repeat(32);
  const encrypt = `/Encrypt<</Filter/Standard/V 1/R 2/O<${unknown}>/U<${unknown}>/P -4>>/ID[<00><00>]`;
  return pdfOfTexts(['Hi'], { trailer: encrypt });
}
