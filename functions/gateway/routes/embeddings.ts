import type { Route } from '../../core/http/router.ts';
import { CHAT_FRAMING } from '../../core/protocols/openai-chat/chat-answer-format.ts';
import { EMBEDDINGS_PROTOCOL } from '../../core/protocols/openai-embeddings/embeddings-protocol.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/embeddings`: OpenAI's embeddings. */
export function embeddingsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/embeddings',
      permission: 'embeddings',
      framing: CHAT_FRAMING,
      spoken: () => ({ protocol: EMBEDDINGS_PROTOCOL, wantsStream: () => false }),
    },
    deps,
  );
}
