import { mergeEdits, renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import type { RequestText } from '../../kernel/model/index.ts';
import type { Finding, ResponseDetector } from '../matching/index.ts';
import { type Policy, redacted } from '../policy/index.ts';
import type { SecurityReport } from '../report/index.ts';
import { CANARY_RULE, Canary } from './canary.ts';
import type { PlaceholderSources } from './lost-values.ts';
import { PROMPT_OVERLAP_RULE, PromptOverlap } from './prompt-overlap.ts';

/** A whole response and its findings so far. */
export class InspectedResponse {
  readonly findings: Finding[] = [];
  private readonly response: string;
  private readonly policy: Policy;
  private readonly report: SecurityReport;
  private readonly edits: TextEdit[] = [];

  constructor(response: string, policy: Policy, report: SecurityReport) {
    this.response = response;
    this.policy = policy;
    this.report = report;
  }

  /** Adds findings to the report and applies the policy to them. */
  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const action = this.policy.decide(finding, 'output');
      const { start, end } = finding;
      this.findings.push(finding);
      this.report.add(finding, action, { part: 'output', message: null, field: 'output', start, end });
      if (action === 'redact') this.edits.push({ start, end, text: redacted(finding) });
    }
  }

  /** The response with redactions applied. */
  get text(): string {
    return renderEdits(this.response, 0, mergeEdits(this.edits));
  }
}

/** Data of a request that its response is compared with. */
export interface ResponseContext {
  /** System prompts: text by the operator. */
  readonly prompts: readonly string[];
  /** Texts that the caller already has. */
  readonly known: readonly string[];
  /** The marker planted in the system prompt. */
  readonly marker?: string | undefined;
  /** Absent if the request's texts are unknown. */
  readonly sources?: PlaceholderSources;
}

/** Builds the comparison data of a response from the texts of its request. */
export function contextOf(texts: readonly RequestText[], marker?: string): ResponseContext {
  const contents = texts.filter(({ name }) => name === undefined);
  const prompts = contents.filter(({ author }) => author === 'operator');
  const known = contents.filter(({ author, message }) => author !== 'operator' && message !== null);
  return { prompts: prompts.map(toText), known: known.map(toText), marker, sources: sourcesOf(texts) };
}

function sourcesOf(texts: readonly RequestText[]): PlaceholderSources {
  const isAnswer = ({ author, isContent }: RequestText) => author === 'assistant' && isContent;
  return {
    own: texts.filter((one) => !isAnswer(one)).map(toText),
    answered: texts.filter(isAnswer).map(toText),
  };
}

function toText({ text }: RequestText): string {
  return text;
}

/** The detectors for the response to one request. */
export function responseDetectors({ prompts, known, marker }: ResponseContext, policy: Policy): ResponseDetector[] {
  const detectors: ResponseDetector[] = [];
  if (prompts.length > 0) detectors.push(new PromptOverlap(prompts, known, policy.actsOnOutput(PROMPT_OVERLAP_RULE)));
  if (marker !== undefined) detectors.push(new Canary(marker, policy.actsOnOutput(CANARY_RULE)));
  return detectors;
}
