import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a call: it is refused, done without its answer arriving, or done in part. */
export type Fault =
  | { readonly kind: 'refused'; readonly type: string; readonly status: number }
  | { readonly kind: 'done, but told as failed' }
  | { readonly kind: 'cut off before it is done' }
  | { readonly kind: 'cut off when it is done' }
  | { readonly kind: 'never answered' }
  | { readonly kind: 'batches done in part' };

type Batch = Record<string, { Keys?: unknown[]; [name: string]: unknown } | unknown[]>;

/** Stands before a DynamoDB and makes its calls fail as it is told; `onPassed` is told how long each that was passed on took. */
export async function startFaultyStore(target: string, onPassed: (ms: number) => void = () => {}) {
  let next: { fault: Fault; times: number; every: number } | undefined;
  let calls = 0;
  const agent = new http.Agent({ keepAlive: true });
  const pass = async ({ method = 'POST', url = '/', headers }: http.IncomingMessage, body: Buffer) => {
    const { 'content-length': _, ...others } = headers;
    const since = performance.now();
    const call = http.request(new URL(url, target), { method, headers: others, agent }).end(body);
    const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
    const text = (await buffer(answer)).toString();
    onPassed(performance.now() - since);
    return { status: answer.statusCode ?? 502, text };
  };
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    calls += 1;
    const fault = next !== undefined && next.times > 0 && calls % next.every === 0 ? next.fault : undefined;
    if (next !== undefined) next.times -= 1;
    const body = await buffer(request);
    // Some SDKs check the sum of what they read; an answer of ours has none.
    const answer = ({ status, text }: { status: number; text: string }) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    switch (fault?.kind) {
      case undefined:
        return answer(await pass(request, body));
      case 'refused':
        return answer(refusal(fault.type, fault.status));
      case 'done, but told as failed':
        await pass(request, body);
        return answer(refusal('InternalServerError', 500));
      case 'cut off when it is done':
        await pass(request, body);
        return response.destroy();
      case 'cut off before it is done':
        return response.destroy();
      case 'never answered':
        return;
      case 'batches done in part': {
        const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        if (!operation.startsWith('Batch')) return answer(await pass(request, body));
        const input = JSON.parse(body.toString()) as { RequestItems: Batch };
        const [some, rest] = halves(input.RequestItems);
        const done = await pass(request, Buffer.from(JSON.stringify({ ...input, RequestItems: some })));
        const left = operation === 'BatchGetItem' ? { UnprocessedKeys: rest } : { UnprocessedItems: rest };
        return answer({ status: done.status, text: JSON.stringify({ ...JSON.parse(done.text), ...left }) });
      }
    }
  };
  // Calls that nobody waits for any more end with the store.
  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** So many of the next calls go wrong, or of these every so many-th. */
    fail(fault: Fault, times: number, every = 1): void {
      next = { fault, times, every };
    },
    mend(): void {
      next = undefined;
    },
    /** How many calls came since this was last asked. */
    take(): number {
      const taken = calls;
      calls = 0;
      return taken;
    },
    stop(): void {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function refusal(type: string, status: number) {
  return { status, text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'A fault.' }) };
}

/** The first half of a batch, at least one item, and what is left of it. */
function halves(batch: Batch): [Batch, Batch] {
  const [some, rest]: [Batch, Batch] = [{}, {}];
  for (const [table, asked] of Object.entries(batch)) {
    const items = Array.isArray(asked) ? asked : (asked.Keys ?? []);
    const half = Math.ceil(items.length / 2);
    const wrap = (part: unknown[]) => (Array.isArray(asked) ? part : { ...asked, Keys: part });
    some[table] = wrap(items.slice(0, half));
    if (half < items.length) rest[table] = wrap(items.slice(half));
  }
  return [some, rest];
}
