import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimForDemo, isDemoFilled, lockDataFolder, noteDemoFilled } from './data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fill = (name: string) => writeFile(path.join(folder, name), 'p'.repeat(64));
const entries = async () => (await readdir(folder)).filter((name) => name !== 'lock').sort();

describe('the data folder of a demo', () => {
  it('is emptied if the demo was not filled to its end, and kept if it was', async () => {
    await claimForDemo(folder);
    await fill('pepper');
    await claimForDemo(folder);
    expect([await entries(), await isDemoFilled(folder)]).toEqual([['demo'], false]);
    await fill('pepper');
    await noteDemoFilled(folder);
    await claimForDemo(folder);
    expect([await entries(), await isDemoFilled(folder)]).toEqual([['demo', 'pepper'], true]);
  });

  it('with other data is neither claimed nor emptied', async () => {
    await fill('pepper');
    await expect(claimForDemo(folder)).rejects.toThrow('other data than a demo');
    expect(await entries()).toEqual(['pepper']);
  });

  it('is not emptied while another process fills it', async () => {
    await claimForDemo(folder);
    await fill('pepper');
    const unlock = lockDataFolder(folder);
    const module = path.join(import.meta.dirname, 'data-folder.ts');
    const call = `(await import(${JSON.stringify(module)})).claimForDemo(${JSON.stringify(folder)})`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `await ${call}`], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('is in use by another svc');
    unlock();
    expect(await entries()).toEqual(['demo', 'pepper']);
  });
});
