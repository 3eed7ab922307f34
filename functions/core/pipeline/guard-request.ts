import { GatewayError } from '../errors.ts';
import { type PolicySettings, policyOf } from '../inspect/policy.ts';
import { NAMED_AUTHORS, outsideMessages, type RequestText } from '../inspect/request-text.ts';
import type { SecurityInfo } from '../inspect/security-report.ts';
import type { JsonDocument } from '../json/json-document.ts';
import { type JsonEdit, spliceJson } from '../json/json-splice.ts';
import { type GuardRequest, type GuardResult, guardRequestSchema } from '../model/guard.ts';
import { toValidationError } from '../protocols/first-fault.ts';
import { chatTexts } from '../protocols/openai-chat/chat-request-texts.ts';

/** What was sent, with the redactions made. */
export type Redacted = Pick<GuardResult, 'input' | 'messages' | 'tools' | 'output'>;

const SUBJECTS = ['input', 'messages', 'output'] as const;

/** Anybody's patterns on anybody's text: what both can cost together is bounded by the length of the call. */
const MAX_CHARS_WITH_OWN_RULES = 256 * 1024;

/** @throws GatewayError for a body that is none */
export function checkGuardRequest(document: JsonDocument): GuardRequest {
  const result = guardRequestSchema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  const given = SUBJECTS.filter((field) => result.data[field] !== undefined);
  if (given.length !== 1) {
    const message = "Send exactly one of 'input', 'messages' and 'output'.";
    if (given.length === 0) throw new GatewayError('missing_field', message, { param: 'input' });
    throw new GatewayError('invalid_value', message, { param: given[1] as string });
  }
  checkLength(document, result.data.policy);
  return result.data;
}

/** The answer to a request of which this was found; where something is redacted with what was sent, as `shown` has it. */
export function toGuardResult(svc: SecurityInfo, shown: Redacted): GuardResult {
  const { action } = svc;
  return {
    id: `guard-${svc.request_id.slice('req_'.length)}`,
    object: 'guard.result',
    flagged: action !== 'allow',
    action,
    svc,
    ...(action === 'redact' && shown),
  } as GuardResult;
}

/** What was sent as input, with edits made in it. */
export function inputOf(document: JsonDocument, edits: readonly JsonEdit[]): Redacted {
  const { input, messages, tools } = JSON.parse(spliceJson(document.text, edits)) as Redacted;
  return { ...(input !== undefined && { input }), ...(messages && { messages }), ...(tools && { tools }) };
}

/** The texts of a request that asks about input, and what of it is not inspected. */
export function textsOf(body: GuardRequest): { texts: readonly RequestText[]; skipped: readonly string[] } {
  if (body.messages !== undefined) return chatTexts(body.messages, { tools: body.tools });
  const { input = '', as = 'user' } = body;
  return { texts: input === '' ? [] : [outsideMessages(['input'], input, NAMED_AUTHORS[as])], skipped: [] };
}

/** What of such a request is inspected. */
export function coverageOf({ messages, tools }: GuardRequest): string[] {
  if (messages === undefined) return ['input'];
  const all = messages.length === 1 ? 'messages[0]' : `messages[0..${messages.length - 1}]`;
  return tools && tools.length > 0 ? [all, 'tools'] : [all];
}

function checkLength({ text }: JsonDocument, policy: PolicySettings | undefined): void {
  if (policy === undefined || text.length <= MAX_CHARS_WITH_OWN_RULES) return;
  const { rules, shadow } = policyOf(policy);
  if (rules.isEmpty && (shadow?.rules.isEmpty ?? true)) return;
  const message = `A call whose 'policy' has rules of its own has at most ${MAX_CHARS_WITH_OWN_RULES} characters.`;
  throw new GatewayError('invalid_value', message, { param: 'policy' });
}
