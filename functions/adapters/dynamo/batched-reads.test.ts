import { describe, expect, it } from '@jest/globals';
import type { DynamoClient } from '../aws/clients.ts';
import { BatchedReads } from './batched-reads.ts';

/** A client that has an item for each key but `missing`; it fails at the calls whose number is in `failing`. */
function clientOf(calls: string[][], failing: readonly number[] = []): DynamoClient {
  const send = async ({ input }: { input: { RequestItems: Record<string, { Keys: { pk: string }[] }> } }) => {
    const keys = input.RequestItems.table?.Keys ?? [];
    calls.push(keys.map(({ pk }) => pk));
    if (failing.includes(calls.length)) throw new Error('no response');
    return { Responses: { table: keys.filter(({ pk }) => pk !== 'missing') } };
  };
  return { send } as unknown as DynamoClient;
}

describe('Reads of items', () => {
  it('share a call in one turn of the event loop, and each key is read once', async () => {
    const calls: string[][] = [];
    const reads = new BatchedReads(clientOf(calls), 'table');
    const later = Promise.resolve().then(() => reads.get('c'));
    const found = await Promise.all([reads.get('a'), reads.get('missing'), reads.get('a'), later]);
    expect(found).toEqual([{ pk: 'a' }, undefined, { pk: 'a' }, { pk: 'c' }]);
    expect(calls).toEqual([['a', 'missing', 'c']]);
  });

  it('are made again later, also after a failure', async () => {
    const calls: string[][] = [];
    const reads = new BatchedReads(clientOf(calls, [1]), 'table');
    const failed = await Promise.allSettled([reads.get('a'), reads.get('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.get('a')).toEqual({ pk: 'a' });
    expect(calls).toEqual([['a', 'b'], ['a']]);
  });
});
