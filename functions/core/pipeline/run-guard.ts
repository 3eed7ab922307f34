import { NO_NEED } from '../admission/limits.ts';
import { GatewayError } from '../errors.ts';
import { answerDetectors } from '../inspect/answer/answer-detectors.ts';
import { InspectedAnswer } from '../inspect/inspect-answer.ts';
import { type Policy, type PolicySettings, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { NAMED_AUTHORS, outsideMessages, type RequestText } from '../inspect/request-text.ts';
import type { JsonDocument } from '../json/json-document.ts';
import { type JsonEdit, spliceJson } from '../json/json-splice.ts';
import { type GuardRequest, type GuardResult, guardRequestSchema } from '../model/guard.ts';
import { toValidationError } from '../protocols/first-fault.ts';
import { chatTexts } from '../protocols/openai-chat/chat-request-texts.ts';
import { admitMeanwhile } from './admit.ts';
import { captureRequest } from './capture-request.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { noteFailure } from './exchange-failure.ts';
import { judgeInput } from './judge-input.ts';
import { askAboutInput, awaitOutside, takeOutsideInput, withholds } from './outside-input.ts';
import { toQuestion } from './outside-output.ts';
import { readSuspicion } from './session-past.ts';
import { settleExchange } from './settle-exchange.ts';

/** What was sent, with the redactions made. */
type Redacted = Pick<GuardResult, 'input' | 'messages' | 'tools' | 'output'>;

const SUBJECTS = ['input', 'messages', 'output'] as const;

/** Anybody's patterns on anybody's text: what both can cost together is bounded by the length of the call. */
const MAX_CHARS_WITH_OWN_RULES = 256 * 1024;

/**
 * Inspects a text, a conversation or an answer, and calls no provider. What would be blocked is told like anything else.
 * @throws GatewayError for a body that is none, and for a limit exceeded
 */
export async function runGuard(exchange: Exchange, document: JsonDocument, deps: PipelineDeps): Promise<GuardResult> {
  try {
    const body = checkGuardRequest(document);
    const policy = policyOf(body.policy ?? exchange.key.policy);
    const past = readSuspicion(exchange, deps);
    const inspected = await admitMeanwhile(exchange, NO_NEED, deps, async (refused) => {
      const own = exchange.under(policy, refused ? { ...deps, outside: undefined } : deps);
      if (body.output !== undefined) return inspectOutput(exchange, body.output, body.system, policy, own);
      return inspectInput(exchange, document, body, past, policy, own);
    });
    const shown = await inspected();
    // Also a judgement that has no use for it belongs to its session.
    await past;
    exchange.outcome = 'completed';
    const svc = exchange.securityInfo();
    const { action } = svc;
    return {
      id: `guard-${exchange.requestId.slice('req_'.length)}`,
      object: 'guard.result',
      flagged: action !== 'allow',
      action,
      svc,
      ...(action === 'redact' && shown),
    } as GuardResult;
  } catch (error) {
    throw noteFailure(exchange, error);
  } finally {
    if (exchange.outcome !== 'completed') exchange.abort.abort();
    settleExchange(exchange, deps);
    closeExchange(exchange, deps);
  }
}

function checkGuardRequest(document: JsonDocument): GuardRequest {
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

/** Inspects, and gives what was sent once the outside detectors have had their say too. */
async function inspectInput(
  exchange: Exchange,
  document: JsonDocument,
  body: GuardRequest,
  past: Promise<number>,
  policy: Policy,
  deps: PipelineDeps,
): Promise<() => Promise<Redacted>> {
  const { texts, skipped } = textsOf(body);
  const { verdict } = await judgeInput(exchange, texts, past, policy, new Redaction(exchange.placeholderScope), deps);
  captureRequest(exchange, document, verdict);
  exchange.coverage.input.push(...coverageOf(body));
  exchange.coverage.skipped.push(...skipped);
  const asked = askAboutInput(exchange, verdict, deps);
  return async () => {
    await takeOutsideInput(exchange, asked, verdict, policy);
    return inputOf(document, verdict.edits);
  };
}

function inputOf(document: JsonDocument, edits: readonly JsonEdit[]): Redacted {
  const { input, messages, tools } = JSON.parse(spliceJson(document.text, edits)) as Redacted;
  return { ...(input !== undefined && { input }), ...(messages && { messages }), ...(tools && { tools }) };
}

function checkLength({ text }: JsonDocument, policy: PolicySettings | undefined): void {
  if (policy === undefined || text.length <= MAX_CHARS_WITH_OWN_RULES) return;
  const { rules, shadow } = policyOf(policy);
  if (rules.isEmpty && (shadow?.rules.isEmpty ?? true)) return;
  const message = `A call whose 'policy' has rules of its own has at most ${MAX_CHARS_WITH_OWN_RULES} characters.`;
  throw new GatewayError('invalid_value', message, { param: 'policy' });
}

function textsOf(body: GuardRequest): { texts: readonly RequestText[]; skipped: readonly string[] } {
  if (body.messages !== undefined) return chatTexts(body.messages, { tools: body.tools });
  const { input = '', as = 'user' } = body;
  return { texts: input === '' ? [] : [outsideMessages(['input'], input, NAMED_AUTHORS[as])], skipped: [] };
}

function coverageOf({ messages, tools }: GuardRequest): string[] {
  if (messages === undefined) return ['input'];
  const all = messages.length === 1 ? 'messages[0]' : `messages[0..${messages.length - 1}]`;
  return tools && tools.length > 0 ? [all, 'tools'] : [all];
}

function inspectOutput(
  exchange: Exchange,
  output: string,
  system: string | undefined,
  policy: Policy,
  { inspector, outside }: PipelineDeps,
): () => Promise<Redacted> {
  const detectors = answerDetectors({ prompts: system ? [system] : [], known: [] }, policy);
  const answer = new InspectedAnswer(output, policy, exchange.report);
  exchange.timed('inspect', () => answer.add(inspector.inspect(output, 'output', detectors)));
  exchange.coverage.output.push('output');
  const question = toQuestion(output, answer.findings, policy);
  const asked =
    exchange.report.action === 'block' ? undefined : outside?.ask([question], exchange.key.id, exchange.abort.signal);
  return async () => {
    if (asked !== undefined) {
      const { findings, failures } = await awaitOutside(exchange, asked);
      answer.add(question.inText(findings[0] ?? []));
      withholds(exchange, failures, policy);
    }
    return { output: answer.text };
  };
}
