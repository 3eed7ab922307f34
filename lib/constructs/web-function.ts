import { CfnDeletionPolicy, CfnResource, type Duration, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { definedOnly, type FunctionEnvironment, type FunctionProps } from './create-function.ts';
import { givenGroups, givenVpc } from './gateway-network.ts';
import { asShown } from './grants.ts';

export interface WebFunctionProps<Env>
  extends Pick<FunctionProps<Env>, 'description' | 'environment' | 'logRetentionDays'> {
  /** The bundle's folder; its `index.mjs` listens on a port. */
  readonly folder: string;
  /** Of a whole response, streaming included. */
  readonly timeout: Duration;
  readonly settings: Pick<Settings, 'vpc' | 'webFunction' | 'encryptionKeyArn'>;
}

/**
 * A Lambda Web Function: an HTTP server of which one environment serves many requests. Its role may only write its own logs until the
 * stack grants more.
 */
export class WebFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;
  readonly functionName: string;
  readonly logGroup: logs.LogGroup;
  /** `https://HOST/`, with the closing slash. It stays the same with new versions. */
  readonly url: string;
  readonly revisionId: string;
  /** A dimension of Lambda's metrics. */
  readonly endpointName: string;

  constructor(scope: Construct, id: string, props: WebFunctionProps<Env>) {
    super(scope, id);
    this.logGroup = new logs.LogGroup(this, 'Logs', { retention: props.logRetentionDays });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    this.functionName = `${Stack.of(this).stackName}-${id.toLowerCase()}`;
    // The name is the dimension of the function's own metrics.
    const environment = { ...definedOnly(props.environment), SVC_FUNCTION_NAME: this.functionName };
    const { vpc, webFunction = {}, encryptionKeyArn } = props.settings;
    const connector = vpc && addConnector(this, vpc);
    const { maxEnvironments, rateLimit, requestsPerEnvironment } = webFunction;
    const server = new lambda.WebFunction(this, 'Function', {
      webFunctionName: this.functionName,
      revisionDescription: props.description,
      code: lambda.WebFunctionCode.fromAssetToManagedBucket(props.folder),
      runtime: lambda.WebFunctionRuntime.NODEJS_24_X,
      entryPoint: 'index.mjs',
      role,
      environment,
      logGroup: this.logGroup,
      ...(props.environment.SVC_LOG_LEVEL === 'debug' && { applicationLogLevel: lambda.ApplicationLogLevel.DEBUG }),
      timeout: props.timeout,
      ...(requestsPerEnvironment !== undefined && { maxConcurrencyPerEnvironment: requestsPerEnvironment }),
      ...(connector !== undefined && { egressNetworkConnector: connector }),
      defaultEndpoint: {
        ...(maxEnvironments !== undefined && { maxEnvironments }),
        ...(rateLimit !== undefined && { rateLimit }),
      },
      // The handler checks the caller's API key first. IAM_AUTH would require AWS signatures from OpenAI clients.
      defaultEndpointAuth: lambda.WebFunctionAuthType.APPLICATION_MANAGED,
    });
    const version = connector?.latestVersionArn;
    replaceCodeWithRevision(server, { environment, requestsPerEnvironment, version, encryptionKeyArn });
    splitTraffic(server, webFunction);
    this.revisionId = server.revisionId;
    this.endpointName = server.endpoint.resource.endpointName;
    this.grantPrincipal = role;
    this.url = `https://${server.endpoint.domainName}/`;
    Validations.of(server.endpoint).acknowledge({
      id: 'Annotation::@aws-cdk/aws-lambda:webFunctionPublicEndpoint',
      reason: 'The server checks the API key of each request.',
    });
    acknowledgeCodeCopy(Stack.of(this));
  }
}

/** Egress into the VPC of the settings; Lambda manages its network interfaces with a role of its managed policy. */
function addConnector(scope: Construct, settings: NonNullable<Settings['vpc']>): lambda.NetworkConnector {
  const connector = new lambda.NetworkConnector(scope, 'Connector', {
    configuration: lambda.NetworkConnectorConfiguration.vpcEgress({
      computeType: lambda.NetworkConnectorComputeType.WEB_FUNCTION,
      vpc: givenVpc(scope, settings),
      securityGroups: givenGroups(scope, settings),
    }),
  });
  Validations.of(connector).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AWSLambdaNetworkConnectorOperatorPolicy]',
    reason: "Lambda assumes this role to manage network interfaces; the gateway's code does not.",
  });
  return connector;
}

/** Gives an earlier revision its part of the traffic. CDK's construct gives all to the newest, and deletes the one before. */
function splitTraffic(
  server: lambda.WebFunction,
  { keepRevisions, earlierRevision }: NonNullable<Settings['webFunction']>,
): void {
  if (keepRevisions === true) {
    server.resourceRevision.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    const reason =
      'The setting `webFunction.keepRevisions` keeps replaced revisions with their code; the newest goes with the stack.';
    for (const id of [
      'CloudFormation-Validate::W3011',
      'Annotation::@aws-cdk/aws-lambda:webFunctionManagedBucketRetained',
    ])
      Validations.of(server.resourceRevision).acknowledge({ id, reason });
  }
  if (earlierRevision === undefined) return;
  const { id, percent } = earlierRevision;
  const newest = percent === 100 ? [] : [{ revisionId: server.revisionId, weight: 100 - percent }];
  server.endpoint.resource.revisionWeights = [...newest, { revisionId: id, weight: percent }];
}

/**
 * The copy of the code must change with the revision's settings, since CDK deletes the previous copy with the previous revision. CDK's own
 * value contains references to other stacks as it found them before it resolved them (aws-cdk-lib 2.276), so it is replaced.
 */
function replaceCodeWithRevision(server: lambda.WebFunction, changing: Readonly<Record<string, unknown>>): void {
  const copy = server.node
    .findAll()
    .find((child) => CfnResource.isCfnResource(child) && child.cfnResourceType === 'Custom::S3ObjectCopy');
  const { resourceRevision: revision } = server;
  const settings = { ...changing, buildConfig: 'nodejs24.x', description: revision.description };
  (copy as CfnResource).addPropertyOverride('Configuration', Stack.of(server).toJsonString(settings));
}

/** CDK copies the code to a versioned bucket by a separate function, whose role and settings it does not let us change. */
function acknowledgeCodeCopy(stack: Stack): void {
  const byDeployment = 'CDK creates it to copy the code to the bucket that Lambda reads; only deployments invoke it.';
  const { partition, account, region } = stack;
  const qualifier = stack.synthesizer.bootstrapQualifier;
  const assets = asShown(stack, `arn:${partition}:s3:::cdk-${qualifier}-assets-${account}-${region}/*`);
  for (const child of stack.node.children.filter(({ node }) => /^(?:AWSCDKWebFunction|Custom::S3)/.test(node.id))) {
    const bucketId = stack.getLogicalId(
      stack.node.findChild('AWSCDKWebFunctionAssetBucket').node.defaultChild as never,
    );
    for (const id of [
      'AwsSolutions-S1',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      `AwsSolutions-IAM5[Resource::${assets}]`,
      'AwsSolutions-IAM5[Action::s3:Abort*]',
      'AwsSolutions-IAM5[Action::s3:DeleteObject*]',
      `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/web-function/*]`,
      'Serverless-LambdaDefaultMemorySize',
      'Serverless-LambdaDLQ',
      'Serverless-LambdaTracing',
    ]) {
      Validations.of(child).acknowledge({ id, reason: byDeployment });
    }
  }
}
