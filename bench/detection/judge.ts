import type { Inspector } from '../../functions/core/inspect/inspector.ts';
import { ATTACK_TYPES, type Surface } from '../../functions/core/model/threat.ts';
import { isHard } from '../../training/calibrate.ts';
import type { Row } from '../../training/read-sets.ts';

const ATTACKS: ReadonlySet<string> = new Set(ATTACK_TYPES);

/** A row of a labelled set as a detector judged it. */
export interface Scored extends Row {
  /** Harmless, but full of what attacks are made of. */
  readonly hard: boolean;
  /** The threat score: the highest of the attack types. */
  readonly score: number;
  readonly micros: number;
}

export function judge(row: Row, inspector: Inspector): Scored {
  const startedAt = performance.now();
  const score = threatScore(inspector, row.text, surfaceOf(row));
  return { ...row, hard: isHard({ sample: row }), score, micros: (performance.now() - startedAt) * 1000 };
}

/** Documents and tool results, clean twins of attacked ones among them, are read as such; everything else as a user's. */
export function surfaceOf({ set, category }: Row): Surface {
  return category.startsWith('indirect') || set.includes('indirect') ? 'tool' : 'user';
}

/** The highest score of the attack types that an inspector finds in a text. */
export function threatScore(inspector: Inspector, text: string, surface: Surface): number {
  const findings = inspector.inspect(text, surface);
  return Math.max(0, ...findings.filter(({ rule }) => ATTACKS.has(rule.type)).map(({ score }) => score));
}
