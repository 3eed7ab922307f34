import { existsSync } from 'node:fs';
import path from 'node:path';
import { App, FileSystem } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { readSettings } from '../lib/settings/settings.ts';
import { addServiceStacks } from '../lib/stacks/service-stacks.ts';

const dist = path.resolve(import.meta.dirname, '../dist');
/** Exists if the dashboard was built. */
const page = path.join(dist, 'dashboard-files');
const app = new App();
addServiceStacks(app, readSettings(app.node), {
  gateway: Code.fromAsset(path.join(dist, 'gateway')),
  webGateway: path.join(dist, 'web-function'),
  // Used with `compute: fargate` only.
  image: ContainerImage.fromAsset(path.resolve(import.meta.dirname, '..'), {
    file: 'container/Dockerfile',
    platform: Platform.LINUX_ARM64,
  }),
  adminApi: Code.fromAsset(path.join(dist, 'admin-api')),
  eventRelay: Code.fromAsset(path.join(dist, 'event-relay')),
  findingsExport: Code.fromAsset(path.join(dist, 'findings-export')),
  firstAdminKey: Code.fromAsset(path.join(dist, 'first-admin-key')),
  keyWatch: Code.fromAsset(path.join(dist, 'key-watch')),
  syntheticCheck: Code.fromAsset(path.join(dist, 'synthetic-check')),
  usageCounter: Code.fromAsset(path.join(dist, 'usage-counter')),
  webhookDelivery: Code.fromAsset(path.join(dist, 'webhook-delivery')),
  originSecret: Code.fromAsset(path.join(dist, 'origin-secret')),
  dashboard: existsSync(path.join(page, 'files', 'index.html'))
    ? { code: Code.fromAsset(page), version: FileSystem.fingerprint(page) }
    : undefined,
});
