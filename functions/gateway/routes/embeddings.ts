import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/embeddings`: OpenAI's embeddings. */
export function embeddingsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/embeddings',
      permission: 'embeddings',
      speech: async () => (await import('../speech/embeddings-speech.ts')).EMBEDDINGS_SPEECH,
    },
    deps,
  );
}
