import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { reachStore } from './reach-store.ts';

interface StoredFile {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The files of a bucket. @throws StoreUnavailable with the name of S3's error */
export class S3Folder {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  async put(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: name, Body: bytes, ContentType: contentType });
    await reachStore('bucket', () => this.client.send(command));
  }

  async delete(name: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: name });
    await reachStore('bucket', () => this.client.send(command));
  }

  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: this.bucket, ContinuationToken });
      const page = await reachStore('bucket', () => this.client.send(command));
      for (const { Key: name = '', LastModified: changed } of page.Contents ?? [])
        files.push({ name, changedAt: changed?.getTime() ?? Number.NaN });
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return files;
  }
}
