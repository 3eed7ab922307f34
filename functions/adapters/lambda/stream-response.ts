import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { PluginExecutionMode } from '@middy/core';
import type { StreamedResult } from './http-events.ts';

/** The parts of middy that an execution mode gets. */
interface MiddyCore {
  readonly middyRequest: (event: unknown, context: unknown) => object;
  readonly runRequest: (request: object, ...parts: unknown[]) => Promise<StreamedResult>;
}

interface MiddyPlugin {
  requestStart(request: object): void;
  requestEnd(request: object): unknown;
}

/**
 * middy's streaming mode, except for a body that fails: middy destroys the stream then, and Lambda's runtime client ends the process, with the
 * background tasks. Here the handler rejects after them, and the runtime reports the failure in the stream, so that the client sees a cut body.
 */
function streamResponseMode(
  { middyRequest, runRequest }: MiddyCore,
  before: unknown,
  initialHandler: unknown,
  after: unknown,
  onError: unknown,
  plugin: MiddyPlugin,
) {
  let lambdaHandler = initialHandler;
  const middy = awslambda.streamifyResponse(async (event: unknown, stream: Writable, context: unknown) => {
    const request = middyRequest(event, context);
    plugin.requestStart(request);
    const { body, ...head } = await runRequest(request, before, lambdaHandler, after, onError, plugin);
    const out = awslambda.HttpResponseStream.from(stream as never, head as never);
    // The head is sent with the first write.
    out.write('');
    try {
      await send(body, out);
    } finally {
      await plugin.requestEnd(request);
    }
  });
  return Object.assign(middy, {
    handler: (handler: unknown) => {
      lambdaHandler = handler;
      return middy;
    },
  });
}

export const executionModeStreamResponse = streamResponseMode as unknown as PluginExecutionMode;

async function send(body: StreamedResult['body'], out: Writable): Promise<void> {
  if (body !== '') {
    for await (const piece of body) if (!out.write(piece)) await once(out, 'drain');
  }
  await new Promise<void>((resolve, reject) => {
    out.once('error', reject);
    out.end(resolve);
  });
}
