import { NO_NEED } from '../control/limits/index.ts';
import { inspectInput, type Policy, policyOf, Redaction } from '../inspection/index.ts';
import { toValidationError } from '../kernel/errors/index.ts';
import type { JsonDocument, RequestDocument } from '../kernel/json/index.ts';
import {
  type ModerationResult,
  OWN_MODERATION_MODEL,
  outsideMessages,
  type RequestText,
  type Skipped,
} from '../kernel/model/index.ts';
import { Admission } from './admit.ts';
import { addFailure, finishRequest } from './finish-request.ts';
import { type ModerationRequest, type ModerationResponse, moderationRequestSchema } from './inspection-schemas.ts';
import { depsUnder, type PipelineDeps } from './pipeline-deps.ts';
import { placeholderScope } from './request-context.ts';
import { type RunningRequest, recordingUnder, securityInfo } from './request-outcome.ts';
import { joinSession } from './session-past.ts';
import { captureInput } from './transcript.ts';

/**
 * Inspects texts in the format of OpenAI's moderations, without calling a provider. A category is flagged if the key's policy acts on a
 * finding. Attacks are reported in `svc`.
 * @throws GatewayError for an invalid body, and for an exceeded limit
 */
export async function runModeration(
  request: RunningRequest,
  document: RequestDocument,
  deps: PipelineDeps,
): Promise<ModerationResponse> {
  const { context, outcome } = request;
  const admission = new Admission(context, outcome, deps);
  outcome.admission = admission;
  try {
    const body = checkModerationRequest(document);
    const { model = OWN_MODERATION_MODEL } = body;
    const policy = policyOf(context.key.policy);
    const past = outcome.joins(joinSession(context, outcome, deps));
    outcome.asked = { model, stream: false };
    const results = await admission.during(NO_NEED, (refusal) =>
      inspectGroups(request, { document, body, past, policy }, deps, refusal),
    );
    outcome.endsAs('completed');
    const svc = securityInfo(context, outcome) as ModerationResponse['svc'];
    return { id: `modr-${context.requestId.slice('req_'.length)}`, model, results, svc };
  } catch (thrown) {
    throw addFailure(request, thrown);
  } finally {
    finishRequest(request, admission, deps);
  }
}

interface Moderated {
  readonly document: RequestDocument;
  readonly body: ModerationRequest;
  readonly past: Promise<number>;
  readonly policy: Policy;
}

/** The results, one for each group of texts. */
async function inspectGroups(
  { context, outcome }: RunningRequest,
  { document, body, past, policy }: Moderated,
  deps: PipelineDeps,
  refusal: AbortSignal,
): Promise<ModerationResult[]> {
  const { groups, skipped } = textsOf(body);
  const redaction = new Redaction(placeholderScope(context));
  const recording = recordingUnder(policy);
  outcome.recording = recording;
  const under = depsUnder(policy, context.key.id, recording.shadow, deps);
  const input = { document, own: { texts: groups.flat(), skipped }, past, policy, redaction };
  const inspected = await inspectInput(outcome, input, under, refusal);
  captureInput(recording.transcript, document, inspected);
  outcome.inspection.inspectedInput(['input']);
  const { evidence } = inspected;
  const ofItem = Map.groupBy(evidence, ({ text }) => text.path[1]);
  return groups.map((_, at) => inspected.moderate(groups.length === 1 ? evidence : (ofItem.get(at) ?? [])));
}

function checkModerationRequest(document: JsonDocument): ModerationRequest {
  const result = moderationRequestSchema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  return result.data;
}

/** The texts, grouped by result. */
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

/** An input with a separate result. */
function inputOf(text: string, at: number): RequestText {
  return { ...outsideMessages(['input', at], text, 'user'), isApart: true };
}

/** A part of one message, which is inspected together with its neighbours. */
function partOf(text: string, at: number): RequestText {
  return { ...outsideMessages(['input', at, 'text'], text, 'user'), isContent: true };
}
