import type { Route } from '../../core/http/router.ts';
import { RESPONSES_FRAMING } from '../../core/protocols/openai-responses/responses-answer-format.ts';
import { RESPONSES_PROTOCOL } from '../../core/protocols/openai-responses/responses-protocol.ts';
import { type GenerationRouteDeps, generationRoute, streamsByField } from '../generation-route.ts';

/** `POST /v1/responses`: OpenAI's Responses API. */
export function responsesRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/responses',
      permission: 'chat_completions',
      framing: RESPONSES_FRAMING,
      spoken: () => ({ protocol: RESPONSES_PROTOCOL, wantsStream: streamsByField }),
    },
    deps,
  );
}
