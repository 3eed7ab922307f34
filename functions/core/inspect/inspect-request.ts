import type { JsonEdit, JsonPath } from '../json/json-splice.ts';
import type { Action, Surface } from '../model/threat.ts';
import { toParam } from '../protocols/first-fault.ts';
import type { Finding } from './finding.ts';
import type { Policy } from './policy.ts';
import { mergeEdits, type Redaction, renderEdits, type TextEdit } from './redaction.ts';
import type { SecurityReport } from './security-report.ts';
import type { TextInspector } from './text-inspector.ts';

/** A text of a request that is inspected. */
export interface RequestText {
  readonly path: JsonPath;
  readonly text: string;
  readonly surface: Surface;
  /** Index of the message that it stands in; null for text outside the messages. */
  readonly message: number | null;
}

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
  private readonly found: Map<RequestText, { score: number; readonly edits: TextEdit[] }>;
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: SecurityReport;

  constructor(texts: readonly RequestText[], policy: Policy, redaction: Redaction, report: SecurityReport) {
    this.found = new Map(texts.map((text) => [text, { score: 0, edits: [] }]));
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
  }

  /** Takes findings in one of the texts, and puts them into the report. @returns whether they add a redaction */
  add(text: RequestText, findings: readonly Finding[]): boolean {
    const found = this.found.get(text);
    if (found === undefined) throw new Error('not a text of this request');
    const before = found.edits.length;
    for (const finding of findings) {
      found.score = Math.max(found.score, finding.score);
      if (this.decide(text, finding) !== 'redact') continue;
      const { start, end } = finding;
      found.edits.push({ start, end, text: this.redaction.hideInput(finding, text.text.slice(start, end)) });
    }
    return found.edits.length > before;
  }

  /** All texts of the request, in order. */
  get texts(): readonly JudgedText[] {
    return [...this.found].map(([text, { score, edits }]) => ({ text, score, redactions: mergeEdits(edits) }));
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

  private decide({ path, surface, message }: RequestText, finding: Finding): Action {
    const action = this.policy.decide(finding, surface);
    const field = toParam(path);
    const { start, end } = finding;
    this.report.add(finding, action, { part: 'input', message, field, start, end });
    if (action === 'block') this.blockedBy ??= field;
    return action;
  }
}

/** Judges every text of a request and puts what it finds into the report. */
export function inspectRequest(
  texts: readonly RequestText[],
  inspector: TextInspector,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
): InputVerdict {
  const verdict = new InputVerdict(texts, policy, redaction, report);
  for (const text of texts) verdict.add(text, inspector.inspect(text.text, text.surface));
  return verdict;
}
