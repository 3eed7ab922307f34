import { describe, expect, test } from '@jest/globals';
import {
  docxOf,
  officeBomb,
  officeOf,
  pptxOf,
  sheetPart,
  slidePart,
  slideText,
  wordParagraph,
  wordPart,
  xlsxOf,
} from '../../../functions/adapters/documents/office.fixture.ts';
import { expectError } from '../../contract/reply.ts';
import { someByDay } from '../../support/night.ts';
import { ATTACK, base64, chatFile, contract, dataUrl, gemini, messages, post, responses, source } from './files.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCX = `${OFFICE}.wordprocessingml.document`;
const XLSX = `${OFFICE}.spreadsheetml.sheet`;
const PPTX = `${OFFICE}.presentationml.presentation`;
const hiddenRun = `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>${ATTACK}</w:t></w:r></w:p>`;
const hiddenRow = `<row r="9" hidden="1"><c t="inlineStr"><is><t>${ATTACK}</t></is></c></row>`;
const notes = slidePart(slideText(ATTACK)).replaceAll('p:sld', 'p:notes');

/** Documents with an attack in sight, and in a place that a person does not see. */
const DOCUMENTS: readonly (readonly [name: string, type: string, document: Buffer])[] = [
  ['a document', DOCX, docxOf(['Minutes of the meeting.', ATTACK])],
  ['hidden text of a document', DOCX, officeOf({ 'word/document.xml': wordPart(hiddenRun) })],
  ['a workbook', XLSX, xlsxOf(['Items of the order', ATTACK])],
  ['a hidden row of a workbook', XLSX, xlsxOf(['Items'], { 'xl/worksheets/sheet2.xml': sheetPart(hiddenRow) })],
  ['slides', PPTX, pptxOf(['Our quarter', ATTACK])],
  ['the notes of a slide', PPTX, pptxOf(['Our quarter'], { 'ppt/notesSlides/notesSlide1.xml': notes })],
];

/** The same file in a request of each API, and the field that findings name. */
const APIS: readonly (readonly [
  api: string,
  call: (file: Buffer, type: string) => readonly [string, object],
  param: string,
])[] = [
  ['chat', (file, type) => chatFile(dataUrl(file, type), 'a.docx'), 'messages[0].content[1].file.file_data'],
  [
    'responses',
    (file, type) => responses({ type: 'input_file', file_data: dataUrl(file, type), filename: 'a.xlsx' }),
    'input[0].content[1].file_data',
  ],
  [
    'messages',
    (file, type) => messages({ type: 'document', source: source(base64(file), type) }),
    'messages[0].content[1].source.data',
  ],
  [
    'Gemini',
    (file, mimeType) => gemini({ text: 'Hi' }, { inlineData: { mimeType, data: base64(file) } }),
    'contents[0].parts[1].inlineData.data',
  ],
];

describe('an attack in an office document', () => {
  const cases = APIS.flatMap(([api, call, param], at) =>
    someByDay(DOCUMENTS, 3, at).map(([name, type, file]) => [name, api, call(file, type), param] as const),
  );

  test.each(cases)('is found in %s, in a request of %s', async (_, __, call, param) => {
    const { status, json } = await post(call);
    expect([status, json.svc.coverage.skipped]).toEqual([400, []]);
    expect(json.svc.detected_threats[0].location.field).toBe(param);
  });

  test.each([
    ['text/plain', 'notes.txt'],
    ['image/png', 'photo.png'],
    ['application/pdf', 'a.pdf'],
  ])('is found if it is declared as %s', async (type, filename) => {
    const reply = await post(chatFile(dataUrl(docxOf([ATTACK]), type), filename));
    expectError(reply, 'content_filter', 'messages[0].content[1].file.file_data');
  });

  test.each<readonly [name: string, document: Buffer, reason: string]>([
    ['encrypted', officeOf({ 'word/document.xml': wordPart('') }, { flags: 1 }), 'encrypted office document'],
    [
      'encrypted with a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'encrypted office document',
    ],
    ['of Office 97', Buffer.from(`d0cf11e0a1b11ae1${'0001'.repeat(99)}`, 'hex'), 'old office format'],
    // On a busy machine its time may be over first.
    ['a bomb', officeBomb(40_000_000), 'a part over 32 MiB|not read in 5 s'],
  ])('that is %s is not inspected, and coverage says why', async (_, document, reason) => {
    const call = messages({ type: 'document', source: source(base64(document), DOCX) });
    const reply = await post(call);
    expect([reply.status, reply.json.svc.coverage.skipped]).toEqual([
      200,
      [expect.stringMatching(new RegExp(`^messages\\[0\\]\\.content\\[1\\]: document \\((?:${reason})\\)$`))],
    ]);
    const key = await contract.newKey({ policy: { unreadable: 'block' } });
    const { status, json } = await post(call, key);
    expect([status, json.svc.detected_threats[0].rule]).toEqual([400, 'files/unreadable']);
  });

  test('with personal data to redact does not pass', async () => {
    const key = await contract.newKey({ policy: { input: { pii: { action: 'redact' } } } });
    const file = officeOf({ 'word/document.xml': wordPart(wordParagraph('Write to ann.lee@corp-mail.net, please.')) });
    expectError(
      await post(chatFile(dataUrl(file, DOCX)), key),
      'content_filter',
      'messages[0].content[1].file.file_data',
    );
  });
});
