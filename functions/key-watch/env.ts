import * as z from 'zod';

/** What the function that watches keys reads from its environment; the construct in lib/ takes exactly this type. */
export const keyWatchEnvSchema = z.object({
  /** DynamoDB table of keys. */
  SVC_KEYS_TABLE: z.string().min(1),
});

export type KeyWatchEnv = z.input<typeof keyWatchEnvSchema>;
