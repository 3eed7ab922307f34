import type { JsonEdit } from '../json/json-splice.ts';
import { isAttackType, type Surface } from '../model/threat.ts';
import { toParam } from '../protocols/first-fault.ts';
import type { Evidence } from './fusion/evidence.ts';
import { fuse } from './fusion/fuse.ts';
import { gatherEvidence } from './gather-evidence.ts';
import type { Inspector } from './inspector.ts';
import type { Policy } from './policy.ts';
import { mergeEdits, type Redaction, renderEdits, type TextEdit } from './redaction.ts';
import type { RequestText } from './request-text.ts';
import type { SecurityReport } from './security-report.ts';

export interface InputVerdict {
  /** The field of the first finding that blocks. */
  readonly blockedBy: string | undefined;
  /** Redactions to make in the body. */
  readonly edits: readonly JsonEdit[];
}

/** Judges the texts of a request, each and together, and puts what it finds into the report. */
export function inspectRequest(
  texts: readonly RequestText[],
  inspector: Inspector,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
): InputVerdict {
  return decideRequest(gatherEvidence(texts, inspector), 0, policy, redaction, report);
}

/** Decides by what was gathered, and by how suspicious the session has been (0..1). */
export function decideRequest(
  evidence: readonly Evidence[],
  suspicion: number,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
): InputVerdict {
  let blockedBy: string | undefined;
  const redactions = new Map<RequestText, TextEdit[]>();
  for (const { finding, text, reasons } of fuse(evidence, suspicion)) {
    const surface = trustOf(text);
    const { start, end } = finding;
    const field = toParam(text.path);
    const location = { part: 'input', message: text.message, field, start, end } as const;
    if (policy.notes(finding, surface)) report.note(finding, location);
    const action = policy.decide(finding, surface);
    report.add(finding, action, location, reasons);
    if (action === 'block') blockedBy ??= field;
    if (action !== 'redact') continue;
    const edit = { start, end, text: redaction.hideInput(finding, text.text.slice(start, end)) };
    const own = redactions.get(text);
    if (own === undefined) redactions.set(text, [edit]);
    else own.push(edit);
  }
  return { blockedBy, edits: [...redactions].map(([text, edits]) => toJsonEdit(text, edits)) };
}

/** The highest score of an attack in the last turn, by itself: what a session is to remember of a request. */
export function lastTurnScore(evidence: readonly Evidence[]): number {
  const fresh = evidence.filter(({ finding, text, turnsAgo }) => {
    return turnsAgo === 0 && text.author !== 'operator' && isAttackType(finding.rule.type);
  });
  return Math.max(0, ...fresh.map(({ finding }) => finding.score));
}

/** What stands in a definition is flagged like the operator's own text: nobody could send the request without it. */
function trustOf({ author, surface }: RequestText): Surface {
  return author === 'definition' ? 'system' : surface;
}

function toJsonEdit({ path, text }: RequestText, edits: readonly TextEdit[]): JsonEdit {
  return { kind: 'replace', path, json: JSON.stringify(renderEdits(text, 0, mergeEdits(edits))) };
}
