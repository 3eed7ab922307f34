import { describe, expect, it, jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { createHandler, processQueue, processStream } from './event-handler.ts';
import { collectLog } from './written-log.fixture.ts';

const written = collectLog();

it('an invocation that fails is logged with its ids, and fails', async () => {
  const handler = createHandler(async () => {
    throw new Error('table away');
  });
  const context = { functionName: 'svc-key-watch', awsRequestId: 'invocation-1' } as Context;
  await expect(handler({}, context)).rejects.toThrow('table away');
  expect(JSON.parse(written())).toMatchObject({
    ...{ level: 'ERROR', message: 'invocation failed', internal: 'table away' },
    ...{ FunctionName: 'svc-key-watch', functionRequestId: 'invocation-1' },
  });
});

const lines = () =>
  written()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

describe('a batch of ten stream records', () => {
  const Records = Array.from({ length: 10 }, (_, at) => ({ dynamodb: { SequenceNumber: `10${at}` } }));
  const processing = (poison: readonly string[]) => {
    const done = new Set<string>();
    const work = async (event: { readonly Records: readonly (typeof Records)[number][] }) => {
      for (const { dynamodb } of event.Records) {
        if (poison.includes(dynamodb.SequenceNumber)) throw new Error('cannot be processed');
        done.add(dynamodb.SequenceNumber);
      }
    };
    return { done, answer: processStream({ Records }, work) };
  };

  it('is processed as one', async () => {
    const work = jest.fn(async () => {});
    expect(await processStream({ Records }, work)).toEqual({ batchItemFailures: [] });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it.each(['100', '105', '109'])('completes all except the one that cannot be processed: %s', async (poison) => {
    const { done, answer } = processing([poison]);
    expect(await answer).toEqual({ batchItemFailures: [{ itemIdentifier: poison }] });
    expect(done.size).toBe(9);
    expect(lines()).toMatchObject([{ level: 'ERROR', message: 'record failed', position: poison }]);
  });

  it('fails as an invocation if none could be processed', async () => {
    const all = Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    await expect(processing(all).answer).rejects.toThrow('All records failed');
  });
});

describe('a batch of ten queue messages', () => {
  const event = { Records: Array.from({ length: 10 }, (_, at) => ({ messageId: `m${at}`, body: '{}' })) };

  it.each(['m0', 'm5', 'm9'])('reports the one that failed: %s', async (poison) => {
    const answer = await processQueue(event, async () => new Map([[poison, new Error('unreadable')]]));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: poison }] });
    expect(lines()).toMatchObject([{ level: 'ERROR', message: 'message failed', messageId: poison }]);
  });

  it('reports all if all failed', async () => {
    const errors = new Map(event.Records.map(({ messageId }) => [messageId, new Error('away')]));
    expect((await processQueue(event, async () => errors)).batchItemFailures).toHaveLength(10);
  });

  it('does not log unreadable input', async () => {
    const work = async () => new Map([['m1', thrownBy(() => JSON.parse('planted'))]]);
    await processQueue(event, work);
    expect(lines()).toMatchObject([{ internal: 'SyntaxError' }]);
    expect(written()).not.toContain('planted');
  });
});

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
