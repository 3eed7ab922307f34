import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { needsEdgeStack, type Settings } from '../settings/settings.ts';
import { DataStack } from './data-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { type Bundles, GatewayStack } from './gateway-stack.ts';
import { OperationsStack } from './operations-stack.ts';

/** Adds the stacks of one stage to the app. Synthesis fails on cdk-nag findings without a reason. */
export function addServiceStacks(
  app: App,
  settings: Settings,
  bundles: Bundles,
): { data: DataStack; gateway: GatewayStack; operations: OperationsStack; edge: EdgeStack | undefined } {
  const { stage, region, account } = settings;
  const name = `svc-${stage.toLowerCase()}`;
  const env = { ...(region !== undefined && { region }), ...(account !== undefined && { account }) };
  const common = { env, tags: { service: 'svc', stage } };

  const data = new DataStack(app, `${name}-data`, {
    ...common,
    description: `svc ${stage}: tables, queues and secrets, retained when this stack is deleted`,
    encryptionKeyArn: settings.encryptionKeyArn,
    recordExport: settings.recordExport,
  });
  const edge = needsEdgeStack(settings)
    ? // One stack in us-east-1 for each region of the stage.
      new EdgeStack(app, `${name}-${region}-edge`, {
        tags: common.tags,
        description: `svc ${stage}: resources in us-east-1 for CloudFront of ${region}`,
        settings,
      })
    : undefined;
  const gateway = new GatewayStack(app, `${name}-gateway`, {
    ...common,
    description: `svc ${stage}: functions and their URLs`,
    settings,
    data,
    edge,
    bundles,
  });
  if (edge !== undefined) gateway.addStackDependency(edge);

  const operations = new OperationsStack(app, `${name}-operations`, {
    ...common,
    description: `svc ${stage}: alarms and a dashboard`,
    settings,
    data,
    gateway,
    edge,
  });

  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return { data, gateway, operations, edge };
}
