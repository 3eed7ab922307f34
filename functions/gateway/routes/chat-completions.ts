import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';
import { CHAT_SPEECH } from '../speech/chat-speech.ts';

/** `POST /v1/chat/completions`: OpenAI's chat completions. */
export function chatCompletionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/chat/completions',
      permission: 'chat_completions',
      speech: async () => CHAT_SPEECH,
    },
    deps,
  );
}
