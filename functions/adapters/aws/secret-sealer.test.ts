import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { createSecretSealer } from './secret-sealer.ts';

const [OLD, NEW] = ['o'.repeat(64), 'n'.repeat(64)];
const sealerOf = (text: string) => createSecretSealer(async () => text);

describe('a sealed text', () => {
  it('opens under its name, does not reveal the text, and differs each time', async () => {
    const sealer = sealerOf(OLD);
    const sealed = await Promise.all([1, 2].map(() => sealer.seal('a signing secret', 'wh_1')));
    for (const one of sealed) {
      expect(await sealer.open(one, 'wh_1')).toBe('a signing secret');
      expect(one).not.toContain('secret');
      expect(one).not.toContain(Buffer.from('signing').toString('base64').slice(0, 8));
    }
    expect(sealed[0]).not.toBe(sealed[1]);
  });

  it.each([
    ['in another place', (sealed: string) => [sealed, 'wh_2']],
    [
      'changed',
      (sealed: string) => [`${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}`, 'wh_1'],
    ],
    ['cut short', (sealed: string) => [sealed.slice(0, 30), 'wh_1']],
    ['nothing', () => ['', 'wh_1']],
  ])('does not open %s', async (_, change) => {
    const sealer = sealerOf(OLD);
    const [sealed = '', name = ''] = change(await sealer.seal('x'.repeat(30), 'wh_1'));
    await expect(sealer.open(sealed, name)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('opens during a key rotation, and is sealed under the new key', async () => {
    const before = await sealerOf(OLD).seal('a', 'n');
    const both = sealerOf(`${NEW}\n${OLD} `);
    expect(await both.open(before, 'n')).toBe('a');
    const after = await both.seal('b', 'n');
    expect(await sealerOf(NEW).open(after, 'n')).toBe('b');
    await expect(sealerOf(NEW).open(before, 'n')).rejects.toThrow('not available');
    await expect(sealerOf(OLD).open(after, 'n')).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('needs a key', async () => {
    await expect(sealerOf(' ').seal('a', 'n')).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
