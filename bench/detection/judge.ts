import { gatherEvidence } from '../../functions/inspection/across-texts/index.ts';
import { fuse } from '../../functions/inspection/fusion/fuse.ts';
import type { Evidence } from '../../functions/inspection/fusion/index.ts';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { Finding } from '../../functions/inspection/matching/index.ts';
import { isAttackType, outsideMessages, type RequestText, type Surface } from '../../functions/kernel/model/index.ts';
import { isHard } from '../../training/evaluate.ts';
import type { Row } from '../../training/read-sets.ts';
import { BLOCK_FROM, FLAG_FROM } from './figures.ts';

/** A row of a labelled set with a detector's scores. */
export interface Scored extends Row, Verdict {
  /** Harmless, but full of what attacks are made of. */
  readonly hard: boolean;
  readonly micros: number;
}

/** What a request gets. */
export interface Verdict {
  /** The threat score: the highest of the attack types. */
  readonly score: number;
  /** Whether the default policy flags or blocks it: of third-party text, the threat score may be higher than the score that acts. */
  readonly isFlagged: boolean;
  /** Whether the default policy blocks it: one sign in third-party text blocks nothing, whatever its threat score. */
  readonly isBlocked: boolean;
}

export function judge(row: Row, inspector: Inspector): Scored {
  const startedAt = performance.now();
  const verdict = judgeText(inspector, row.text, surfaceOf(row));
  return { ...row, ...verdict, hard: isHard({ sample: row }), micros: (performance.now() - startedAt) * 1000 };
}

/** A text that a request is to consist of. */
export type Read = Extract<Surface, 'user' | 'tool'>;

/** Documents and tool results, clean twins of attacked ones among them, are read as such; everything else as a user's. */
export function surfaceOf({ set, category }: Row): Read {
  return category.startsWith('indirect') || set.includes('indirect') ? 'tool' : 'user';
}

/** What a request of this one text gets, as `POST /v1/guard` returns it. */
export function judgeText(inspector: Inspector, text: string, surface: Read): Verdict {
  return verdictOf(gatherEvidence([soleText(text, surface)], inspector));
}

/** The only text of a request. */
export function soleText(text: string, surface: Read): RequestText {
  return outsideMessages(['text'], text, surface);
}

/** What a request with this evidence gets. */
export function verdictOf(evidence: readonly Evidence[]): Verdict {
  const attacks = fuse(evidence, 0).filter(({ finding }) => isAttackType(finding.rule.type));
  const highest = (scoreOf: (finding: Finding) => number) =>
    attacks.reduce((most, { finding }) => Math.max(most, scoreOf(finding)), 0);
  const acting = highest(({ score }) => score);
  return {
    score: highest(({ score, likelihood = score }) => likelihood),
    isFlagged: acting >= FLAG_FROM,
    isBlocked: acting >= BLOCK_FROM,
  };
}
