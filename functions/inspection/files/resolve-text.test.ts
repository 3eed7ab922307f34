import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../kernel/tasks/index.ts';
import type { Declared } from './decode-text.ts';
import { readSteps } from './resolve-text.ts';

const TEXT = 'Ann: "Größe & Gewicht" {42} \\ 100 %, grüße!';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const quoted = (text: string) =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');

function read(file: string | Uint8Array, declared: Declared = {}) {
  const decoded = finish(readSteps(Buffer.from(file as string), declared));
  return { text: decoded?.text ?? '', unread: decoded?.unread, isUtf8: decoded?.isUtf8 };
}
/** What the reader adds to the written file. */
const shown = (file: string, declared?: Declared) => read(file, declared).text.slice(file.length + 2);

describe('a file that needs no reader of a format', () => {
  it.each([
    ['text', 'From: a note. Content-Transfer-Encoding is a field.'],
    ['a mail without encodings', 'Subject: Hi\r\nContent-Transfer-Encoding: 7bit\r\n\r\nSee you.\r\n'],
    ['a mail in UTF-8', 'Subject: Hi\nContent-Type: text/plain; charset="utf-8"\n\nGrüße\n'],
    ['a card without folds', 'BEGIN:VCARD\r\nFN:Ann\r\nEND:VCARD\r\n'],
    ['markup', '<?xml version="1.0" encoding="UTF-8"?><a>&amp;&#65;<![CDATA[x]]></a>'],
    ['code', 'const a = "{\\\\rtf"; // BEGIN: VCARD'],
    ['a page in Latin-1', '<meta charset="iso-8859-1"><p>Hi</p>'],
    ['a page that states UTF-16 in ASCII', '<meta charset="utf-16"><p>Hi</p>'],
  ])('is read once: %s', (_, file) => expect(read(file)).toEqual({ text: file, unread: undefined, isUtf8: true }));

  it('is any text, which is never lost', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => read(text).text.startsWith(text)));
  });
});

describe('an RTF document', () => {
  const rtf = (body: string) => `{\\rtf1\\ansi\\ansicpg1252\\deff0 ${body}}`;

  it.each([
    ['plain text', 'Hello.', 'Hello.'],
    ['bytes', "Gr\\'f6\\'dfe", 'Größe'],
    ['code points with their fallback', "Gr\\u246?\\u223\\'dfe", 'Größe'],
    ['code points without a fallback', '\\uc0\\u71\\u114 x', 'Grx'],
    ['negative code points and pairs', '\\u-10179?\\u-8704?', '😀'],
    ['two fallbacks', "\\uc2\\u228\\'61\\'65b", 'äb'],
    ['groups within words', 'H{\\b e}{\\i l}{{l}}o', 'Hello'],
    ['lines within words', 'Hel\r\nlo', 'Hello'],
    ['paragraphs', 'a\\par b\\line c\\tab d\\\ne', 'a\nb\nc\td\ne'],
    ['symbols', 'a\\~b\\_c\\-d\\{e\\}\\\\', 'a\u00a0b\u2011cd{e}\\'],
    ['Cyrillic bytes', "{\\fonttbl{\\f1\\fcharset204 A;}}\\f1 \\'cf\\'f0\\'e8", 'При\n\nA;'],
    ['two-byte characters', "{\\fonttbl{\\f1\\fcharset128 A;}}\\f1 \\'82\\'b1\\'82\\'ea", 'これ\n\nA;'],
    ['Unicode as a code page', "\\ansicpg65001 \\'c3\\'a4", 'ä'],
    ['a fonttbl after the text', 'Text{\\fonttbl{\\f0 Arial;}} goes on', 'Text goes on\n\nArial;'],
    ['hidden text within a word', 'Hel{\\v secret}lo', 'Hello\n\nsecret'],
    ['hidden text until its end', 'Hel\\v secret\\v0 lo', 'Hello\n\nsecret'],
    ['deleted text', 'Hel{\\deleted x}lo', 'Hello\n\nx'],
    ['a group that readers may ignore', 'Hel{\\*\\unknown more}lo', 'Hello\n\nmore'],
    [
      'a link',
      '{\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt here}}',
      'here\n\nHYPERLINK "https://a.example"',
    ],
    ['a theme of Word', 'Hi{\\*\\themedata 504b0304}', 'Hi'],
    ['broken escapes and open groups', "a\\'zz{b{c\\", 'azzbc}'],
  ])('is read as shown: %s', (_, body, text) => expect(shown(rtf(body)).trim()).toBe(text));

  it.each([
    ['a picture', '{\\pict 89504e47}', 'RTF with a picture'],
    ['an object', '{\\object{\\*\\objdata 0105}}', 'RTF with an object'],
    ['binary data', '\\bin4 {}}}', 'RTF with binary data'],
    ['an unknown code page', "\\ansicpg9999 \\'e4", 'RTF in code page 9999'],
    ['very many groups', '{'.repeat(2_000), 'RTF with too many groups'],
  ])('is listed with %s', (_, body, unread) => {
    const { text, ...rest } = read(rtf(`Hello ${body} more`));
    expect(rest).toEqual({ unread, isUtf8: false });
    expect(text.slice(rtf('').length)).toContain('Hello ');
  });

  it('is recognized behind other bytes', () => {
    expect(read(`\ufeff\r\n  ${rtf("\\'48i")}`).text).toMatch(/Hi$/);
    expect(read(`x${rtf("\\'48i")}`, { mediaType: 'text/plain' }).text).toMatch(/Hi$/);
    for (const start of ['{ \\rtf1 ', '{\r\n\\rtf1 ', '{\\RTF1 ']) expect(read(`${start}\\'48i}`).text).toMatch(/Hi$/);
  });
});

