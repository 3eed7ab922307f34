import type * as lambda from 'aws-cdk-lib/aws-lambda';

/** What points to the version in use: nothing invokes a function that serves past it. */
const LIVE = 'live';

/** An alias has a role, where its function has one. */
export type LiveAlias = lambda.Alias & lambda.IFunction;

/**
 * `live`, by which a function is invoked that serves callers, streams, queues or schedules. Each change of its code or
 * configuration is a version of its own, which stays: the alias can be moved back. `provisionedConcurrency` instances of the
 * live version are kept started.
 */
export function liveAlias(handler: lambda.Function, provisionedConcurrency?: number): LiveAlias {
  return handler.addAlias(LIVE, {
    ...(provisionedConcurrency !== undefined && { provisionedConcurrentExecutions: provisionedConcurrency }),
  }) as LiveAlias;
}
