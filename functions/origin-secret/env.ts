import * as z from 'zod';

export { ORIGIN_SECRET_HEADER } from '../core/http/front-door.ts';

/** What the function that rotates the origin secret reads from its environment; the construct in lib/ takes exactly this type. */
export const originSecretEnvSchema = z.object({
  /** Secrets Manager: what the distribution shows to the functions. */
  SVC_ORIGIN_SECRET_ARN: z.string().min(1),
  /** CloudFront: the id of the distribution that sends it. */
  SVC_DISTRIBUTION_ID: z.string().regex(/^[A-Z0-9]{1,32}$/),
  /** Where the distribution is asked whether it still reaches the gateway. */
  SVC_DISTRIBUTION_URL: z.url(),
});

export type OriginSecretEnv = z.input<typeof originSecretEnvSchema>;
