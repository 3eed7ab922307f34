import middy, { type MiddlewareObj, type MiddyfiedHandler } from '@middy/core';
import { logFailedInvocation } from '../telemetry/json-log.ts';
import { logger } from '../telemetry/logger.ts';

/** Each line of the log names the invocation that wrote it. */
export const logContext: MiddlewareObj = {
  before: ({ context }) => logger.addContext(context),
};

/** A failed invocation is logged, and fails for Lambda as well: it retries, or its caller does. */
const logFailures: MiddlewareObj = {
  onError: ({ error }) => logFailedInvocation(error),
};

/** A function that AWS invokes with an event: a queue, a stream, a schedule, CloudFormation, Secrets Manager. */
export function createHandler<Event, Result>(work: (event: Event) => Promise<Result>): MiddyfiedHandler<Event, Result> {
  // Not ended early: work would go on in the next invocation. Lambda's own timeout stops it.
  return middy<Event, Result>({ timeoutEarlyInMillis: 0 })
    .use([logContext, logFailures])
    .handler((event) => work(event));
}
