import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { HeaderList } from '../core/http/request-headers.ts';
import type { App, IncomingRequest } from '../core/http/router.ts';

/** What we read of a function URL's event (payload format 2.0). */
export interface FunctionUrlEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } };
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

/** What middy's streaming execution mode takes. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Readable | string;
}

/** Serves a function URL's event by an app. The caller's address is the platform's own word, no header's. */
export async function serveFunctionUrl(app: App, event: FunctionUrlEvent): Promise<StreamedResult> {
  const { method, sourceIp } = event.requestContext.http;
  const response = await app(toRequest(event, method), { clientAddress: sourceIp });
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    // The type of Node's own stream and the web's differ in name only. An empty body must be a string, or the answer hangs.
    body: response.body ? Readable.fromWeb(response.body as NodeReadableStream) : '',
  };
}

function toRequest(event: FunctionUrlEvent, method: string): IncomingRequest {
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  return {
    method,
    url: `http://function-url${event.rawPath}${query}`,
    headers: new HeaderList(Object.entries(event.headers).filter(hasValue)),
    bytes: async () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function hasValue(header: [string, string | undefined]): header is [string, string] {
  return header[1] !== undefined;
}
