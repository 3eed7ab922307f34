import type { Evidence } from '../../functions/core/inspect/fusion/evidence.ts';
import { fuse } from '../../functions/core/inspect/fusion/fuse.ts';
import type { Inspector } from '../../functions/core/inspect/inspector.ts';
import { gatherEvidence } from '../../functions/core/inspect/requests/gather-evidence.ts';
import { outsideMessages, type RequestText } from '../../functions/core/inspect/requests/request-text.ts';
import { isAttackType, type Surface } from '../../functions/core/model/threat.ts';
import { isHard } from '../../training/evaluate.ts';
import type { Row } from '../../training/read-sets.ts';

/** A row of a labelled set with a detector's scores. */
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

/** A text that a request is to consist of. */
export type Read = Extract<Surface, 'user' | 'tool'>;

/** Documents and tool results, clean twins of attacked ones among them, are read as such; everything else as a user's. */
export function surfaceOf({ set, category }: Row): Read {
  return category.startsWith('indirect') || set.includes('indirect') ? 'tool' : 'user';
}

/** The highest score of the attack types in a request of this one text, as `POST /v1/guard` returns it. */
export function threatScore(inspector: Inspector, text: string, surface: Read): number {
  return highest(gatherEvidence([soleText(text, surface)], inspector));
}

/** The only text of a request. */
export function soleText(text: string, surface: Read): RequestText {
  return outsideMessages(['text'], text, surface);
}

/** The highest score of the attack types that evidence comes to. */
export function highest(evidence: readonly Evidence[]): number {
  const attacks = fuse(evidence, 0).filter(({ finding }) => isAttackType(finding.rule.type));
  return attacks.reduce((most, { finding }) => Math.max(most, finding.score), 0);
}
