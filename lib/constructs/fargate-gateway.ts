import { Duration, Size, Stack, Validations } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CONTAINER_METRICS } from '../../functions/gateway/env.ts';
import { METRICS } from '../../functions/kernel/model/index.ts';
import { fargateSize, type Settings } from '../settings/settings.ts';
import { ownMetric } from './alarm.ts';
import { definedOnly, type FunctionEnvironment, type FunctionProps } from './create-function.ts';
import { type GatewayNetwork, gatewayNetwork } from './gateway-network.ts';

/** Of the image (container/Dockerfile). */
const PORT = 8_787;
const COMMAND = ['node', 'dist/container-gateway/index.mjs'];
/** The longest request, 14.5 minutes, and its end. A load balancer that drains waits as long, and ECS for it before SIGTERM. */
const LONGEST_REQUEST = Duration.minutes(15);
/** Fargate's longest time from SIGTERM to SIGKILL, for requests that the load balancer does not know of, and for records. */
const STOP_TIMEOUT = Duration.seconds(120);
const CPU_PERCENT = 60;
const RUNNING_PER_TASK = 200;
/** Errors of a minute by which a deployment is rolled back, as in lib/constructs/streaming-function.ts. */
const ROLLBACK_ERRORS = 3;

const REACHED_BY = {
  distribution:
    'The load balancer is internal; CloudFront reaches it from addresses of a prefix list, whose id the setting `fargate.originPrefixListId` gives.',
  internet: "It is the public front door; the gateway checks each request's key.",
  private:
    'The load balancer is internal: the routes to its subnets decide who reaches it, and the gateway checks each key.',
};

export interface FargateGatewayProps<Env> extends Pick<FunctionProps<Env>, 'environment' | 'logRetentionDays'> {
  readonly image: ecs.ContainerImage;
  readonly settings: Pick<Settings, 'fargate' | 'vpc'>;
  /** What calls the load balancer: CloudFront, clients on the internet, or clients in private networks. It is public for the second alone. */
  readonly clients: 'distribution' | 'internet' | 'private';
}

/**
 * The gateway as containers on ECS Fargate behind an Application Load Balancer. The containers' role has no permission until the stack grants
 * some; what starts them may only pull the image and write the gateway's logs.
 */
