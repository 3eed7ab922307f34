import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const STAGE = 'live';
/** As the stack sets the API's binary media types. */
const BINARY = ['multipart/form-data', 'application/octet-stream'];
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * The event that an API Gateway REST API makes of a request, for a proxy integration; the same for streamed responses.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export function toRestApiEvent(request: IncomingMessage, body: Buffer): APIGatewayProxyEvent {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const domainName = 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com';
  const headers = { ...readHeaders(request), Host: [domainName], 'X-Forwarded-Proto': ['https'] };
  const contentType = request.headers['content-type'] ?? '';
  const isBase64Encoded = body.length > 0 && BINARY.some((type) => contentType.startsWith(type));
  const query = listed(url.searchParams);
  const method = request.method ?? 'GET';
  const now = new Date();
  return {
    resource: '/{proxy+}',
    path: url.pathname,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: url.search === '' ? null : lastOf(query),
    multiValueQueryStringParameters: url.search === '' ? null : query,
    pathParameters: { proxy: url.pathname.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'a1b2c3d4e5',
      authorizer: null,
      domainName,
      domainPrefix: 'a1b2c3d4e5',
      extendedRequestId: 'ExampleId=',
      httpMethod: method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp,
        user: null,
        userAgent: request.headers['user-agent'] ?? null,
        userArn: null,
      },
      path: `/${STAGE}${url.pathname}`,
      protocol: 'HTTP/1.1',
      requestId: randomUUID(),
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: 'abc123',
      resourcePath: '/{proxy+}',
      stage: STAGE,
    },
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

/** Names in their original case, each with its values. */
function readHeaders({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!HOP_BY_HOP.has(name.toLowerCase())) pairs.push([name, value]);
  }
  return listed(pairs);
}

function listed(pairs: Iterable<[string, string]>): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of pairs) lists[name] = [...(lists[name] ?? []), value];
  return lists;
}

function lastOf(lists: Readonly<Record<string, string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1) ?? '']));
}
