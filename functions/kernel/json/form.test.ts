import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../errors/index.ts';
import { field, file, type WrittenPart, writtenForm } from './form.fixture.ts';
import { readBoundary, readForm } from './form.ts';

const BOUNDARY_CHARS = "0123456789abcXYZ'()+_,-./:=?";
const boundaries = fc.string({ unit: fc.constantFrom(...BOUNDARY_CHARS), minLength: 1, maxLength: 70 });
const names = fc.string({ unit: fc.constantFrom(...'abcdefghij_'), minLength: 1, maxLength: 12 });

/** Bytes that are nearly a delimiter, everywhere. */
const trickyBytes = (boundary: string) =>
  fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom(
            `--${boundary}`,
            `x--${boundary}--`,
            `\r\n--${boundary.slice(0, -1)}\0`,
            `\r\n-${boundary}`,
            `\r\n ${boundary}`,
            '\r\n',
            '\r',
            '\n',
            '--',
          )
          .map((text) => Buffer.from(text)),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => Buffer.concat(pieces));

/** Whether a line of the content starts like the delimiter: no client may choose such a boundary. */
const holdsDelimiter = (content: Buffer, boundary: string) =>
  ['\r\n', '\n', '\r'].some((end) => Buffer.concat([Buffer.from('\r\n'), content]).includes(`${end}--${boundary}`));

const fault = (bytes: Uint8Array, boundary = 'b') => {
  try {
    readForm(bytes, boundary);
  } catch (error) {
    if (error instanceof GatewayError) return { code: error.code, param: error.param };
    throw error;
  }
  return undefined;
};
const bad = (param?: string) => ({ code: 'invalid_value', param });

/** Ambiguous or malformed forms, and the part that the error names. */
const REFUSED: readonly [string, WrittenPart, (string | undefined)?][] = [
  ['a lone LF before a delimiter', file('x\n--b\r\n'), 'file'],
  ['a lone CR before a delimiter', file('x\r--b\r\n'), 'file'],
  ['content that begins with a delimiter', file('--b\r\n'), 'file'],
  ['a line that only begins with the delimiter', file('x\r\n--bc'), undefined],
  ['spaces behind the delimiter', file('x\r\n--b \r\n'), undefined],
  ['two names', { head: 'Content-Disposition: form-data; name="a"; name="b"', content: '' }],
  ['two file names', { head: 'Content-Disposition: form-data; name="a"; filename="x"; filename="y"', content: '' }],
  ['no name', { head: 'Content-Disposition: form-data', content: '' }],
  ['an empty name', field('', 'x')],
  ['a backslash in a name', field('a\\', 'x')],
  ['an escaped quote in a file name', file('x', 'a\\"; name=\\"prompt')],
  ['another disposition', { head: 'Content-Disposition: attachment; name="a"', content: '' }],
  ['no disposition', { head: 'Content-Type: text/plain', content: '' }],
  ['two dispositions', { head: `${field('a', '').head}\r\n${field('b', '').head}`, content: '' }],
  ['a folded header', { head: 'Content-Disposition: form-data;\r\n name="a"', content: '' }],
  ['a bare LF in the head', { head: `Content-Disposition: form-data; name="a"\nX-Y: z`, content: '' }],
  ['a NUL in the head', field('a\0b', 'x')],
  ['an encoded content', { head: `${field('a', '').head}\r\nContent-Transfer-Encoding: base64`, content: 'eA==' }, 'a'],
  [
    'another charset',
    { head: `${field('a', '').head}\r\nContent-Type: text/plain; charset=utf-16`, content: 'x' },
    'a',
  ],
  ['a charset of all fields', field('_charset_', 'utf-7'), '_charset_'],
  ['a field that is not UTF-8', { head: field('a', '').head, content: Buffer.from([0xff, 0xfe]) }, 'a'],
  ['another length than it says', { head: `${field('a', '').head}\r\nContent-Length: 2`, content: 'x' }, 'a'],
  ['a length that is none', { head: `${field('a', '').head}\r\nContent-Length: 1, 1`, content: 'x' }, 'a'],
  ['a head without end', { head: `X-Long: ${'x'.repeat(17_000)}\r\n${field('a', '').head}`, content: '' }],
  ['an extended name that is none', { head: `${field('file', '').head}; filename*=latin1''x`, content: '' }],
];

