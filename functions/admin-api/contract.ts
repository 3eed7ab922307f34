import * as z from 'zod';
import { createKeySchema, keySchema, rotateKeySchema, updateKeySchema } from '../core/model/api-key.ts';

/** The shapes of the admin API, for its routes, the OpenAPI document and the dashboard. */
export { createKeySchema, keySchema, rotateKeySchema, updateKeySchema };

/** A key that is new or was rotated: the only time that its secret is shown. */
export const createdKeySchema = keySchema
  .extend({ key: z.string() })
  .meta({ id: 'CreatedKey', description: 'A key with its new secret, shown this once.' });

export const keyListSchema = z
  .object({ object: z.literal('list'), data: z.array(keySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'KeyList', description: 'A page of keys, newest first.' });

export type CreatedKey = z.infer<typeof createdKeySchema>;
export type KeyList = z.infer<typeof keyListSchema>;
export type { CreateKey, KeyView, UpdateKey } from '../core/model/api-key.ts';
