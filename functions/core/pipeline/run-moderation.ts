import { toValidationError } from '../base/first-fault.ts';
import type { JsonDocument } from '../base/json-document.ts';
import type { Finding } from '../inspect/finding.ts';
import type { Evidence } from '../inspect/fusion/evidence.ts';
import { type Policy, policyOf } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { outsideMessages, type RequestText, type Skipped } from '../inspect/requests/request-text.ts';
import { NO_NEED } from '../limits/limits.ts';
import { type ModerationResult, moderationResult } from '../moderation/moderation-result.ts';
import { OWN_MODERATION_MODEL } from '../moderation/requested-moderation.ts';
import {
  type ModerationRequest,
  type ModerationResponse,
  moderationRequestSchema,
} from '../protocols/moderation-schema.ts';
import { admitMeanwhile } from './admit.ts';
import { captureRequest } from './capture-request.ts';
import { closeExchange } from './close-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { noteFailure } from './exchange-failure.ts';
import { judgeInput } from './judge-input.ts';
import { readRequestFiles } from './read-request-files.ts';
import { readSuspicion } from './session-past.ts';
import { settleExchange } from './settle-exchange.ts';

/**
 * Judges texts in the shape of OpenAI's moderations, and calls no provider. A category is flagged where the key's policy would not let what was
 * found pass. Attacks are told in `svc`.
 * @throws GatewayError for a body that is none, and for a limit exceeded
 */
export async function runModeration(
  exchange: Exchange,
  document: JsonDocument,
  deps: PipelineDeps,
): Promise<ModerationResponse> {
  try {
    const body = checkModerationRequest(document);
    const policy = policyOf(exchange.key.policy);
    const past = readSuspicion(exchange, deps);
    exchange.model = body.model ?? OWN_MODERATION_MODEL;
    const results = await admitMeanwhile(exchange, NO_NEED, deps, async (refusal) => {
      const own = exchange.under(policy, deps);
      const { groups, skipped } = textsOf(body);
      const redaction = new Redaction(exchange.placeholderScope);
      const read = await readRequestFiles(exchange, document, { texts: groups.flat(), skipped }, own);
      const { verdict, evidence } = await judgeInput(exchange, read, past, policy, redaction, own, refusal);
      captureRequest(exchange, document, verdict);
      exchange.coverage.input.push('input');
      const ofItem = Map.groupBy(evidence, ({ text }) => text.path[1]);
      return groups.map((_, at) =>
        toResult(findingsIn(groups.length === 1 ? evidence : (ofItem.get(at) ?? [])), policy),
      );
    });
    exchange.outcome = 'completed';
    return {
      id: `modr-${exchange.requestId.slice('req_'.length)}`,
      model: exchange.model,
      results,
      svc: exchange.securityInfo() as ModerationResponse['svc'],
    };
  } catch (error) {
    throw noteFailure(exchange, error);
  } finally {
    if (exchange.outcome !== 'completed') exchange.abort.abort();
    settleExchange(exchange, deps);
    closeExchange(exchange, deps);
  }
}

function checkModerationRequest(document: JsonDocument): ModerationRequest {
  const result = moderationRequestSchema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  return result.data;
}

/** The texts that share a result, result by result. */
function textsOf({ input }: ModerationRequest): { groups: RequestText[][]; skipped: Skipped[] } {
  if (typeof input === 'string') return { groups: [[outsideMessages(['input'], input, 'user')]], skipped: [] };
  const ofStrings = input.flatMap((item, at) => (typeof item === 'string' ? [[inputOf(item, at)]] : []));
  if (ofStrings.length > 0) return { groups: ofStrings, skipped: [] };
  const parts = input.flatMap((item, at): RequestText[] =>
    typeof item === 'object' && item.type === 'text' ? [partOf(item.text, at)] : [],
  );
  const images = input.flatMap((item, at) =>
    typeof item === 'object' && item.type === 'image_url' ? [{ path: ['input', at], what: 'image' }] : [],
  );
  return { groups: [parts], skipped: images };
}

/** An input with a result of its own. */
function inputOf(text: string, at: number): RequestText {
  return { ...outsideMessages(['input', at], text, 'user'), isApart: true };
}

/** A part of one message, which is read together with those beside it. */
function partOf(text: string, at: number): RequestText {
  return { ...outsideMessages(['input', at, 'text'], text, 'user'), isContent: true };
}

function findingsIn(evidence: readonly Evidence[]): Finding[] {
  return evidence.map(({ finding }) => finding);
}

function toResult(found: readonly Finding[], policy: Policy): ModerationResult {
  const acting = found.filter((finding) => policy.decide(finding, 'user') !== 'allow');
  return moderationResult(found, acting);
}
