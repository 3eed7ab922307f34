import { DefaultStackSynthesizer, type IStackSynthesizer, PermissionsBoundary, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { encryptLogsAndVariables, replicaIn } from '../constructs/encryption.ts';
import { needsEdgeStack, type Settings } from '../settings/settings.ts';
import { prefixOf, stackNamesOf } from '../settings/stack-names.ts';
import { DataStack } from './data-stack.ts';
import { EDGE_REGION, EdgeStack } from './edge-stack.ts';
import { type Bundles, GatewayStack } from './gateway-stack.ts';
import { OperationsStack } from './operations-stack.ts';

export interface ServiceStacks {
  readonly data: DataStack;
  readonly gateway: GatewayStack;
  readonly operations: OperationsStack;
  readonly edge: EdgeStack | undefined;
}

/** Creates the stacks of one stage in an app, or in a construct of another team's app. */
export function createServiceStacks(scope: Construct, settings: Settings, bundles: Bundles): ServiceStacks {
  const { stage, region, account, bootstrapQualifier: qualifier, permissionsBoundary } = settings;
  const names = stackNamesOf(settings, region);
  const env = { ...(region !== undefined && { region }), ...(account !== undefined && { account }) };
  const common = {
    env,
    tags: { service: prefixOf(settings), stage, ...settings.tags },
    ...(qualifier !== undefined && { synthesizer: synthesizerWith(qualifier) }),
    ...(permissionsBoundary !== undefined && {
      permissionsBoundary: PermissionsBoundary.fromName(permissionsBoundary),
    }),
  };

  const data = new DataStack(scope, names.data, {
    ...common,
    stackName: names.data,
    description: `svc ${stage}: tables, queues and secrets, retained when this stack is deleted`,
    encryptionKeyArn: settings.encryptionKeyArn,
    recordExport: settings.recordExport,
  });
  const edge = needsEdgeStack(settings)
    ? new EdgeStack(scope, names.edge, {
        ...common,
        stackName: names.edge,
        description: `svc ${stage}: resources in us-east-1 for CloudFront of ${region}`,
        settings,
      })
    : undefined;
  const gateway = new GatewayStack(scope, names.gateway, {
    ...common,
    stackName: names.gateway,
    description: `svc ${stage}: functions and their URLs`,
    settings,
    data,
    edge,
    bundles,
  });
  if (edge !== undefined) gateway.addStackDependency(edge);

  const operations = new OperationsStack(scope, names.operations, {
    ...common,
    stackName: names.operations,
    description: `svc ${stage}: alarms and a dashboard`,
    settings,
    data,
    gateway,
    edge,
  });

  const { encryptionKeyArn } = settings;
  if (encryptionKeyArn !== undefined) {
    for (const stack of [data, gateway, operations]) encryptLogsAndVariables(stack, encryptionKeyArn);
    const replica = replicaIn(EDGE_REGION, encryptionKeyArn);
    if (edge !== undefined && replica !== undefined) encryptLogsAndVariables(edge, replica);
  }
  // Stacks pass their tags to most resources, but not to tables.
  for (const [tag, value] of Object.entries(settings.tags ?? {})) Tags.of(scope).add(tag, value);
  return { data, gateway, operations, edge };
}

/** CDK's type of it lacks `undefined`, which exactOptionalPropertyTypes asks for. */
function synthesizerWith(qualifier: string): IStackSynthesizer {
  return new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer;
}
