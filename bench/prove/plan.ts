import type { Settings } from '../../lib/settings/settings.ts';
import type { Call } from './calls.ts';
import type { LoadResult, LoadSize } from './load.ts';

export const HOMES = ['function-url', 'fargate', 'web-function'] as const;
export type Home = (typeof HOMES)[number];

/** What a proof is asked for. */
export interface Plan {
  readonly settings: Settings;
  readonly region: string;
  readonly homes: readonly Home[];
  readonly load: LoadSize;
  /** CloudWatch has the last minutes late. */
  readonly metricsLateSeconds: number;
  /** The stage may exist before; then nothing of it is removed. */
  readonly isExisting: boolean;
  /** Whether what was deployed stays. */
  readonly keeps: boolean;
}

/** What steps found. Kept in a file between runs, so without keys. */
export interface Found {
  /** By home: addresses and what was made. */
  readonly values: Record<string, string>;
  readonly loads: Record<string, LoadResult>;
  /** By home and region: what CloudWatch returned. */
  readonly usage: Record<string, string[]>;
}

/** Keys, in the memory of this run only. */
export type Keys = Record<string, string>;

export interface Step {
  readonly id: string;
  readonly what: string;
  /** Also made by a run that resumes: it reads keys, which are not stored. */
  readonly isRepeated?: boolean;
  /** What stays in the account after it, until a later step removes it. */
  readonly leaves?: string;
  /** Each call is made from what the calls before it found. */
  readonly calls: readonly ((found: Found, keys: Keys) => Call | undefined)[];
}

export type MakeCall = Step['calls'][number];
