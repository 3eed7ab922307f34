import type { Route } from '../../core/http/router.ts';
import {
  COMPLETIONS_FRAMING,
  COMPLETIONS_PROTOCOL,
} from '../../core/protocols/openai-completions/completions-protocol.ts';
import { type GenerationRouteDeps, generationRoute, streamsByField } from '../generation-route.ts';

/** `POST /v1/completions`: OpenAI's completions of a prompt. */
export function completionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/completions',
      permission: 'completions',
      framing: COMPLETIONS_FRAMING,
      spoken: () => ({ protocol: COMPLETIONS_PROTOCOL, wantsStream: streamsByField }),
    },
    deps,
  );
}
