import { toGatewayError } from '../core/base/errors.ts';
import type { RequestDocument } from '../core/base/request-document.ts';
import { jsonResponse } from '../core/http/responses.ts';
import type { Route } from '../core/http/router.ts';
import type { PipelineDeps } from '../core/pipeline/pipeline-deps.ts';
import type { RequestContext } from '../core/pipeline/request-context.ts';
import { type AnswerOnceDeps, answerOnce } from './answer-once.ts';
import { errorResponseTo, openRequest, securityHeaders } from './open-request.ts';

/** Answers a request of its own, without a provider. */
export type Judge = (context: RequestContext, document: RequestDocument, deps: PipelineDeps) => Promise<object>;

/** A POST route on which our own engine answers, no provider. Any valid key may. */
export function judgementRoute(path: string, judge: Judge, deps: AnswerOnceDeps): Route {
  return {
    method: 'POST',
    path,
    async handle(routed) {
      const opened = await openRequest(routed, { path, permission: undefined }, deps);
      if ('status' in opened) return opened;
      const { context, document } = opened;
      return answerOnce(routed, opened, deps, async () => {
        try {
          return jsonResponse(200, await judge(context, document, deps), securityHeaders(context));
        } catch (thrown) {
          return errorResponseTo(context, toGatewayError(thrown), deps);
        }
      });
    },
  };
}
