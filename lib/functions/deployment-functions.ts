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
 * Adds the function that creates the first admin key and the synthetic check's key, a custom resource for each that invokes it at the first
 * deployment, and an output with the command that reads the admin key. The template contains no part of the keys.
 */
export function addFirstAdminKey(stack: Stack, { settings, data, code }: FunctionContext): iam.IGrantable {
  const { logRetentionDays, tracing } = settings;
  const scope = new Construct(stack, 'FirstAdminKey');
  const hasCheck = settings.syntheticCheck !== false;
  const environment: FirstAdminKeyEnv = {
    ...tableNames('first-admin-key', data),
    ...stageVariables(FIRST_ADMIN_KEY_SETTINGS, settings),
    SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
    SVC_FIRST_ADMIN_KEY_SECRET_ARN: data.firstAdminKey.secretArn,
    ...(hasCheck && { SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: data.syntheticCheckKey.secretArn }),
  };
  const { handler, role } = createFunction(scope, {
    description: 'Creates the first keys of a deployment, and puts each into a secret.',
    code,
    environment: { ...environment },
    memoryMb: 256,
    timeout: Duration.minutes(2),
    logRetentionDays,
    tracing,
  });
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'CloudFormation waits for the response: without one the deployment fails.',
  });
  grantTables('first-admin-key', data.tables, role);
  grantValueOf(data.pepper, role);
  for (const secret of [data.firstAdminKey, ...(hasCheck ? [data.syntheticCheckKey] : [])]) {
    grantPuttingValueOf(secret, role);
    // A retry uses the key of an earlier attempt.
    grantValueOf(secret, role);
  }
  // Time for Lambda's three attempts of two minutes.
  const serviceTimeout = Duration.minutes(15);
  const { functionArn: serviceToken } = handler;
  // CustomResource would write the number as a string.
  const first = new CfnCustomResource(scope, 'Resource', { serviceToken, serviceTimeout: serviceTimeout.toSeconds() });
  if (hasCheck) {
    const check = new CustomResource(scope, 'SyntheticCheckKey', {
      resourceType: 'Custom::SyntheticCheckKey',
      serviceToken,
      properties: { Key: 'synthetic-check-key' },
      serviceTimeout,
    });
    // The first admin key is created only if there is no other key.
    check.node.addDependency(first);
  }
  new CfnOutput(stack, 'FirstAdminKeyCommand', {
    description: 'Prints the first admin key; store it elsewhere and rotate it: docs/security.md',
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

/** Adds the function that rotates the origin secret each month, with its permissions. */
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
    // CloudFront's name: the DNS records of a custom domain may not exist yet.
    SVC_DISTRIBUTION_URL: `https://${distribution.distributionDomainName}`,
  };
  const { handler, role } = createFunction(scope, {
    description: 'Rotates the secret that the distribution sends to the functions.',
    code,
    environment: { ...environment },
    memoryMb: 256,
    // It waits until all CloudFront edges send the new secret.
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
  // An update of a distribution needs read access to its web ACL.
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
  // Secrets Manager rotates at once, as a test.
  schedule.node.addDependency(handler);
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'Invoked by Secrets Manager; a failed rotation raises an alarm.',
  });
  return { scope, role };
}

/** A function's folder with the dashboard's files in `files`. */
export interface PageBundle {
  readonly code: lambda.Code;
  /** Changes with any content of the folder. */
  readonly version: string;
}

/**
 * Adds the function that puts the dashboard's files into their bucket, and the custom resource that invokes it when they change.
 * Its role may only access this bucket.
 */
export function addDashboardFiles(
  stack: Stack,
  { settings, bucket, page }: { readonly settings: Settings; readonly bucket: s3.Bucket; readonly page: PageBundle },
): void {
  const scope = new Construct(stack, 'DashboardFiles');
  const environment: DashboardFilesEnv = { SVC_DASHBOARD_BUCKET: bucket.bucketName };
  const { handler, role } = createFunction(scope, {
    description: "Puts the dashboard's files into their bucket.",
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
    reason: "All files of the dashboard's bucket: their names change with each build.",
  });
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'CloudFormation waits for the response: without one the deployment fails.',
  });
  new CustomResource(scope, 'Resource', {
    resourceType: 'Custom::DashboardFiles',
    serviceToken: handler.functionArn,
    properties: { Version: page.version },
    // Time for Lambda's three attempts of three minutes.
    serviceTimeout: Duration.minutes(15),
  });
}
