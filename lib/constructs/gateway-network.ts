import { Fn, Stack, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

/** https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html */
const RANGE = '10.0.0.0/16';
/** 4,096 addresses in each subnet; a container has one, a load balancer up to eight and more. */
const SUBNET_BITS = 12;
const ZONES = [0, 1];

/** Where the containers of the gateway and their load balancer are. */
export interface GatewayNetwork {
  readonly vpc: ec2.IVpc;
  /** Of the containers. */
  readonly subnets: ec2.SubnetSelection;
  readonly balancerSubnets: ec2.SubnetSelection;
  /** Security groups that the containers have besides ours. */
  readonly groups: readonly ec2.ISecurityGroup[];
  /** Whether containers reach AWS and the providers by public addresses of theirs: without a NAT gateway there is no other way. */
  readonly usesPublicAddresses: boolean;
}

/** The stage's VPC; without one a new VPC with two zones, without NAT. */
export function gatewayNetwork(
  scope: Construct,
  { vpc, isPublic }: { readonly vpc: Settings['vpc']; readonly isPublic: boolean },
): GatewayNetwork {
  return vpc === undefined ? new OwnNetwork(scope, 'Network', { isPublic }) : givenNetwork(scope, vpc);
}

/** The VPC of the settings, with their subnets as private ones. */
export function givenVpc(scope: Construct, { vpcId, subnetIds }: NonNullable<Settings['vpc']>): ec2.IVpc {
  const vpc = ec2.Vpc.fromVpcAttributes(scope, 'Vpc', {
    vpcId,
    // Names that no template has: the subnets decide.
    availabilityZones: subnetIds.map((_, at) => `zone-${at}`),
    privateSubnetIds: [...subnetIds],
  });
  Validations.of(vpc).acknowledge({
    id: 'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
    reason: 'No route is added to a VPC that the settings give.',
  });
  return vpc;
}

/** The security groups of the settings. */
export function givenGroups(
  scope: Construct,
  { securityGroupIds }: NonNullable<Settings['vpc']>,
): ec2.ISecurityGroup[] {
  return securityGroupIds.map((id, at) => ec2.SecurityGroup.fromSecurityGroupId(scope, `Group${at}`, id));
}

function givenNetwork(scope: Construct, settings: NonNullable<Settings['vpc']>): GatewayNetwork {
  const vpc = givenVpc(scope, settings);
  const subnets = { subnets: vpc.privateSubnets };
  const groups = givenGroups(scope, settings);
  return { vpc, subnets, balancerSubnets: subnets, groups, usesPublicAddresses: false };
}

/**
 * Two zones, each with a public subnet for containers and a private one for an internal load balancer. Made of plain resources: CDK's VPC would
 * look up the account's zones. DynamoDB and S3 are reached by gateway endpoints, which cost nothing.
 */
class OwnNetwork extends Construct implements GatewayNetwork {
  readonly vpc: ec2.IVpc;
  readonly subnets: ec2.SubnetSelection;
  readonly balancerSubnets: ec2.SubnetSelection;
  readonly groups = [];
  readonly usesPublicAddresses = true;

  constructor(scope: Construct, id: string, { isPublic }: { readonly isPublic: boolean }) {
    super(scope, id);
    const network = new ec2.CfnVPC(this, 'Vpc', {
      cidrBlock: RANGE,
      enableDnsHostnames: true,
      enableDnsSupport: true,
    });
    Validations.of(network).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason: 'Each request has a record with its client; a VPC with flow logs can be given by the setting `vpc`.',
    });
    const vpcId = network.ref;
    const gateway = new ec2.CfnInternetGateway(this, 'Internet');
    const attached = new ec2.CfnVPCGatewayAttachment(this, 'Attachment', { vpcId, internetGatewayId: gateway.ref });
    const routes = new ec2.CfnRouteTable(this, 'Routes', { vpcId });
    const noRoutes = new ec2.CfnRouteTable(this, 'NoRoutes', { vpcId });
    const toInternet = new ec2.CfnRoute(this, 'ToInternet', {
      routeTableId: routes.ref,
      destinationCidrBlock: '0.0.0.0/0',
      gatewayId: gateway.ref,
    });
    toInternet.addResourceDependency(attached);
    const ranges = Fn.cidr(RANGE, 2 * ZONES.length, String(SUBNET_BITS));
    const subnet = (name: string, at: number, range: number) =>
      new ec2.CfnSubnet(this, `${name}${at}`, {
        vpcId,
        cidrBlock: Fn.select(range, ranges),
        availabilityZone: Fn.select(at, Fn.getAzs()),
        mapPublicIpOnLaunch: false,
      }).ref;
    const open = ZONES.map((at) => subnet('Public', at, at));
    const closed = ZONES.map((at) => subnet('Private', at, ZONES.length + at));
    const associate = (name: string, subnets: readonly string[], { ref: routeTableId }: ec2.CfnRouteTable) => {
      for (const [at, subnetId] of subnets.entries())
        new ec2.CfnSubnetRouteTableAssociation(this, `${name}${at}`, { subnetId, routeTableId });
      return subnets.map(() => routeTableId);
    };
    const { region } = Stack.of(this);
    for (const service of ['dynamodb', 's3']) {
      new ec2.CfnVPCEndpoint(this, service, {
        vpcId,
        serviceName: `com.amazonaws.${region}.${service}`,
        vpcEndpointType: 'Gateway',
        routeTableIds: [routes.ref],
      });
    }
    this.vpc = ec2.Vpc.fromVpcAttributes(this, 'Known', {
      vpcId,
      availabilityZones: ZONES.map((at) => `zone-${at}`),
      publicSubnetIds: open,
      publicSubnetRouteTableIds: associate('PublicRoutes', open, routes),
      isolatedSubnetIds: closed,
      isolatedSubnetRouteTableIds: associate('PrivateRoutes', closed, noRoutes),
    });
    this.subnets = { subnets: this.vpc.publicSubnets };
    this.balancerSubnets = { subnets: isPublic ? this.vpc.publicSubnets : this.vpc.isolatedSubnets };
  }
}
