import { readdir, readFile } from 'node:fs/promises';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly environment: string;
}

/** The processes that were started with a variable of this value, and those that they started, by what they are called. Linux only. */
export async function processesWith(variable: string, value: string): Promise<Map<string, number>> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess));
  const found = new Map<number, Process>();
  const isOne = ({ parent, environment }: Process) =>
    found.has(parent) || environment.includes(`\0${variable}=${value}\0`);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const one of all) if (isOne(one)) found.set(one.pid, one);
  }
  return new Map([...found.values()].map(({ name, pid }) => [name, pid]));
}

async function readProcess(pid: string): Promise<Process> {
  const [environment = '', stat = ''] = await Promise.all(
    ['environ', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  // `PID (NAME) STATE PARENT ...`, where the name may contain anything.
  const [, name = '', parent = ''] = /^\d+ \(([\s\S]*)\) \S (\d+)/.exec(stat) ?? [];
  return { pid: Number(pid), parent: Number(parent), name, environment: `\0${environment}` };
}
