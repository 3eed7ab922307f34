import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { DIMENSIONS, METRICS, METRICS_NAMESPACE } from '../../functions/kernel/model/index.ts';
import { FULL, PLAIN, synthesize, validate } from './synthesize.ts';

const plain = Template.fromJSON(synthesize(PLAIN).gateway);
const canary = Template.fromJSON(synthesize(FULL).gateway);

const aliasesOf = (template: Template) => Object.entries(template.findResources('AWS::Lambda::Alias'));
const STREAMING = /^(Gateway|AdminApi)FunctionAlias/;

/** Functions that CloudFormation calls in a deployment, and Secrets Manager in a rotation, by logical id: they serve no clients. */
function askedByAws(template: Template): string[] {
  const { Resources } = template.toJSON() as { Resources: Record<string, { Properties?: Record<string, unknown> }> };
  return Object.values(Resources).flatMap(({ Properties = {} }) =>
    [Properties.ServiceToken, Properties.RotationLambdaARN].flatMap((arn) =>
      arn === undefined ? [] : [(arn as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0]],
    ),
  );
}

describe('every function', () => {
  test.each([
    ['plain', plain, ['FirstAdminKey']],
    ['full', canary, ['DashboardFiles', 'FirstAdminKey', 'OriginSecretRotation']],
  ])(
    'that serves is invoked by the alias live of a published version, which stays, in the %s stack; what AWS asks in a deployment or a rotation has none',
    (_name, template, others) => {
      const asked = askedByAws(template);
      expect([...new Set(asked.map((id) => id.replace(/Function[0-9A-F]{8}$/, '')))].sort()).toEqual(others);
      const functions = Object.keys(template.findResources('AWS::Lambda::Function')).filter(
        (id) => !asked.includes(id),
      );
      const aliases = aliasesOf(template).map(([, { Properties }]) => Properties);
      expect(aliases.map(({ FunctionName }) => FunctionName.Ref).sort()).toEqual(functions.sort());
      for (const { Name, FunctionVersion } of aliases) {
        expect([Name, FunctionVersion['Fn::GetAtt'][1]]).toEqual(['live', 'Version']);
      }
      template.allResources('AWS::Lambda::Version', {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
      // Nothing knows these by another name than the alias: neither URLs nor mappings, schedules and permissions.
      template.allResourcesProperties('AWS::Lambda::Url', { Qualifier: 'live' });
      for (const type of ['AWS::Lambda::EventSourceMapping', 'AWS::Lambda::Permission', 'AWS::Events::Rule']) {
        for (const { Properties } of Object.values(template.findResources(type))) {
          if (Properties.Principal === 'secretsmanager.amazonaws.com') continue;
          expect(JSON.stringify(Properties.FunctionName ?? Properties.Targets)).toMatch(/Aliaslive/);
        }
      }
    },
  );
});

describe('a rollout', () => {
  test('moves the aliases behind URLs step by step in Production by default', () => {
    for (const [id, { UpdatePolicy }] of aliasesOf(canary)) {
      expect(UpdatePolicy === undefined).toBe(!STREAMING.test(id));
    }
    canary.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 2);
    canary.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
      AlarmConfiguration: {
        Enabled: true,
        Alarms: [
          { Name: { Ref: Match.stringLikeRegexp('RolloutCrashes') } },
          { Name: { Ref: Match.stringLikeRegexp('RolloutServerErrors') } },
        ],
      },
    });
  });

  test.each(['Gateway', 'AdminApi'])('of %s is rolled back by errors of the new version, within a minute', (name) => {
    const version = { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${name}FunctionCurrentVersion`), 'Version'] };
    const ref = { Ref: Match.stringLikeRegexp(`^${name}Function[0-9A-F]{8}$`) };
    const minute = { Period: 60, EvaluationPeriods: 1, Statistic: 'Sum', TreatMissingData: 'notBreaching' };
    canary.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Threshold: 1,
      ...minute,
      Dimensions: [
        { Name: 'ExecutedVersion', Value: version },
        { Name: 'FunctionName', Value: ref },
        { Name: 'Resource', Value: { 'Fn::Join': ['', [ref, ':live']] } },
      ],
    });
    canary.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: METRICS_NAMESPACE,
      MetricName: METRICS.serverErrors,
      Threshold: 3,
      ...minute,
      Dimensions: [
        { Name: 'FunctionName', Value: ref },
        { Name: DIMENSIONS.version, Value: version },
      ],
    });
  });

  test('is never stopped by throttling, which no version causes', () => {
    const named = Object.values(canary.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);
    expect(named.filter(({ MetricName }) => MetricName === 'Throttles')).toEqual([]);
  });

  test('is left to CloudFormation in other stages, so that code is deployed at once', () => {
    plain.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    for (const [, { UpdatePolicy }] of aliasesOf(plain)) expect(UpdatePolicy).toBeUndefined();
  });

  test.each([
    ['all-at-once', 'CodeDeployDefault.LambdaAllAtOnce'],
    ['linear-10-1m', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
  ] as const)('%s is set for a stage', (rollout, DeploymentConfigName) => {
    const template = Template.fromJSON(synthesize({ ...PLAIN, rollout }).gateway);
    template.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', { DeploymentConfigName });
  });

  test('can be switched off for Production too', () => {
    const { gateway } = synthesize({ ...FULL, rollout: 'none' });
    Template.fromJSON(gateway).resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  });
});

test('provisioned instances belong to the live version', () => {
  const { gateway, findings } = validate({ ...PLAIN, provisionedConcurrency: 5 });
  const provisioned = aliasesOf(Template.fromJSON(gateway)).flatMap(([id, { Properties }]) =>
    Properties.ProvisionedConcurrencyConfig === undefined ? [] : [[id, Properties.ProvisionedConcurrencyConfig]],
  );
  expect(provisioned).toEqual([
    [expect.stringMatching(/^GatewayFunctionAlias/), { ProvisionedConcurrentExecutions: 5 }],
  ]);
  expect(findings).toEqual([]);
});

test('every function is in the configured VPC, or in none', () => {
  const { subnetIds: SubnetIds, securityGroupIds: SecurityGroupIds } = FULL.vpc as NonNullable<typeof FULL.vpc>;
  canary.allResourcesProperties('AWS::Lambda::Function', { VpcConfig: { SubnetIds, SecurityGroupIds } });
  plain.allResourcesProperties('AWS::Lambda::Function', { VpcConfig: Match.absent() });
});
