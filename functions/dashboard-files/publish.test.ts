import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentTypeOf, publishPage, removePage } from './publish.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

/** A bucket with these files, by days since their last upload. */
function bucket(ages: Readonly<Record<string, number>>) {
  const files = new Map(Object.entries(ages).map(([name, days]) => [name, NOW - days * DAY]));
  const put: string[] = [];
  const folder = {
    put: async (name: string) => {
      put.push(name);
      files.set(name, NOW);
    },
    delete: async (name: string) => void files.delete(name),
    list: async () => [...files].map(([name, changedAt]) => ({ name, changedAt })),
  };
  return { files, put, deps: { folder, clock: { now: () => NOW, monotonic: () => NOW } } };
}

const build = (...names: string[]) => names.map((name) => ({ name, bytes: Buffer.from(name) }));

describe('a build', () => {
  test('is uploaded completely before the page that names it', async () => {
    const { put, deps } = bucket({});
    await publishPage(build('index.html', 'assets/b.js', 'assets/a.css'), deps);
    expect(put).toHaveLength(3);
    expect(put.at(-1)).toBe('index.html');
  });

  test('without a page is not uploaded', async () => {
    const { put, deps } = bucket({ 'index.html': 40 });
    await expect(publishPage(build('assets/b.js'), deps)).rejects.toThrow('index.html');
    expect(put).toEqual([]);
  });

  test('deletes files that were not uploaded for 30 days, and no others', async () => {
    const ages = fc.dictionary(fc.constantFrom('a.js', 'b.js', 'c.js', 'index.html'), fc.integer({ min: 0, max: 60 }));
    await fc.assert(
      fc.asyncProperty(ages, fc.subarray(['a.js', 'b.js']), async (before, ours) => {
        const { files, deps } = bucket(before);
        await publishPage(build('index.html', ...ours), deps);
        const young = Object.keys(before).filter((name) => (before[name] ?? 0) <= 30);
        expect([...files.keys()].sort()).toEqual([...new Set(['index.html', ...ours, ...young])].sort());
      }),
    );
  });
});

test('removing the page leaves no file', async () => {
  const { files, deps } = bucket({ 'index.html': 1, 'assets/a.js': 90 });
  await removePage(deps);
  expect(files.size).toBe(0);
});

test.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['assets/index-1a2b.js', 'text/javascript; charset=utf-8'],
  ['assets/a.b.woff2', 'font/woff2'],
  ['assets/no-extension', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
])('%s has the type %s', (name, type) => expect(contentTypeOf(name)).toBe(type));
