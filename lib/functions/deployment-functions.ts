import {
  CfnCustomResource,
  type CfnElement,
  CfnOutput,
  CustomResource,
  Duration,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { DashboardFilesEnv } from '../../functions/dashboard-files/env.ts';
import { FIRST_ADMIN_KEY_SETTINGS, type FirstAdminKeyEnv } from '../../functions/first-admin-key/env.ts';
import type { OriginSecretEnv } from '../../functions/origin-secret/env.ts';
import { createFunction } from '../constructs/create-function.ts';
import type { Distribution } from '../constructs/distribution.ts';
import { grantPuttingValueOf, grantTables, grantValueOf } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/**
 * The function that makes the first admin key, the custom resource that has it done when the stage is deployed first, and the
 * command that reads the key. Nothing of the key is in the template.
 */
export function addFirstAdminKey(stack: Stack, { settings, data, code }: FunctionContext): iam.IGrantable {
  const { logRetentionDays, tracing } = settings;
  const scope = new Construct(stack, 'FirstAdminKey');
  const environment: FirstAdminKeyEnv = {
    ...tableNames('first-admin-key', data),
    ...stageVariables(FIRST_ADMIN_KEY_SETTINGS, settings),
    SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
    SVC_FIRST_ADMIN_KEY_SECRET_ARN: data.firstAdminKey.secretArn,
  };
  const { handler, role } = createFunction(scope, {
    description: 'Makes the first admin key when the stage is deployed first, and puts it into a secret.',
    code,
    environment: { ...environment },
    memoryMb: 256,
    timeout: Duration.minutes(2),
    logRetentionDays,
    tracing,
  });
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'CloudFormation asks and waits for the answer: a request that is not answered fails the deployment.',
  });
  grantTables('first-admin-key', data.tables, role);
  grantValueOf(data.pepper, role);
  grantPuttingValueOf(data.firstAdminKey, role);
  // Where another attempt put a text first, that one is the key's.
  grantValueOf(data.firstAdminKey, role);
  // Not the class above it, which writes the number as a text.
  new CfnCustomResource(scope, 'Resource', {
    serviceToken: handler.functionArn,
    // Three attempts of two minutes, which Lambda makes within five.
    serviceTimeout: Duration.minutes(15).toSeconds(),
  });
  new CfnOutput(stack, 'FirstAdminKeyCommand', {
    description: 'Prints the first admin key; keep it elsewhere and rotate it: README.md',
    value: `aws secretsmanager get-secret-value --region ${stack.region} --secret-id ${data.firstAdminKey.secretArn} --query SecretString --output text`,
  });
  return role;
}

const ROTATION_DAYS = 30;

export interface OriginSecretProps {
  readonly settings: Settings;
  readonly secret: secretsmanager.Secret;
  readonly distribution: Distribution;
  readonly webAclArn: string | undefined;
  readonly code: lambda.Code;
}

/** The function that rotates what the distribution shows, each month, and what its role may do. */
export function addOriginSecretRotation(
  stack: Stack,
  props: OriginSecretProps,
): { readonly scope: Construct; readonly role: iam.IGrantable } {
  const { settings, secret, webAclArn, code } = props;
  const { distribution } = props.distribution;
  const scope = new Construct(stack, 'OriginSecretRotation');
  const environment: OriginSecretEnv = {
    SVC_ORIGIN_SECRET_ARN: secret.secretArn,
    SVC_DISTRIBUTION_ID: distribution.distributionId,
    // CloudFront's own name: one of ours may not lead there yet.
    SVC_DISTRIBUTION_URL: `https://${distribution.distributionDomainName}`,
  };
  const { handler, role } = createFunction(scope, {
    description: 'Rotates the secret that the distribution shows to the functions.',
    code,
    environment: { ...environment },
    memoryMb: 256,
    // It waits until every edge of CloudFront sends the new one.
    timeout: Duration.minutes(15),
    logRetentionDays: settings.logRetentionDays,
    tracing: settings.tracing,
  });
  const grant = (actions: string[], arn: string) =>
    iam.Grant.addToPrincipal({ grantee: role, actions, resourceArns: [arn] });
  grant(
    ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
      (action) => `secretsmanager:${action}`,
    ),
    secret.secretArn,
  );
  grant(
    ['GetDistribution', 'GetDistributionConfig', 'UpdateDistribution'].map((action) => `cloudfront:${action}`),
    distribution.distributionArn,
  );
  // CloudFront looks whether who updates a distribution may see its web ACL.
  if (webAclArn !== undefined) grant(['wafv2:GetWebACL'], webAclArn);
  handler.addPermission('SecretsManager', {
    principal: new iam.ServicePrincipal('secretsmanager.amazonaws.com'),
    sourceAccount: stack.account,
  });
  const schedule = new secretsmanager.CfnRotationSchedule(scope, 'Schedule', {
    secretId: secret.secretArn,
    rotationLambdaArn: handler.functionArn,
    rotationRules: { automaticallyAfterDays: ROTATION_DAYS },
  });
  // Secrets Manager rotates at once, to see that it can.
  schedule.node.addDependency(handler);
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'Asked by Secrets Manager, which gives a rotation up that fails, and by an alarm an operator hears of it.',
  });
  return { scope, role };
}

/** The folder of a function that has the dashboard's files beside its code, in `files`. */
export interface PageBundle {
  readonly code: lambda.Code;
  /** Another one where anything in the folder is another. */
  readonly version: string;
}

/**
 * The function that carries the dashboard's files and puts them into their bucket, and the custom resource that has it done at
 * each deployment that changes them. Its role may write this bucket and read no other.
 */
export function addDashboardFiles(
  stack: Stack,
  { settings, bucket, page }: { readonly settings: Settings; readonly bucket: s3.Bucket; readonly page: PageBundle },
): void {
  const scope = new Construct(stack, 'DashboardFiles');
  const environment: DashboardFilesEnv = { SVC_DASHBOARD_BUCKET: bucket.bucketName };
  const { handler, role } = createFunction(scope, {
    description: "Puts the dashboard's files into the bucket that they are served from.",
    code: page.code,
    environment: { ...environment },
    memoryMb: 256,
    timeout: Duration.minutes(3),
    logRetentionDays: settings.logRetentionDays,
    tracing: settings.tracing,
  });
  const grant = (actions: string[], arn: string) =>
    iam.Grant.addToPrincipal({ grantee: role, actions, resourceArns: [arn] });
  grant(['s3:ListBucket'], bucket.bucketArn);
  grant(['s3:DeleteObject', 's3:PutObject'], bucket.arnForObjects('*'));
  const logicalId = Stack.of(scope).getLogicalId(bucket.node.defaultChild as CfnElement);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/*]`,
    reason: "All files of the dashboard's own bucket: each build names them anew.",
  });
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'CloudFormation asks and waits for the answer: a request that is not answered fails the deployment.',
  });
  new CustomResource(scope, 'Resource', {
    resourceType: 'Custom::DashboardFiles',
    serviceToken: handler.functionArn,
    properties: { Version: page.version },
    // Three attempts of three minutes.
    serviceTimeout: Duration.minutes(15),
  });
}
