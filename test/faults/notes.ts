import { readFileSync, writeFileSync } from 'node:fs';
import type { Ledger } from './ledger.ts';

/** How a soak was run. */
export interface SoakRun {
  readonly seconds: number;
  readonly seed: number;
  readonly store: string;
  /** Of the machine, over the last five minutes of it. */
  readonly load: number;
}

/** All data of a run, to investigate violations and to check it again. */
export interface Notes {
  readonly run: SoakRun;
  readonly ledger: Ledger;
}

/** What JSON has no form for, by a name that nothing else has. */
const BIGINT = '$bigint';
const MAP = '$map';
const INFINITE = '$infinite';

export function writeNotes(file: string, notes: Notes): void {
  writeFileSync(file, JSON.stringify(notes, toPlain, 1));
}

export function readNotes(file: string): Notes {
  return JSON.parse(readFileSync(file, 'utf8'), fromPlain);
}

export function toPlain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: String(value) };
  if (value === Number.POSITIVE_INFINITY) return { [INFINITE]: true };
  return value instanceof Map ? { [MAP]: [...value] } : value;
}

export function fromPlain(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { [BIGINT]: bigint, [MAP]: map, [INFINITE]: infinite } = value as Record<string, unknown>;
  if (typeof bigint === 'string') return BigInt(bigint);
  if (infinite === true) return Number.POSITIVE_INFINITY;
  return Array.isArray(map) ? new Map(map as [unknown, unknown][]) : value;
}
