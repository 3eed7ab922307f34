import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/completions`: OpenAI's completions of a prompt. */
export function completionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/completions',
      permission: 'completions',
      speech: async () => (await import('../speech/completions-speech.ts')).COMPLETIONS_SPEECH,
    },
    deps,
  );
}
