import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Settings } from '../settings/settings.ts';
import { createServiceStacks, type ServiceStacks } from './create-service-stacks.ts';
import type { Bundles } from './gateway-stack.ts';

/** Adds the stacks of one stage to the app. Synthesis fails on cdk-nag findings without a reason. */
export function addServiceStacks(app: App, settings: Settings, bundles: Bundles): ServiceStacks {
  const stacks = createServiceStacks(app, settings, bundles);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return stacks;
}
