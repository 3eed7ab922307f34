import * as z from 'zod';

/** Environment of the function that exports findings; the construct in lib/ takes exactly this type. */
export const findingsExportEnvSchema = z.union([
  /** EventBridge: the bus that receives findings. */
  z.object({ SVC_FINDINGS_BUS_ARN: z.string().min(1), SVC_FINDINGS_STREAM_ARN: z.undefined().optional() }),
  /** Firehose: the delivery stream that receives findings. */
  z.object({ SVC_FINDINGS_STREAM_ARN: z.string().min(1), SVC_FINDINGS_BUS_ARN: z.undefined().optional() }),
]);

export type FindingsExportEnv = z.input<typeof findingsExportEnvSchema>;
