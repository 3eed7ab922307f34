import { type Inspector, inspectRequest, Policy, Redaction, SecurityReport } from '../../functions/inspection/index.ts';
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
  inspector: Inspector,
  policy: Policy = DEFAULT_POLICY,
): JudgedRequest {
  const { texts } = finish(chatTexts(messages, { tools }));
  const report = new SecurityReport();
  inspectRequest(texts, inspector, policy, new Redaction('bench'), report);
  const rules = report.threats.filter(({ action }) => action !== 'allow');
  return { action: report.action, rules: rules.map(({ rule, action }) => [rule, action] as const) };
}

/** The parts that were flagged (or more) and that were blocked, with their intervals, to print. */
export function actionShares(judged: readonly JudgedRequest[]): [string, string] {
  const count = (acts: (action: Action) => boolean) =>
    withInterval(judged.filter(({ action }) => acts(action)).length / judged.length, judged.length);
  return [count((action) => action !== 'allow'), count((action) => action === 'block')];
}
