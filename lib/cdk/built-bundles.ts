import { existsSync } from 'node:fs';
import path from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Bundles } from '../stacks/gateway-stack.ts';

/** What scripts/build.mjs wrote into the folder `dist`. @param image of the gateway, used with `compute: fargate` only */
export function builtBundles(dist: string, image: ContainerImage): Bundles {
  const code = (name: string) => Code.fromAsset(path.join(dist, name));
  /** Exists if the dashboard was built. */
  const page = path.join(dist, 'dashboard-files');
  return {
    gateway: code('gateway'),
    webGateway: path.join(dist, 'web-function'),
    image,
    adminApi: code('admin-api'),
    eventRelay: code('event-relay'),
    findingsExport: code('findings-export'),
    firstAdminKey: code('first-admin-key'),
    keyWatch: code('key-watch'),
    syntheticCheck: code('synthetic-check'),
    usageCounter: code('usage-counter'),
    webhookDelivery: code('webhook-delivery'),
    originSecret: code('origin-secret'),
    dashboard: existsSync(path.join(page, 'files', 'index.html'))
      ? { code: Code.fromAsset(page), version: FileSystem.fingerprint(page) }
      : undefined,
  };
}
