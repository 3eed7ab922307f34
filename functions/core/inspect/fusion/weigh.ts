import { isAttackType } from '../../model/threat.ts';
import { eachToken } from '../classify/tokens.ts';
import type { Finding } from '../finding.ts';
import type { Evidence, Reason } from './evidence.ts';
import { toLogOdds, toProbability } from './log-odds.ts';
import { isNarrated } from './narration.ts';

/** Shifts are in log-odds; where each figure comes from stands in docs/detection.md. */
const A_TURN = -0.25;
const OLDEST_TURNS = 4;
const DEFINITION = -0.5;
const NARRATED = -1;
/** What the classifier says of so few tokens, or fewer, is wrong so much more often. */
const SHORT: readonly { readonly tokens: number; readonly shift: number }[] = [
  { tokens: 5, shift: -0.9 },
  { tokens: 7, shift: -0.4 },
];
const SHORT_UNITS = 160;
/** Of a long text the loudest of many passages speaks: each doubling from here on makes a loud one likelier by chance. */
const LONG_FROM_UNITS = 2048;
const A_DOUBLING = -0.12;

/**
 * The evidence with its score as probable as it is there: by whose words it stands in, how long ago, and how much text spoke.
 * Content (personal data, secrets) is what it is wherever it stands.
 */
export function weigh<E extends Evidence>(evidence: E): E {
  const { finding } = evidence;
  if (!isAttackType(finding.rule.type) || finding.rule.forcedAction !== undefined) return evidence;
  const shifts = shiftsOf(evidence);
  if (shifts.length === 0) return evidence;
  const total = shifts.reduce((sum, [, shift]) => sum + shift, 0);
  return {
    ...evidence,
    finding: { ...finding, score: toProbability(toLogOdds(finding.score) + total) },
    reasons: [...evidence.reasons, ...shifts.map(([reason]) => reason)],
  };
}

function shiftsOf({ finding, text, passage, turnsAgo }: Evidence): (readonly [Reason, number])[] {
  const shifts: (readonly [Reason, number])[] = [];
  if (turnsAgo > 0) shifts.push(['earlier_turn', A_TURN * Math.min(turnsAgo, OLDEST_TURNS)]);
  if (text.author === 'definition') shifts.push(['definition', DEFINITION]);
  // How long an encoding is says nothing of what was hidden in it.
  if (!isJudgement(finding) || finding.decodedFrom.length > 0) return shifts;
  const short = shortness(passage);
  if (short !== 0) shifts.push(['short_text', short]);
  const doublings = Math.log2(passage.text.length / LONG_FROM_UNITS);
  if (doublings > 0) shifts.push(['long_text', A_DOUBLING * doublings]);
  if (isNarrated(passage.text, passage.start, passage.end)) shifts.push(['narrated', NARRATED]);
  return shifts;
}

/** A classifier's, which knows no form: a rule sees for itself whether it is enough text, and who says it. */
export function isJudgement({ rule }: Finding): boolean {
  return rule.id.startsWith('classifier/');
}

function shortness({ text, start, end }: Evidence['passage']): number {
  if (end - start > SHORT_UNITS) return 0;
  let tokens = 0;
  eachToken(text.slice(start, end), () => {
    tokens += 1;
  });
  return SHORT.find((step) => tokens <= step.tokens)?.shift ?? 0;
}
