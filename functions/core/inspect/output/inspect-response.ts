import { mergeEdits, renderEdits, type TextEdit } from '../../base/edits.ts';
import type { Finding } from '../finding.ts';
import type { Policy } from '../policy.ts';
import { redacted } from '../redaction.ts';
import type { RequestText } from '../requests/request-text.ts';
import type { SecurityReport } from '../security-report.ts';
import type { ResponseDetector } from '../text-inspector.ts';
import { CANARY_RULE, Canary } from './canary.ts';
import { PROMPT_OVERLAP_RULE, PromptOverlap } from './prompt-overlap.ts';

/** A whole answer, and what has been found in it so far. */
export class InspectedResponse {
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

/** What the answer of an exchange is compared with. */
export interface ResponseContext {
  /** The operator's own text. */
  readonly prompts: readonly string[];
  /** What the caller holds anyway. */
  readonly known: readonly string[];
  /** The marker that was planted in the operator's text. */
  readonly marker?: string | undefined;
}

/** What is known of an answer from the messages that it answers. */
export function contextOf(texts: readonly RequestText[], marker?: string): ResponseContext {
  const contents = texts.filter(({ name }) => name === undefined);
  const prompts = contents.filter(({ author }) => author === 'operator');
  const known = contents.filter(({ author, message }) => author !== 'operator' && message !== null);
  return { prompts: prompts.map(({ text }) => text), known: known.map(({ text }) => text), marker };
}

/** The detectors for the answer of one exchange. */
export function responseDetectors({ prompts, known, marker }: ResponseContext, policy: Policy): ResponseDetector[] {
  const detectors: ResponseDetector[] = [];
  if (prompts.length > 0) detectors.push(new PromptOverlap(prompts, known, policy.actsOnOutput(PROMPT_OVERLAP_RULE)));
  if (marker !== undefined) detectors.push(new Canary(marker, policy.actsOnOutput(CANARY_RULE)));
  return detectors;
}
