import { mergeEdits, renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { AskingRequest, OutsideDetectors, OutsideResult } from '../outside/index.ts';
import { type Policy, redacted } from '../policy/index.ts';
import {
  awaitOutside,
  type InspectionProgress,
  type InspectionReport,
  withholdsUnfinished,
  withholdsUninspected,
} from '../report/index.ts';
import { type OutputQuestion, toQuestion } from './outside-output.ts';
import { type ResponseContext, responseDetectors } from './response-context.ts';

/** A response, or one text of it, that is known as a whole. */
export interface WholeResponse {
  readonly text: string;
  /** Its name in findings. */
  readonly field?: string;
  /** What it is compared with; absent if the request is unknown. */
  readonly context?: ResponseContext;
  /** Findings are at most flagged: reasoning. */
  readonly isReadOnly?: boolean | undefined;
}

/** Inspects a whole response, and adds the findings to the report. If the steps end early, the findings at its start. */
export function* inspectResponse(
  response: WholeResponse,
  policy: Policy,
  inspector: TextInspector,
  report: InspectionReport,
): Steps<InspectedResponse> {
  const { text, context, isReadOnly } = response;
  const detectors = context === undefined || isReadOnly ? [] : responseDetectors(context, policy);
  const inspected = new InspectedResponse(response, policy, report);
  inspected.add(yield* inspector.inspectSteps(text, 'output', detectors));
  return inspected;
}

/** A whole response and the decisions about its findings so far. */
export class InspectedResponse {
  private readonly findings: Finding[] = [];
  private readonly response: WholeResponse;
  private readonly policy: Policy;
  private readonly report: InspectionReport;
  private readonly edits: TextEdit[] = [];
  private question: OutputQuestion | undefined;

  constructor(response: WholeResponse, policy: Policy, report: InspectionReport) {
    this.response = response;
    this.policy = policy;
    this.report = report;
  }

  /** Adds findings to the report and applies the policy to them. */
  add(findings: readonly Finding[]): void {
    const { field = 'output', isReadOnly } = this.response;
    for (const finding of findings) {
      const decided = this.policy.decide(finding, 'output');
      const action = isReadOnly && decided !== 'allow' ? 'flag' : decided;
      const { start, end } = finding;
      this.findings.push(finding);
      this.report.findings.add(finding, action, { part: 'output', message: null, field, start, end });
      if (action === 'redact') this.edits.push({ start, end, text: redacted(finding) });
    }
  }

  /** Records that its inspection used up its CPU budget, and applies the policy to that. */
  addUnfinished(limitMs: number): void {
    withholdsUnfinished(this.report, [this.response.field ?? 'output'], this.policy, limitMs);
  }

  /** Calls the outside detectors, unless it is blocked; undefined if none is called. */
  ask(request: AskingRequest, outside: OutsideDetectors | undefined): Promise<OutsideResult> | undefined {
    if (this.report.findings.action === 'block') return undefined;
    this.question = toQuestion(this.response.text, this.findings, this.policy);
    return outside?.ask([this.question], request);
  }

  /** Waits for the outside detectors, if they were called, and adds their findings. */
  async addOutside(
    { inspection, times }: InspectionProgress,
    asked: Promise<OutsideResult> | undefined,
  ): Promise<void> {
    if (asked === undefined) return;
    const { findings, failures } = await awaitOutside(times, asked);
    this.add(this.question?.inText(findings[0] ?? []) ?? []);
    withholdsUninspected(inspection, failures, this.policy);
  }

  /** The response with redactions applied. */
  get text(): string {
    return renderEdits(this.response.text, 0, mergeEdits(this.edits));
  }
}
