import type { Route } from '../../core/http/router.ts';
import { runModeration } from '../../core/pipeline/run-moderation.ts';
import type { AnswerOnceDeps } from '../answer-once.ts';
import { judgementRoute } from '../judgement-route.ts';

/** `POST /v1/moderations`: OpenAI's moderations, answered by our own engine. */
export function moderationsRoute(deps: AnswerOnceDeps): Route {
  return judgementRoute('/v1/moderations', runModeration, deps);
}
