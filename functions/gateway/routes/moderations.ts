import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { runModeration } from '../../core/pipeline/run-moderation.ts';
import { toGatewayError } from '../../core/pipeline/to-gateway-error.ts';
import { type AnswerOnceDeps, answerOnce } from '../answer-once.ts';
import { type Entrance, errorAnswer, openExchange, securityHeaders } from '../open-exchange.ts';

const ENTRANCE: Entrance = { path: '/v1/moderations', permission: undefined };

/** `POST /v1/moderations`: OpenAI's moderations, answered by our own engine. Any valid key may. */
export function moderationsRoute(deps: AnswerOnceDeps): Route {
  return {
    method: 'POST',
    path: ENTRANCE.path,
    async handle(routed) {
      const opened = await openExchange(routed, ENTRANCE, deps);
      if (opened instanceof Response) return opened;
      const { exchange, document } = opened;
      return answerOnce(routed, exchange, document, deps, async () => {
        try {
          return jsonResponse(200, await runModeration(exchange, document, deps), securityHeaders(exchange));
        } catch (thrown) {
          return errorAnswer(exchange, toGatewayError(thrown), deps);
        }
      });
    },
  };
}
