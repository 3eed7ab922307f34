import type { AnswerDetector } from './answer/answer-detector.ts';
import type { Inspector } from './inspector.ts';
import type { Policy } from './policy.ts';
import { mergeEdits, redacted, renderEdits, type TextEdit } from './redaction.ts';
import type { SecurityReport } from './security-report.ts';

/** Judges a whole answer and puts what it finds into the report. @returns the answer with its redactions made */
export function inspectAnswer(
  answer: string,
  detectors: readonly AnswerDetector[],
  inspector: Inspector,
  policy: Policy,
  report: SecurityReport,
): string {
  const edits: TextEdit[] = [];
  for (const finding of inspector.inspect(answer, 'output', detectors)) {
    const action = policy.decide(finding, 'output');
    const { start, end } = finding;
    report.add(finding, action, { part: 'output', message: null, field: 'output', start, end });
    if (action === 'redact') edits.push({ start, end, text: redacted(finding) });
  }
  return renderEdits(answer, 0, mergeEdits(edits));
}
