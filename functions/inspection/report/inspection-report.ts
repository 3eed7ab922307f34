import type { AskedApproval, RecordedToolCall } from '../../kernel/model/index.ts';
import { PROVIDER_KEY_RULE, WHOLE_RESPONSE } from './provider-key-rule.ts';
import { SecurityReport } from './security-report.ts';

/** The inspected parts of a request, and those that were not inspected or not in time. */
export interface Coverage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped: readonly string[];
}

/** Tool calls of a response in its record; few have more. */
const MAX_TOOL_CALLS = 16;

/** What the inspections of one request have found and covered so far. */
export class InspectionReport {
  readonly findings = new SecurityReport();
  private readonly covered = { input: new Set<string>(), output: new Set<string>(), skipped: new Set<string>() };
  private readonly missing: string[] = [];
  private readonly made: RecordedToolCall[] = [];
  private readonly questions: AskedApproval[] = [];
  private turnScore = 0;
  private nanoUsd: number | undefined;

  get coverage(): Coverage {
    const { input, output, skipped } = this.covered;
    return { input: [...input], output: [...output], skipped: [...skipped] };
  }

  /** Missing verdicts of outside detectors, with the reason: `bedrock_guardrails: refused (status 403)`. */
  get detectorFailures(): readonly string[] {
    return this.missing;
  }

  /** The tool calls of the response, the first ones. */
  get toolCalls(): readonly RecordedToolCall[] {
    return this.made;
  }

  /** The score of the input's last turn, without the session. */
  get lastTurnScore(): number {
    return this.turnScore;
  }

  /** Cost of the detector model; undefined if it was not called. */
  get judgeNanoUsd(): number | undefined {
    return this.nanoUsd;
  }

  /** Approvals of tool calls that were asked for. */
  get approvals(): readonly AskedApproval[] {
    return this.questions;
  }

  asked(approval: AskedApproval): void {
    this.questions.push(approval);
  }

  calledTool(call: RecordedToolCall): void {
    if (this.made.length < MAX_TOOL_CALLS) this.made.push(call);
  }

  inspectedInput(parts: readonly string[]): void {
    for (const part of parts) this.covered.input.add(part);
  }

  inspectedOutput(part: string): void {
    this.covered.output.add(part);
  }

  /** A part that was not inspected, or not in time. */
  skipped(what: string): void {
    this.covered.skipped.add(what);
  }

  /** A verdict is missing, for `coverage` and the record. `detail` is for the record only. */
  detectorFailed(what: string, detail: string | null = null): void {
    this.missing.push(detail === null ? what : `${what} (${detail})`);
  }

  /** An operator's key was removed from a response: from this range of a text, or from what is not read as text. */
  removedKey(field = WHOLE_RESPONSE, { start, end } = { start: 0, end: 0 }): void {
    const finding = { rule: PROVIDER_KEY_RULE, score: PROVIDER_KEY_RULE.score, decodedFrom: [], start, end };
    this.findings.add(finding, 'redact', { part: 'output', message: null, field, start, end });
  }

  /** Sets the score of the input's last turn. */
  scored(lastTurnScore: number): void {
    this.turnScore = lastTurnScore;
  }

  /** Adds to the cost of the detector model, in nano-dollars. */
  judged(nanoUsd: number): void {
    this.nanoUsd = (this.nanoUsd ?? 0) + nanoUsd;
  }
}
