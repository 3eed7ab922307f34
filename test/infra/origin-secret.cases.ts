import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { originSecretEnvSchema } from '../../functions/origin-secret/env.ts';
import { all } from './front-door-stacks.ts';
import { permissionsByRole } from './permissions.ts';
import { outputOf } from './references.ts';

describe('the rotation of the origin secret', () => {
  const template = Template.fromJSON(all.gateway);

  test('runs each month, and alarms an operator if it fails', () => {
    template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotationLambdaARN: { 'Fn::GetAtt': [Match.stringLikeRegexp('OriginSecretRotation'), 'Arn'] },
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
    Template.fromJSON(all.operations).hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: outputOf('OriginSecretRotation') }],
      AlarmDescription: Match.stringLikeRegexp('#origin-secret-not-rotated$'),
    });
  });

  test('has an environment that its handler accepts, and 15 minutes', () => {
    const [one] = Object.values(
      template.findResources('AWS::Lambda::Function', {
        Properties: { Description: Match.stringLikeRegexp('Rotates the secret') },
      }),
    );
    const variables: Record<string, unknown> = one?.Properties.Environment.Variables;
    const references = {
      SVC_DISTRIBUTION_ID: 'E1EXAMPLE',
      SVC_DISTRIBUTION_URL: 'https://x',
      SVC_ORIGIN_SECRET_ARN: 'arn',
    };
    expect(Object.keys(variables).sort()).toEqual(Object.keys(originSecretEnvSchema.shape).sort());
    expect(originSecretEnvSchema.parse(references)).toEqual(references);
    expect(one?.Properties.Timeout).toBe(900);
  });

  test('has only the permissions that it needs, like the functions that upload files and read the secret', () => {
    const roles = permissionsByRole(all);
    const own = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const cloudfront = ['GetDistribution', 'GetDistributionConfig', 'UpdateDistribution'];
    const distribution = 'arn:AWS::Partition:cloudfront::AWS::AccountId:distribution/Distribution';
    expect(roles.OriginSecretRotationRole).toEqual(
      [
        ...cloudfront.map((action) => `cloudfront:${action} on ${distribution}`),
        ...own.map((action) => `${action} on OriginSecretRotationLogs`),
        ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (action) => `secretsmanager:${action} on OriginSecret`,
        ),
        'wafv2:GetWebACL on WebAclArn',
      ].sort(),
    );
    expect(roles.DashboardFilesRole).toEqual([
      ...own.map((action) => `${action} on DashboardFilesLogs`),
      's3:DeleteObject on DistributionFiles/*',
      's3:ListBucket on DistributionFiles',
      's3:PutObject on DistributionFiles/*',
    ]);
    for (const role of [roles.GatewayRole, roles.AdminApiRole]) {
      expect(role?.filter((permission) => permission.includes('OriginSecret'))).toEqual([
        'secretsmanager:GetSecretValue on OriginSecret',
      ]);
    }
  });
});
