import type { Route } from '../../core/http/router.ts';
import { runGuard } from '../../core/pipeline/run-guard.ts';
import type { AnswerOnceDeps } from '../answer-once.ts';
import { judgementRoute } from '../judgement-route.ts';

/** `POST /v1/guard`: inspection only, no provider. */
export function guardRoute(deps: AnswerOnceDeps): Route {
  return judgementRoute('/v1/guard', runGuard, deps);
}
