import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Surface } from '../../model/threat.ts';
import type { OutsideFinding } from './outside-detector.ts';

interface Known {
  readonly findings: readonly OutsideFinding[];
  readonly until: number;
}

const MAX_KNOWN = 4_096;
/** A guardrail that is changed counts for known texts after this time. */
const FRESH_MS = 10 * 60_000;

/**
 * What outside detectors said lately, by the text's digest: a conversation comes back with every turn, and only its new
 * messages are worth a call. Holds no text.
 */
export class KnownJudgements {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  private readonly monotonic: () => number;

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  get(key: string): readonly OutsideFinding[] | undefined {
    const found = this.known.get(key);
    return found === undefined || found.until < this.monotonic() ? undefined : found.findings;
  }

  set(key: string, findings: readonly OutsideFinding[]): void {
    this.known.set(key, { findings, until: this.monotonic() + FRESH_MS });
  }
}

/** The digest of whose question it is, who answers it, and about what. */
export function judgementKey(
  parts: readonly [asker: string, detector: string, surface: Surface, text: string],
): string {
  return hash('sha256', parts.join(' '), 'base64');
}
