import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LambdaFunctionURLEvent } from 'aws-lambda';

/** Types of body that a function gets as text; all others come in base64. */
const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[\w.+-]+\+(json|xml)))/i;

/** Headers of one connection, which the function never sees. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * The event that a function URL makes of a request: payload format 2.0.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
 */
export function toFunctionUrlEvent(request: IncomingMessage, body: Buffer): LambdaFunctionURLEvent {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { headers, cookies } = readHeaders(request);
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const domainName = 'local.lambda-url.eu-central-1.on.aws';
  const now = new Date();
  const isText = TEXT.test(headers['content-type'] ?? 'application/json');

  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      host: domainName,
      'x-forwarded-for': [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(','),
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    },
    ...(url.search !== '' && { queryStringParameters: joined(url.searchParams) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName,
      domainPrefix: 'local',
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      http: {
        method: request.method ?? 'GET',
        path: url.pathname,
        protocol: 'HTTP/1.1',
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Lower-case names, repeated headers joined, cookies apart. */
function readHeaders(request: IncomingMessage): { headers: Record<string, string>; cookies: string[] } {
  const all = new Headers();
  const cookies: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? '';
    const value = request.rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/));
    else if (!HOP_BY_HOP.has(name)) all.append(name, value);
  }
  return { headers: joined(all), cookies };
}

/** Values of the same name joined by a comma, as function URLs do. */
function joined(entries: Iterable<[string, string]>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of entries) result[name] = name in result ? `${result[name]},${value}` : value;
  return result;
}
