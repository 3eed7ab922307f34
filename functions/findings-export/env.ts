import * as z from 'zod';

/** What the function that hands findings on reads from its environment; the construct in lib/ takes exactly this type. */
export const findingsExportEnvSchema = z.union([
  /** EventBridge: the bus that findings are put on. */
  z.object({ SVC_FINDINGS_BUS_ARN: z.string().min(1), SVC_FINDINGS_STREAM_ARN: z.undefined().optional() }),
  /** Firehose: the delivery stream that findings are put into. */
  z.object({ SVC_FINDINGS_STREAM_ARN: z.string().min(1), SVC_FINDINGS_BUS_ARN: z.undefined().optional() }),
]);

export type FindingsExportEnv = z.input<typeof findingsExportEnvSchema>;
