import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'unpdf/pdfjs';
import { PICTURES_BESIDE_TEXT } from './document-limits.ts';
import { layoutOf } from './page-layout.ts';

/** pdf.js: the password is missing or wrong. */
const PASSWORD_EXCEPTION = 'PasswordException';
/** Of the dictionary of an image, which is never compressed. */
const IMAGE = /\/Subtype\s{0,9}\/Image\b/;

/** Reads the text page by page. @returns why some of it cannot be read */
export async function readPdf(data: Uint8Array, take: (text: string) => void): Promise<string | undefined> {
  return readPages(data, take).catch(reasonOf);
}

async function readPages(data: Uint8Array, take: (text: string) => void): Promise<string | undefined> {
  // pdf.js may take the bytes away.
  const hasImage = IMAGE.test(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1'));
  // Fonts and images are only needed for drawing.
  const drawing = { useSystemFonts: false, disableFontFace: true, maxImageSize: 1 };
  const pdf = await getDocument({ data, verbosity: 0, ...drawing }).promise;
  const info: Readonly<Record<string, unknown>> = { ...(await pdf.getMetadata()).info };
  for (const name of ['Title', 'Subject', 'Author', 'Keywords']) if (info[name]) take(`${stringOf(info[name])}\n`);
  let textless = 0;
  let crowded = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const drawn = await textOf(page);
    const text = `${drawn}\n${await annotationsOf(page)}\n`;
    if (text.trim() === '') textless += 1;
    take(text);
    // A model may read the page as shown, or in the order of the file.
    const seen = drawn.trim() === '' ? '' : await layoutOf(page);
    if (seen === undefined) crowded += 1;
    else if (wordsOf(seen) !== wordsOf(drawn)) take(`${seen}\n`);
    page.cleanup();
  }
  if (crowded > 0) return 'a page with too many letters';
  return (await unreadOf(pdf, info, textless)) ?? (hasImage ? PICTURES_BESIDE_TEXT : undefined);
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent({ includeMarkedContent: false });
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function wordsOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Annotations and values of form fields. */
async function annotationsOf(page: PDFPageProxy): Promise<string> {
  const annotations = await page.getAnnotations();
  return annotations
    .map(({ contentsObj, fieldValue }) => `${stringOf(contentsObj?.str)} ${stringOf(fieldValue)}`)
    .join('\n');
}

async function unreadOf(
  pdf: PDFDocumentProxy,
  info: Readonly<Record<string, unknown>>,
  textless: number,
): Promise<string | undefined> {
  if (textless > 0) return textless === 1 ? 'a page without text' : `${textless} pages without text`;
  if (info.IsXFAPresent === true) return 'XFA form';
  return (await pdf.getAttachments()) ? 'attached files' : undefined;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === PASSWORD_EXCEPTION ? 'encrypted PDF' : 'broken PDF';
}
