import { expect, it } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { createHandler } from './event-handler.ts';
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
