import * as z from 'zod';

/** Environment of the function that publishes the dashboard's files; the construct takes exactly this type. */
export const dashboardFilesEnvSchema = z.object({
  /** S3: the bucket of the dashboard's files. */
  SVC_DASHBOARD_BUCKET: z.string().min(1),
});

export type DashboardFilesEnv = z.input<typeof dashboardFilesEnvSchema>;
