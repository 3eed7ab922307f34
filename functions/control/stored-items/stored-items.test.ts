import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResponseSealer } from '../../kernel/crypto/index.ts';
import { mintApiKey } from '../keys/index.ts';
import type { ItemStore, NewItems } from './item-store.ts';
import { type ItemOwner, StoredItems } from './stored-items.ts';

const NOW = Date.parse('2026-06-01T00:00:00.500Z');
const clock = { now: () => NOW, monotonic: () => 0 };
const scheduler = { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };

class FakeStore implements ItemStore {
  readonly entries = new Map<string, NewItems>();
  readonly reads: (readonly string[])[] = [];
  yielded = 0;

  async write(entry: NewItems) {
    this.entries.set(entry.name, entry);
  }

  async remove(names: readonly string[]) {
    for (const name of names) this.entries.delete(name);
  }

  async *read(names: readonly string[]) {
    this.reads.push(names);
    for (const name of names) {
      const entry = this.entries.get(name);
      if (entry === undefined) continue;
      this.yielded += 1;
      yield entry;
    }
  }
}

function ownerOf(keyId: string, secret = mintApiKey()): ItemOwner {
  return { keyId, sealerFor: (name, salt) => new ResponseSealer(secret, name, salt) };
}

function world() {
  const store = new FakeStore();
  const items = new StoredItems(store, clock, scheduler);
  const keep = (owner: ItemOwner, id: string, output: readonly Record<string, unknown>[]) =>
    items.keep(owner, { id, items: output, endUserId: null });
  const find = async (owner: ItemOwner, ids: readonly string[], maxBytes = 1e6) =>
    Object.fromEntries(await items.find(owner, new Set(ids), maxBytes));
  return { store, items, keep, find };
}

const OWNER = ownerOf('key_1');

describe('the items of a response', () => {
  it('come back as they were stored, whatever they hold, for any number of responses in one read', async () => {
    const item = fc.record({ text: fc.string({ unit: 'grapheme' }), more: fc.jsonValue() });
    const responses = fc.uniqueArray(fc.tuple(fc.string(), fc.array(item, { maxLength: 3 })), {
      selector: ([id]) => id,
    });
    await fc.assert(
      fc.asyncProperty(responses, async (all) => {
        const { store, keep, find } = world();
        const outputs = all.map(([id, output], response) => ({
          id,
          output: output.map((one, at) => ({ id: `item_${response}_${at}`, ...one })),
        }));
        for (const { id, output } of outputs) await keep(OWNER, id, output);
        const expected = outputs.flatMap(({ output }) =>
          output.map((one) => [one.id, JSON.parse(JSON.stringify(one))]),
        );
        const ids = outputs.map(({ id }) => id);
        expect(await find(OWNER, ids)).toEqual(Object.fromEntries(expected));
        expect(store.reads.map(({ length }) => length)).toEqual([ids.length]);
      }),
    );
  });

  it('are kept for 30 days with the name of the end user, and unreadable in the store', async () => {
    const { store, items } = world();
    await items.keep(OWNER, { id: 'a', items: [{ id: 'msg_1', text: 'heliotrope' }], endUserId: 'ann' });
    const [entry] = [...store.entries.values()];
    expect(entry).toMatchObject({ endUserId: 'ann', expiresAtMs: Date.parse('2026-07-01T00:00:00.500Z') });
    expect(Buffer.from(entry?.bytes ?? []).toString('latin1')).not.toMatch(/heliotrope|msg_1/);
    expect(entry?.name).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are unknown to another key, even one that has the same secret, and to another secret of the key', async () => {
    const secret = mintApiKey();
    const { store, keep, find } = world();
    await keep(ownerOf('key_1', secret), 'a', [{ id: 'msg_1' }]);
    expect(await find(ownerOf('key_1', secret), ['a'])).toEqual({ msg_1: { id: 'msg_1' } });
    expect([await find(ownerOf('key_2', secret), ['a']), store.yielded]).toEqual([{}, 1]);
    expect([await find(ownerOf('key_1'), ['a']), store.yielded]).toEqual([{}, 2]);
    expect(await find(ownerOf('key_1', secret), ['b'])).toEqual({});
  });

  it('cannot be moved to another response or key in the table', async () => {
    const { store, keep, find } = world();
    await keep(OWNER, 'a', [{ id: 'msg_1' }]);
    await keep(OWNER, 'b', [{ id: 'msg_2' }]);
    const [a, b] = [...store.entries.values()] as [NewItems, NewItems];
    store.entries.set(b.name, { ...a, name: b.name });
    expect(await find(OWNER, ['a', 'b'])).toEqual({ msg_1: { id: 'msg_1' } });
  });

  it('are removed for their key alone', async () => {
    const { items, keep, find } = world();
    await keep(OWNER, 'a', [{ id: 'msg_1' }]);
    await keep(OWNER, 'b', [{ id: 'msg_2' }]);
    await items.remove({ keyId: 'key_2' }, ['a']);
    await items.remove(OWNER, ['b']);
    expect(await find(OWNER, ['a', 'b'])).toEqual({ msg_1: { id: 'msg_1' } });
  });

  it('above 4 MiB are not stored', async () => {
    const { store, keep } = world();
    const textOf = (length: number) => [{ id: 'm', text: 'x'.repeat(length) }];
    await keep(OWNER, 'a', textOf(4 * 1024 * 1024 - 100));
    await expect(keep(OWNER, 'b', textOf(4 * 1024 * 1024))).rejects.toThrow(RangeError);
    expect(store.entries.size).toBe(1);
  });

  it('are read only up to twice the size of a body, and then not further', async () => {
    const { store, keep, find } = world();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const id of ids) await keep(OWNER, id, [{ id, text: 'x'.repeat(10_000) }]);
    expect(Object.keys(await find(OWNER, ids.slice(0, 3), 16_000))).toEqual(['a', 'b', 'c']);
    store.yielded = 0;
    await expect(find(OWNER, ids, 16_000)).rejects.toMatchObject({
      code: 'request_too_large',
      message: 'With the items that it refers to, the request body is larger than the limit of 16000 bytes.',
    });
    expect(store.yielded).toBe(4);
  });
});
