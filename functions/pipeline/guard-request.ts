import { checkPolicy, policyOf } from '../inspection/index.ts';
import { GatewayError, toValidationError } from '../kernel/errors/index.ts';
import { type JsonDocument, type JsonEdit, spliceJson } from '../kernel/json/index.ts';
import {
  NAMED_AUTHORS,
  type PolicySettings,
  policySchema,
  type RequestTexts,
  type SecurityInfo,
} from '../kernel/model/index.ts';
import type { Steps } from '../kernel/tasks/index.ts';
import { conversationTexts, refuseNames } from '../translation/index.ts';
import { type GuardRequest, type GuardResult, guardRequestSchema } from './inspection-schemas.ts';

/** What was sent, with redactions applied. */
export type Redacted = Pick<GuardResult, 'input' | 'messages' | 'tools' | 'output'>;

const bodySchema = guardRequestSchema.superRefine(({ policy }, context) => checkPolicy(policy, context, ['policy']));
const SUBJECTS = ['input', 'messages', 'output'] as const;

/** Both patterns and text are the caller's: the length limit bounds their combined cost. */
const MAX_CHARS_WITH_OWN_RULES = 256 * 1024;

/** @throws GatewayError for an invalid body */
export function checkGuardRequest(document: JsonDocument): GuardRequest {
  refuseNames(document.value, 'conversation');
  const result = bodySchema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  const body = document.value as GuardRequest;
  const given = SUBJECTS.filter((field) => body[field] !== undefined);
  // Messages may be what came before the output.
  const subjects = body.output === undefined ? given : given.filter((field) => field !== 'messages');
  if (subjects.length !== 1) {
    const message = "Send one of 'input', 'messages' and 'output', or 'messages' with 'output'.";
    if (subjects.length === 0) throw new GatewayError('missing_field', message, { param: 'input' });
    throw new GatewayError('invalid_value', message, { param: subjects[1] as string });
  }
  checkLength(document, body.policy);
  return { ...body, ...(body.policy && { policy: policySchema.parse(body.policy) }) };
}

/** The response with these findings; `shown` is what was sent, with redactions, returned if anything was redacted. */
export function toGuardResult(svc: SecurityInfo, shown: Redacted, calls: GuardResult['calls']): GuardResult {
  const { action } = svc;
  return {
    id: `guard-${svc.request_id.slice('req_'.length)}`,
    object: 'guard.result',
    flagged: action !== 'allow',
    action,
    svc,
    ...(action === 'redact' && shown),
    ...(calls && { calls }),
  } as GuardResult;
}

/** What was inspected, as sent, with these edits. */
export function redactedOf(document: JsonDocument, edits: readonly JsonEdit[]): Redacted {
  const { input, messages, tools, output } = JSON.parse(spliceJson(document.text, edits)) as Redacted;
  if (output !== undefined) return { output };
  return { ...(input !== undefined && { input }), ...(messages && { messages }), ...(tools && { tools }) };
}

/** The texts of an input to inspect, and the parts that are not inspected. */
export function textsOf({ messages, tools, input = '', as = 'user' }: GuardRequest): Steps<RequestTexts> {
  return conversationTexts(messages === undefined ? { input, author: NAMED_AUTHORS[as] } : { messages, tools });
}

/** The inspected parts of the request. */
export function coverageOf({ messages, tools }: GuardRequest): string[] {
  if (messages === undefined) return ['input'];
  const all = messages.length === 1 ? 'messages[0]' : `messages[0..${messages.length - 1}]`;
  return tools && tools.length > 0 ? [all, 'tools'] : [all];
}

function checkLength({ text }: JsonDocument, policy: PolicySettings | undefined): void {
  if (policy === undefined || text.length <= MAX_CHARS_WITH_OWN_RULES) return;
  const { rules, shadow } = policyOf(policy);
  if (rules.isEmpty && (shadow?.rules.isEmpty ?? true)) return;
  const message = `A request with custom rules in 'policy' can have at most ${MAX_CHARS_WITH_OWN_RULES} characters.`;
  throw new GatewayError('invalid_value', message, { param: 'policy' });
}
