import { passOn, type StoreProxy, startStoreProxy } from '../support/store-proxy.ts';

/** What happens to the queues' calls while they are interfered with. */
export type QueueFault = 'refused' | 'cut off when it is done';

export interface QueueProxy extends StoreProxy {
  /** Calls that sent messages a second time. */
  readonly duplicated: () => number;
  fail(fault: QueueFault): void;
  mend(): void;
}

/** A proxy of an SQS that sends some messages twice, as a standard queue may, and fails as configured. */
export async function startQueueProxy(sqsUrl: string, isTwice: () => boolean): Promise<QueueProxy> {
  let fault: QueueFault | undefined;
  let duplicated = 0;
  const proxy = await startStoreProxy(sqsUrl, async (call) => {
    if (fault === 'refused') {
      const text = JSON.stringify({ __type: 'com.amazonaws.sqs#ServiceUnavailable', message: 'A fault.' });
      return passOn(call, { status: 503, headers: { 'content-type': 'application/x-amz-json-1.0' }, text });
    }
    const answer = await call.pass();
    if (/^SendMessage(?:Batch)?$/.test(call.operation) && isTwice()) {
      duplicated += 1;
      await call.pass();
    }
    if (fault === 'cut off when it is done') call.response.destroy();
    else passOn(call, answer);
  });
  return {
    ...proxy,
    duplicated: () => duplicated,
    fail: (next) => {
      fault = next;
    },
    mend: () => {
      fault = undefined;
    },
  };
}
