import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readKeyName } from './key-names.ts';

const realFetch = globalThis.fetch;
let asked: string[][] = [];

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (address) => {
    const ids = new URL(String(address), 'http://localhost').searchParams.get('ids')?.split(',') ?? [];
    asked.push(ids);
    return Response.json({ data: ids.filter((id) => id !== 'gone').map((id) => ({ id, name: `name of ${id}` })) });
  };
});

afterEach(() => {
  globalThis.fetch = realFetch;
});

it('looks up names that are needed together in one call, and a hundred at most', async () => {
  expect(await Promise.all(['a', 'gone', 'b'].map(readKeyName))).toEqual(['name of a', null, 'name of b']);
  expect(asked).toEqual([['a', 'gone', 'b']]);
  await Promise.all(Array.from({ length: 150 }, (_, at) => readKeyName(`key_${at}`)));
  expect(asked.map((ids) => ids.length)).toEqual([3, 100, 50]);
});

it('fails all lookups of a call that fails, and starts anew', async () => {
  const working = globalThis.fetch;
  globalThis.fetch = async () => Response.json({}, { status: 403 });
  const failed = await Promise.allSettled(['a', 'b'].map(readKeyName));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  globalThis.fetch = working;
  expect(await readKeyName('a')).toBe('name of a');
});
