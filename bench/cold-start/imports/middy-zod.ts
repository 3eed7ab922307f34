import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import * as z from 'zod';

z.object({ any: z.string().optional() }).parse(process.env);

export const handler = middy({ executionMode: executionModeStreamifyResponse }).handler(() => ({
  statusCode: 200,
  body: '',
}));