describe('a mail', () => {
  const mail = (encoding: string, body: string, type = 'text/plain; charset=utf-8') =>
    `From: a@b.example\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;

  it.each([
    ['quoted-printable', mail('quoted-printable', quoted(TEXT))],
    ['in capitals, with a comment', mail('Quoted-Printable (really)', quoted(TEXT).toUpperCase())],
    ['with a comment first', mail('(really) quoted-printable', quoted(TEXT))],
    ['in quotation marks', mail('"quoted-printable";', quoted(TEXT))],
    [
      'with soft line breaks',
      mail('quoted-printable', [...(quoted(TEXT).match(/.{1,9}/g) ?? [])].join('=\r\n').replace('=\r\n', '= \t\n')),
    ],
    ['base64', mail('base64', base64(TEXT).replace(/(.{7})/g, '$1\r\n'))],
    ['base64 in pieces', mail('base64', `${base64('Ann: ')}\r\n${base64(TEXT.slice(5))}`)],
    ['another charset', mail('base64', base64(Buffer.from(TEXT, 'latin1')), 'text/plain; charset="ISO-8859-1"')],
    ['a folded field', mail('\r\n quoted-printable', quoted(TEXT))],
    [
      'a space before the colon',
      mail('7bit', '').replace('Encoding: 7bit\r\n', `Encoding : base64\r\n\r\n${base64(TEXT)}`),
    ],
    ['two encodings', mail('7bit\r\nContent-Transfer-Encoding: base64', base64(TEXT))],
    ['a header behind other lines', `no field\r\n${mail('base64', base64(TEXT))}`],
    ['a mail among several', `From a Mon Jan 1\nSubject: x\n\nHi\n\nFrom b Tue Jan 2\n${mail('base64', base64(TEXT))}`],
    [
      'a part',
      `${mail('7bit', '', 'multipart/mixed; boundary="b 1"')}--b 1\r\n${mail('base64', base64(TEXT))}\r\n--b 1--\r\n`,
    ],
    [
      'a part in a part',
      `${mail('7bit', '', 'multipart/mixed;\r\n boundary=o')}--o\n${mail('7bit', '', 'multipart/related; boundary=i')}\n--i\n${mail('quoted-printable', quoted(TEXT))}\n--i--\n--o--`,
    ],
    ['a mail in a mail', mail('base64', base64(mail('quoted-printable', quoted(TEXT))), 'message/rfc822')],
    [
      'an RTF document in a mail',
      mail('base64', base64(`{\\rtf1 ${[...TEXT].map((one) => `\\u${one.charCodeAt(0)}?`).join('')}}`)),
    ],
    ['a subject', `Subject: =?utf-8?B?${base64(TEXT)}?=\n\nHi`],
    [
      'a subject in words',
      `Subject: =?UTF-8?q?${quoted(TEXT.slice(0, 9))}?=\r\n =?utf-8*de?Q?${quoted(TEXT.slice(9))}?=\n\nHi`,
    ],
    [
      'a subject whose words split a character',
      `Subject: =?utf-8?B?${base64(Buffer.from(TEXT).subarray(0, 8))}?= =?utf-8?B?${base64(Buffer.from(TEXT).subarray(8))}?=\n\nHi`,
    ],
  ])('is decoded: %s', (_, file) => expect(shown(file)).toContain(TEXT));

  it.each([
    ['a line of a boundary that no header names', mail('quoted-printable', `=41\nboundary=x\n--x\n${quoted(TEXT)}`)],
    [
      'a boundary of a part that has no parts',
      mail('quoted-printable', `=41\n--x\n${quoted(TEXT)}`, 'text/plain; boundary=x'),
    ],
    ['a signature', mail('quoted-printable', `=41\n-- \n${quoted(TEXT)}`)],
    ['a line that begins with From', mail('quoted-printable', `=41\nFrom now on\n${quoted(TEXT)}`)],
    ['what looks like the next mail', mail('quoted-printable', `=41\nFrom a Mon Jan 1\n${quoted(TEXT)}`)],
  ])('is decoded to its end, behind %s', (_, file) => expect(shown(file)).toContain(TEXT));

  it.each([
    ['an attachment that is no text', mail('base64', base64(PICTURE)), 'an attachment'],
    ['an encoding that is no word', mail('?quoted-printable', quoted('Hi')), 'a mail part in an unknown encoding'],
    ['comments in comments', mail('((a) b) base64', base64('Hi')), 'a mail part in an unknown encoding'],
    ['an unknown encoding', mail('x-uuencode', 'begin'), 'a mail part in an unknown encoding'],
    ['a charset that is not decoded', `Content-Type: text/plain; charset=utf-7\n\nHi +AEE-`, 'charset utf-7'],
    ['a subject in such a charset', 'Subject: =?utf-7?Q?+AEE-?=\n\nHi', 'charset utf-7'],
    ['encoded parts together', mail('base64', 'SGk=', 'multipart/mixed; boundary=x'), 'a mail with an ambiguous part'],
    ['two content types', mail('7bit\r\nContent-Type: text/html', 'Hi'), 'a mail with an ambiguous part'],
    ['several encoded mails', mail('quoted-printable', `=41\nFrom a Mon Jan 1\n`), 'several mails in one file'],
  ])('is listed with %s', (_, file, unread) => expect(read(file).unread).toBe(unread));

  it('with very many parts, or a very long field, is listed', () => {
    const parts = `--b\nContent-Transfer-Encoding: base64\n\nSGk=\n`.repeat(2_000);
    expect(read(mail('7bit', parts, 'multipart/mixed; boundary=b')).unread).toBe('a mail with very many parts');
    const subject = '=?utf-8?q?a?= '.repeat(5_000);
    expect(read(`Subject: ${subject}\n\nHi`).unread).toBe('a mail with a very long field');
  });

  it('in very many mails is listed, in bounded time', () => {
    let file = TEXT;
    for (let depth = 0; depth < 12; depth += 1) file = mail('base64', base64(file), 'message/rfc822');
    expect(read(file).unread).toBe('too many files in each other');
    const parts = `--b\nContent-Transfer-Encoding: base64\n\nSGk=\n`.repeat(900);
    expect(shown(mail('7bit', parts, 'multipart/mixed; boundary=b')).match(/Hi/g)).toHaveLength(900);
  });
});

describe('a card or calendar', () => {
  it.each([
    ['folded lines', 'BEGIN:VCALENDAR\r\nDESCRIPTION:Hel\r\n lo \r\n  you\r\nEND:VCALENDAR', 'DESCRIPTION:Hello  you'],
    ['folds with tabs', 'BEGIN:VCALENDAR\nDESCRIPTION:Hel\n\tlo', 'DESCRIPTION:Hello'],
    ['escapes', 'BEGIN:VCARD\nNOTE:a\\nb\\, c\\;d\\\\e', 'NOTE:a\nb, c;d\\e'],
    [
      'quoted-printable',
      `BEGIN:VCARD\nNOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quoted('Grö')}=\n${quoted('ße')}\nEND:VCARD`,
      'Größe',
    ],
    ['the short form', `BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:${quoted('Hello')}`, 'NOTE;QUOTED-PRINTABLE:Hello'],
    ['base64', `BEGIN:VCARD\nNOTE;ENCODING=b:${base64('Hello')}`, 'NOTE;ENCODING=b:Hello'],
    ['white space', `BEGIN : VCARD\nNOTE ; ENCODING = QUOTED-PRINTABLE : ${quoted('Hello')}`, 'Hello'],
    ['white space before base64', `  BEGIN:VCARD\nNOTE; ENCODING = "BASE64" ; X=1:${base64('Hello')}`, 'Hello'],
    ['a message of a phone', `BEGIN:VMSG\nBEGIN:VBODY\nX;ENCODING=QUOTED-PRINTABLE:${quoted('Hello')}`, 'Hello'],
  ])('is read with %s', (_, file, text) => expect(shown(file)).toContain(text));

  it('is read with a fold at any offset', () => {
    for (let units = 65_510; units < 65_540; units += 1) {
      const text = 'q'.repeat(units);
      for (const end of ['\r\n', '\n', '\r'])
        expect(shown(`BEGIN:VCARD\nN:${text}${end} x${end}Y`)).toBe(`BEGIN:VCARD\nN:${text}x\nY`);
    }
  });

  it('is listed with a picture', () => {
    const file = `BEGIN:VCARD\r\nPHOTO;ENCODING=b;TYPE=PNG:${base64(PICTURE)}\r\nEND:VCARD`;
    expect(read(file).unread).toBe('a value that is not text');
  });
});

describe('an XML document with entities', () => {
  const xml = (entities: string, body: string) => `<!DOCTYPE a [${entities}]><a>${body}</a>`;

  it.each([
    ['its own entities', xml('<!ENTITY x "Hel"><!ENTITY y \'lo\'>', '&x;&y;'), 'Hello'],
    ['entities in entities', xml('<!ENTITY x "l"><!ENTITY y "&x;&x;o">', 'He&y;'), 'Hello'],
    ['numbers in entities', xml('<!ENTITY x "&#72;&#x65;"><!ENTITY y "&#38;#108;">', '&x;l&y;o'), 'Hello'],
    ['entities in attributes', xml('<!ENTITY x "Hello">', '<b c="&x;"/>'), 'c="Hello"'],
    ['predefined entities', xml('<!ENTITY x "">', '&lt;&#65;&unknown;'), '<A&unknown;'],
    ['sections', xml('<!ENTITY x "lo">', 'H<![CDATA[el]]>&x;'), 'Hello'],
  ])('is read with %s', (_, file, text) => expect(shown(file)).toContain(text));

  const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  it.each([
    ['outside entities', xml('<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;'), 'XML with outside entities'],
    ['public entities', xml('<!ENTITY x PUBLIC "a" "https://a.example/">', '&x;'), 'XML with outside entities'],
    ['parameter entities', xml('<!ENTITY % x "a">', ''), 'XML with outside entities'],
    ['an entity in itself', xml('<!ENTITY x "&y;"><!ENTITY y "&x;">', '&x;'), 'XML entities that expand too far'],
    [
      'entities that expand without end',
      xml(`<!ENTITY l0 "lol">${laughs}`, '&l12;'),
      'XML entities that expand too far',
    ],
    ['an entity with two values', xml('<!ENTITY x "a"><!ENTITY x "b">', '&x;'), 'XML entities with two values'],
  ])('is listed with %s', (_, file, unread) => {
    const { text, unread: listed } = read(file);
    expect(listed).toBe(unread);
    expect(text.length).toBeLessThan(3 * 1024 * 1024);
  });
});

it('a file of several formats is read as each', () => {
  const header = `X-A: {\\rtf1 \\'48i}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  expect(shown(`${header}${base64('Hello')}`).split('\n')).toEqual(expect.arrayContaining(['Hello']));
  expect(shown(`${header}${base64('Hello')}`)).toContain('Hi');
});

