import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stands before a DynamoDB and counts what it is asked: `admission`, `settlement`, or the operation and table of any other
 * call. `delayMs` holds back calls of one name, to show who waits for them.
 */
export async function startCountingStore(target) {
  const counts = new Map();
  const delays = new Map();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const name = nameOf(request.headers['x-amz-target'], JSON.parse(body.toString() || '{}'));
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (delays.has(name)) await sleep(delays.get(name));
    const { method, url, headers } = request;
    const passed = http.request(target, { method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    passed.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    delay: (name, milliseconds) => delays.set(name, milliseconds),
    /** The calls since this was last asked. */
    take() {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
    stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function nameOf(target, { TableName, ExpressionAttributeNames = {} }) {
  const operation = String(target).split('.').at(-1);
  if (operation !== 'UpdateItem' || TableName !== 'limits') return `${operation} ${TableName ?? ''}`;
  return '#fullAt' in ExpressionAttributeNames ? 'admission' : 'settlement';
}
