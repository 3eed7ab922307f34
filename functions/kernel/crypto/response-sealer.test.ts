import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mintApiKey } from '../../control/keys/index.ts';
import { ResponseSealer } from './response-sealer.ts';

const secret = mintApiKey();
const text = fc.string({ unit: 'grapheme' });

describe('an answer', () => {
  it('comes back by the same secret, name and salt, whatever text it is', () => {
    fc.assert(
      fc.property(text, fc.string(), (answer, name) => {
        const box = new ResponseSealer(secret, name);
        expect(new ResponseSealer(secret, name, box.salt).open(box.seal(answer))).toBe(answer.toWellFormed());
      }),
    );
  });

  it('does not come back by another secret, name or salt, nor where a single bit was changed', () => {
    const box = new ResponseSealer(secret, 'name');
    const sealed = box.seal('a text that is not to be read');
    for (const other of [
      new ResponseSealer(mintApiKey(), 'name', box.salt),
      new ResponseSealer(secret, 'other', box.salt),
      new ResponseSealer(secret, 'name'),
    ]) {
      expect(() => other.open(sealed)).toThrow();
    }
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => box.open(changed)).toThrow();
    }
    expect(() => box.open(sealed.subarray(0, 20))).toThrow();
  });

  it('never looks the same twice, and shows nothing of its text', () => {
    const box = new ResponseSealer(secret, 'name');
    const [one, other] = [box.seal('heliotrope'), box.seal('heliotrope')].map((bytes) => Buffer.from(bytes));
    expect(one?.equals(other as Buffer)).toBe(false);
    expect(one?.includes('heliotrope')).toBe(false);
  });
});

describe("a body's fingerprint", () => {
  it('is the same for the same body, and tells every other apart', () => {
    const box = new ResponseSealer(secret, 'name');
    fc.assert(fc.property(text, text, (a, b) => expect(box.tagOf(a) === box.tagOf(b)).toBe(a === b)));
  });

  it('tells nobody without the secret what the body was', () => {
    const box = new ResponseSealer(secret, 'name');
    expect(new ResponseSealer(mintApiKey(), 'name', box.salt).tagOf('yes')).not.toBe(box.tagOf('yes'));
    expect(new ResponseSealer(secret, 'name').tagOf('yes')).not.toBe(box.tagOf('yes'));
  });
});
