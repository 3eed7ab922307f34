import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { permissionsByRole } from './permissions.ts';
import { FULL, PLAIN, synthesize, validate } from './synthesize.ts';

const web = validate({ ...PLAIN, compute: 'web-function' });
const behindDistribution = validate({ ...PLAIN, compute: 'web-function', stage: 'Production', distribution: true });
const gateway = Template.fromJSON(web.gateway);
const withLimits = validate({
  ...PLAIN,
  compute: 'web-function',
  vpc: FULL.vpc,
  webFunction: {
    maxEnvironments: 50,
    rateLimit: 1_000,
    requestsPerEnvironment: 64,
    keepRevisions: true,
    earlierRevision: { id: 'rev-1', percent: 90 },
  },
});
const limited = Template.fromJSON(withLimits.gateway);

describe('the gateway as a Web Function', () => {
  test('has no finding without a reason', () => {
    expect([web.error, web.findings]).toEqual([undefined, []]);
    expect([withLimits.error, withLimits.findings]).toEqual([undefined, []]);
    expect([behindDistribution.error, behindDistribution.findings]).toEqual([undefined, []]);
  });

  test('runs for 15 minutes with the environment, the role and the log group of the function', () => {
    gateway.hasResourceProperties('AWS::Lambda::WebFunctionRevision', {
      BuildConfig: { RuntimeConfig: { Runtime: 'nodejs24.x' } },
      ServiceConfig: {
        TimeoutSeconds: 900,
        ExecutionRoleArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebGatewayRole'), 'Arn'] },
        TelemetryConfig: { LoggingConfig: { LogGroup: { Ref: Match.stringLikeRegexp('^WebGatewayLogs') } } },
      },
    });
    const variables = (resources: Record<string, { Properties: object }>) => {
      const text = JSON.stringify(Object.values(resources).map(({ Properties }) => Properties));
      return new Set([...text.matchAll(/"(SVC_[A-Z_]+)":/g)].map(([, name]) => name));
    };
    const ofFunction = variables(
      Template.fromJSON(synthesize(PLAIN).gateway).findResources('AWS::Lambda::Function', {
        Properties: { Description: Match.stringLikeRegexp('OpenAI-compatible') },
      }) as never,
    );
    const ofServer = variables(gateway.findResources('AWS::Lambda::WebFunctionRevision') as never);
    expect([...ofServer].filter((name) => !ofFunction.has(name))).toEqual(['SVC_FUNCTION_NAME']);
    expect([...ofFunction].filter((name) => !ofServer.has(name))).toEqual([]);
  });

  test('may do what the function may do', () => {
    const plain = permissionsByRole(synthesize(PLAIN)).GatewayRole;
    const renamed = permissionsByRole(web).WebGatewayRole?.map((right) =>
      right.replace('WebGatewayLogs', 'GatewayLogs'),
    );
    expect(renamed).toEqual(plain);
  });

  test('replaces the function, its URL, alias, versions and rollout', () => {
    const ids = Object.keys(behindDistribution.gateway.Resources).filter((id) => /^Gateway(Function|Rollout)/.test(id));
    expect(ids).toEqual([]);
    gateway.hasResourceProperties('AWS::Lambda::WebFunctionEndpoint', { AuthType: 'ApplicationManaged' });
    const host = { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebGateway'), 'DomainName'] };
    gateway.hasOutput('BaseUrl', { Value: { 'Fn::Join': ['', ['https://', host, '/v1']] } });
  });

  test('has a copy of its code for each change of its settings, with references that CloudFormation resolves', () => {
    const [copy] = Object.values(gateway.findResources('Custom::S3ObjectCopy'));
    expect(JSON.stringify(copy?.Properties.Configuration)).toContain('Fn::GetStackOutput');
  });

  test('is watched by its own metrics; no alarm reads metrics of a function that it is not', () => {
    const { Resources } = web.operations;
    const alarms = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
    const names = alarms.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
    expect(names).not.toContain('FunctionAlarmsGatewayFails');
    expect(names).not.toContain('DoorAlarmsUrlFails');
    expect(names).toEqual(
      expect.arrayContaining(['RequestAlarmsServerErrors', 'RequestAlarmsSlow', 'DoorAlarmsSyntheticCheckFails']),
    );
    expect(JSON.stringify(alarms)).toContain('"Value":"svc-development-gateway-webgateway"');
  });

  test('has the limits of its endpoint, and egress into the VPC', () => {
    limited.hasResourceProperties('AWS::Lambda::WebFunctionEndpoint', {
      ScalingConfig: { MaxEnvironments: 50 },
      ThrottleConfig: { RateLimit: 1_000 },
      EndpointType: 'HomeRegion',
    });
    limited.hasResourceProperties('AWS::Lambda::WebFunctionRevision', {
      ServiceConfig: {
        MaxConcurrencyPerEnvironment: 64,
        EgressNetworkConnectorArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^WebGatewayConnector'), 'LatestVersionArn'],
        },
      },
    });
    limited.hasResourceProperties('AWS::Lambda::NetworkConnector', {
      Configuration: {
        VpcEgressConfiguration: Match.objectLike({
          SubnetIds: FULL.vpc?.subnetIds,
          SecurityGroupIds: FULL.vpc?.securityGroupIds,
        }),
      },
    });
  });

  test('splits its traffic with an earlier revision, which is kept, and can send all back to it', () => {
    const newest = { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebGatewayFunctionRevision'), 'RevisionId'] };
    const weights = (RevisionWeights: unknown) => ({ RevisionWeights });
    limited.hasResourceProperties(
      'AWS::Lambda::WebFunctionEndpoint',
      weights([
        { RevisionId: newest, Weight: 10 },
        { RevisionId: 'rev-1', Weight: 90 },
      ]),
    );
    limited.hasResource('AWS::Lambda::WebFunctionRevision', { UpdateReplacePolicy: 'Retain' });
    gateway.hasResourceProperties('AWS::Lambda::WebFunctionEndpoint', weights([{ RevisionId: newest, Weight: 100 }]));
    const back = synthesize({
      ...PLAIN,
      compute: 'web-function',
      webFunction: { earlierRevision: { id: 'rev-1', percent: 100 } },
    });
    Template.fromJSON(back.gateway).hasResourceProperties(
      'AWS::Lambda::WebFunctionEndpoint',
      weights([{ RevisionId: 'rev-1', Weight: 100 }]),
    );
  });

  test('has an alarm of the 5xx of its endpoint beyond those that the gateway recorded', () => {
    const alarm = Object.entries(web.operations.Resources).find(([id]) => id.startsWith('DoorAlarmsEndpointFails'));
    const [endpoint] = Object.values(gateway.findResources('AWS::Lambda::WebFunctionEndpoint'));
    const { Metrics = [] } = (alarm?.[1].Properties ?? {}) as { Metrics?: { MetricStat?: { Metric: object } }[] };
    expect(Metrics.map(({ MetricStat }) => MetricStat?.Metric).filter((metric) => metric !== undefined)).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/Lambda/Web',
        MetricName: 'HTTPResponseStatusClass5XX',
        Dimensions: [
          { Name: 'EndpointName', Value: endpoint?.Properties.EndpointName },
          expect.objectContaining({ Name: 'FunctionName' }),
        ],
      }),
      expect.objectContaining({ MetricName: 'FailedRequests' }),
    ]);
    expect(Object.keys(synthesize(PLAIN).operations.Resources).join()).not.toContain('EndpointFails');
  });

  test("is on the dashboard with Lambda's metrics of it", () => {
    const dashboard = JSON.stringify(web.operations);
    for (const namespace of ['AWS/Lambda/Web', 'AWS/Lambda/Web/Usage'])
      expect(dashboard).toContain(`Namespace=\\\\\\"${namespace}\\\\\\"`);
  });
});
