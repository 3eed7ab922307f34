import { toValidationError } from '../../../kernel/errors/index.ts';
import { type RequestDocument, readJsonSteps } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { MessagesRequest } from '../anthropic-messages/messages-schema.ts';
import type { ApiRequest, OpenedRequest, Protocol } from '../protocol.ts';
import { framingOf, inEnvelope, modelOf } from './bedrock-envelope.ts';
import { converseRequestSchema } from './converse-schema.ts';
import { fromConverseBody } from './from-converse-body.ts';
import { ConverseStreamWriter, toConverseResponse } from './to-converse.ts';

/**
 * Bedrock's Converse. Its parts are those of the Messages API under other names, so a request is read as one of that API, which the gateway
 * inspects, forwards or translates as any other, and the response is written back.
 */
export function converseProtocol(asked: ApiRequest, stream: boolean): Protocol<MessagesRequest> {
  return inEnvelope(stream, {
    open: (document) => openConverse(document, modelOf(asked), stream),
    whole: toConverseResponse,
    framing(latencyMs) {
      const writer = new ConverseStreamWriter(latencyMs);
      return framingOf((json) => writer.framesOf(json));
    },
  });
}

function* openConverse({ value }: RequestDocument, model: string, stream: boolean): Steps<OpenedRequest> {
  const read = converseRequestSchema.safeParse(value);
  yield;
  if (!read.success) throw toValidationError(read.error, value);
  const { body, ...beside } = fromConverseBody(read.data, model, stream);
  yield;
  const text = JSON.stringify(body);
  yield;
  return { document: yield* readJsonSteps(text), ...beside };
}
