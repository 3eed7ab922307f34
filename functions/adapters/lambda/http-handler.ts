import middy, { type MiddlewareObj } from '@middy/core';
import { toGatewayError } from '../../kernel/errors/index.ts';
import { type App, errorResponse, newRequestId, newTrace } from '../../kernel/http/index.ts';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import type { FrontDoor } from '../aws/front-door.ts';
import { exitOnFault } from '../node/exit-on-fault.ts';
import { logError } from '../telemetry/json-log.ts';
import { logContext } from './event-handler.ts';
import {
  type FunctionUrlEvent,
  type RestApiEvent,
  type StreamedResult,
  serveFunctionUrl,
  toStreamedResult,
} from './http-events.ts';
import { executionModeStreamResponse } from './stream-response.ts';

/** Turns errors that an app throws into error responses of the API. */
const errorsAsResponses: MiddlewareObj<unknown, StreamedResult> = {
  onError: (request) => {
    const error = toGatewayError(request.error);
    const { traceId } = newTrace();
    const { requestId, headers } = newRequestId({ traceId });
    logError({ requestId, traceId }, error);
    request.response = toStreamedResult(errorResponse(error, requestId, headers));
  },
};

export interface HttpHandlerOptions {
  readonly app: App;
  readonly frontDoor: FrontDoor;
  /** Background tasks; an invocation ends when they are done. */
  readonly backgroundTasks?: BackgroundTasks;
}

/** Invocations that have not ended, by Lambda's context object. */
class RunningInvocations {
  private readonly running = new Map<
    object,
    { readonly abort: AbortController; readonly end: PromiseWithResolvers<void> }
  >();

  /** @returns the signal that cancels its request */
  begin(context: object): AbortSignal {
    const invocation = { abort: new AbortController(), end: Promise.withResolvers<void>() };
    this.running.set(context, invocation);
    return invocation.abort.signal;
  }

  end(context: object): void {
    this.running.get(context)?.end.resolve();
    this.running.delete(context);
  }

  /** Cancels their requests, and resolves when they have ended. */
  async cancel(): Promise<void> {
    const invocations = [...this.running.values()];
    for (const { abort } of invocations) abort.abort();
    await Promise.all(invocations.map(({ end }) => end.promise));
  }
}

/** An app as a function behind a function URL or a REST API with response streaming. */
export function createHttpHandler({ app, frontDoor, backgroundTasks = new BackgroundTasks() }: HttpHandlerOptions) {
  const running = new RunningInvocations();
  exitOnFault(() => running.cancel());
  return middy<FunctionUrlEvent | RestApiEvent, StreamedResult>({
    executionMode: executionModeStreamResponse,
    // The client has the whole response by then. If the function were frozen earlier, background tasks would wait for the next request.
    // https://aws.amazon.com/blogs/compute/running-code-after-returning-a-response-from-an-aws-lambda-function/
    requestEnd: async ({ context }) => {
      await backgroundTasks.idle();
      running.end(context);
    },
  })
    .use([logContext, errorsAsResponses])
    .handler((event, context) => {
      // Lambda's variable is shared by all concurrent requests of a process.
      const { xRayTraceId = process.env._X_AMZN_TRACE_ID } = context as { xRayTraceId?: string };
      const signal = running.begin(context);
      return serveFunctionUrl(
        (request, known) => app(request, { ...known, xrayHeader: xRayTraceId, signal }),
        event,
        frontDoor,
      );
    });
}
