import { type CfnElement, CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { DashboardFilesEnv } from '../../functions/dashboard-files/env.ts';
import { createFunction } from '../constructs/create-function.ts';
import type { Settings } from '../settings/settings.ts';

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
