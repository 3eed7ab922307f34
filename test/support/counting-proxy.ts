import { passOn, startStoreProxy } from './store-proxy.ts';

/** What DynamoDB was asked: `GetItem keys`, and how often. */
export type Calls = Readonly<Record<string, number>>;

/** Passes DynamoDB's calls on and counts them by operation and table. */
export async function startCountingProxy(target: string) {
  let calls = new Map<string, number>();
  const proxy = await startStoreProxy(target, async (call) => {
    const { TableName, RequestItems = {} } = JSON.parse(call.body.toString() || '{}') as {
      TableName?: string;
      RequestItems?: object;
    };
    const name = `${call.operation} ${TableName ?? Object.keys(RequestItems).join()}`;
    calls.set(name, (calls.get(name) ?? 0) + 1);
    passOn(call, await call.pass());
  });
  return {
    ...proxy,
    /** The calls since this was last asked. */
    take(): Calls {
      const taken = Object.fromEntries(calls);
      calls = new Map();
      return taken;
    },
  };
}