export class FargateGateway<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  /** The dimension of the gateway's metrics. */
  readonly functionName: string;
  readonly logGroup: logs.LogGroup;
  readonly loadBalancer: elb.ApplicationLoadBalancer;
  readonly targets: elb.ApplicationTargetGroup;
  readonly service: ecs.FargateService;
  /** `https://HOST/`, with the closing slash: of the load balancer behind the distribution, else the name of the certificate. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: FargateGatewayProps<Env>) {
    super(scope, id);
    const { settings, clients } = props;
    const { stackName, account } = Stack.of(this);
    this.functionName = `${stackName}-fargate`;
    this.logGroup = new logs.LogGroup(this, 'Logs', { retention: props.logRetentionDays });
    const network = gatewayNetwork(this, { vpc: settings.vpc, isPublic: clients === 'internet' });
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    });
    this.grantPrincipal = role;
    const group = new ec2.SecurityGroup(this, 'ContainerGroup', {
      vpc: network.vpc,
      description: 'svc gateway: only the load balancer may connect',
      // The groups of a given VPC decide what its containers may reach.
      allowAllOutbound: network.usesPublicAddresses,
    });
    this.loadBalancer = this.addLoadBalancer(network, props);
    this.service = this.addService(network, group, role, props);
    this.targets = new elb.ApplicationTargetGroup(this, 'Targets', {
      vpc: network.vpc,
      port: PORT,
      protocol: elb.ApplicationProtocol.HTTP,
      targets: [this.service],
      deregistrationDelay: LONGEST_REQUEST,
      loadBalancingAlgorithmType: elb.TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      // That the process serves. A store that is away must not end every container.
      healthCheck: {
        path: '/healthz',
        interval: Duration.seconds(10),
        timeout: Duration.seconds(5),
        healthyThresholdCount: 2,
      },
    });
    this.addListener(props);
    this.addScaling(settings);
    const name = clients === 'distribution' ? undefined : settings.fargate?.domainName;
    this.url = `https://${name ?? this.loadBalancer.loadBalancerDnsName}/`;
  }

  private addLoadBalancer(
    { vpc, balancerSubnets }: GatewayNetwork,
    { settings: { fargate = {} }, clients }: FargateGatewayProps<Env>,
  ): elb.ApplicationLoadBalancer {
    const group = new ec2.SecurityGroup(this, 'BalancerGroup', {
      vpc,
      description: 'svc load balancer',
      allowAllOutbound: false,
    });
    const { originPrefixListId } = fargate;
    const from = originPrefixListId === undefined ? ec2.Peer.anyIpv4() : ec2.Peer.prefixList(originPrefixListId);
    group.addIngressRule(
      clients === 'distribution' ? from : ec2.Peer.anyIpv4(),
      ec2.Port.tcp(clients === 'distribution' ? 80 : 443),
    );
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-EC23',
      reason: REACHED_BY[clients],
    });
    const balancer = new elb.ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: balancerSubnets,
      internetFacing: clients === 'internet',
      securityGroup: group,
      idleTimeout: LONGEST_REQUEST,
      dropInvalidHeaderFields: true,
      desyncMitigationMode: elb.DesyncMitigationMode.STRICTEST,
    });
    Validations.of(balancer).acknowledge({
      id: 'AwsSolutions-ELB2',
      reason: 'The service records each request; access logs would need a bucket.',
    });
    return balancer;
  }

  private addService(
    network: GatewayNetwork,
    group: ec2.SecurityGroup,
    taskRole: iam.Role,
    { environment, image, settings }: FargateGatewayProps<Env>,
  ): ecs.FargateService {
    const cluster = new ecs.Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ecs.ContainerInsights.ENABLED,
    });
    const { cpuUnits, memoryMb } = fargateSize(settings);
    const task = new ecs.FargateTaskDefinition(this, 'Task', {
      cpu: cpuUnits,
      memoryLimitMiB: memoryMb,
      runtimePlatform: {
        cpuArchitecture: ecs.CpuArchitecture.ARM64,
        operatingSystemFamily: ecs.OperatingSystemFamily.LINUX,
      },
      taskRole,
    });
    task.addContainer('Gateway', {
      image,
      command: COMMAND,
      environment: {
        ...definedOnly(environment),
        SVC_FUNCTION_NAME: this.functionName,
        AWS_REGION: Stack.of(this).region,
        PORT: String(PORT),
      },
      portMappings: [{ containerPort: PORT }],
      readonlyRootFilesystem: true,
      stopTimeout: STOP_TIMEOUT,
      logging: ecs.LogDriver.awsLogs({
        streamPrefix: 'gateway',
        logGroup: this.logGroup,
        // A delay of CloudWatch Logs must not stop the process.
        mode: ecs.AwsLogDriverMode.NON_BLOCKING,
        maxBufferSize: Size.mebibytes(25),
      }),
    });
    acknowledgeTask(task);
    const service = new ecs.FargateService(this, 'Service', {
      cluster: cluster as ecs.ICluster,
      taskDefinition: task,
      vpcSubnets: network.subnets,
      assignPublicIp: network.usesPublicAddresses,
      securityGroups: [group, ...network.groups],
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      availabilityZoneRebalancing: ecs.AvailabilityZoneRebalancing.ENABLED,
      healthCheckGracePeriod: Duration.minutes(1),
      circuitBreaker: { enable: true, rollback: true },
      deploymentAlarms: { alarmNames: [this.rollbackAlarm().alarmName], behavior: ecs.AlarmBehavior.ROLLBACK_ON_ALARM },
      propagateTags: ecs.PropagatedTagSource.SERVICE,
    });
    const resource = service.node.defaultChild as ecs.CfnService;
    // Autoscaling sets it: a value here would be in force again with each deployment.
    resource.desiredCount = undefined;
    return service;
  }

  private rollbackAlarm(): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, 'RollbackErrors', {
      metric: ownMetric(this, METRICS.serverErrors).with({ period: Duration.minutes(1) }),
      threshold: ROLLBACK_ERRORS,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription:
        'The gateway itself returned 500 or 503. A deployment in progress is rolled back. What to do: docs/reference/runbooks.md#rolled-back',
    });
  }

  private addListener({ clients, settings }: FargateGatewayProps<Env>): void {
    const { certificateArn } = settings.fargate ?? {};
    const common = { open: false, defaultTargetGroups: [this.targets] };
    if (clients === 'distribution' || certificateArn === undefined) {
      // Inside of AWS's network only: CloudFront ends TLS.
      this.loadBalancer.addListener('Http', { ...common, port: 80, protocol: elb.ApplicationProtocol.HTTP });
      return;
    }
    this.loadBalancer.addListener('Https', {
      ...common,
      port: 443,
      protocol: elb.ApplicationProtocol.HTTPS,
      certificates: [acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn)],
      sslPolicy: elb.SslPolicy.RECOMMENDED_TLS,
    });
  }

  private addScaling(settings: FargateGatewayProps<Env>['settings']): void {
    const { minTasks, maxTasks } = fargateSize(settings);
    const scaling = this.service.autoScaleTaskCount({ minCapacity: minTasks, maxCapacity: maxTasks });
    const pace = { scaleInCooldown: Duration.minutes(5), scaleOutCooldown: Duration.minutes(1) };
    scaling.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: CPU_PERCENT, ...pace });
    scaling.scaleToTrackCustomMetric('Running', {
      // Each container reports its own number, so the mean falls as containers are added.
      metric: ownMetric(this, CONTAINER_METRICS.requests, 'Average').with({ period: Duration.minutes(1) }),
      targetValue: settings.fargate?.runningPerTask ?? RUNNING_PER_TASK,
      ...pace,
    });
  }
}

function acknowledgeTask(task: ecs.FargateTaskDefinition): void {
  Validations.of(task).acknowledge({
    id: 'AwsSolutions-ECS2',
    reason: 'The variables are names and ARNs, as of the functions; secrets are read from Secrets Manager.',
  });
  Validations.of(task.obtainExecutionRole()).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'ecr:GetAuthorizationToken supports no resources; the image is pulled from one repository.',
  });
}
