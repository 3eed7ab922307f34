import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { field, file, writtenForm } from './form.fixture.ts';
import { editDocument, identityOf, readFormDocument, writeForm } from './request-document.ts';

const AUDIO = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
const document = (boundary = 'b') =>
  readFormDocument(
    writtenForm(
      [
        field('model', 'openai/whisper-1'),
        file(AUDIO, 'call.wav'),
        field('prompt', 'é "x"'),
        field('include[]', 'logprobs'),
        field('svc', '{}'),
      ],
      boundary,
    ),
    boundary,
  );

describe('the document of a form', () => {
  it('says what the form does, and holds no byte of its file', () => {
    expect(document().value).toEqual({
      model: 'openai/whisper-1',
      file: { filename: 'call.wav', type: 'audio/wav', bytes: AUDIO.length },
      prompt: 'é "x"',
      include: ['logprobs'],
      svc: '{}',
    });
  });

  it('is the same under another boundary, and another with another file', () => {
    expect(identityOf(document('other'))).toBe(identityOf(document()));
    const longer = readFormDocument(writtenForm([file('abc')]), 'b');
    const other = readFormDocument(writtenForm([file('abd')]), 'b');
    expect(longer.text).toBe(other.text);
    expect(identityOf(longer)).not.toBe(identityOf(other));
    const sample = (data: string) =>
      readFormDocument(writtenForm([field('known_speaker_references[]', `data:audio/wav;base64,${data}`)]), 'b');
    expect(identityOf(sample('AAAA'))).not.toBe(identityOf(sample('AAAB')));
  });

  it('is written byte for byte where nothing was changed', () => {
    const { form } = document();
    expect(writeForm(document(), {})).toEqual(form?.bytes);
  });

  it('is written with a field that it lacks before all others', () => {
    const sent = document();
    const without = writeForm(sent, { without: ['model'] });
    const again = readFormDocument(writeForm(readFormDocument(without, 'b'), { fields: { model: 'm' } }), 'b');
    expect(again.value).toEqual({ ...(sent.value as object), model: 'm' });
    expect(Buffer.from(again.form?.bytes ?? []).toString('latin1')).toBe(
      writtenForm([field('model', 'm')])
        .toString('latin1')
        .replace('--b--\r\n', '') + Buffer.from(without).toString('latin1'),
    );
  });

  it('is written with what was changed, every other byte as it came', () => {
    const edited = editDocument(document(), [
      { kind: 'replace', path: ['prompt'], json: '"[EMAIL_1]"' },
      { kind: 'replace', path: ['file', 'filename'], json: JSON.stringify('a"[X].wav') },
      { kind: 'replace', path: ['include', 0], json: '"y"' },
    ]);
    const expected = [
      field('model', 'whisper-1'),
      file(AUDIO, 'a%22[X].wav'),
      field('prompt', '[EMAIL_1]'),
      field('include[]', 'y'),
    ];
    const written = writeForm(edited, { fields: { model: 'whisper-1' }, without: ['svc'] });
    expect(Buffer.from(written).toString('latin1')).toBe(writtenForm(expected).toString('latin1'));
  });

  it('reads what it wrote as what it was told to say', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (name, first, second) => {
        // A change is a placeholder, never a line that starts like a delimiter.
        fc.pre(![name, first, second].some((each) => /[\r\n\0]|\\/.test(each)) && name !== '');
        const edits = [
          { kind: 'replace', path: ['prompt'], json: JSON.stringify(first) },
          { kind: 'replace', path: ['file', 'filename'], json: JSON.stringify(name) },
          { kind: 'replace', path: ['include', 0], json: JSON.stringify(second) },
        ] as const;
        const boundary = 'svc-form-boundary';
        const read = readFormDocument(writeForm(editDocument(document(boundary), edits), {}), boundary);
        fc.pre(!/%(?:22|0d|0a)/i.test(name));
        expect(read.value).toMatchObject({ prompt: first, file: { filename: name }, include: [second] });
      }),
    );
  });
});
