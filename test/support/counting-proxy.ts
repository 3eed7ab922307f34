import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What DynamoDB was asked: `GetItem keys`, and how often. */
export type Calls = Readonly<Record<string, number>>;

/** Passes DynamoDB's calls on and counts them by operation and table. */
export async function startCountingProxy(target: string) {
  let calls = new Map<string, number>();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1);
    const { TableName, RequestItems = {} } = JSON.parse(body.toString() || '{}') as {
      TableName?: string;
      RequestItems?: object;
    };
    const name = `${operation} ${TableName ?? Object.keys(RequestItems).join()}`;
    calls.set(name, (calls.get(name) ?? 0) + 1);
    const { method = 'POST', url = '/', headers } = request;
    const passed = http.request(target, { method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    passed.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The calls since this was last asked. */
    take(): Calls {
      const taken = Object.fromEntries(calls);
      calls = new Map();
      return taken;
    },
    stop(): void {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
