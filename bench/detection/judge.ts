import type { Inspector } from '../../functions/core/inspect/inspector.ts';
import { ATTACK_TYPES, type Surface } from '../../functions/core/model/threat.ts';
import type { Row } from '../../training/read-sets.ts';

const ATTACKS: ReadonlySet<string> = new Set(ATTACK_TYPES);

/** A row of a labelled set as an inspector judged it. */
export interface Scored {
  readonly set: string;
  readonly family: string;
  readonly label: string;
  /** Harmless, but full of what attacks are made of. */
  readonly hard: boolean;
  /** The threat score: the highest of the attack types. */
  readonly score: number;
  readonly micros: number;
}

/** Documents and tool results are read as such, everything else as a user's. */
export function judge(row: Row, inspector: Inspector): Scored {
  const { set, family, label, category, text } = row;
  const surface: Surface = category.startsWith('indirect') ? 'tool' : 'user';
  const startedAt = performance.now();
  const score = threatScore(inspector, text, surface);
  const micros = (performance.now() - startedAt) * 1000;
  return { set, family, label, hard: /hard_neg|roleplay|security/.test(category), score, micros };
}

/** The highest score of the attack types that an inspector finds in a text. */
export function threatScore(inspector: Inspector, text: string, surface: Surface): number {
  const findings = inspector.inspect(text, surface);
  return Math.max(0, ...findings.filter(({ rule }) => ATTACKS.has(rule.type)).map(({ score }) => score));
}
