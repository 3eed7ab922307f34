import { GatewayError } from '../errors.ts';
import { type JsonDocument, readJsonDocument } from '../json/json-document.ts';

/** What a Lambda function URL takes; the plain HTTP entry has the same by default. */
export const MAX_BODY_BYTES = 6 * 1024 * 1024;

/** @throws GatewayError `unsupported_media_type`, `request_too_large` or `invalid_json` */
export async function readJsonBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<JsonDocument> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new GatewayError(
      'unsupported_media_type',
      "The request body must be JSON: send 'Content-Type: application/json'.",
    );
  }
  const bytes = await readBytes(request, maxBytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new GatewayError('invalid_json', 'The request body is not valid UTF-8.');
  }
  return readJsonDocument(text);
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new GatewayError('request_too_large', `The request body is larger than ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : concat(chunks, size);
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
