import { appendFile, copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { damaged, FIX, failure, overwrite, root, start, tableFiles, used } from './failed-starts.ts';

describe('a service whose data is damaged says what and what to do, in one line', () => {
  it('tables that cannot be read', async () => {
    const cutOff = await damaged('manifest', async (folder) => {
      for (const file of await tableFiles(folder, /^MANIFEST/)) await truncate(file, 20);
    });
    expect(await failure(cutOff)).toMatch(/cannot be opened: Corruption: /);
    // Starting once more writes the tables into separate files.
    await start(used);
    const blocks = await damaged('blocks', async (folder) => {
      for (const file of await tableFiles(folder, /\.ldb$/)) await truncate(file, 300);
    });
    expect((await tableFiles(blocks, /\.ldb$/)).length).toBeGreaterThan(0);
    expect(await failure(blocks)).toMatch(
      new RegExp(`^Not started: the store '${blocks}/dynamodb' cannot be .*\\. ${FIX}$`),
    );
  });

  it('a damaged end of the log is cut with a warning', async () => {
    const folder = path.join(root, 'tail');
    const first = await start(folder);
    expect(first.out).not.toContain('store cut');
    const [log = ''] = await tableFiles(folder, /\.log$/);
    const { size } = await stat(log);
    await overwrite(log, size - 300, 100);
    const { out } = await start(folder);
    const [cut] = out.split('\n').filter((one) => one.includes('store cut'));
    expect(JSON.parse(cut ?? '{}')).toMatchObject({
      level: 'WARN',
      message: 'store cut',
      store: `${folder}/dynamodb`,
      bytes: expect.any(Number),
    });
  });

  it('tables that have lost their data, instead of starting with empty ones', async () => {
    const lost = await damaged('lost', async (folder) => {
      for (const file of await tableFiles(folder, /./)) await rm(file);
    });
    expect(await failure(lost)).toBe(`Not started: the store '${lost}/dynamodb' has lost its data. ${FIX}`);
  });

  it('damaged queues, lock and secrets', async () => {
    const noise = 'x'.repeat(4_096);
    const queues = await damaged('queues', async (folder) => {
      for (const file of await readdir(path.join(folder, 'sqs'))) await rm(path.join(folder, 'sqs', file));
      await appendFile(path.join(folder, 'sqs/messages.db'), noise);
    });
    expect(await failure(queues)).toBe(
      `Not started: the store '${queues}/sqs/messages.db' cannot be opened: file is not a database. ${FIX}`,
    );
    const lock = await damaged('lock', (folder) => writeFile(path.join(folder, 'lock'), noise));
    expect(await failure(lock)).toBe(
      `Not started: the lock file '${lock}/lock' is damaged (file is not a database). Delete it: it contains no data.`,
    );
    const pepper = await damaged('pepper', (folder) => truncate(path.join(folder, 'pepper'), 10));
    expect(await failure(pepper)).toMatch(/^Not started: the file '.*\/pepper' is damaged\. Restore it/);
  });

  it('a missing pepper, without which the keys are invalid', async () => {
    const folder = await damaged('no-pepper', (copy) => rm(path.join(copy, 'pepper')));
    expect(await failure(folder)).toMatch(
      /^Not started: the file '.*\/pepper' is missing, without which no existing key is valid\. Restore it from a copy, set SVC_PEPPER/,
    );
    await copyFile(path.join(used, 'pepper'), path.join(folder, 'pepper'));
    expect((await start(folder)).out).toContain('ready http');
  });
});
