import { afterEach, expect, it, jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { createHandler } from './event-handler.ts';

afterEach(() => void jest.restoreAllMocks());

it('an invocation that fails is logged with its ids, and fails', async () => {
  let written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
  const handler = createHandler(async () => {
    throw new Error('table away');
  });
  const context = { functionName: 'svc-key-watch', awsRequestId: 'invocation-1' } as Context;
  await expect(handler({}, context)).rejects.toThrow('table away');
  expect(JSON.parse(written)).toMatchObject({
    ...{ level: 'ERROR', message: 'invocation failed', internal: 'table away' },
    ...{ FunctionName: 'svc-key-watch', functionRequestId: 'invocation-1' },
  });
});
