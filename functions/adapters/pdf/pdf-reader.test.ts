import { describe, expect, it } from '@jest/globals';
import { encryptedPdf, pdfBomb, pdfOfTexts } from './pdf.fixture.ts';
import { PdfReader } from './pdf-reader.ts';

/** No test waits for a deadline but the one that is about it. */
const reader = new PdfReader({ deadlineMs: 60_000, maxMemoryMb: 64 });
const read = async (pdf: Uint8Array, by = reader) => (await by.read([pdf]))[0];

describe('the text of a PDF', () => {
  it('is that of all its pages', async () => {
    const { text, unread } = (await read(pdfOfTexts(['The first page.', 'The second.']))) ?? {};
    expect(text?.trim().split(/\s*\n\s*/)).toEqual(['The first page.', 'The second.']);
    expect(unread).toBeUndefined();
  });

  it('is that of its comments, its forms and what it says of itself', async () => {
    const note = '/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(A note.)>>]';
    const trailer = '/Info<</Title(A title)/Keywords(Some words)>>';
    const { text } = (await read(pdfOfTexts(['Hi'], { more: note, trailer }))) ?? {};
    for (const part of ['A note.', 'A title', 'Some words']) expect(text).toContain(part);
  });

  it.each([
    ['is encrypted', encryptedPdf(), 'encrypted PDF'],
    ['is broken', Buffer.from('%PDF-1.7 and nothing else'), 'broken PDF'],
    ['is empty', Buffer.from(''), 'broken PDF'],
    ['has a page that is a picture', pdfOfTexts(['']), 'a page without text'],
  ])('says why it is not all there where it %s', async (_, pdf, unread) => {
    expect(await read(pdf)).toMatchObject({ unread });
  });

  it('is read up to a bound for all of a request', async () => {
    const small = new PdfReader({ deadlineMs: 60_000, maxChars: 100 });
    const pages = Array.from({ length: 20 }, () => 'Ten words of one page that come again and again.');
    const [first, second] = await small.read([pdfOfTexts(pages), pdfOfTexts(pages)]);
    expect(first?.text).toHaveLength(100);
    expect([first?.unread, second]).toEqual([
      'over 100 characters of PDF',
      { text: '', unread: 'over 100 characters of PDF' },
    ]);
  });
});

describe('a PDF that is made to be large inside', () => {
  it('ends its worker when it takes too much memory, and what was read before it stays', async () => {
    const [good, bomb] = await reader.read([pdfOfTexts(['Good.']), pdfBomb()]);
    expect(good).toEqual({ text: expect.stringContaining('Good.') });
    expect(bomb).toMatchObject({ unread: 'over 64 MiB of memory' });
    expect((await read(pdfOfTexts(['Next.'])))?.text).toContain('Next.');
  });

  it('ends its worker at the deadline, and those that wait for it are not read', async () => {
    const hasty = new PdfReader({ deadlineMs: 300, maxMemoryMb: 4_000 });
    const all = await Promise.all([1, 2, 3].map(() => read(pdfBomb(), hasty)));
    expect(all.map((one) => one?.unread)).toEqual(Array(3).fill('not read in 0.3 s'));
  });
});

it('PDFs of many requests at once are all read', async () => {
  const all = await Promise.all([1, 2, 3, 4, 5].map((at) => read(pdfOfTexts([`Page ${at}.`]))));
  expect(all.map((one) => one?.text.trim())).toEqual([1, 2, 3, 4, 5].map((at) => `Page ${at}.`));
});
