import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { BodyStream } from '../../kernel/http/index.ts';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import type { HttpHandlerOptions } from './http-handler.ts';
import { collectLog } from './written-log.fixture.ts';

/** The parts of Lambda's runtime that a streamed response needs. */
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (work: unknown) => work,
    HttpResponseStream: { from: (stream: PassThrough, head: object) => Object.assign(stream, { head }) },
  },
});
const { createHttpHandler } = await import('./http-handler.ts');

const written = collectLog();

const EVENT = {
  rawPath: '/v1/models',
  rawQueryString: '',
  headers: {},
  requestContext: { http: { method: 'GET', sourceIp: '192.0.2.1' } },
  isBase64Encoded: false,
};
const CONTEXT = { functionName: 'svc-gateway', awsRequestId: 'invocation-1' } as Context;

function invoke(options: Partial<HttpHandlerOptions>) {
  const app = async () => ({ status: 200, headers: {}, body: 'done' });
  const frontDoor = async () => ({ clientAddress: '192.0.2.1' });
  const handler = createHttpHandler({ app, frontDoor, ...options }) as unknown as (
    event: object,
    stream: PassThrough,
    context: Context,
  ) => Promise<void>;
  const stream = new PassThrough() as PassThrough & { head?: { statusCode: number } };
  return { ended: handler(EVENT, stream, CONTEXT), stream };
}

describe('an app behind a function URL', () => {
  it('returns an error of the API if it throws, and logs it with its invocation', async () => {
    const { ended, stream } = invoke({ frontDoor: () => Promise.reject(new Error('planted')) });
    const body = text(stream);
    await ended;
    expect(stream.head).toMatchObject({ statusCode: 500 });
    const { error } = JSON.parse(await body);
    expect(error).toMatchObject({ code: 'internal_error' });
    expect(JSON.stringify(error)).not.toContain('planted');
    expect(JSON.parse(written())).toMatchObject({
      ...{ level: 'ERROR', message: 'error', code: 'internal_error' },
      ...{ FunctionName: 'svc-gateway', functionRequestId: 'invocation-1' },
    });
  });

  it('sends the whole response before the invocation ends, and ends when its background tasks are done', async () => {
    const backgroundTasks = new BackgroundTasks();
    const { promise, resolve } = Promise.withResolvers<void>();
    backgroundTasks.add(promise);
    const { ended, stream } = invoke({ backgroundTasks });
    const body = text(stream);
    let over = false;
    const end = ended.then(() => {
      over = true;
    });
    expect(await body).toBe('done');
    await new Promise((done) => setTimeout(done, 20));
    expect(over).toBe(false);
    resolve();
    await end;
  });

  it('sends bytes unchanged, and breaks off a body that fails, after its background tasks', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    async function* pieces(fails: boolean) {
      yield bytes.subarray(0, 200);
      if (fails) throw new Error('broken off');
      yield bytes.subarray(200);
    }
    const serving = (fails: boolean, backgroundTasks = new BackgroundTasks()) =>
      invoke({ app: async () => ({ status: 200, headers: {}, body: pieces(fails) as BodyStream }), backgroundTasks });
    const { ended, stream } = serving(false);
    const [received] = await Promise.all([buffer(stream), ended]);
    expect(received.equals(bytes)).toBe(true);
    let recorded = false;
    const backgroundTasks = new BackgroundTasks();
    backgroundTasks.add(
      new Promise<void>((done) => setTimeout(done, 20)).then(() => {
        recorded = true;
      }),
    );
    const failing = serving(true, backgroundTasks);
    failing.stream.resume();
    await expect(failing.ended).rejects.toThrow('broken off');
    // The runtime reports the failure in the stream, and ends it.
    expect([recorded, failing.stream.destroyed, failing.stream.writableEnded]).toEqual([true, false, false]);
  });
});
