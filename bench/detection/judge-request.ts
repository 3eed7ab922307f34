import {
  InspectionReport,
  inspectInputNow,
  Policy,
  Redaction,
  type TextInspector,
} from '../../functions/inspection/index.ts';
import type { Action } from '../../functions/kernel/model/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import type { OpenAiMessage } from '../../functions/translation/protocols/openai-chat/chat-request-schema.ts';
import { chatTexts } from '../../functions/translation/protocols/openai-chat/chat-request-texts.ts';
import { withInterval } from './figures.ts';

/** A request in OpenAI's chat shape. */
export interface BenchRequest {
  readonly messages: readonly OpenAiMessage[];
  readonly tools?: unknown;
}

export interface JudgedRequest {
  readonly action: Action;
  /** Its findings, except those that are only recorded. */
  readonly rules: readonly (readonly [id: string, action: Action])[];
}

const DEFAULT_POLICY = new Policy({});

/** The report of `POST /v1/guard`. */
export function judgeRequest(
  { messages, tools }: BenchRequest,
  inspector: TextInspector,
  policy: Policy = DEFAULT_POLICY,
): JudgedRequest {
  const { texts } = finish(chatTexts(messages, { tools }));
  const report = new InspectionReport();
  inspectInputNow({ own: { texts, skipped: [] }, policy, redaction: new Redaction('bench') }, inspector, report);
  const { action, threats } = report.findings;
  const rules = threats.filter(({ action }) => action !== 'allow');
  return { action, rules: rules.map(({ rule, action }) => [rule, action] as const) };
}

/** The parts that were flagged (or more) and that were blocked, with their intervals, to print. */
export function actionShares(judged: readonly JudgedRequest[]): [string, string] {
  const count = (acts: (action: Action) => boolean) =>
    withInterval(judged.filter(({ action }) => acts(action)).length / judged.length, judged.length);
  return [count((action) => action !== 'allow'), count((action) => action === 'block')];
}
