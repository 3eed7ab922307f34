import { type RequestDocument, readJsonSteps } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { MessagesRequest } from '../anthropic-messages/messages-schema.ts';
import type { ApiRequest, OpenedRequest, Protocol } from '../protocol.ts';
import { framingOf, inEnvelope, modelOf } from './bedrock-envelope.ts';
import { AT_ONCE, checkConverse } from './check-converse.ts';
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
  const checked = yield* checkConverse(value);
  const { body, ...beside } = yield* fromConverseBody(checked, model, stream);
  yield;
  return { document: yield* readJsonSteps(yield* toText(body)), ...beside };
}

/** The JSON of the body, written in steps: long lists take long. */
function* toText({ messages, ...others }: Readonly<Record<string, unknown>>): Steps<string> {
  const texts: string[] = [];
  for (const { role, content } of messages as readonly { role: string; content: readonly unknown[] }[]) {
    const parts: string[] = [];
    for (let at = 0; at < content.length; at += AT_ONCE) {
      parts.push(JSON.stringify(content.slice(at, at + AT_ONCE)).slice(1, -1));
      yield;
    }
    texts.push(`{"role":${JSON.stringify(role)},"content":[${parts.join(',')}]}`);
  }
  return `${JSON.stringify(others).slice(0, -1)},"messages":[${texts.join(',')}]}`;
}
