import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeOriginSecret } from './compose.ts';
import { originSecretEnvSchema } from './env.ts';

const env = originSecretEnvSchema.parse(process.env);
const rotateSecret = composeOriginSecret({
  arn: env.SVC_ORIGIN_SECRET_ARN,
  distributionId: env.SVC_DISTRIBUTION_ID,
  distributionUrl: env.SVC_DISTRIBUTION_URL,
});

/** Secrets Manager's rotation of the origin secret, one step per invocation. */
export const handler = createHandler(rotateSecret);
