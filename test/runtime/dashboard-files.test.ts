import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type InvokedFunction, startFunction } from './invoke.ts';
import { type Endpoints, startEndpoints } from './recorded-endpoints.ts';

const DAY = 86_400_000;

/** An S3 bucket and CloudFormation's response URL. */
const files = new Map<string, { readonly type: string | undefined; readonly body: string; changedAt: number }>();
const puts: string[] = [];
const answers: Record<string, unknown>[] = [];
let refuses = false;
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
  const [, bucket, ...folders] = pathname.split('/');
  const name = decodeURIComponent(folders.join('/'));
  const body = await text(request);
  const isSigned = request.headers.authorization?.includes('/eu-central-1/s3/aws4_request') === true;
  if (bucket === 'cloudformation') {
    answers.push(JSON.parse(body));
    response.end();
  } else if (
    bucket !== 'distribution-files' ||
    !isSigned ||
    refuses ||
    request.headers['x-amz-content-sha256'] === undefined
  ) {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  } else if (request.method === 'GET') {
    // A page of two.
    const names = [...files.keys()].sort();
    const from = Number(searchParams.get('continuation-token') ?? 0);
    const more = from + 2 < names.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
    const contents = names.slice(from, from + 2).map((one) => {
      const changed = new Date(files.get(one)?.changedAt ?? 0).toISOString();
      return `<Contents><Key>${one}</Key><LastModified>${changed}</LastModified></Contents>`;
    });
    response.end(`<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`);
  } else if (request.method === 'PUT') {
    puts.push(name);
    files.set(name, { type: request.headers['content-type'], body, changedAt: Date.now() });
    response.end();
  } else {
    files.delete(name);
    response.writeHead(204).end();
  }
});

let dir: string;
let url: string;
let deployed: InvokedFunction;
let endpoints: Endpoints;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  dir = await mkdtemp(path.join(tmpdir(), 'svc-dashboard-'));
  await cp(path.resolve(import.meta.dirname, '../../dist/dashboard-files'), dir, { recursive: true });
  // A test page instead of the built files.
  await rm(path.join(dir, 'files'), { recursive: true, force: true });
  await mkdir(path.join(dir, 'files/assets'), { recursive: true });
  await writeFile(path.join(dir, 'files/index.html'), '<html>');
  await writeFile(path.join(dir, 'files/favicon.svg'), '<svg/>');
  await writeFile(path.join(dir, 'files/assets/index-1a.js'), 'export {}');
  await writeFile(path.join(dir, 'files/assets/index-1a.css'), 'a{}');
  endpoints = await startEndpoints('DashboardFilesRole', { s3: url });
  const env = { ...endpoints.env, SVC_DASHBOARD_BUCKET: 'distribution-files' };
  deployed = await startFunction({ bundleDir: dir, env });
});
afterAll(async () => {
  await deployed?.stop();
  endpoints?.stop();
  server.close();
  await rm(dir, { recursive: true });
});
beforeEach(() => {
  puts.length = 0;
  answers.length = 0;
});

/** As CloudFormation asks a custom resource. */
async function ask(RequestType: 'Create' | 'Update' | 'Delete') {
  await deployed.invoke({
    RequestType,
    ResponseURL: `${url}/cloudformation`,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'DashboardFiles',
    ResourceType: 'Custom::DashboardFiles',
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'dashboard-files' }),
    ResourceProperties: { ServiceToken: 'arn', Version: '1' },
  });
  return answers.at(-1);
}

const answered = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'DashboardFiles' };

test('the deployed bundle puts its files in place, the page last, each with its type', async () => {
  const done = { Status: 'SUCCESS', PhysicalResourceId: 'dashboard-files', ...answered };
  expect(await ask('Create')).toEqual(done);
  expect(puts.at(-1)).toBe('index.html');
  expect(Object.fromEntries([...files].map(([name, { type, body }]) => [name, [type, body]]))).toEqual({
    'index.html': ['text/html; charset=utf-8', '<html>'],
    'favicon.svg': ['image/svg+xml', '<svg/>'],
    'assets/index-1a.js': ['text/javascript; charset=utf-8', 'export {}'],
    'assets/index-1a.css': ['text/css; charset=utf-8', 'a{}'],
  });
});

test('files of earlier builds stay for open pages, and are deleted after 30 days', async () => {
  for (const [name, days] of [
    ['assets/last-week.js', 7],
    ['assets/long-ago.js', 31],
  ] as const) {
    files.set(name, { type: undefined, body: '', changedAt: Date.now() - days * DAY });
  }
  expect(await ask('Update')).toMatchObject({ Status: 'SUCCESS' });
  expect([...files.keys()].sort()).toEqual([
    'assets/index-1a.css',
    'assets/index-1a.js',
    'assets/last-week.js',
    'favicon.svg',
    'index.html',
  ]);
});

test('a failed upload fails the deployment, with the reason', async () => {
  refuses = true;
  expect(await ask('Update')).toMatchObject({
    Status: 'FAILED',
    Reason: "The dashboard's files could not be published: bucket: AccessDenied",
    PhysicalResourceId: 'dashboard-files',
  });
  refuses = false;
});

test('the bucket is emptied before its deletion', async () => {
  expect(await ask('Delete')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'dashboard-files' });
  expect([...files.keys()]).toEqual([]);
});
