import type { ServerResponse } from 'node:http';
import { drained } from '../support/drained.ts';
import type { InvocationOutcome } from './sandbox.ts';

const HTTP_RESPONSE = 'application/vnd.awslambda.http-integration-response';
/** Separates the JSON prelude (status, headers, cookies) from the body. */
const SEPARATOR = Buffer.alloc(8);

interface Prelude {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Writes a function's response to the caller as a function URL does, each piece on arrival. */
export function functionUrlResponse(response: ServerResponse): InvocationOutcome {
  let contentType = '';
  let held = Buffer.alloc(0);

  const open = ({ statusCode = 200, headers = {}, cookies = [] }: Prelude) => {
    response.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) });
    response.flushHeaders();
  };
  const send = async (chunk: Buffer) => {
    // A caller who left is not the function's concern: it runs on, and what it writes is dropped.
    if (chunk.length === 0 || response.destroyed || response.write(chunk)) return;
    await drained(response);
  };

  const failed = () => {
    // Too late for another status: the connection is cut, and the caller sees an incomplete body.
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'application/json' }).end('{"Message":"Internal Server Error"}');
  };

  return {
    streamStarted: (type) => {
      contentType = type;
    },
    chunk: async (chunk) => {
      if (response.headersSent) return send(chunk);
      if (contentType !== HTTP_RESPONSE) {
        open({ headers: { 'content-type': contentType } });
        return send(chunk);
      }
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(SEPARATOR);
      if (end < 0) return;
      open(JSON.parse(held.toString('utf8', 0, end)));
      await send(held.subarray(end + SEPARATOR.length));
    },
    streamEnded: () => {
      // Without its prelude there is no response to give.
      if (contentType === HTTP_RESPONSE && !response.headersSent) failed();
      else response.end();
    },
    returned: (result) => {
      const { body = '', isBase64Encoded = false, ...prelude } = asResponse(result);
      open(prelude);
      response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
    },
    failed,
  };
}

/** A result without a status is the body itself. */
function asResponse(result: unknown): Prelude & { body?: string; isBase64Encoded?: boolean } {
  if (typeof result === 'object' && result !== null && 'statusCode' in result) return result as Prelude;
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(result ?? null) };
}
