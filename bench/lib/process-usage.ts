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

/** The same of a process and all processes below it. */
export function treeCpuMs(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + treeCpuMs(Number(child)), cpuMs(pid));
}

/** Memory that a process has resident now, MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
