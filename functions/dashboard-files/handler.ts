import path from 'node:path';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeDashboardFiles } from './compose.ts';
import { dashboardFilesEnvSchema } from './env.ts';

const env = dashboardFilesEnvSchema.parse(process.env);
const respond = composeDashboardFiles({
  bucket: env.SVC_DASHBOARD_BUCKET,
  // The build puts the page beside the code.
  filesDir: path.join(import.meta.dirname, 'files'),
});

/** CloudFormation custom resource that publishes the dashboard's files to their bucket. */
export const handler = createHandler(respond);
