import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call that the fake received. */
export interface AwsCall {
  /** As in a policy: `ssm:GetParameter`. */
  readonly action: string;
  /** Signed for this region. */
  readonly region: string;
  readonly authorization: string;
  readonly path: string;
  /** A JSON document, or a form. */
  readonly body: string;
}

/** Members of a response, or an error. */
export type AwsReply = object | { readonly error: string; readonly status?: number; readonly message?: string };

export interface FakeAws {
  readonly url: string;
  readonly calls: AwsCall[];
  /** Replies by action; other actions get a healthy account's. */
  readonly replies: Map<string, AwsReply | ((call: AwsCall) => AwsReply | Promise<AwsReply>)>;
  stop(): void;
}

const ACCOUNT = '123456789012';

/** An account in which every check passes. */
const HEALTHY: Readonly<Record<string, AwsReply | ((call: AwsCall) => AwsReply)>> = {
  'sts:GetCallerIdentity': { Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/ops` },
  'sts:GetWebIdentityToken': { WebIdentityToken: 'header.claims.signature', Expiration: '2026-11-30T10:00:00Z' },
  'ssm:GetParameter': { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '30' } },
  'cloudformation:DescribeStacks': { error: 'ValidationError', message: 'Stack with id svc does not exist' },
  'cloudformation:DescribeStackResources': { error: 'ValidationError', message: 'Stack svc does not exist' },
  'cloudformation:ListStackResources': { error: 'ValidationError', message: 'Stack with id svc does not exist' },
  'lambda:GetFunctionConcurrency': {},
  // As for every function of a name that does not exist.
  'lambda:CreateFunctionUrlConfig': { error: 'ResourceNotFoundException', status: 404 },
  'lambda:AddPermission': { error: 'ResourceNotFoundException', status: 404 },
  'lambda:GetAccountSettings': {
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  },
  'acm:DescribeCertificate': { Certificate: { Status: 'ISSUED', DomainName: '*.example.com' } },
  'route53:GetHostedZone': { HostedZone: { Id: '/hostedzone/Z1', Name: 'example.com.', CallerReference: '1' } },
  'route53:ListResourceRecordSets': { ResourceRecordSets: '', IsTruncated: false, MaxItems: 300 },
  's3:GetBucketOwnershipControls': { Rule: { ObjectOwnership: 'BucketOwnerPreferred' } },
  'kms:DescribeKey': {
    KeyMetadata: { KeyId: '1', Enabled: true, KeyState: 'Enabled', KeySpec: 'SYMMETRIC_DEFAULT' },
  },
  'kms:GetKeyPolicy': {
    Policy: JSON.stringify({
      Statement: [
        {
          Effect: 'Allow',
          Principal: {
            Service: ['logs.eu-central-1.amazonaws.com', 'cloudwatch.amazonaws.com', 'lambda.amazonaws.com'],
          },
          Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
          Resource: '*',
        },
      ],
    }),
  },
  'cloudfront:ListDistributions': { Marker: '', MaxItems: 100, IsTruncated: false, Quantity: 0 },
};

/** The services of the JSON protocol by their targets. */
const TARGETS: Readonly<Record<string, string>> = {
  AmazonSSM: 'ssm',
  CertificateManager: 'acm',
  TrentService: 'kms',
  DynamoDB: 'dynamodb',
};

/** A server that replies like STS, SSM, CloudFormation, DynamoDB, Lambda, ACM, Route 53, KMS, S3 and CloudFront. */
export async function startFakeAws(): Promise<FakeAws> {
  const calls: AwsCall[] = [];
  const replies: FakeAws['replies'] = new Map();
  const server = createServer(async (request, response) => {
    const call = toCall(request, await text(request));
    calls.push(call);
    const chosen = replies.get(call.action) ?? HEALTHY[call.action] ?? { error: 'UnknownOperationException' };
    const reply = typeof chosen === 'function' ? await chosen(call) : chosen;
    const { status, headers, body } = encode(call.action, reply);
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    replies,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function toCall(request: IncomingMessage, body: string): AwsCall {
  const authorization = String(request.headers.authorization);
  const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(authorization)?.[1] ?? '';
  const path = request.url ?? '';
  return { action: actionOf(request, path, body), region, authorization, path, body };
}

function actionOf(request: IncomingMessage, path: string, body: string): string {
  const target = request.headers['x-amz-target'];
  if (target !== undefined) {
    const [prefix = '', operation] = String(target).split('.');
    return `${TARGETS[prefix.split('_')[0] ?? '']}:${operation}`;
  }
  if (path.startsWith('/2016-08-19/account-settings')) return 'lambda:GetAccountSettings';
  if (path.startsWith('/2021-10-31/functions/')) return 'lambda:CreateFunctionUrlConfig';
  if (path.startsWith('/2015-03-31/functions/')) return 'lambda:AddPermission';
  if (path.startsWith('/2019-09-30/functions/')) return 'lambda:GetFunctionConcurrency';
  if (path.startsWith('/2013-04-01/hostedzone/'))
    return path.includes('/rrset') ? 'route53:ListResourceRecordSets' : 'route53:GetHostedZone';
  if (path.includes('ownershipControls')) return 's3:GetBucketOwnershipControls';
  if (path.startsWith('/2020-05-31/distribution')) return 'cloudfront:ListDistributions';
  const operation = new URLSearchParams(body).get('Action') ?? '';
  const isSts = ['GetCallerIdentity', 'GetWebIdentityToken'].includes(operation);
  return `${isSts ? 'sts' : 'cloudformation'}:${operation}`;
}

function encode(action: string, reply: AwsReply) {
  const [service = '', operation] = action.split(':');
  const isJson = ['ssm', 'acm', 'kms', 'lambda', 'dynamodb'].includes(service);
  if ('error' in reply) {
    const { error, message = '', status = 400 } = reply;
    return isJson
      ? { status, headers: { 'x-amzn-errortype': error }, body: JSON.stringify({ __type: error, message }) }
      : { status, headers: {}, body: toXml(errorOf(service, { Code: error, Message: message })) };
  }
  if (isJson) return { status: 200, headers: {}, body: JSON.stringify(reply) };
  const isQuery = ['sts', 'cloudformation'].includes(service);
  const document = isQuery ? { [`${operation}Response`]: { [`${operation}Result`]: reply } } : { Result: reply };
  return { status: 200, headers: { 'content-type': 'text/xml' }, body: toXml(document) };
}

/** S3's errors have no element around them. */
function errorOf(service: string, error: object): object {
  return service === 's3' ? { Error: error } : { ErrorResponse: { Error: error } };
}

/** Elements of a list repeat its name. */
function toXml(members: object): string {
  return Object.entries(members)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((item) => [name, item]) : [[name, value]]))
    .map(([name, value]) => `<${name}>${typeof value === 'object' ? toXml(value) : value}</${name}>`)
    .join('');
}
