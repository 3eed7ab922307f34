import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Disturbance } from './ledger.ts';

/** To be loaded before every process of the soak: in its address, since helper processes get few variables. */
export function preloadOf(settings: Readonly<Record<string, string>>): string {
  const url = pathToFileURL(path.join(import.meta.dirname, 'soaked-process.mjs'));
  url.search = String(new URLSearchParams(settings));
  return url.href;
}

const LOOK_EVERY_MS = 50;
const STOOD_STILL_MS = 300;
const WHAT = 'a process stood still for lack of a processor';

/**
 * Notes when this process, which is provider, proxy and caller, stood still; those of the service say so in a file.
 * @returns ends it
 */
export function watchStandstills(now: () => number, noted: Disturbance[]): () => void {
  let lookedAt = now();
  const timer = setInterval(() => {
    const lateMs = now() - lookedAt - LOOK_EVERY_MS;
    if (lateMs > STOOD_STILL_MS) noted.push({ what: WHAT, from: lookedAt, to: now(), excuses: 'deadlines' });
    lookedAt = now();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** What the processes wrote into the file, by the soak's own clock. */
export function readStandstills(file: string, now: () => number): Disturbance[] {
  if (!existsSync(file)) return [];
  const sinceEpoch = Date.now() - now();
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => {
    const { instance, toMs, ms } = JSON.parse(line) as { instance?: string; toMs: number; ms: number };
    const to = toMs - sinceEpoch;
    const number = instance?.split('-').at(-1);
    return {
      what: WHAT,
      ...(number !== undefined && { instance: Number(number) }),
      from: to - ms,
      to,
      excuses: 'deadlines',
    };
  });
}
