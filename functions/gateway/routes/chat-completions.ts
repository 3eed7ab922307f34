import type { Route } from '../../core/http/router.ts';
import { CHAT_FRAMING } from '../../core/protocols/openai-chat/chat-answer-format.ts';
import { CHAT_PROTOCOL } from '../../core/protocols/openai-chat/chat-protocol.ts';
import { type GenerationRouteDeps, generationRoute, streamsByField } from '../generation-route.ts';

/** `POST /v1/chat/completions`: OpenAI's chat completions. */
export function chatCompletionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/chat/completions',
      permission: 'chat_completions',
      framing: CHAT_FRAMING,
      spoken: () => ({ protocol: CHAT_PROTOCOL, wantsStream: streamsByField }),
    },
    deps,
  );
}
