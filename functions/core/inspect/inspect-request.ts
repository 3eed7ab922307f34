import type { JsonEdit } from '../json/json-splice.ts';
import { JsonStrings, unescaped } from '../json/json-strings.ts';
import { type Action, isAttackType, isPrivate, type Surface } from '../model/threat.ts';
import { toParam } from '../protocols/first-fault.ts';
import { mergeEdits, renderEdits, type TextEdit } from '../text/text-edit.ts';
import type { Finding } from './finding.ts';
import type { Evidence, Reason } from './fusion/evidence.ts';
import { fuse, isOfLastTurn } from './fusion/fuse.ts';
import { gatherEvidence } from './gather-evidence.ts';
import type { Policy } from './policy.ts';
import { type Redaction, redacted } from './redaction.ts';
import type { RequestText } from './request-text.ts';
import type { SecurityReport } from './security-report.ts';
import type { TextInspector } from './text-inspector.ts';

/** A text with what was found in it so far. */
export interface JudgedText {
  readonly text: RequestText;
  /** The highest score of its findings, 0 where there are none. */
  readonly score: number;
  /** Redactions to make in it, in order and without overlap. */
  readonly redactions: readonly TextEdit[];
}

/** What is to be done about a request's texts: grows with each judge that has something to say. */
export class InputVerdict {
  /** The field of the first finding that blocks. */
  blockedBy: string | undefined;
  private readonly found = new Map<
    RequestText,
    { score: number; readonly redacted: Finding[]; readonly hidden: Finding[] }
  >();
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: SecurityReport;

  constructor(texts: readonly RequestText[], policy: Policy, redaction: Redaction, report: SecurityReport) {
    for (const text of texts) this.found.set(text, { score: 0, redacted: [], hidden: [] });
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
  }

  /** Takes findings in one of the texts, and puts them into the report. @returns whether they add a redaction */
  add(text: RequestText, findings: readonly Finding[], reasons: readonly Reason[] = []): boolean {
    const found = this.found.get(text);
    if (found === undefined) throw new Error('not a text of this request');
    const before = found.redacted.length;
    for (const finding of findings) {
      found.score = Math.max(found.score, finding.score);
      const redacts = this.decide(text, finding, reasons) === 'redact';
      if (redacts) found.redacted.push(finding);
      if (redacts || isPrivate(finding.rule.type)) found.hidden.push(finding);
    }
    return found.redacted.length > before;
  }

  /** All texts of the request, in order. */
  get texts(): readonly JudgedText[] {
    return [...this.found].map(([text, { score, redacted }]) => ({
      text,
      score,
      redactions: redacted.length === 0 ? [] : redactionsIn(text, redacted, this.redaction),
    }));
  }

  /** Redactions to make in the body. */
  get edits(): JsonEdit[] {
    return this.texts
      .filter(({ redactions }) => redactions.length > 0)
      .map(({ text: { path, text }, redactions }) => ({
        kind: 'replace',
        path,
        json: JSON.stringify(renderEdits(text, 0, redactions)),
      }));
  }

  /** What would take out of the body, for good, what is redacted and what is private in itself. */
  get hidingEdits(): JsonEdit[] {
    return [...this.found]
      .filter(([, { hidden }]) => hidden.length > 0)
      .map(([{ path, text }, { hidden }]) => {
        const edits = mergeEdits(hidden.map((finding) => ({ ...rangeOf(finding), text: redacted(finding) })));
        return { kind: 'replace', path, json: JSON.stringify(renderEdits(text, 0, edits)) };
      });
  }

  /** What a text allows to be done about it: a name cannot be changed; reasoning passes, whatever is found in it. */
  private possible(action: Action, { isName, isReadOnly }: RequestText): Action {
    const cannot = (action === 'redact' && (isName || isReadOnly)) || (action === 'block' && isReadOnly);
    return cannot ? 'flag' : action;
  }

  private decide(text: RequestText, finding: Finding, reasons: readonly Reason[]): Action {
    const surface = trustOf(text);
    const { start, end } = finding;
    const field = toParam(text.path);
    const location = { part: 'input', message: text.message, field, start, end } as const;
    if (this.policy.notes(finding, surface)) this.report.note(finding, location);
    const decided = this.policy.decide(finding, surface);
    const action = this.possible(decided, text);
    this.report.add(finding, action, location, reasons);
    if (action === 'block') this.blockedBy ??= field;
    return action;
  }
}

/** The placeholders for findings in a text. Those that overlap share one: what comes back is all that they cover. */
function redactionsIn({ text, isJson }: RequestText, findings: readonly Finding[], redaction: Redaction): TextEdit[] {
  const strings = isJson ? new JsonStrings() : undefined;
  strings?.push(text);
  const coveredBy = inRanges(findings);
  return mergeEdits(findings.map(({ start, end }) => ({ start, end, text: '' }))).map((range) => {
    const covered = coveredBy(range);
    const lost = covered.find(({ rule }) => rule.type !== 'pii');
    if (lost !== undefined) return place(range, redacted(lost));
    const { start, end } = strings?.align(range) ?? range;
    const original = text.slice(start, end);
    return place(range, redaction.hideInput(covered[0] as Finding, isJson ? unescaped(original) : original));
  });

  function place({ start, end }: TextEdit, placeholder: string): TextEdit {
    const edit = { start, end, text: placeholder };
    return strings?.align(edit) ?? edit;
  }
}

/** Gives the findings in each of the ranges that they merge to, asked for in order: in the order in which they were found. */
function inRanges(findings: readonly Finding[]): (range: TextEdit) => readonly Finding[] {
  const ahead = findings.map((finding, at) => ({ finding, at })).sort((a, b) => a.finding.start - b.finding.start);
  let next = 0;
  return ({ start, end }) => {
    const from = next;
    while (next < ahead.length && isIn((ahead[next] as (typeof ahead)[number]).finding, start, end)) next += 1;
    const covered = ahead.slice(from, next).sort((a, b) => a.at - b.at);
    return covered.map(({ finding }) => finding);
  };
}

function isIn(finding: Finding, start: number, end: number): boolean {
  return finding.start >= start && finding.end <= end;
}

function rangeOf({ start, end }: Finding): { start: number; end: number } {
  return { start, end };
}

/** Judges the texts of a request, each and together, and puts what it finds into the report. */
export function inspectRequest(
  texts: readonly RequestText[],
  inspector: TextInspector,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
): InputVerdict {
  const verdict = new InputVerdict(texts, policy, redaction, report);
  decideRequest(gatherEvidence(texts, inspector), 0, verdict);
  return verdict;
}

/** Decides by what was gathered, and by how suspicious the session has been (0..1). */
export function decideRequest(evidence: readonly Evidence[], suspicion: number, verdict: InputVerdict): void {
  for (const { finding, text, reasons } of fuse(evidence, suspicion)) verdict.add(text, [finding], reasons);
}

/** The highest score of an attack in the last turn, by itself: what a session is to remember of a request. */
export function lastTurnScore(evidence: readonly Evidence[]): number {
  const fresh = evidence.filter((one) => isOfLastTurn(one) && isAttackType(one.finding.rule.type));
  return fresh.reduce((highest, { finding }) => Math.max(highest, finding.score), 0);
}

/**
 * As whose words a text is acted on: what stands in a definition is flagged like the operator's own text, since nobody
 * could send the request without it.
 */
export function trustOf({ author, surface }: RequestText): Surface {
  return author === 'definition' ? 'system' : surface;
}
