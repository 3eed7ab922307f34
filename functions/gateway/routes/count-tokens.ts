import type { Route } from '../../core/http/router.ts';
import { anthropicError } from '../../core/protocols/anthropic-messages/messages-error.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/messages/count_tokens`: how many tokens a request to the Messages API has. */
export function countTokensRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/messages/count_tokens',
      permission: 'chat_completions',
      errorShape: anthropicError,
      requestIdHeader: 'request-id',
      speech: async () => (await import('../speech/messages-speech.ts')).COUNT_TOKENS_SPEECH,
    },
    deps,
  );
}