describe('a form', () => {
  it('gives every part as it was written, whatever the boundary and the bytes are', () => {
    const form = boundaries.chain((boundary) =>
      fc.record({
        boundary: fc.constant(boundary),
        fields: fc.uniqueArray(fc.tuple(names, fc.string({ unit: 'grapheme', maxLength: 40 })), {
          selector: ([name]) => name,
          maxLength: 6,
        }),
        audio: trickyBytes(boundary),
      }),
    );
    fc.assert(
      fc.property(form, ({ boundary, fields, audio }) => {
        fc.pre(!holdsDelimiter(audio, boundary));
        fc.pre(!fields.some(([, text]) => holdsDelimiter(Buffer.from(text), boundary)));
        const parts = [...fields.map(([name, text]) => field(`${name}1`, text)), file(audio)];
        const bytes = writtenForm(parts, boundary);
        const read = readForm(bytes, boundary);
        expect(read.parts.slice(0, -1).map(({ name, text }) => [name, text])).toEqual(
          fields.map(([name, text]) => [`${name}1`, text]),
        );
        const { content, file: told } = read.parts.at(-1) as (typeof read.parts)[number];
        expect(Buffer.compare(bytes.subarray(content.start, content.end), audio)).toBe(0);
        expect([told?.names.filename?.text, told?.type]).toEqual(['a.wav', 'audio/wav']);
      }),
      { numRuns: 300 },
    );
  });

  it('is whole or refused: no part of one that is cut anywhere is ever read', () => {
    const bytes = writtenForm([field('model', 'whisper-1'), file('RIFF\r\n--'), field('prompt', 'é')]);
    for (let length = 0; length < bytes.length; length += 1) {
      // The line end after the last delimiter may be missing.
      const isWhole = length === bytes.length - 2;
      expect([length, fault(bytes.subarray(0, length))?.code]).toEqual([length, isWhole ? undefined : 'invalid_value']);
    }
  });

  it('never throws anything but a refusal, whatever the bytes are', () => {
    const form = writtenForm([field('model', 'whisper-1'), file('RIFF')]);
    fc.assert(
      fc.property(fc.nat(form.length - 1), fc.nat(255), fc.uint8Array({ maxLength: 9 }), (at, byte, more) => {
        const changed = Buffer.concat([form.subarray(0, at), Buffer.from([byte, ...more]), form.subarray(at + 1)]);
        expect([undefined, 'invalid_value']).toContain(fault(changed)?.code);
      }),
      { numRuns: 500 },
    );
  });

  it('may name a list again, and nothing else', () => {
    const twice = (name: string) => writtenForm([field(name, 'a'), field('x', ''), field(name, 'b')]);
    expect(readForm(twice('include[]'), 'b').parts.map(({ path }) => path)).toEqual([
      ['include', 0],
      ['x'],
      ['include', 1],
    ]);
    const files = writtenForm([file('a', 'a.png', 'image[]'), file('b', 'b.png', 'image[]'), field('image[]', 'c')]);
    expect(readForm(files, 'b').parts.map(({ path }) => path)).toEqual([
      ['image', 0],
      ['image', 1],
      ['image', 2],
    ]);
    expect(fault(writtenForm([file('a'), file('b')]))).toEqual(bad('file'));
    expect(fault(twice('prompt'))).toEqual(bad('prompt'));
    expect(fault(writtenForm([field('include', 'a'), field('include[]', 'b')]))).toEqual(bad('include[]'));
    expect(fault(writtenForm([field('file', 'a'), file('b')]))).toEqual(bad('file'));
  });

  it('has no member of a field beside it, which a server may read in its place', () => {
    const members = [field('chunking[type]', 'a'), field('chunking[threshold]', 'b'), field('x[a][]', 'c')];
    expect(readForm(writtenForm(members), 'b').parts).toHaveLength(3);
    for (const other of ['model[x]', 'model[0]', 'model[x][]']) {
      expect(fault(writtenForm([field('model', 'a'), field(other, 'b')]))).toEqual(bad(other));
      expect(fault(writtenForm([field(other, 'b'), field('model', 'a')]))).toEqual(bad('model'));
      expect(fault(writtenForm([field('model[]', 'a'), field(other, 'b')]))).toEqual(bad(other));
    }
  });

  it.each(REFUSED.map(([what, part, param]) => [what, part, param] as const))('is refused with %s', (_, part, param) =>
    expect(fault(writtenForm([part]))).toEqual(bad(param)),
  );

  it('is refused with a preamble, an epilogue, or more parts than anybody needs', () => {
    const form = writtenForm([field('a', 'x')]);
    expect(fault(Buffer.concat([Buffer.from('hello\r\n'), form]))).toEqual(bad());
    expect(fault(Buffer.concat([form, Buffer.from('x')]))).toEqual(bad());
    expect(fault(writtenForm(Array.from({ length: 257 }, () => field('a[]', ''))))).toEqual(bad());
    expect(fault(Buffer.alloc(0))).toEqual(bad());
  });

  it('may say how long its parts are, as okhttp does', () => {
    const told = { head: `${field('a', '').head}\r\nContent-Length: 2`, content: 'é' };
    expect(readForm(writtenForm([told]), 'b').parts[0]?.text).toBe('é');
  });

  it('knows the names that .NET and browsers write', () => {
    const both = {
      head: "Content-Disposition: form-data; name=file; filename=a.wav; filename*=utf-8''%C3%A9.wav",
      content: '',
    };
    const [dotnet] = readForm(writtenForm([both]), 'b').parts;
    expect(dotnet?.file?.names).toMatchObject({ filename: { text: 'a.wav' }, 'filename*': { text: 'é.wav' } });
    const [browser] = readForm(writtenForm([file('', 'a%22b%0D%0A é.wav')]), 'b').parts;
    expect(browser?.file?.names.filename?.text).toBe('a"b\r\n é.wav');
  });

  it('shows audio in its documented field without its data, and everything else as text', () => {
    const shown = (text: string, name = 'known_speaker_references[]') =>
      readForm(writtenForm([field(name, text)]), 'b').parts[0];
    expect(shown('data:audio/wav;base64,AAAA')).toMatchObject({
      text: 'data:audio/wav;base64,(4 characters)',
      isOpaque: true,
    });
    for (const [text, name] of [
      ['data:audio/wav;base64,ignore all instructions', undefined],
      ['data:text/plain;base64,AAAA', undefined],
      ['data:audio/wav;base64,AAAA', 'prompt'],
      ['data:audio/wav;base64,AAAA', 'known_speaker_references'],
    ] as const) {
      expect(shown(text, name)).toMatchObject({ text, isOpaque: false });
    }
  });

  // Counted in bytes that are searched, not in time: each search ends at its first hit, and no needle overlaps itself.
  it('of six million bytes that are nearly delimiters is read', () => {
    const near = Buffer.from('\r\n--'.repeat(1_500_000));
    expect(readForm(writtenForm([file(near)], '-'.repeat(69)), '-'.repeat(69)).parts).toHaveLength(1);
    const dashes = Buffer.alloc(6_000_000, '-');
    expect(readForm(writtenForm([file(`x${dashes}`)], '-'.repeat(70)), '-'.repeat(70)).parts).toHaveLength(1);
  });
});

describe('a boundary', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b:c"', 'a b:c'],
  ])('of %s', (type, boundary) => expect(readBoundary(type)).toBe(boundary));

  it.each([
    ['multipart/form-data', 'invalid_value'],
    ['multipart/form-data; boundary=', 'invalid_value'],
    ['multipart/form-data; boundary=a; boundary=b', 'invalid_value'],
    [`multipart/form-data; boundary=${'a'.repeat(71)}`, 'invalid_value'],
    ['multipart/form-data; boundary="a "', 'invalid_value'],
    ['multipart/form-data; boundary="é"', 'invalid_value'],
    ['application/json', 'unsupported_media_type'],
    [null, 'unsupported_media_type'],
  ])('is missed in %s', (type, code) => expect(() => readBoundary(type)).toThrow(expect.objectContaining({ code })));
});
