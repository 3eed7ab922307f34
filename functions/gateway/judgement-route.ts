import { toGatewayError } from '../core/base/errors.ts';
import type { JsonDocument } from '../core/base/json-document.ts';
import { jsonResponse } from '../core/http/responses.ts';
import type { Route } from '../core/http/router.ts';
import type { Exchange, PipelineDeps } from '../core/pipeline/exchange.ts';
import { type AnswerOnceDeps, answerOnce } from './answer-once.ts';
import { errorAnswer, openExchange, securityHeaders } from './open-exchange.ts';

/** Answers a request of its own, without a provider. */
export type Judge = (exchange: Exchange, document: JsonDocument, deps: PipelineDeps) => Promise<object>;

/** A POST route on which our own engine answers, no provider. Any valid key may. */
export function judgementRoute(path: string, judge: Judge, deps: AnswerOnceDeps): Route {
  return {
    method: 'POST',
    path,
    async handle(routed) {
      const opened = await openExchange(routed, { path, permission: undefined }, deps);
      if ('status' in opened) return opened;
      const { exchange, document } = opened;
      return answerOnce(routed, exchange, document, deps, async () => {
        try {
          return jsonResponse(200, await judge(exchange, document, deps), securityHeaders(exchange));
        } catch (thrown) {
          return errorAnswer(exchange, toGatewayError(thrown), deps);
        }
      });
    },
  };
}
