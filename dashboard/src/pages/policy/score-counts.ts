import type { PolicyScores, ThreatType } from '../../api/client.ts';
import { formatExact } from '../../components/format.ts';
import { THREAT_TYPES } from '../../components/labels.ts';
import { DIRECTIONS, type Direction, type Settings } from './policy-settings.ts';
import { inForce } from './preset-defaults.ts';

/** From this score on a finding is flagged, below its threshold too. */
const FLAG_FROM = 0.5;

export type Outcome = 'block' | 'ask' | 'redact' | 'flag' | 'none';
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
  const all = DIRECTIONS.flatMap((direction) =>
    THREAT_TYPES.map((type) => estimateOf(settings, scores, direction, type)),
  );
  const sum = (outcome: Outcome) => all.reduce((total, counts) => total + counts[outcome], 0);
  return { block: sum('block'), ask: sum('ask'), redact: sum('redact'), flag: sum('flag'), none: sum('none') };
}

/** The same for the findings of one type and direction. */
function estimateOf(settings: Settings, scores: PolicyScores, direction: Direction, type: ThreatType): OutcomeCounts {
  const counts = { block: 0, ask: 0, redact: 0, flag: 0, none: 0 };
  const bins = binsOf(scores, direction, type);
  const all = countFrom(bins, 0);
  const { action, threshold } = inForce(settings, direction, type);
  if (action === 'off') return { ...counts, none: all };
  const acted = countFrom(bins, threshold);
  const flagged = Math.max(acted, countFrom(bins, FLAG_FROM));
  counts[action] += acted;
  counts.flag += flagged - acted;
  counts.none = all - flagged;
  return counts;
}

const OUTCOME_NAMES = [
  ['block', 'blocked'],
  ['ask', 'asked'],
  ['redact', 'redacted'],
  ['flag', 'flagged'],
] as const;

/**
 * The estimated difference between two policies for one type and direction; undefined if they do not differ there, or
 * without findings.
 */
export function effectOf(
  saved: Settings,
  draft: Settings,
  scores: PolicyScores,
  direction: Direction,
  type: ThreatType,
): string | undefined {
  const [before, after] = [inForce(saved, direction, type), inForce(draft, direction, type)];
  if (before.action === after.action && before.threshold === after.threshold) return undefined;
  if (before.action === 'off') return 'effect unknown, since it was not inspected';
  const all = countFrom(binsOf(scores, direction, type), 0);
  if (all === 0) return undefined;
  const [was, is] = [estimateOf(saved, scores, direction, type), estimateOf(draft, scores, direction, type)];
  const changes = OUTCOME_NAMES.flatMap(([outcome, name]) => {
    const difference = is[outcome] - was[outcome];
    if (difference === 0) return [];
    return [`${difference > 0 ? '+' : '−'}${formatExact(Math.abs(difference))} ${name}`];
  });
  return `${changes.length === 0 ? 'no effect on' : `${changes.join(', ')} of`} ${formatExact(all)} findings in 7 days`;
}
