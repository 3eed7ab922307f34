import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where calls of AWS go, and in whose name. */
export interface AwsIdentity {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<AwsCredentials>;
}

export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

export interface UnsignedRequest {
  /** POST where absent, as AWS's JSON protocols are. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly host: string;
  /** As it is sent, percent-encoded; `/` where absent. */
  readonly path?: string;
  /** As it is sent, without `?`: strictly encoded, sorted by name; none where absent. */
  readonly query?: string;
  /** Lower-case names; signed all. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The key that signs for one day, of each service in use; made once a day. */
const lastKeys = new Map<string, { readonly of: string; readonly key: KeyObject }>();

/**
 * The headers of a signed request, AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
export function signAwsRequest(
  { method = 'POST', host, path = '/', query = '', headers, body }: UnsignedRequest,
  credentials: AwsCredentials,
  { region, service }: AwsScope,
  nowMs: number,
): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const signed: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(signed).sort();
  const list = names.join(';');
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
  const sentPath = service === 's3' ? path : canonicalPath(path);
  const canonical = `${method}\n${sentPath}\n${query}\n${lines}\n${list}\n${hash('sha256', body, 'hex')}`;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = signingKey(credentials.secretAccessKey, day, region, service);
  const signature = createHmac('sha256', key)
    .update(`${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical, 'hex')}`)
    .digest('hex');
  signed.authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
  return signed;
}

function signingKey(secret: string, day: string, region: string, service: string): KeyObject {
  const of = `${secret}/${day}/${region}/${service}`;
  let last = lastKeys.get(service);
  if (last?.of !== of) {
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
    const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request');
    last = { of, key: createSecretKey(key) };
    lastKeys.set(service, last);
  }
  return last.key;
}

/** Every service but S3 has the path's segments encoded once more than they are sent. */
function canonicalPath(path: string): string {
  return path.split('/').map(encodeStrictly).join('/');
}

/** RFC 3986: everything but letters, digits, `-`, `.`, `_` and `~`. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
