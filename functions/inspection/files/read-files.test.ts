import { describe, expect, it } from '@jest/globals';
import { FairScheduler } from '../../adapters/node/process-time.ts';
import { outsideMessages, type RequestTexts } from '../../kernel/model/index.ts';
import { filesIn } from './find-files.ts';
import { type DocumentReader, describeSkipped, readFiles } from './read-files.ts';

const NOTHING: RequestTexts = { texts: [], skipped: [] };
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const BINARY = base64(Buffer.from([0x89, 0x50, 0, 0, 0, 13, 0, 1, 2, 3]));
const PDF = base64('%PDF-1.7\0\0\0\0');
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const inMessage = (...content: object[]) => ({ messages: [{ role: 'user', content }] });

async function read(body: unknown, own = NOTHING, reader?: DocumentReader) {
  const { texts, skipped } = await readFiles(body, own, filesIn(body), reader, new FairScheduler());
  return { texts, skipped: skipped.map(describeSkipped) };
}

describe('the files of a request', () => {
  it('are third-party text, as old as the message that they are in', async () => {
    const file = image(`data:text/plain;base64,${base64('A note.')}`);
    const turn = [
      { role: 'user', content: [file] },
      { role: 'assistant', content: 'Yes.' },
    ];
    const { texts } = await read({ messages: [...turn, { role: 'user', content: [file] }] });
    const note = { text: 'A note.', author: 'tool', surface: 'tool', isContent: true };
    expect(texts).toMatchObject([
      { ...note, message: 0, turnsAgo: 1, path: ['messages', 0, 'content', 0, 'image_url', 'url'] },
      { ...note, message: 2, turnsAgo: 0 },
    ]);
  });

  it.each([
    ['base64', base64('One.'), base64('Two.')],
    [
      'a data URL',
      `data:text/csv;charset=utf-8;base64,${base64('One.')}`,
      `data:text/csv;charset=utf-8;base64,${base64('Two.')}`,
    ],
    ['base64url', Buffer.from('>>>???').toString('base64url'), base64('Two.')],
    ['percent-encoding', 'data:,One%2E', 'data:,Two.'],
    [
      'base64 of which some is escaped',
      `data:;base64,${base64('>>>').replace('+', '%2b')}`,
      `data:;base64,${base64('Two.')}`,
    ],
  ])('are written again as they were: in %s', async (_, data, written) => {
    const { texts } = await read({ data });
    expect(texts[0]?.file?.rewrite?.('Two.').replace(/=+$/, '')).toBe(written.replace(/=+$/, ''));
  });

  it('are not written again where that would change other bytes', async () => {
    const { texts } = await read({ data: base64(Buffer.from('\ufeffOne.', 'utf16le')) });
    expect(texts).toMatchObject([{ text: 'One.', file: { rewrite: undefined } }]);
  });

  it('are inspected once: what is a text already is decoded by its inspection', async () => {
    const body = { metadata: { data: base64('A note.') } };
    const own = outsideMessages(['metadata', 'data'], body.metadata.data, 'user');
    expect((await read(body, { texts: [own], skipped: [] })).texts).toEqual([own]);
    // The inspection decodes so much of an encoding and no more.
    const long = { metadata: { data: base64('A note. '.repeat(10_000)) } };
    const texts = [outsideMessages(['metadata', 'data'], long.metadata.data, 'user')];
    expect((await read(long, { texts, skipped: [] })).texts).toMatchObject([{}, { file: { rewrite: undefined } }]);
  });
});

it.each([
  ['data:,100%,%4G%c3%a9%', '100%,%4Gé%'],
  ['data:,größe', 'größe'],
  ['data:text/plain;a=b;BASE64 ,SGk=', 'Hi'],
  ['  data:;base64,SGk=SGk=\n', 'HiHi'],
  ['SGk', 'Hi'],
])('%j carries the text %j', async (data, text) => {
  expect((await read({ data })).texts.map((one) => one.text)).toEqual([text]);
});

describe('what is left unread', () => {
  const part = { path: ['messages', 0, 'content', 0], what: 'image' };
  const listed = { texts: [], skipped: [part] };

  it.each([
    ['nothing of a medium whose file is text', image(`data:,Hi`), []],
    ['a medium whose file is none', image(`data:image/png;base64,${BINARY}`), ['messages[0].content[0]: image']],
    ['a medium at an address', image('https://a.example/'), ['messages[0].content[0]: image']],
    [
      'a medium that names another file besides',
      { ...image('data:,Hi'), file_id: 'f1' },
      ['messages[0].content[0]: image'],
    ],
    ['a medium that holds nothing', { type: 'image_url' }, ['messages[0].content[0]: image']],
  ])('is %s', async (_, content, skipped) => {
    expect((await read(inMessage(content), listed)).skipped).toEqual(skipped);
  });

  it('is a data URL too in a place that no API has for it, and no other base64', async () => {
    const body = { notes: [`data:image/png;base64,${BINARY}`], signature: { data: BINARY } };
    expect((await read(body)).skipped).toEqual(['notes[0]: file']);
  });

  it('keeps what names no file, and costs no look at every file for each medium', async () => {
    const count = 20_000;
    const body = inMessage(...Array.from({ length: count }, () => image(`data:image/png;base64,${BINARY}`)));
    const skipped = Array.from({ length: count }, (_, at) => ({ path: ['messages', 0, 'content', at], what: 'image' }));
    const earlier = { path: ['previous_response_id'], what: 'earlier turns' };
    expect((await read(body, { texts: [], skipped: [...skipped, earlier] })).skipped).toHaveLength(count + 1);
  });

  it('is a PDF of which some was not read, with the reason; what was read is inspected', async () => {
    const reader: DocumentReader = { read: async (pdfs) => pdfs.map(() => ({ text: 'Page 1', unread: 'too long' })) };
    const { texts, skipped } = await read(inMessage(image(`data:application/pdf;base64,${PDF}`)), listed, reader);
    expect([texts.map(({ text }) => text), skipped]).toEqual([
      ['Page 1\n\n%PDF-1.7'],
      ['messages[0].content[0]: image (too long)'],
    ]);
    const { skipped: without } = await read(inMessage(image(`data:application/pdf;base64,${PDF}`)), listed);
    expect(without).toEqual(['messages[0].content[0]: image (documents not read here)']);
  });
});
