import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to the queues' calls while they are interfered with. */
export type QueueFault = 'refused' | 'cut off when it is done';

export interface QueueProxy {
  readonly url: string;
  /** Calls that sent messages a second time. */
  readonly duplicated: () => number;
  fail(fault: QueueFault): void;
  mend(): void;
  stop(): void;
}

/** Stands before an SQS: sends some messages twice, as a standard queue may, and fails as it is told. */
export async function startQueueProxy(sqsUrl: string, isTwice: () => boolean): Promise<QueueProxy> {
  let fault: QueueFault | undefined;
  let duplicated = 0;
  const agent = new http.Agent({ keepAlive: true });
  const pass = async ({ method = 'POST', url = '/', headers }: http.IncomingMessage, body: Buffer) => {
    const call = http.request(new URL(url, sqsUrl), { method, headers, agent }).end(body);
    const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
    return { answer, text: await buffer(answer) };
  };
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const body = await buffer(request);
    if (fault === 'refused') {
      const text = JSON.stringify({ __type: 'com.amazonaws.sqs#ServiceUnavailable', message: 'A fault.' });
      return response.writeHead(503, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    }
    const { answer, text } = await pass(request, body);
    if (/\.SendMessage(?:Batch)?$/.test(String(request.headers['x-amz-target'])) && isTwice()) {
      duplicated += 1;
      await pass(request, body);
    }
    if (fault === 'cut off when it is done') return response.destroy();
    return response.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
  };
  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    duplicated: () => duplicated,
    fail: (next) => {
      fault = next;
    },
    mend: () => {
      fault = undefined;
    },
    stop: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
