import { passOn, type StoreProxy, startStoreProxy } from './store-proxy.ts';

export interface CapturingProxy extends StoreProxy {
  /** The bodies of messages that the queues have taken, in order. */
  readonly taken: readonly string[];
}

/** A proxy of an SQS that keeps all sent messages. */
export async function startCapturingProxy(sqsUrl: string): Promise<CapturingProxy> {
  const taken: string[] = [];
  const proxy = await startStoreProxy(sqsUrl, async (call) => {
    const answer = await call.pass();
    if (call.operation === 'SendMessageBatch' && answer.status === 200) {
      const { Entries } = JSON.parse(call.body.toString()) as { Entries: { MessageBody: string }[] };
      taken.push(...Entries.map(({ MessageBody }) => MessageBody));
    }
    passOn(call, answer);
  });
  return { ...proxy, taken };
}
