import { createKeySchema } from './api-key.ts';
import type { ApiKey } from './stored-key.ts';

/** An active key with the defaults of a new one. */
export const TEST_KEY: ApiKey = {
  ...createKeySchema.parse({ name: 'test' }),
  id: 'key_1',
  state: 'active',
  last4: 'aaaa',
  createdAt: '2026-11-21T09:00:00.000Z',
  secretHash: '',
};
