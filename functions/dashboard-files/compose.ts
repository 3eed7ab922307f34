import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BACKGROUND_RETRIES, createS3Client } from '../adapters/aws/clients.ts';
import { type CustomResourceEvent, respondToCloudFormation } from '../adapters/aws/custom-resource.ts';
import { S3Folder } from '../adapters/aws/s3-folder.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { type PageFile, publishPage, removePage } from './publish.ts';

export interface DashboardFilesConfig {
  readonly bucket: string;
  /** Directory of the built page. */
  readonly filesDir: string;
}

/** Constant: a new id would make CloudFormation delete the files of the previous one. */
const PHYSICAL_ID = 'dashboard-files';

/** Handles CloudFormation's requests on S3, or a service with the same API. Rejects if the response could not be delivered. */
export function composeDashboardFiles(config: DashboardFilesConfig): (event: CustomResourceEvent) => Promise<void> {
  const http = new UndiciHttpClient();
  const wait = (ms: number) => pause(ms);
  const folder = new S3Folder(createS3Client({ http, retries: BACKGROUND_RETRIES }), config.bucket);
  const deps = { folder, clock: systemClock };
  return async (event) => {
    const work = async () =>
      event.RequestType === 'Delete' ? removePage(deps) : publishPage(await readPage(config.filesDir), deps);
    const failure = await work().then(
      () => undefined,
      (error: unknown) =>
        `The dashboard's files could not be published: ${error instanceof Error ? error.message : typeof error}`,
    );
    await respondToCloudFormation(event, { physicalId: PHYSICAL_ID, failure }, http, wait);
  };
}

async function readPage(dir: string): Promise<PageFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (file) => ({
      name: path.relative(dir, file).split(path.sep).join('/'),
      bytes: await readFile(file),
    })),
  );
}
