import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time that a process's threads have used so far, milliseconds. The scheduler's own count, in nanoseconds: the one in
 * /proc/PID/stat goes by hundredths of a second, too coarse for a slow target's few requests.
 */
export function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6)
    .reduce((sum, ms) => sum + ms, 0);
}

const TICK_MS = 10;

/** The same of a process and all processes that it has started, in steps of 10 ms: with threads and processes that have ended. */
export function treeCpuMs(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  // After the program's name in brackets, from the third field (proc_pid_stat(5)): utime, stime and those of ended children.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
  const ticks = fields.split(' ').slice(11, 15);
  return children.reduce(
    (sum, child) => sum + treeCpuMs(Number(child)),
    ticks.reduce((sum, field) => sum + Number(field) * TICK_MS, 0),
  );
}

/** Memory that a process has resident now, MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
