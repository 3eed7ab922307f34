import type { PolicyScores, ThreatType } from '../../api/client.ts';
import { THREAT_TYPES } from '../../components/labels.ts';
import { DIRECTIONS, type Direction, type Settings } from './policy-settings.ts';
import { inForce } from './preset-defaults.ts';

/** From this score on a finding is flagged, below its threshold too. */
const FLAG_FROM = 0.5;

export type Outcome = 'block' | 'redact' | 'flag' | 'none';
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

export function binsOf(scores: PolicyScores | undefined, direction: Direction, type: ThreatType): readonly number[] {
  return scores?.[direction][type] ?? [];
}

/** Findings with at least this score. Those of the interval that contains it count as far as they can be known: all of them. */
export function countFrom(bins: readonly number[], threshold: number): number {
  const first = Math.floor(threshold * bins.length + 1e-9);
  return bins.slice(first).reduce((sum, count) => sum + count, 0);
}

/** What a policy would do with recorded findings, by their scores alone. */
export function estimate(settings: Settings, scores: PolicyScores): OutcomeCounts {
  const counts = { block: 0, redact: 0, flag: 0, none: 0 };
  for (const direction of DIRECTIONS) {
    for (const type of THREAT_TYPES) {
      const bins = binsOf(scores, direction, type);
      const all = countFrom(bins, 0);
      const { action, threshold } = inForce(settings, direction, type);
      if (action === 'off') {
        counts.none += all;
        continue;
      }
      const acted = countFrom(bins, threshold);
      const flagged = Math.max(acted, countFrom(bins, FLAG_FROM));
      counts[action] += acted;
      counts.flag += flagged - acted;
      counts.none += all - flagged;
    }
  }
  return counts;
}
