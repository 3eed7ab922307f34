import { Readable } from 'node:stream';
import {
  type App,
  HeaderList,
  type IncomingRequest,
  isStream,
  type OutgoingBody,
  type OutgoingResponse,
  type RequestContext,
  toAddress,
} from '../../kernel/http/index.ts';
import { FRONT_DOOR_HEADERS, type FrontDoor, openFrontDoor } from '../aws/front-door.ts';

/** The fields of a function URL event that are read (payload format 2.0). */
export interface FunctionUrlEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Cookies are separate from the other headers. */
  readonly cookies?: readonly string[];
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } };
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

/** The result of middy's streaming mode, for function URLs and REST APIs. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each a `Set-Cookie` value. */
  readonly cookies: readonly string[];
  readonly body: Readable | '';
}

/**
 * Handles an event of a function URL or a REST API with an app. The client address comes from the platform, or from a distribution that the
 * front door accepts.
 */
export async function serveFunctionUrl(
  app: App,
  event: FunctionUrlEvent | RestApiEvent,
  frontDoor: FrontDoor = openFrontDoor,
): Promise<StreamedResult> {
  const response =
    'httpMethod' in event
      ? await app(restApiRequest(event), { clientAddress: event.requestContext.identity.sourceIp })
      : await app(functionUrlRequest(event), await contextOf(event, frontDoor));
  return toStreamedResult(response);
}

export function toStreamedResult({ status, headers, cookies = [], body }: OutgoingResponse): StreamedResult {
  return { statusCode: status, headers, cookies, body: toStreamed(body) };
}

/** An empty body must be a string, or the response hangs. middy splits other strings anywhere, even within a character. */
function toStreamed(body: OutgoingBody): Readable | '' {
  if (body === '') return '';
  return Readable.from(isStream(body) ? body : [body]);
}

function contextOf({ headers, requestContext }: FunctionUrlEvent, frontDoor: FrontDoor): Promise<RequestContext> {
  return frontDoor(headers, requestContext.http.sourceIp);
}

function functionUrlRequest(event: FunctionUrlEvent): IncomingRequest {
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const { method } = event.requestContext.http;
  return {
    method,
    url: toAddress(event.rawPath + query),
    headers: new HeaderList([...Object.entries(event.headers).filter(isForUs), ...cookieHeader(event)]),
    bytes: async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function cookieHeader({ cookies = [] }: FunctionUrlEvent): [string, string][] {
  return cookies.length > 0 ? [['cookie', cookies.join('; ')]] : [];
}

function isForUs(header: [string, string | undefined]): header is [string, string] {
  return header[1] !== undefined && !FRONT_DOOR_HEADERS.has(header[0]);
}

type Values = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The fields of an API Gateway REST API event that are read: the input format of a proxy integration, also with response streaming. `path`
 * excludes the stage; query values are decoded.
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

/** The request in a REST API event. */
export function restApiRequest(event: RestApiEvent): IncomingRequest {
  const query = new URLSearchParams(pairs(event.multiValueQueryStringParameters)).toString();
  const headers = pairs(event.multiValueHeaders).filter(([name]) => !FRONT_DOOR_HEADERS.has(name.toLowerCase()));
  return {
    method: event.httpMethod,
    url: toAddress(event.path + (query === '' ? '' : `?${query}`)),
    headers: new HeaderList(headers),
    bytes: async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function pairs(values: Values | null): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, list = []]) =>
    list.map((value): [string, string] => [name, value]),
  );
}
