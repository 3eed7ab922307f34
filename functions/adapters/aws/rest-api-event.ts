import { HeaderList } from '../../core/base/request-headers.ts';
import type { IncomingRequest } from '../../core/http/router.ts';
import { FRONT_DOOR_HEADERS } from './front-door.ts';

type Values = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * What we read of the event of an API Gateway REST API: a proxy integration's input format, which is the same where answers
 * are streamed. `path` has no stage; values of the query are decoded.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export interface RestApiEvent {
  readonly httpMethod: string;
  readonly path: string;
  readonly multiValueHeaders: Values | null;
  readonly multiValueQueryStringParameters: Values | null;
  readonly requestContext: { readonly identity: { readonly sourceIp: string } };
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
}

/** The request that a REST API's event tells of. */
export function restApiRequest(event: RestApiEvent): IncomingRequest {
  const query = new URLSearchParams(pairs(event.multiValueQueryStringParameters)).toString();
  const headers = pairs(event.multiValueHeaders).filter(([name]) => !FRONT_DOOR_HEADERS.has(name.toLowerCase()));
  return {
    method: event.httpMethod,
    url: `http://rest-api${event.path}${query === '' ? '' : `?${query}`}`,
    headers: new HeaderList(headers),
    bytes: async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function pairs(values: Values | null): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, list = []]) =>
    list.map((value): [string, string] => [name, value]),
  );
}
