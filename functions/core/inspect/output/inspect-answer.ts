import { mergeEdits, renderEdits, type TextEdit } from '../../base/text-edit.ts';
import type { Finding } from '../finding.ts';
import type { Policy } from '../policy.ts';
import { redacted } from '../redaction.ts';
import type { SecurityReport } from '../security-report.ts';

/** A whole answer, and what has been found in it so far. */
export class InspectedAnswer {
  readonly findings: Finding[] = [];
  private readonly answer: string;
  private readonly policy: Policy;
  private readonly report: SecurityReport;
  private readonly edits: TextEdit[] = [];

  constructor(answer: string, policy: Policy, report: SecurityReport) {
    this.answer = answer;
    this.policy = policy;
    this.report = report;
  }

  /** Takes findings and puts them into the report. */
  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const action = this.policy.decide(finding, 'output');
      const { start, end } = finding;
      this.findings.push(finding);
      this.report.add(finding, action, { part: 'output', message: null, field: 'output', start, end });
      if (action === 'redact') this.edits.push({ start, end, text: redacted(finding) });
    }
  }

  /** The answer with its redactions made. */
  get text(): string {
    return renderEdits(this.answer, 0, mergeEdits(this.edits));
  }
}
