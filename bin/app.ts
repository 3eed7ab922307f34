import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { builtBundles } from '../lib/cdk/built-bundles.ts';
import { readSettings } from '../lib/settings/settings.ts';
import { addServiceStacks } from '../lib/stacks/service-stacks.ts';

const root = path.resolve(import.meta.dirname, '..');
const image = ContainerImage.fromAsset(root, { file: 'container/Dockerfile', platform: Platform.LINUX_ARM64 });
const app = new App();
addServiceStacks(app, readSettings(app.node), builtBundles(path.join(root, 'dist'), image));
