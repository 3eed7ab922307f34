import { readdir, readFile } from 'node:fs/promises';

/** The processes that were started with a variable of this value, by what they are called. Linux only. */
export async function processesWith(variable: string, value: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [environment, name] = await Promise.all(
      ['environ', 'comm'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (environment?.includes(`${variable}=${value}\0`)) found.set((name ?? '').trim(), Number(pid));
  }
  return found;
}
