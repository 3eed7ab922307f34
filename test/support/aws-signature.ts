import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8}\/[^/]+\/[^/]+\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * The scope that a request is signed for, such as `20261201/eu-central-1/bedrock/aws4_request`; undefined if its signature is wrong.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function scopeOfSignature({ method, path, headers, body }: SignedRequest, secret: string): string | undefined {
  const [, scope = '', names = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const [plain = '', query = ''] = path.split('?');
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const uri = encodeURIComponent(plain).replaceAll('%2F', '/');
  const canonical = [method, uri, query.split('&').sort().join('&'), lines.join(''), names, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex') === signature ? scope : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
