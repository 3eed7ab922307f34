import path from 'node:path';

/** Sources run in the repository; everything else is the built package. */
const isSource = import.meta.filename.endsWith('.ts');

/** The program svc. */
export const ENTRY = path.join(import.meta.dirname, isSource ? 'svc.ts' : 'svc.mjs');

/** The service that `svc start` runs. */
export const SERVICE = path.join(import.meta.dirname, isSource ? '../dist/local' : '', 'index.mjs');

/** How a user calls a command, followed by its arguments. */
export function callOf(command: string): string {
  return isSource ? `npm run --silent ${command} --` : `svc ${command}`;
}
