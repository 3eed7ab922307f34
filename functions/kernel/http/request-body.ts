import { GatewayError } from '../errors/index.ts';
import {
  type JsonDocument,
  type RequestDocument,
  readBoundary,
  readFormDocument,
  readJsonDocument,
  readJsonSteps,
} from '../json/index.ts';
import { giveWayFor, runInSlices, type Scheduler } from '../tasks/index.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { IncomingRequest } from './router.ts';

/** The limit of Lambda function URLs, and the default of the plain HTTP server. */
export const MAX_BODY_BYTES = 6 * 1024 * 1024;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** How AWS's SDKs declare a body of InvokeModel, which is JSON. */
const BYTES: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/**
 * With a scheduler, a large body is parsed in slices, so that other requests need not wait.
 * @param isBytes whether the body may be declared as bytes
 * @throws GatewayError `unsupported_media_type`, `request_too_large` or `invalid_json`
 */
export async function readJsonBody(
  request: IncomingRequest,
  maxBytes = MAX_BODY_BYTES,
  scheduler?: Scheduler,
  isBytes = false,
): Promise<JsonDocument> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !(isBytes && BYTES.has(type))) {
    throw new GatewayError(
      'unsupported_media_type',
      "The request body must be JSON: send 'Content-Type: application/json'.",
    );
  }
  const bytes = await readBytes(request, maxBytes);
  if (scheduler !== undefined) await giveWayFor({ text: bytes }, scheduler);
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new GatewayError('invalid_json', 'The request body is not valid UTF-8.');
  }
  if (scheduler === undefined) return readJsonDocument(text);
  await giveWayFor({ text }, scheduler);
  return runInSlices(readJsonSteps(text), scheduler);
}

/** Whether a request says that its body is a form. */
export function declaresForm(headers: RequestHeaders): boolean {
  return /^\s*multipart\//i.test(headers.get('content-type') ?? '');
}

/** A body of `multipart/form-data`. @throws GatewayError `unsupported_media_type`, `request_too_large` or `invalid_value` */
export async function readFormBody(request: IncomingRequest, maxBytes = MAX_BODY_BYTES): Promise<RequestDocument> {
  const boundary = readBoundary(request.headers.get('content-type'));
  return readFormDocument(await readBytes(request, maxBytes), boundary);
}

/** The JSON of an optional body: `{}` if it is absent or empty. */
export async function readOptionalJsonBody(request: IncomingRequest): Promise<JsonDocument> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return readJsonDocument('{}');
  return readJsonBody({ method: request.method, url: request.url, headers: request.headers, bytes: async () => bytes });
}

async function readBytes(request: IncomingRequest, maxBytes: number): Promise<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  // Decompression is rejected: a small body could become a large one, and the provider could unpack what was not inspected.
  if (encoding !== 'identity' && encoding !== '') {
    throw new GatewayError(
      'unsupported_media_type',
      "Compressed request bodies are not accepted: omit 'Content-Encoding'.",
    );
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await request.bytes();
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** The 413 of a body above the limit. */
export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('request_too_large', `The request body is larger than the limit of ${maxBytes} bytes.`);
}
