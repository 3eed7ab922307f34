import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isApiKeyForm, mintApiKey } from '../../control/keys/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { createKeyHasher } from './hmac-key-hasher.ts';

const [OLD, NEW] = ['o'.repeat(64), 'n'.repeat(64)] as [string, string];
const hasherOf = (text: string) => createKeyHasher(async () => text);
const secret = mintApiKey();

describe('the hash of a secret', () => {
  it("is HMAC-SHA-256 with the pepper, after the pepper's id", async () => {
    const hmac = createHmac('sha256', OLD).update(secret).digest('hex');
    expect(await hasherOf(OLD).hashes(secret)).toEqual([expect.stringMatching(new RegExp(`^[0-9a-f]{8}\\.${hmac}$`))]);
  });

  it('is computed for each pepper, in order, with any white space between them', async () => {
    const [[old], [fresh]] = await Promise.all([hasherOf(OLD).hashes(secret), hasherOf(NEW).hashes(secret)]);
    expect(await hasherOf(` ${NEW}\n${OLD}\n`).hashes(secret)).toEqual([fresh, old]);
  });

  it('follows a pepper that changes while the process runs', async () => {
    let text = OLD;
    const hasher = createKeyHasher(async () => text);
    const [old] = await hasher.hashes(secret);
    text = `${NEW} ${OLD}`;
    expect((await hasher.hashes(secret))[1]).toBe(old);
  });

  it.each(['', ' \n'])('is not computed without a pepper: %j', async (text) => {
    await expect(hasherOf(text).hashes(secret)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('a secret', () => {
  it('has a seal that every current pepper accepts, and no other', async () => {
    for (let i = 0; i < 50; i += 1) {
      const minted = await hasherOf(OLD).mint();
      expect(isApiKeyForm(minted)).toBe(true);
      expect(await hasherOf(OLD).isSealed(minted)).toBe(true);
      expect(await hasherOf(`${NEW} ${OLD}`).isSealed(minted)).toBe(true);
      expect(await hasherOf(NEW).isSealed(minted)).toBe(false);
    }
  });

  it('that was made without the pepper has no valid seal, even with the right form', async () => {
    for (let i = 0; i < 200; i += 1) expect(await hasherOf(OLD).isSealed(mintApiKey())).toBe(false);
  });

  it('is created with the current pepper while there are two', async () => {
    expect(await hasherOf(NEW).isSealed(await hasherOf(`${NEW} ${OLD}`).mint())).toBe(true);
  });
});
