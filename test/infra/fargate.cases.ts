import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { permissionsByRole } from './permissions.ts';
import { FULL, PLAIN, synthesize, validate } from './synthesize.ts';

const { memoryMb: _, distribution: __, ...common } = PLAIN;
const REGION = 'eu-central-1';
const certificateArn = `arn:aws:acm:${REGION}:123456789012:certificate/1234abcd-12ab`;
const domainName = 'ai.example.com';
const settings = { ...common, compute: 'fargate', region: REGION } as const;
const fargate = validate(settings);
const gateway = Template.fromJSON(fargate.gateway);
const alone = validate({ ...settings, distribution: false, fargate: { certificateArn, domainName } });
const privately = validate({
  ...settings,
  distribution: false,
  vpc: FULL.vpc,
  restApi: { vpcEndpointIds: ['vpce-0a1b2c3d'] },
  fargate: { certificateArn, domainName },
});
const given = validate({
  ...settings,
  vpc: FULL.vpc,
  fargate: {
    originPrefixListId: 'pl-0a1b2c3d',
    cpu: 2_048,
    memoryMb: 4_096,
    minTasks: 3,
    maxTasks: 40,
    runningPerTask: 500,
  },
});
const only = (template: Template, type: string) => {
  const [[, resource] = ['', undefined]] = Object.entries(template.findResources(type));
  return resource?.Properties as Record<string, unknown>;
};

