import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { App } from '../core/http/router.ts';

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

function toRequest(event: FunctionUrlEvent, method: string): Request {
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.set(name, value);
  const hasBody = event.body !== undefined && event.body !== '' && method !== 'GET' && method !== 'HEAD';
  return new Request(`http://function-url${event.rawPath}${query}`, {
    method,
    headers,
    ...(hasBody && {
      body: event.isBase64Encoded ? Buffer.from(event.body as string, 'base64') : (event.body as string),
    }),
  });
}
