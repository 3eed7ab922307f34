import * as z from 'zod';

export { SYNTHETIC_CHECK_KEY_ID } from '../kernel/model/index.ts';

/** Environment of the synthetic check; the construct in lib/ takes exactly this type. */
export const syntheticCheckEnvSchema = z.object({
  /** The deployment's `base_url`: the address that clients use, ending in `/v1`. */
  SVC_BASE_URL: z.url(),
  /** Secrets Manager: the check's API key. */
  SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: z.string().min(1),
});

export type SyntheticCheckEnv = z.input<typeof syntheticCheckEnvSchema>;
