import { describe, expect, it } from '@jest/globals';
import { bytesWithoutKey } from './provider-responses.ts';

const KEY = ['aab', 'aab', 'aabc'].join('');

async function passed(pieces: readonly string[], key = KEY): Promise<string> {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const out: Uint8Array[] = [];
  for await (const bytes of bytesWithoutKey(body(), key)) out.push(bytes);
  return Buffer.concat(out).toString();
}

describe('what a provider sends', () => {
  const text = `é ${KEY}${KEY} aabaab${KEY} aabaabaab`;
  const expected = 'é [REDACTED_PROVIDER_KEY][REDACTED_PROVIDER_KEY] aabaab[REDACTED_PROVIDER_KEY] aabaabaab';

  it('has no key in it, wherever it is cut', async () => {
    expect(await passed([text])).toBe(expected);
    expect(await passed([...text])).toBe(expected);
    for (let at = 0; at <= text.length; at += 1) {
      expect(await passed([text.slice(0, at), text.slice(at)])).toBe(expected);
    }
  });

  it('waits only for what may be the key', async () => {
    async function* body() {
      yield Buffer.from('data: 1\n\n');
      throw new Error('read too far');
    }
    expect((await bytesWithoutKey(body(), KEY).next()).value?.toString()).toBe('data: 1\n\n');
  });

  it('keeps the words that stand for no key', async () => {
    expect(await passed(['none of it'], 'none')).toBe('none of it');
  });
});
