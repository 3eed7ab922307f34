import { Duration, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { zoneOf } from '../settings/settings.ts';
import type { RestApiSettings } from '../settings/stage-settings.ts';

/** The longest that API Gateway streams, and the gateway's timeout. */
const LONGEST = Duration.minutes(15);
const STAGE = 'live';
/** Types passed as base64; text passes unchanged, since base64 costs a third of Lambda's 6 MB. */
const BINARY = ['multipart/form-data', 'application/octet-stream'];
const ADMIN_FOLDERS = ['admin', 'analytics', 'approvals'];

export interface RestFrontDoorProps {
  /** undefined where clients reach it by another address: then the API serves the admin API alone. */
  readonly gateway: lambda.Alias | undefined;
  readonly adminApi: lambda.Alias;
  readonly settings: RestApiSettings;
  readonly logRetentionDays: logs.RetentionDays;
  readonly tracing: boolean;
  /** A REGIONAL web ACL of this region. */
  readonly webAclArn: string | undefined;
}

/** An API Gateway REST API that streams the responses of the functions. */
export class RestFrontDoor extends Construct {
  /** `https://HOST`, or `https://HOST/live` without a domain; no closing slash. */
  readonly url: string;
  /** The target of a DNS record for the domain; undefined without one. */
  readonly host: string | undefined;

  constructor(scope: Construct, id: string, props: RestFrontDoorProps) {
    super(scope, id);
    const { settings, gateway, adminApi, webAclArn } = props;
    const { domain, allowedAddresses, vpcEndpointIds } = settings;
    const endpoints = vpcEndpointIds?.map((id) =>
      ec2.InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(this, id, { vpcEndpointId: id, port: 443 }),
    );
    const api = new apigateway.RestApi(this, 'Api', {
      restApiName: `${Stack.of(this).stackName}-api`,
      description: gateway === undefined ? 'svc: admin API' : 'svc: gateway and admin API',
      // An edge-optimized API ends a stream that is silent for 30 seconds.
      endpointConfiguration:
        endpoints === undefined
          ? { types: [apigateway.EndpointType.REGIONAL] }
          : { types: [apigateway.EndpointType.PRIVATE], vpcEndpoints: endpoints },
      binaryMediaTypes: BINARY,
      // An account has one role for API Gateway's logs, which its owner sets.
      cloudWatchRole: false,
      disableExecuteApiEndpoint: domain !== undefined,
      ...(allowedAddresses !== undefined && {
        policy: onlyIf({ NotIpAddress: { 'aws:SourceIp': [...allowedAddresses] } }),
      }),
      ...(vpcEndpointIds !== undefined && {
        policy: onlyIf({ StringNotEquals: { 'aws:SourceVpce': [...vpcEndpointIds] } }),
      }),
      deployOptions: this.stage(props),
    });
    // The stack names its outputs itself.
    api.node.tryRemoveChild('Endpoint');
    const integration = (alias: lambda.Alias) =>
      new apigateway.LambdaIntegration(alias as lambda.IFunction, {
        responseTransferMode: apigateway.ResponseTransferMode.STREAM,
        timeout: LONGEST,
        allowTestInvoke: false,
      });
    const toAdmin = integration(adminApi);
    const v1 = api.root.addResource('v1');
    if (gateway !== undefined) {
      const toGateway = integration(gateway);
      api.root.addMethod('ANY', toGateway);
      for (const folder of [api.root, v1]) folder.addResource('{proxy+}').addMethod('ANY', toGateway);
    }
    const folders = ADMIN_FOLDERS.map((folder) => v1.addResource(folder));
    for (const folder of folders) folder.addResource('{proxy+}').addMethod('ANY', toAdmin);
    // The list is the folder itself.
    v1.getResource('approvals')?.addMethod('ANY', toAdmin);
    if (webAclArn !== undefined) {
      const resourceArn = api.deploymentStage.stageArn;
      new wafv2.CfnWebACLAssociation(this, 'WebAclAssociation', { resourceArn, webAclArn });
    }
    this.host = domain && addDomain(this, api, domain);
    this.url =
      domain === undefined
        ? `https://${[api.restApiId, ...(vpcEndpointIds?.slice(0, 1) ?? [])].join('-')}.execute-api.${Stack.of(this).region}.${Stack.of(this).urlSuffix}/${STAGE}`
        : `https://${domain.name}`;
    acknowledge(api, props);
  }

  private stage({ settings, logRetentionDays, tracing }: RestFrontDoorProps): apigateway.StageOptions {
    const { throttle, accessLogs } = settings;
    return {
      stageName: STAGE,
      tracingEnabled: tracing,
      ...(throttle !== undefined && {
        throttlingRateLimit: throttle.requestsPerSecond,
        throttlingBurstLimit: throttle.burst,
      }),
      ...(accessLogs === true && {
        accessLogDestination: new apigateway.LogGroupLogDestination(
          new logs.LogGroup(this, 'AccessLogs', { retention: logRetentionDays }),
        ),
        accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(LOGGED)),
      }),
    };
  }
}

