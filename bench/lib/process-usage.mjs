import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second (USER_HZ), whatever the machine. */
const MS_PER_TICK = 10;
/** Of the fields behind the command's name in /proc/PID/stat (proc(5)): utime is field 14 of all, stime field 15. */
const UTIME = 11;
const STIME = 12;

/** CPU time that a process, with all its threads, has used so far, milliseconds. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) * MS_PER_TICK;
}

/** Memory that a process has resident now, MB. */
export function residentMb(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}
