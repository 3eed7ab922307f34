import { type AwsRestService, callAwsRest } from './aws-rest-call.ts';
import { encodeStrictly } from './sign-aws-request.ts';

export interface StoredFile {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

const KEY = /<Key>([^<]*)<\/Key>/;
const CHANGED = /<LastModified>([^<]*)<\/LastModified>/;
const CONTINUATION = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/;

/** The files of a bucket whose names are plain: letters, digits, `/`, `.`, `-`, `_`. Throws AwsRefusal or HttpFailure. */
export class S3Folder {
  private readonly service: AwsRestService;

  /** The service's endpoint is the bucket's own. */
  constructor(service: AwsRestService) {
    this.service = service;
  }

  async put(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const headers = { 'content-type': contentType };
    const call = { operation: 's3:PutObject', method: 'PUT', path: pathOf(name), headers, body: bytes } as const;
    await callAwsRest(this.service, call);
  }

  async delete(name: string): Promise<void> {
    await callAwsRest(this.service, { operation: 's3:DeleteObject', method: 'DELETE', path: pathOf(name) });
  }

  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    let continued: string | undefined;
    do {
      const query =
        continued === undefined ? 'list-type=2' : `continuation-token=${encodeStrictly(continued)}&list-type=2`;
      const call = { operation: 's3:ListObjectsV2', method: 'GET', path: '/', query } as const;
      const { body } = await callAwsRest(this.service, call);
      for (const contents of body.split('<Contents>').slice(1)) {
        const changedAt = Date.parse(CHANGED.exec(contents)?.[1] ?? '');
        files.push({ name: KEY.exec(contents)?.[1] ?? '', changedAt });
      }
      continued = CONTINUATION.exec(body)?.[1];
    } while (continued !== undefined);
    return files;
  }
}

function pathOf(name: string): string {
  return `/${name.split('/').map(encodeStrictly).join('/')}`;
}
