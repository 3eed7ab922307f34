import path from 'node:path';
import type { CustomResourceEvent } from '../adapters/custom-resource.ts';
import { composeDashboardFiles } from './compose.ts';
import { dashboardFilesEnvSchema } from './env.ts';

const env = dashboardFilesEnvSchema.parse(process.env);
const answer = composeDashboardFiles({
  bucket: env.SVC_DASHBOARD_BUCKET,
  // The build puts the page beside the code.
  filesDir: path.join(import.meta.dirname, 'files'),
});

/** CloudFormation's custom resource: the dashboard's files in their bucket. */
export async function handler(event: CustomResourceEvent): Promise<void> {
  await answer(event);
}
