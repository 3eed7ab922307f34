import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { OriginSecretEnv } from '../../functions/origin-secret/env.ts';
import { createFunction } from '../constructs/create-function.ts';
import type { Distribution } from '../constructs/distribution.ts';
import type { Settings } from '../settings/settings.ts';

const EVERY_DAYS = 30;

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
    rotationRules: { automaticallyAfterDays: EVERY_DAYS },
  });
  // Secrets Manager rotates at once, to see that it can.
  schedule.node.addDependency(handler);
  Validations.of(handler).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'Asked by Secrets Manager, which gives a rotation up that fails, and by an alarm an operator hears of it.',
  });
  return { scope, role };
}
