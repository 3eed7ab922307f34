import { startStoreProxy } from './store-proxy.ts';

/** What happens to a call: it is refused, done with a lost response, or done in part. */
export type Fault =
  | { readonly kind: 'refused'; readonly type: string; readonly status: number }
  | { readonly kind: 'done, but reported as failed' }
  | { readonly kind: 'cut off before it is done' }
  | { readonly kind: 'cut off when it is done' }
  | { readonly kind: 'never answered' }
  | { readonly kind: 'batches done in part' };

type Batch = Record<string, { Keys?: unknown[]; [name: string]: unknown } | unknown[]>;

/** A proxy of a DynamoDB that makes calls fail as configured; `onPassed` gets the duration of each forwarded call. */
export async function startFaultyStore(target: string, onPassed: (ms: number) => void = () => {}) {
  let next: { fault: Fault; times: number; every: number } | undefined;
  let calls = 0;
  const proxy = await startStoreProxy(target, async ({ operation, body, response, pass }) => {
    calls += 1;
    const fault = next !== undefined && next.times > 0 && calls % next.every === 0 ? next.fault : undefined;
    if (next !== undefined) next.times -= 1;
    const done = async (asked?: Buffer) => {
      const since = performance.now();
      const answer = await pass(asked);
      onPassed(performance.now() - since);
      return answer;
    };
    // Some SDKs verify a checksum, which our response does not have.
    const answer = ({ status, text }: { status: number; text: string }) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    switch (fault?.kind) {
      case undefined:
        return answer(await done());
      case 'refused':
        return answer(refusal(fault.type, fault.status));
      case 'done, but reported as failed':
        await done();
        return answer(refusal('InternalServerError', 500));
      case 'cut off when it is done':
        await done();
        return response.destroy();
      case 'cut off before it is done':
        return response.destroy();
      case 'never answered':
        return;
      case 'batches done in part': {
        if (!operation.startsWith('Batch')) return answer(await done());
        const input = JSON.parse(body.toString()) as { RequestItems: Batch };
        const [some, rest] = halves(input.RequestItems);
        const { status, text } = await done(Buffer.from(JSON.stringify({ ...input, RequestItems: some })));
        const left = operation === 'BatchGetItem' ? { UnprocessedKeys: rest } : { UnprocessedItems: rest };
        return answer({ status, text: JSON.stringify({ ...JSON.parse(text), ...left }) });
      }
    }
  });
  return {
    ...proxy,
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