describe('a document that states its charset', () => {
  it.each([
    ['in XML', '<?xml version="1.0" encoding="utf-7"?><a>+AEE-</a>', 'charset utf-7'],
    ['in HTML', '<html><meta http-equiv="Content-Type" content="text/html; charset=utf-7">+AEE-', 'charset utf-7'],
  ])('is listed if it is not decoded: %s', (_, file, unread) => expect(read(file).unread).toBe(unread));

  it('is read in it where ASCII bytes are other letters', () => {
    expect(read('<meta charset=iso-2022-jp>\u001b$B$3$l\u001b(B').text).toContain('これ');
  });
});

describe('a format that is not read', () => {
  it.each([
    ['LaTeX', '\\documentclass{article}\n\\begin{document}\\char72 i\\end{document}', 'LaTeX'],
    ['PostScript', '%!PS-Adobe-3.0\n(\\110i) show', 'PostScript'],
    ['uuencoded data', 'Hi\nbegin 644 a.txt\n#2&D*\n`\nend\n', 'uuencoded data'],
    ['yEnc data', '=ybegin line=128 size=2 name=a\nrs\n=yend size=2', 'yEnc data'],
    [
      'an archive with stored files',
      Buffer.from(`PK\u0003\u0004${'text '.repeat(99)}PK\u0005\u0006\0\0`),
      'an archive or office document',
    ],
    [
      'an old office document',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('text '.repeat(99))]),
      'old office format',
    ],
  ])('is listed, and read as written: %s', (_, file, unread) => {
    expect(read(file)).toMatchObject({ unread, text: expect.stringMatching(/\S/) });
  });
});
