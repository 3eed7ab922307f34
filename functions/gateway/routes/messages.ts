import type { Route } from '../../core/http/router.ts';
import { anthropicError } from '../../core/protocols/anthropic-messages/messages-error.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/messages`: Anthropic's Messages API. */
export function messagesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/messages',
      permission: 'chat_completions',
      errorShape: anthropicError,
      requestIdHeader: 'request-id',
      speech: async () => (await import('../speech/messages-speech.ts')).MESSAGES_SPEECH,
    },
    deps,
  );
}
