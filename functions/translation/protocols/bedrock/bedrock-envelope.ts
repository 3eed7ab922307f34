import { GatewayError } from '../../../kernel/errors/index.ts';
import { MESSAGES_PROTOCOL } from '../anthropic-messages/messages-protocol.ts';
import type { MessagesRequest } from '../anthropic-messages/messages-schema.ts';
import { checkBetas } from '../anthropic-messages/messages-versions.ts';
import type { ApiRequest, Envelope, OpenedRequest, Protocol, StreamFraming } from '../protocol.ts';
import { eventFrame, exceptionFrame } from './event-frames.ts';

/** Bedrock's version of the Messages API, which its clients put into the body. */
export const BEDROCK_VERSION = 'bedrock-2023-05-31';

/** The Messages API in the form of one of Bedrock's operations: the body lacks the model, and whether to stream, which the path says. */
export function inEnvelope(stream: boolean, envelope: Envelope): Protocol<MessagesRequest> {
  return { ...MESSAGES_PROTOCOL, responseKind: () => (stream ? 'events' : 'json'), envelope };
}

/** The model of a path such as `/model/{modelId}/converse`. */
export function modelOf({ params }: Pick<ApiRequest, 'params'>): string {
  return params.modelId ?? '';
}

/** The headers of the Messages API for `anthropic_beta`. @throws GatewayError `invalid_value` */
export function headersForBetas(betas: unknown, param: string): Pick<OpenedRequest, 'headers'> {
  if (betas == null) return {};
  if (!Array.isArray(betas) || !betas.every((beta) => typeof beta === 'string')) {
    throw new GatewayError('invalid_value', 'It must be a list of version names.', { param });
  }
  if (betas.length === 0) return {};
  const value = betas.join(',');
  checkBetas(value);
  return { headers: { 'anthropic-beta': value } };
}

/** What has no equivalent, and why; as the reason for a warning or a refusal. */
export const NO_GUARDRAIL =
  'the gateway calls a guardrail where its operator has set one, and inspects every request by its own policy';
export const NO_METADATA = 'it is written to the invocation logs of AWS only';
export const NO_TIER = 'its tiers are of Amazon Bedrock';
export const NO_LATENCY = 'the optimized latency is of Amazon Bedrock';
export const NO_TRACE = 'traces are of guardrails of Amazon Bedrock';

/** @throws GatewayError for a guardrail that the caller relies on */
export function refuseGuardrail(param: string): never {
  throw new GatewayError('invalid_value', `The field ${param} is not supported: ${NO_GUARDRAIL}.`, { param });
}

/** Which `:exception-type` a stream can have: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html */
const IN_STREAMS: ReadonlySet<string> = new Set([
  'InternalServerException',
  'ServiceUnavailableException',
  'ThrottlingException',
  'ValidationException',
]);

/** The framing of a stream of events, one or several for each event of the Messages API. */
export function framingOf(toFrames: (json: string) => readonly Uint8Array[]): StreamFraming {
  return {
    headers: {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-bedrock-content-type': 'application/json',
    },
    event: (json) => Buffer.concat(toFrames(json)),
    exception(json) {
      const type = (JSON.parse(json) as { __type: string }).__type;
      const known = IN_STREAMS.has(type) ? type : 'ModelStreamErrorException';
      return exceptionFrame(`${known[0]?.toLowerCase()}${known.slice(1)}`, json);
    },
    // AWS's SDKs skip events that they do not know.
    keepalive: eventFrame('keepAlive', '{}'),
    end: '',
  };
}
