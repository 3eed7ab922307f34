import type { Route } from '../../core/http/router.ts';
import { MESSAGES_FRAMING } from '../../core/protocols/anthropic-messages/messages-answer-format.ts';
import { anthropicError } from '../../core/protocols/anthropic-messages/messages-error.ts';
import { messagesProtocol } from '../../core/protocols/anthropic-messages/messages-protocol.ts';
import { type GenerationRouteDeps, generationRoute, streamsByField } from '../generation-route.ts';

/** `POST /v1/messages`: Anthropic's Messages API. */
export function messagesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/messages',
      permission: 'chat_completions',
      errorShape: anthropicError,
      requestIdHeader: 'request-id',
      framing: MESSAGES_FRAMING,
      spoken: ({ request }) => ({ protocol: messagesProtocol(request.headers), wantsStream: streamsByField }),
    },
    deps,
  );
}