describe('the gateway on Fargate', () => {
  test.each([
    ['behind the distribution', fargate],
    ['with a certificate', alone],
    ['in a given VPC', given],
    ['for private networks alone', privately],
  ])('%s: no finding without a reason', (_name, { error, findings }) => {
    expect([error, findings]).toEqual([undefined, []]);
  });

  test('runs the image with the environment of the function, as another user, without a writable file system', () => {
    const [container] = only(gateway, 'AWS::ECS::TaskDefinition').ContainerDefinitions as Record<string, unknown>[];
    expect(container).toMatchObject({
      Command: ['node', 'dist/container-gateway/index.mjs'],
      ReadonlyRootFilesystem: true,
      StopTimeout: 120,
      LogConfiguration: { LogDriver: 'awslogs', Options: { mode: 'non-blocking' } },
    });
    const names = (text: string) => [...new Set([...text.matchAll(/SVC_[A-Z_]+/g)].map(([name]) => name))].sort();
    const withDistribution = synthesize({
      ...PLAIN,
      distribution: true,
      region: REGION,
      onlyThroughDistribution: true,
    });
    const [ofFunction] = Object.values(
      Template.fromJSON(withDistribution.gateway).findResources('AWS::Lambda::Function', {
        Properties: { Description: Match.stringLikeRegexp('OpenAI-compatible') },
      }),
    );
    const functionNames = names(JSON.stringify(ofFunction?.Properties.Environment));
    expect(container?.Environment).toContainEqual({ Name: 'AWS_REGION', Value: REGION });
    expect(names(JSON.stringify(container?.Environment))).toEqual([...functionNames, 'SVC_FUNCTION_NAME'].sort());
  });

  test('may do what the function may do, but for its logs, which the role that starts it writes', () => {
    const withDistribution = permissionsByRole(synthesize({ ...PLAIN, distribution: true, region: REGION }));
    const roles = permissionsByRole(fargate);
    const withoutLogs = withDistribution.GatewayRole?.filter((right) => !right.startsWith('logs:'));
    expect(roles.FargateGatewayRole).toEqual(withoutLogs);
    expect(roles.FargateGatewayTaskExecutionRole).toEqual([
      expect.stringMatching(/^ecr:BatchCheckLayerAvailability on arn:/),
      expect.stringMatching(/^ecr:BatchGetImage on arn:/),
      'ecr:GetAuthorizationToken on *',
      expect.stringMatching(/^ecr:GetDownloadUrlForLayer on arn:/),
      'logs:CreateLogStream on FargateGatewayLogs',
      'logs:PutLogEvents on FargateGatewayLogs',
    ]);
  });

  test('accepts connections of its load balancer alone, which is internal behind the distribution', () => {
    gateway.resourceCountIs('AWS::EC2::NatGateway', 0);
    gateway.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internal' });
    const toContainers = gateway.findResources('AWS::EC2::SecurityGroupIngress');
    expect(Object.values(toContainers).map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        FromPort: 8787,
        ToPort: 8787,
        SourceSecurityGroupId: { 'Fn::GetAtt': [expect.stringMatching(/^FargateGatewayBalancerGroup/), 'GroupId'] },
      }),
    ]);
    const groups = Object.entries(gateway.findResources('AWS::EC2::SecurityGroup'));
    const open = groups.filter(([, { Properties }]) => Properties.SecurityGroupIngress !== undefined);
    expect(
      open.map(([id, { Properties }]) => [id.replace(/[0-9A-F]{8}$/, ''), Properties.SecurityGroupIngress[0].FromPort]),
    ).toEqual([['FargateGatewayBalancerGroup', 80]]);
    gateway.hasResourceProperties('AWS::CloudFront::VpcOrigin', {
      VpcOriginEndpointConfig: Match.objectLike({ OriginProtocolPolicy: 'http-only' }),
    });
    const variables = JSON.stringify(only(gateway, 'AWS::ECS::TaskDefinition'));
    expect(variables).toContain('SVC_ONLY_THROUGH_DISTRIBUTION');
  });

  test('lets the longest request end before a container stops', () => {
    const attributes = only(gateway, 'AWS::ElasticLoadBalancingV2::TargetGroup').TargetGroupAttributes;
    expect(attributes).toContainEqual({ Key: 'deregistration_delay.timeout_seconds', Value: '900' });
    const { LoadBalancerAttributes } = only(gateway, 'AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(LoadBalancerAttributes).toContainEqual({ Key: 'idle_timeout.timeout_seconds', Value: '900' });
  });

  test('rolls a deployment back that fails or causes errors, and leaves the number of containers to autoscaling', () => {
    const service = only(gateway, 'AWS::ECS::Service');
    expect(service).toMatchObject({
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        Alarms: { Enable: true, Rollback: true, AlarmNames: [{ Ref: expect.stringMatching(/RollbackErrors/) }] },
        MinimumHealthyPercent: 100,
      },
      LaunchType: 'FARGATE',
    });
    expect(service).not.toHaveProperty('DesiredCount');
    gateway.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MinCapacity: 2, MaxCapacity: 10 });
    const policies = Object.values(gateway.findResources('AWS::ApplicationAutoScaling::ScalingPolicy'));
    expect(policies.map(({ Properties }) => Properties.TargetTrackingScalingPolicyConfiguration)).toEqual([
      expect.objectContaining({ TargetValue: 60 }),
      expect.objectContaining({
        TargetValue: 200,
        CustomizedMetricSpecification: expect.objectContaining({ MetricName: 'RunningRequests', Statistic: 'Average' }),
      }),
    ]);
  });

  test('without the distribution: a public load balancer with TLS alone', () => {
    const template = Template.fromJSON(alone.gateway);
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internet-facing' });
    const listeners = Object.values(template.findResources('AWS::ElasticLoadBalancingV2::Listener'));
    expect(listeners.map(({ Properties }) => [Properties.Port, Properties.Protocol])).toEqual([[443, 'HTTPS']]);
  });

  test('without the distribution: clients and the synthetic check use the name of the certificate', () => {
    for (const { gateway: one } of [alone, privately]) {
      const template = Template.fromJSON(one);
      template.hasOutput('BaseUrl', { Value: `https://${domainName}/v1` });
      const host = { 'Fn::GetAtt': [Match.stringLikeRegexp('LoadBalancer'), 'DNSName'] };
      template.hasOutput('LoadBalancerHost', { Value: host });
      template.hasResourceProperties('AWS::Lambda::Function', {
        Environment: { Variables: Match.objectLike({ SVC_BASE_URL: `https://${domainName}/v1` }) },
      });
    }
  });

  test('for private networks: no public address, of gateway and admin API; TLS at an internal load balancer', () => {
    const template = Template.fromJSON(privately.gateway);
    for (const type of ['AWS::Lambda::Url', 'AWS::CloudFront::Distribution', 'AWS::EC2::InternetGateway'])
      template.resourceCountIs(type, 0);
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Scheme: 'internal',
      Subnets: FULL.vpc?.subnetIds,
    });
    const listeners = Object.values(template.findResources('AWS::ElasticLoadBalancingV2::Listener'));
    expect(listeners.map(({ Properties }) => [Properties.Port, Properties.Protocol])).toEqual([[443, 'HTTPS']]);
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: ['vpce-0a1b2c3d'] },
    });
    // The admin API alone: another path is not there.
    const parts = Object.values(template.findResources('AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties.PathPart,
    );
    expect(parts.sort()).toEqual(['admin', 'analytics', 'approvals', 'v1', '{proxy+}', '{proxy+}', '{proxy+}']);
    template.resourceCountIs('AWS::ApiGateway::Method', 4);
    expect(template.findOutputs('RestApiUrl')).toEqual({});
    expect(JSON.stringify(template.findOutputs('AdminUrl'))).toContain('execute-api');
  });

  test('in a given VPC: its subnets and groups, no public addresses, and the prefix list alone', () => {
    const template = Template.fromJSON(given.gateway);
    template.resourceCountIs('AWS::EC2::VPC', 0);
    template.hasResourceProperties('AWS::ECS::Service', {
      NetworkConfiguration: {
        AwsvpcConfiguration: {
          AssignPublicIp: 'DISABLED',
          Subnets: FULL.vpc?.subnetIds,
          SecurityGroups: Match.arrayWith([...(FULL.vpc?.securityGroupIds ?? [])]),
        },
      },
    });
    template.hasResourceProperties('AWS::EC2::SecurityGroupIngress', { SourcePrefixListId: 'pl-0a1b2c3d' });
    template.hasResourceProperties('AWS::ECS::TaskDefinition', { Cpu: '2048', Memory: '4096' });
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MinCapacity: 3, MaxCapacity: 40 });
    const [group] = Object.entries(template.findResources('AWS::EC2::SecurityGroup')).filter(([id]) =>
      /ContainerGroup/.test(id),
    );
    expect(JSON.stringify(group?.[1].Properties.SecurityGroupEgress)).not.toContain('0.0.0.0/0');
  });

  test('is watched: containers, load balancer, and no metric of a function that it is not', () => {
    const alarms = Object.entries(fargate.operations.Resources).filter(
      ([, { Type }]) => Type === 'AWS::CloudWatch::Alarm',
    );
    const names = alarms.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
    expect(names).toEqual(
      expect.arrayContaining([
        'ContainerAlarmsNoContainer',
        'ContainerAlarmsLoadBalancerFails',
        'ContainerAlarmsCpuHigh',
        'ContainerAlarmsMemoryHigh',
        'RequestAlarmsServerErrors',
      ]),
    );
    expect(names).not.toContain('FunctionAlarmsGatewayFails');
    expect(JSON.stringify(fargate.operations)).toContain('Running requests of a container');
  });
});
