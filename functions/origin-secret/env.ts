import * as z from 'zod';

export { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../kernel/http/index.ts';

/** Environment of the function that rotates the origin secret; the construct in lib/ takes exactly this type. */
export const originSecretEnvSchema = z.object({
  /** Secrets Manager: the secret that the distribution sends to the functions. */
  SVC_ORIGIN_SECRET_ARN: z.string().min(1),
  /** CloudFront: the id of the distribution that sends it. */
  SVC_DISTRIBUTION_ID: z.string().regex(/^[A-Z0-9]{1,32}$/),
  /** The URL for checking that the distribution still reaches the gateway. */
  SVC_DISTRIBUTION_URL: z.url(),
});

export type OriginSecretEnv = z.input<typeof originSecretEnvSchema>;
