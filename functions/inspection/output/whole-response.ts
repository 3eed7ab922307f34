import { mergeEdits, renderEdits } from '../../kernel/json/index.ts';
import type { CallBy } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { AskingRequest, OutsideDetectors } from '../outside/index.ts';
import { type Policy, redacted } from '../policy/index.ts';
import {
  awaitOutside,
  type InspectionProgress,
  type InspectionReport,
  SecurityReport,
  withholdsUnfinished,
  withholdsUninspected,
} from '../report/index.ts';
import { toQuestion } from './outside-output.ts';
import { decideBy } from './response-channel.ts';
import { type ResponseContext, responseDetectors } from './response-context.ts';

/** A text of a response. */
export interface ResponseText {
  readonly text: string;
  /** Its name in findings. */
  readonly field: string;
  /** Findings are at most flagged: reasoning. */
  readonly isReadOnly?: boolean | undefined;
  /** Text of a tool call: who executes it. */
  readonly call?: CallBy | undefined;
}

/** A response that is known as a whole. */
export interface WholeResponse {
  readonly texts: readonly ResponseText[];
  /** What it is compared with; absent if the request is unknown. */
  readonly context?: ResponseContext;
}

/** Inspects a whole response, and adds the findings to the report. If the steps end early, the findings at its start. */
export function* inspectResponse(
  { texts, context }: WholeResponse,
  policy: Policy,
  inspector: TextInspector,
  report: InspectionReport,
): Steps<InspectedResponse> {
  const inspected = new InspectedResponse(texts, policy, report);
  for (const [at, { text, isReadOnly }] of texts.entries()) {
    const detectors = context === undefined || isReadOnly ? [] : responseDetectors(context, policy);
    inspected.add(at, yield* inspector.inspectSteps(text, 'output', detectors));
  }
  return inspected;
}

interface InspectedText {
  readonly of: ResponseText;
  readonly findings: readonly Finding[];
}

/** A whole response and the decisions about its findings so far. */
export class InspectedResponse {
  private readonly texts: readonly (InspectedText & { readonly findings: Finding[] })[];
  private readonly policy: Policy;
  private readonly report: InspectionReport;

  constructor(texts: readonly ResponseText[], policy: Policy, report: InspectionReport) {
    this.texts = texts.map((of) => ({ of, findings: [] }));
    this.policy = policy;
    this.report = report;
  }

  /** Adds findings of a text to the report and applies the policy to them. */
  add(at: number, found: readonly Finding[]): void {
    const { of, findings } = this.texts[at] as (typeof this.texts)[number];
    findings.push(...found);
    this.addTo(this.report.findings, { of, findings: found });
  }

  /** What was found in a field so far, in a separate report. */
  findingsIn(field: string): SecurityReport {
    const own = new SecurityReport();
    for (const text of this.texts) if (text.of.field === field) this.addTo(own, text);
    return own;
  }

  /** Records that its inspection used up its CPU budget, and applies the policy to that. */
  addUnfinished(limitMs: number): void {
    const fields = this.texts.map(({ of }) => of.field);
    withholdsUnfinished(this.report, fields, this.policy, limitMs);
  }

  /**
   * Calls the outside detectors, unless it is blocked.
   * @returns a function that waits for them and adds their findings
   */
  ask(
    request: AskingRequest,
    outside: OutsideDetectors | undefined,
    { inspection, times }: InspectionProgress,
  ): () => Promise<void> {
    if (outside === undefined || this.report.findings.action === 'block') return async () => {};
    const questions = this.texts.map(({ of, findings }) => toQuestion(of.text, findings, this.policy));
    const asked = outside.ask(questions, request);
    return async () => {
      if (asked === undefined) return;
      const { findings, failures } = await awaitOutside(times, asked);
      for (const [at, question] of questions.entries()) this.add(at, question.inText(findings[at] ?? []));
      withholdsUninspected(inspection, failures, this.policy);
    };
  }

  /** The texts, in order, with redactions applied. */
  get redacted(): readonly string[] {
    return this.texts.map(({ of, findings }) => {
      const decide = this.decides(of);
      const removed = findings.filter((finding) => decide(finding) === 'redact');
      const edits = removed.map((finding) => ({ start: finding.start, end: finding.end, text: redacted(finding) }));
      return renderEdits(of.text, 0, mergeEdits(edits));
    });
  }

  private addTo(report: SecurityReport, { of, findings }: InspectedText): void {
    const decide = this.decides(of);
    for (const finding of findings) {
      const { start, end } = finding;
      report.add(finding, decide(finding), { part: 'output', message: null, field: of.field, start, end });
    }
  }

  private decides({ isReadOnly, call }: ResponseText): ReturnType<typeof decideBy> {
    return decideBy(this.policy, isReadOnly === true, call);
  }
}
