import type { Route } from '../../core/http/router.ts';
import { IMAGES_FRAMING } from '../../core/protocols/openai-images/images-answer-format.ts';
import { IMAGES_PROTOCOL } from '../../core/protocols/openai-images/images-protocol.ts';
import { type GenerationRouteDeps, generationRoute, streamsByField } from '../generation-route.ts';

/** `POST /v1/images/generations`: OpenAI's images. */
export function imagesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/images/generations',
      permission: 'images',
      framing: IMAGES_FRAMING,
      spoken: () => ({ protocol: IMAGES_PROTOCOL, wantsStream: streamsByField }),
    },
    deps,
  );
}
