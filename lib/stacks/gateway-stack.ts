import { Annotations, type CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { FargateGateway } from '../constructs/fargate-gateway.ts';
import { grantKey } from '../constructs/grants.ts';
import { WebFunction } from '../constructs/web-function.ts';
import { addAdminApi, addGateway, type Gateway } from '../functions/api-functions.ts';
import {
  addEventRelay,
  addFindingsExport,
  addKeyWatch,
  addSyntheticCheck,
  addUsageCounter,
  addWebhookDelivery,
} from '../functions/background-functions.ts';
import { addFirstAdminKey, type PageBundle } from '../functions/deployment-functions.ts';
import { type WatchedFunctions, type WatchedGateway, watched } from '../functions/function-context.ts';
import { type Settings, unusedNote } from '../settings/settings.ts';
import type { DataStack } from './data-stack.ts';
import type { EdgeStack } from './edge-stack.ts';
import { addFrontDoors } from './front-doors.ts';

/** The folders that scripts/build.mjs writes, as Lambda code. */
export interface Bundles {
  readonly gateway: lambda.Code;
  /** The folder of the gateway as a Web Function, which CDK stages itself. */
  readonly webGateway: string;
  /** The image of the gateway in containers. Docker builds it at deployment. */
  readonly image: ContainerImage;
  readonly adminApi: lambda.Code;
  readonly usageCounter: lambda.Code;
  readonly findingsExport: lambda.Code;
  readonly firstAdminKey: lambda.Code;
  readonly keyWatch: lambda.Code;
  readonly syntheticCheck: lambda.Code;
  readonly eventRelay: lambda.Code;
  readonly webhookDelivery: lambda.Code;
  readonly originSecret: lambda.Code;
  /** Absent if no dashboard was built. */
  readonly dashboard?: PageBundle | undefined;
}

export interface GatewayStackProps extends StackProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly edge: EdgeStack | undefined;
  readonly bundles: Bundles;
}

/** The functions and their front doors. The stack has no state and can be deleted and redeployed. */
export class GatewayStack extends Stack {
  /** For the alarms of the operations stack. */
  readonly functions: WatchedFunctions;
  readonly gateway: WatchedGateway;

  constructor(scope: Construct, id: string, props: GatewayStackProps) {
    super(scope, id, props);
    const { settings, data, edge, bundles } = props;
    const note = unusedNote(settings);
    if (note !== undefined) Annotations.of(this).addInfo(note);
    const { gateway: code, webGateway: webFolder, image } = bundles;
    const gateway = addGateway(this, { settings, data, code, webFolder, image });
    const adminApi = addAdminApi(this, { settings, data, code: bundles.adminApi });
    const usageCounter = addUsageCounter(this, { settings, data, code: bundles.usageCounter });
    const eventRelay = addEventRelay(this, { settings, data, code: bundles.eventRelay });
    const firstAdminKey = addFirstAdminKey(this, { settings, data, code: bundles.firstAdminKey });
    const keyWatch = addKeyWatch(this, { settings, data, code: bundles.keyWatch });
    const webhookDelivery = addWebhookDelivery(this, { settings, data, code: bundles.webhookDelivery });

    const rotation = addFrontDoors(this, { settings, data, edge, bundles, gateway, adminApi });
    const findingsExport = this.addFindingsExport(props);
    const syntheticCheck = this.addSyntheticCheck(props);
    this.gateway = watchedGateway(gateway);
    this.functions = {
      adminApi: watched(adminApi),
      usageCounter: watched(usageCounter),
      eventRelay: watched(eventRelay),
      keyWatch: watched(keyWatch),
      webhookDelivery: watched(webhookDelivery),
      ...(findingsExport !== undefined && { findingsExport: watched(findingsExport) }),
      ...(rotation !== undefined && { originSecretRotation: watched(rotation) }),
      ...(syntheticCheck !== undefined && { syntheticCheck: watched(syntheticCheck) }),
    };
    for (const grantee of [gateway, adminApi, usageCounter, eventRelay, firstAdminKey, keyWatch, webhookDelivery])
      grantKey(data.encryptionKey, grantee);
    placeInVpc(this, settings.vpc);
  }

  private addSyntheticCheck({ settings, data, bundles }: GatewayStackProps): Construct | undefined {
    if (settings.syntheticCheck === false) return undefined;
    // The address that clients use, whichever front door it is.
    const { value: baseUrl } = this.node.findChild('BaseUrl') as CfnOutput;
    const check = addSyntheticCheck(this, { settings, data, code: bundles.syntheticCheck, baseUrl });
    grantKey(data.encryptionKey, check);
    return check;
  }

  private addFindingsExport({ settings, data, bundles }: GatewayStackProps): Construct | undefined {
    const { findings } = settings;
    const { findingsQueue: queue, encryptionKey } = data;
    if (findings === undefined) return undefined;
    const findingsExport = addFindingsExport(this, { settings, findings, queue, code: bundles.findingsExport });
    grantKey(encryptionKey, findingsExport);
    return findingsExport;
  }
}

function watchedGateway(gateway: Gateway): WatchedGateway {
  if (gateway instanceof WebFunction || gateway instanceof FargateGateway) {
    const { functionName, logGroup } = gateway;
    const containers = gateway instanceof FargateGateway ? gateway : undefined;
    const endpointName = gateway instanceof WebFunction ? gateway.endpointName : undefined;
    return { functionName, logGroup, handler: undefined, endpointName, containers };
  }
  const { handler, logGroup } = watched(gateway);
  return { functionName: handler.functionName, logGroup, handler, endpointName: undefined, containers: undefined };
}

/** Lambda's calls with a function's role: https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html */
const LOOKING = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
const ENDING = ['ec2:DeleteNetworkInterface', 'ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];

/** Lambda's calls with a function's role lack this key; calls of the function's code have it. */
const BY_LAMBDA_ITSELF = { Null: { 'lambda:SourceFunctionArn': 'true' } };

/** Places all functions of a stack in the VPC's subnets, if there is one. */
function placeInVpc(stack: Stack, vpc: Settings['vpc']): void {
  if (vpc === undefined) return;
  for (const child of stack.node.findAll()) if (child instanceof lambda.Function) place(child, vpc);
}

function place(handler: lambda.Function, { vpcId, subnetIds, securityGroupIds }: NonNullable<Settings['vpc']>): void {
  (handler.node.defaultChild as lambda.CfnFunction).vpcConfig = { subnetIds, securityGroupIds };
  const ofThisVpc = Stack.of(handler).formatArn({ service: 'ec2', resource: 'vpc', resourceName: vpcId });
  iam.Grant.addToPrincipal({
    grantee: handler,
    actions: ['ec2:CreateNetworkInterface'],
    resourceArns: ['*'],
    conditions: { ...BY_LAMBDA_ITSELF, ArnEqualsIfExists: { 'ec2:Vpc': ofThisVpc } },
  });
  iam.Grant.addToPrincipal({
    grantee: handler,
    actions: [...LOOKING, ...ENDING],
    resourceArns: ['*'],
    conditions: BY_LAMBDA_ITSELF,
  });
  Validations.of(handler.role as iam.IRole).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Lambda requires this for all network interfaces; only its own calls may use it, not the code of the function.',
  });
}
