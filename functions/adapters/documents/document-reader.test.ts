import { describe, expect, it } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { BinaryDocumentReader } from './document-reader.ts';
import { docxOf } from './office.fixture.ts';
import { encryptedPdf, pdfBomb, pdfOfContents, pdfOfTexts } from './pdf.fixture.ts';

/** Only the test of the deadline waits for one. */
const reader = new BinaryDocumentReader({ deadlineMs: DEADLINE_MS, maxMemoryMb: 64 });
const asPdf = (bytes: Uint8Array) => ({ bytes, formats: ['pdf'] as const });
const read = async (pdf: Uint8Array, by = reader) => (await by.read([asPdf(pdf)]))[0];

/** Operators that draw each letter of a name. */
function at(draw: (letter: string, x: number) => string, isTurned = false): string {
  const drawn = [...'Project Zeus'].map(draw);
  return `BT /F1 12 Tf 72 720 Td ${(isTurned ? drawn.reverse() : drawn).join(' ')} ET`;
}
const line = (y: number, text: string) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET`;
const spread = (letter: number, word: number) =>
  [...'ProjectZeus'].map((one, x) => `(${one}) ${x === 6 ? word : letter}`).join(' ');

describe('the text of a PDF', () => {
  it('comes from all its pages', async () => {
    const { text, unread } = (await read(pdfOfTexts(['The first page.', 'The second.']))) ?? {};
    expect(text?.trim().split(/\s*\n\s*/)).toEqual(['The first page.', 'The second.']);
    expect(unread).toBeUndefined();
  });

  it.each([
    ['each letter is drawn separately', at((letter) => `(${letter}) Tj 7 0 Td`)],
    ['each letter is drawn separately, far from the next', at((letter) => `(${letter}) Tj 12 0 Td`)],
    ['each letter is a separate text object', at((letter, x) => `ET BT /F1 12 Tf ${72 + x * 7} 720 Td (${letter}) Tj`)],
    ['letters are drawn in reverse order', at((letter, x) => `1 0 0 1 ${72 + x * 7} 720 Tm (${letter}) Tj`, true)],
    ['lines are drawn in reverse order', `${line(700, 'Zeus')} ${line(720, 'Project')}`],
    ['letters are spaced by kerning', `BT /F1 12 Tf 72 720 Td [${spread(-150, -400)}] TJ ET`],
    ['letters are spaced out', `BT /F1 12 Tf 3 Tc 72 720 Td [${spread(0, -400)}] TJ ET`],
    [
      'spaces are overwritten',
      `BT /F1 12 Tf 72 720 Td [${[...'Project'].map((letter) => `(${letter} ) 278`).join('')} -300 (Zeus)] TJ ET`,
    ],
    [
      'the page is rotated',
      `0 1 -1 0 800 100 cm ${at((letter, x) => `1 0 0 1 ${72 + x * 7} 720 Tm (${letter}) Tj`, true)}`,
    ],
  ])('has the visual order where %s', async (_, content) => {
    const { text, unread } = (await read(pdfOfContents([content]))) ?? {};
    expect(text?.replace(/\s+/g, ' ')).toContain('Project Zeus');
    expect(unread).toBeUndefined();
  });

  it('occurs once if visual and written order are the same', async () => {
    const { text } = (await read(pdfOfContents([`${line(720, 'Project')} ${line(700, 'Zeus and more')}`]))) ?? {};
    expect(text?.trim().split(/\s+/)).toEqual(['Project', 'Zeus', 'and', 'more']);
  });

  it('includes annotations, form fields and metadata', async () => {
    const note = '/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(A note.)>>]';
    const trailer = '/Info<</Title(A title)/Keywords(Some words)>>';
    const { text } = (await read(pdfOfTexts(['Hi'], { more: note, trailer }))) ?? {};
    for (const part of ['A note.', 'A title', 'Some words']) expect(text).toContain(part);
  });

  const IMAGE = '/XObject<</Im1<</Type/XObject/Subtype/Image/Width 1/Height 1>>>>';

  it.each([
    ['is encrypted', encryptedPdf(), 'encrypted PDF'],
    ['is broken', Buffer.from('%PDF-1.7 and nothing else'), 'broken PDF'],
    ['is empty', Buffer.from(''), 'broken PDF'],
    ['has a page that is an image', pdfOfTexts(['']), 'a page without text'],
    ['has an image beside text', pdfOfTexts(['Hi'], { more: IMAGE }), 'pictures beside text'],
  ])('reports why it is incomplete if it %s', async (_, pdf, unread) => {
    expect(await read(pdf)).toMatchObject({ unread });
  });

  it('is limited for all PDFs of a request together', async () => {
    const small = new BinaryDocumentReader({ deadlineMs: DEADLINE_MS, maxChars: 100 });
    const pages = Array.from({ length: 20 }, () => 'Ten words of one page that come again and again.');
    const [first, second] = await small.read([pdfOfTexts(pages), pdfOfTexts(pages)].map(asPdf));
    expect(first?.text).toHaveLength(100);
    expect([first?.unread, second]).toEqual([
      'over 100 characters of documents',
      { text: '', unread: 'over 100 characters of documents' },
    ]);
  });
});

it('a document that is a PDF and an archive is read as both', async () => {
  const bytes = Buffer.concat([docxOf(['From the archive.']), pdfOfTexts(['From the page.'])]);
  const [both] = await reader.read([{ bytes, formats: ['pdf', 'zip'] }]);
  expect(both).toEqual({
    text: expect.stringMatching(/From the archive\.[\s\S]*From the page\./),
    unread: 'bytes around the archive',
  });
});

describe('a PDF that expands to a large size', () => {
  it('ends its worker when it uses too much memory, and keeps what was read before', async () => {
    const [good, bomb] = await reader.read([pdfOfTexts(['Good.']), pdfBomb()].map(asPdf));
    expect(good).toEqual({ text: expect.stringContaining('Good.') });
    expect(bomb).toMatchObject({ unread: 'over 64 MiB of memory' });
    expect((await read(pdfOfTexts(['Next.'])))?.text).toContain('Next.');
  });

  it('ends its worker at the deadline, and PDFs that wait for it are not read', async () => {
    const hasty = new BinaryDocumentReader({ deadlineMs: 300, maxMemoryMb: 4_000 });
    const all = await Promise.all([1, 2, 3].map(() => read(pdfBomb(), hasty)));
    expect(all.map((one) => one?.unread)).toEqual(Array(3).fill('not read in 0.3 s'));
  });
});

it('PDFs of many concurrent requests are all read', async () => {
  const all = await Promise.all([1, 2, 3, 4, 5].map((at) => read(pdfOfTexts([`Page ${at}.`]))));
  expect(all.map((one) => one?.text.trim())).toEqual([1, 2, 3, 4, 5].map((at) => `Page ${at}.`));
});
