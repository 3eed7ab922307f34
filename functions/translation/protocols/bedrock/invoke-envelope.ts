import { GatewayError } from '../../../kernel/errors/index.ts';
import type { RequestHeaders } from '../../../kernel/http/index.ts';
import { editSteps, isObject, type JsonEdit, type RequestDocument } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { MessagesRequest } from '../anthropic-messages/messages-schema.ts';
import type { ApiRequest, DroppedField, OpenedRequest, Protocol } from '../protocol.ts';
import {
  BEDROCK_VERSION,
  framingOf,
  headersForBetas,
  inEnvelope,
  modelOf,
  NO_LATENCY,
  NO_METADATA,
  NO_TIER,
  NO_TRACE,
  refuseGuardrail,
} from './bedrock-envelope.ts';
import { eventFrame } from './event-frames.ts';

/** Headers of InvokeModel with values that change nothing, and why others are dropped. */
const HEADERS: readonly (readonly [name: string, without: string, reason: string])[] = [
  ['x-amzn-bedrock-performanceconfig-latency', 'standard', NO_LATENCY],
  ['x-amzn-bedrock-service-tier', 'default', NO_TIER],
  ['x-amzn-bedrock-trace', 'DISABLED', NO_TRACE],
  ['x-amzn-bedrock-request-metadata', '', NO_METADATA],
];
const GUARDRAILS = ['x-amzn-bedrock-guardrailidentifier', 'x-amzn-bedrock-guardrailversion'];

/** Bedrock's InvokeModel with the body of a Claude model: the Messages API without `model` and `stream`, which the path says. */
export function invokeProtocol(asked: ApiRequest, stream: boolean): Protocol<MessagesRequest> {
  return inEnvelope(stream, {
    open: (document) => openInvoke(document, asked, stream),
    whole: (json) => json,
    framing: () =>
      framingOf((json) => [eventFrame('chunk', JSON.stringify({ bytes: Buffer.from(json).toString('base64') }))]),
  });
}

function* openInvoke(document: RequestDocument, asked: ApiRequest, stream: boolean): Steps<OpenedRequest> {
  const { value } = document;
  const body: Record<string, unknown> = isObject(value) ? value : {};
  if (body.anthropic_version !== BEDROCK_VERSION) {
    const message = `The body must be a request of Anthropic's Messages API with "anthropic_version": "${BEDROCK_VERSION}". For other models use Converse.`;
    throw new GatewayError('invalid_value', message, { param: 'anthropic_version' });
  }
  for (const param of ['model', 'stream']) {
    if (!Object.hasOwn(body, param)) continue;
    throw new GatewayError('invalid_value', `The path says it: the body may not have \`${param}\`.`, { param });
  }
  const said = { model: modelOf(asked), ...(stream && { stream }) };
  const edits: JsonEdit[] = [
    { kind: 'remove', path: ['anthropic_version'] },
    { kind: 'remove', path: ['anthropic_beta'] },
    ...Object.entries(said).map(([key, of]): JsonEdit => ({ kind: 'insert', path: [], key, json: JSON.stringify(of) })),
  ];
  const betas = headersForBetas(body.anthropic_beta, 'anthropic_beta');
  const dropped = readHeaders(asked.request.headers);
  return { document: yield* editSteps(document, edits), ...betas, dropped };
}

/** @throws GatewayError for a guardrail */
function readHeaders(headers: RequestHeaders): DroppedField[] {
  const guardrail = GUARDRAILS.find((name) => headers.get(name) !== null);
  if (guardrail !== undefined) refuseGuardrail(guardrail);
  return HEADERS.flatMap(([field, without, reason]) => {
    const value = headers.get(field);
    return value === null || value === without ? [] : [{ field, reason }];
  });
}
