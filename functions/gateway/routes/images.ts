import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/images/generations`: OpenAI's images. */
export function imagesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/images/generations',
      permission: 'images',
      speech: async () => (await import('../speech/images-speech.ts')).IMAGES_SPEECH,
    },
    deps,
  );
}
