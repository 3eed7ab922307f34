import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, PARTLY_READ } from './decode-text.ts';

/** As good as random, and the same in every run. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(String(at)).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the text of bytes', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe, 大きさ'), undefined, 'Größe, 大きさ', true],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffa'), undefined, '\ufeffa', true],
    ['nothing', Buffer.from(''), undefined, '', true],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff大きさ', 'utf16le'), undefined, '大きさ', false],
    ['big-endian UTF-16 with a byte order mark', swapped('\ufeff大きさ'), undefined, '大きさ', false],
    ['UTF-16 of Latin letters', Buffer.from('Größe und Gewicht', 'utf16le'), undefined, 'Größe und Gewicht', false],
    ['big-endian UTF-16 of Latin letters', swapped('Größe und Gewicht'), undefined, 'Größe und Gewicht', false],
    ['UTF-16 that is declared', Buffer.from('これは大きい', 'utf16le'), 'utf-16le', 'これは大きい', false],
    ['Latin-1', Buffer.from('Die Größe der Kiste', 'latin1'), undefined, 'Die Größe der Kiste', false],
    ['Shift JIS that is declared', Buffer.from('82b182ea82cd', 'hex'), 'shift_jis', 'これは', false],
    ['UTF-8 declared as another charset', Buffer.from('Größe'), 'iso-8859-1', 'Größe', true],
    ['UTF-8 declared as no charset at all', Buffer.from('Größe'), 'nonsense', 'Größe', true],
    [
      'UTF-8 of another script that is cut in a character',
      Buffer.from('это большой текст для проверки').subarray(0, -1),
      undefined,
      'это большой текст для проверк',
      false,
    ],
    ['UTF-8 with a replacement character', Buffer.from('\ufffd a'), undefined, '\ufffd a', true],
    ['a terminal’s colours', Buffer.from('\u001b[31mred\u001b[0m'), undefined, '\u001b[31mred\u001b[0m', true],
  ])('is found where they are %s', (_, bytes, declared, text, isUtf8) => {
    const decoded = decodeText(bytes, { charset: declared });
    expect([decoded?.text.split('\n\n')[0], decoded?.isUtf8]).toEqual([text, isUtf8]);
  });

  it.each([
    ['are compressed', noise(4096)],
    ['are a few random ones', noise(12)],
    ['are a whole image', PNG],
  ])('is none where they %s', (_, bytes) => expect(decodeText(bytes)).toBeUndefined());

  it.each([
    ['hold many zeros', Buffer.concat([Buffer.alloc(64), Buffer.from('Some letters of a text')]), undefined, undefined],
    [
      'hold a text behind an image',
      Buffer.concat([PNG, Buffer.from('Some letters of a text')]),
      PARTLY_READ,
      undefined,
    ],
    [
      'hold a text between drawn ones',
      Buffer.concat([noise(64), Buffer.from('\nSome letters of a text\n'), noise(64)]),
      PARTLY_READ,
      undefined,
    ],
    [
      'are a text with the signature of an image',
      Buffer.concat([PNG.subarray(0, 16), Buffer.from('Some letters of a text')]),
      undefined,
      undefined,
    ],
    [
      'say that they are in a charset that is not known',
      Buffer.from('Some letters of a text'),
      'charset utf-7',
      'utf-7',
    ],
  ])('is found where they %s', (_, bytes, unread, charset) => {
    const decoded = decodeText(bytes, { charset });
    expect(decoded?.text).toContain('Some letters of a text');
    expect(decoded?.unread).toBe(unread);
  });

  it('is what was written in UTF-8, whatever it is but control characters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(fc.property(text, (written) => expect(decodeText(Buffer.from(written))?.text).toBe(written)));
  });
});