/** No headers, queries or bodies: they may contain keys or prompts. */
const LOGGED = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  protocol: '$context.protocol',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
};

/** Allows all but what these conditions deny. */
function onlyIf(conditions: Record<string, Record<string, string[]>>): iam.PolicyDocument {
  const statement = {
    actions: ['execute-api:Invoke'],
    principals: [new iam.AnyPrincipal()],
    resources: ['execute-api:/*'],
  };
  return new iam.PolicyDocument({
    statements: [
      new iam.PolicyStatement(statement),
      new iam.PolicyStatement({
        ...statement,
        effect: iam.Effect.DENY,
        conditions,
      }),
    ],
  });
}

function addDomain(
  scope: Construct,
  api: apigateway.RestApi,
  settings: NonNullable<RestApiSettings['domain']>,
): string {
  const { name } = settings;
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: acm.Certificate.fromCertificateArn(scope, 'Certificate', settings.certificateArn),
    endpointType: apigateway.EndpointType.REGIONAL,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
  });
  const host = domain.domainNameAliasDomainName;
  const attributes = zoneOf(settings);
  if (attributes === undefined) return host;
  const zone = route53.HostedZone.fromHostedZoneAttributes(scope, 'Zone', attributes);
  const target = route53.RecordTarget.fromAlias(new targets.ApiGatewayDomain(domain));
  new route53.ARecord(scope, 'Ipv4', { zone, recordName: `${name}.`, target });
  return host;
}

function acknowledge(api: apigateway.RestApi, { settings, webAclArn, tracing }: RestFrontDoorProps): void {
  const ours = 'The functions check keys themselves, and return errors in the format of the requested API.';
  const notLogged = 'Off by the setting `restApi.accessLogs`: the service records each request.';
  const reasons = {
    'AwsSolutions-APIG2': ours,
    'AwsSolutions-APIG4': ours,
    'AwsSolutions-COG4': ours,
    'AwsSolutions-APIG6': 'Execution logs contain headers with keys.',
    'Serverless-APIGWDefaultThrottling': 'The setting `restApi.throttle` limits the stage, and keys have limits.',
    ...(settings.accessLogs !== true && {
      'AwsSolutions-APIG1': notLogged,
      'Serverless-APIGWAccessLogging': notLogged,
    }),
    ...(webAclArn === undefined && {
      'AwsSolutions-APIG3': 'Off by the setting `waf`: WAF is billed by the request.',
    }),
    ...(!tracing && {
      'Serverless-APIGWXrayEnabled': "Off by this stage's setting `tracing`: X-Ray is billed by the trace.",
    }),
  };
  for (const [id, reason] of Object.entries(reasons)) Validations.of(api).acknowledge({ id, reason });
}
