import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/responses`: OpenAI's Responses API. */
export function responsesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/responses',
      permission: 'chat_completions',
      speech: async () => (await import('../speech/responses-speech.ts')).RESPONSES_SPEECH,
    },
    deps,
  );
}
