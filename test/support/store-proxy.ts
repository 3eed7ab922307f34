import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface StoreAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** A call to a store that was read whole. */
export interface StoreCall {
  /** `PutItem`, `SendMessageBatch` */
  readonly operation: string;
  readonly body: Buffer;
  readonly response: http.ServerResponse;
  /** Has the store do it, with another body where one is given; as often as asked. */
  pass(body?: Buffer): Promise<StoreAnswer>;
}

export interface StoreProxy {
  /** Replaces the store's address. */
  readonly url: string;
  stop(): void;
}

/** A proxy of a DynamoDB or SQS; `handle` responds to each call. If it throws, the connection is closed. */
export async function startStoreProxy(
  target: string,
  handle: (call: StoreCall) => Promise<unknown>,
): Promise<StoreProxy> {
  // The store closes idle connections, which a busy process would notice too late.
  const agent = new http.Agent({ keepAlive: false });
  const toCall = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<StoreCall> => {
    const { method = 'POST', url = '/', headers } = request;
    // A body may have another length than the one that came.
    const { 'content-length': _, ...others } = headers;
    const came = await buffer(request);
    const pass = async (body = came) => {
      const call = http.request(target.replace(/\/$/, '') + url, { method, headers: others, agent }).end(body);
      const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
      return {
        status: answer.statusCode ?? 502,
        headers: answer.headers,
        text: (await buffer(answer)).toString(),
      };
    };
    const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    return { operation, body: came, response, pass };
  };
  const server = http.createServer((request, response) => {
    toCall(request, response)
      .then(handle)
      // The client may have left, or the store may be gone.
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Forwards the store's response to a call. */
export function passOn({ response }: StoreCall, { status, headers, text }: StoreAnswer): void {
  response.writeHead(status, headers).end(text);
}
