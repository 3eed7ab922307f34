import * as z from 'zod';

/** What functions behind URLs read of the distribution before them. */
export const frontDoorVariables = {
  /** Secrets Manager: what the distribution shows; none stands before the function where absent. */
  SVC_ORIGIN_SECRET_ARN: z.string().min(1).optional(),
  /** `true`: what does not come through the distribution, or a REST API, is refused. */
  SVC_ONLY_THROUGH_DISTRIBUTION: z.enum(['true', 'false']).default('false'),
};

export type FrontDoorEnv = z.output<z.ZodObject<typeof frontDoorVariables>>;
