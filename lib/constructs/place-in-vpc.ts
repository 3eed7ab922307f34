import { Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Settings } from '../settings/settings.ts';

/** What Lambda does with a function's role to connect it: https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html */
const LOOKING = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
const ENDING = ['ec2:DeleteNetworkInterface', 'ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];

/** Lambda's own calls with a function's role lack this key; those that the function's code makes have it. */
const BY_LAMBDA_ITSELF = { Null: { 'lambda:SourceFunctionArn': 'true' } };

/** Places every function of a stack in the VPC's subnets. Where `vpc` is undefined they stay where they are. */
export function placeInVpc(stack: Stack, vpc: Settings['vpc']): void {
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
      'Lambda refuses a role that may not do this for all network interfaces; its own calls alone may, the code of the function may not.',
  });
}
