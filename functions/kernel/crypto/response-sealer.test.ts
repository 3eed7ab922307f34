import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mintApiKey } from '../../control/keys/index.ts';
import { finish } from '../tasks/index.ts';
import { countSteps } from '../tasks/steps.fixture.ts';
import { ResponseSealer } from './response-sealer.ts';

const secret = mintApiKey();
const text = fc.string({ unit: 'grapheme' });

describe('an answer', () => {
  it('comes back by the same secret, name and salt, whatever text it is', () => {
    fc.assert(
      fc.property(text, fc.string(), (answer, name) => {
        const box = new ResponseSealer(secret, name);
        const opened = new ResponseSealer(secret, name, box.salt).open(finish(box.seal(answer)));
        expect(finish(opened)).toBe(answer.toWellFormed());
      }),
    );
  });

  it('does not come back by another secret, name or salt, nor where a single bit was changed', () => {
    const box = new ResponseSealer(secret, 'name');
    const sealed = finish(box.seal('a text that is not to be read'));
    for (const other of [
      new ResponseSealer(mintApiKey(), 'name', box.salt),
      new ResponseSealer(secret, 'other', box.salt),
      new ResponseSealer(secret, 'name'),
    ]) {
      expect(() => finish(other.open(sealed))).toThrow();
    }
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => finish(box.open(changed))).toThrow();
    }
    expect(() => finish(box.open(sealed.subarray(0, 20)))).toThrow();
  });

  it('never looks the same twice, and shows nothing of its text', () => {
    const box = new ResponseSealer(secret, 'name');
    const [one, other] = [1, 2].map(() => Buffer.from(finish(box.seal('heliotrope'))));
    expect(one?.equals(other as Buffer)).toBe(false);
    expect(one?.includes('heliotrope')).toBe(false);
  });
});

describe("a body's fingerprint", () => {
  it('is the same for the same body, and tells every other apart', () => {
    const box = new ResponseSealer(secret, 'name');
    fc.assert(fc.property(text, text, (a, b) => expect(finish(box.tagOf(a)) === finish(box.tagOf(b))).toBe(a === b)));
  });

  it('tells nobody without the secret what the body was', () => {
    const box = new ResponseSealer(secret, 'name');
    for (const other of [new ResponseSealer(mintApiKey(), 'name', box.salt), new ResponseSealer(secret, 'name')])
      expect(finish(other.tagOf('yes'))).not.toBe(finish(box.tagOf('yes')));
  });
});

it('is opened where version 0.3.0 sealed it, with the same fingerprint', () => {
  const box = new ResponseSealer('secret', 'name', Buffer.alloc(16, 7));
  const sealed = '4zxg5ztz+4xAXoHO9Bzd3bmHGGmqjKfjbWRchOvVebUfWqUzSEZHHQ==';
  expect(finish(box.open(Buffer.from(sealed, 'base64')))).toBe('Grüße 😀');
  expect(finish(box.tagOf('Grüße 😀'))).toBe('eEDcOlCqjenvptXtsPaKS735FghMjRM2LJLB1dpILAE');
});

describe('a text of 5 MB', () => {
  // Letters of different lengths around each place where it is cut, a byte order mark, and halves of pairs.
  const long = `\ufeff${'x'.repeat(5_000_000)}`;
  const mixed = ['😀', 'é', 'a😀', '\ud83d'].map((unit) => unit.repeat(Math.ceil(600_000 / unit.length)));
  const box = new ResponseSealer(secret, 'name');

  it('is sealed, opened and digested in 20 steps', () => {
    const sealed = finish(box.seal(long));
    const steps = [box.seal(long), box.open(sealed), box.tagOf(long)].map(countSteps);
    for (const count of steps) expect(count).toBe(20);
  });

  it('comes back whatever is where it is cut', () => {
    for (const text of [long, ...mixed, ...mixed.map((one) => `a${one}`)]) {
      expect(finish(box.open(finish(box.seal(text)))) === text.toWellFormed()).toBe(true);
      expect(finish(box.tagOf(text))).toBe(finish(box.tagOf(text.toWellFormed())));
    }
  });
});
