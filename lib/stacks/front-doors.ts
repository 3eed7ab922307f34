import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import { Distribution } from '../constructs/distribution.ts';
import { FargateGateway } from '../constructs/fargate-gateway.ts';
import { grantKey } from '../constructs/grants.ts';
import { RestFrontDoor } from '../constructs/rest-front-door.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import { WebAcl } from '../constructs/web-acl.ts';
import { WebFunction } from '../constructs/web-function.ts';
import type { Gateway } from '../functions/api-functions.ts';
import { addDashboardFiles, addOriginSecretRotation, type PageBundle } from '../functions/deployment-functions.ts';
import { distributionOf, readTimeoutOf, restApiOf, type Settings, wafOf } from '../settings/settings.ts';
import type { DataStack } from './data-stack.ts';
import type { EdgeStack } from './edge-stack.ts';

export interface FrontDoorsProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly edge: EdgeStack | undefined;
  /** The folders that scripts/build.mjs writes, as Lambda code. */
  readonly bundles: { readonly originSecret: Code; readonly dashboard?: PageBundle | undefined };
  readonly gateway: Gateway;
  readonly adminApi: StreamingFunction<AdminEnv>;
}

/**
 * Adds the front doors of the settings, and outputs with their addresses.
 * @returns the scope of the function that rotates the origin secret; undefined without a distribution
 */
export function addFrontDoors(stack: Stack, props: FrontDoorsProps): Construct | undefined {
  const { distribution, rotation } = addDistribution(stack, props) ?? {};
  const restApi = addRestApi(stack, props);
  const adminDoor = distribution?.url ?? restApi?.url;
  // Containers are not behind the REST API, which then serves the admin API alone.
  const door = props.gateway instanceof StreamingFunction ? adminDoor : distribution?.url;
  const baseUrl = (through: string | undefined, { url }: Pick<Gateway, 'url'>) =>
    through === undefined ? `${url}v1` : `${through}/v1`;
  const output = (id: string, description: string, value: string) => new CfnOutput(stack, id, { description, value });
  output('BaseUrl', 'base_url of an OpenAI client', baseUrl(door, props.gateway));
  output('AdminUrl', 'The admin API is under /admin here', baseUrl(adminDoor, props.adminApi));
  if (distribution?.files !== undefined) output('DashboardUrl', 'The dashboard', `${distribution.url}/`);
  if (restApi !== undefined && door === adminDoor)
    output('RestApiUrl', 'base_url through API Gateway', `${restApi.url}/v1`);
  if (props.gateway instanceof WebFunction)
    output('RevisionId', 'The newest revision, for webFunction.earlierRevision', props.gateway.revisionId);
  if (props.gateway instanceof FargateGateway && distribution === undefined)
    output(
      'LoadBalancerHost',
      'The target of a DNS record for `fargate.domainName`',
      props.gateway.loadBalancer.loadBalancerDnsName,
    );
  const target = 'The target of a DNS record for the domain';
  if (distribution !== undefined && props.settings.domain !== undefined)
    output('DistributionHost', `${target} of the distribution`, distribution.distribution.distributionDomainName);
  if (restApi?.host !== undefined) output('RestApiHost', `${target} of the REST API`, restApi.host);
  return rotation;
}

function addDistribution(
  stack: Stack,
  { settings, data, edge, bundles, gateway, adminApi }: FrontDoorsProps,
): { readonly distribution: Distribution; readonly rotation: Construct } | undefined {
  const options = distributionOf(settings);
  const { originSecret } = data;
  if (options === undefined || gateway.url === undefined || adminApi.url === undefined) return undefined;
  const { domain } = settings;
  const webAclArn = wafOf(settings) && edge?.webAclArn;
  const distribution = new Distribution(stack, 'Distribution', {
    gateway: gateway instanceof FargateGateway ? gateway.loadBalancer : gateway.url,
    adminUrl: adminApi.url,
    originSecret,
    hasDashboard: bundles.dashboard !== undefined,
    domain,
    certificateArn: domain && (domain.certificateArn ?? edge?.certificateArn),
    webAclArn,
    logBucket: options.logBucket,
    readTimeout: Duration.seconds(readTimeoutOf(settings) as number),
  });
  if (distribution.files !== undefined && bundles.dashboard !== undefined) {
    addDashboardFiles(stack, { settings, bucket: distribution.files, page: bundles.dashboard });
  }
  const { scope, role } = addOriginSecretRotation(stack, {
    settings,
    secret: originSecret,
    distribution,
    webAclArn,
    code: bundles.originSecret,
  });
  grantKey(data.encryptionKey, role);
  return { distribution, rotation: scope };
}

function addRestApi(stack: Stack, { settings, gateway, adminApi }: FrontDoorsProps): RestFrontDoor | undefined {
  const restApi = restApiOf(settings);
  if (restApi === undefined) return undefined;
  const waf = wafOf(settings);
  const { logRetentionDays, tracing } = settings;
  const webAcl =
    waf &&
    new WebAcl(stack, 'WebAcl', {
      scope: 'REGIONAL',
      rateLimit: waf.rateLimit,
      logRetentionDays: waf.logs === true ? logRetentionDays : undefined,
    });
  return new RestFrontDoor(stack, 'RestApi', {
    gateway: gateway instanceof StreamingFunction ? gateway.alias : undefined,
    adminApi: adminApi.alias,
    settings: restApi,
    logRetentionDays,
    tracing,
    webAclArn: webAcl?.arn,
  });
}
