import path from 'node:path';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeDashboardFiles } from './compose.ts';
import { dashboardFilesEnvSchema } from './env.ts';

const env = dashboardFilesEnvSchema.parse(process.env);
/** Lambda gives a function its role's credentials so. */
const {
  AWS_REGION: region = '',
  AWS_ACCESS_KEY_ID: accessKeyId = '',
  AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
  AWS_SESSION_TOKEN: sessionToken,
} = process.env;
const respond = composeDashboardFiles({
  region,
  bucketUrl: process.env.AWS_ENDPOINT_URL_S3 ?? `https://${env.SVC_DASHBOARD_BUCKET}.s3.${region}.amazonaws.com`,
  credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  // The build puts the page beside the code.
  filesDir: path.join(import.meta.dirname, 'files'),
});

/** CloudFormation's custom resource: the dashboard's files in their bucket. */
export const handler = createHandler(respond);
