import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import { ACCOUNT, aws, faultOf, playAws, REGION, remarks, SETTINGS } from './preflight-setup.ts';

playAws();

const SEARCHED = process.env.PATH;
const FARGATE: Settings = { ...SETTINGS, compute: 'fargate' };
const certificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/1234abcd-12ab`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-docker-'));
  process.env.PATH = folder;
});
afterEach(async () => {
  process.env.PATH = SEARCHED;
  await rm(folder, { recursive: true });
});

async function installDocker(exitCode: number): Promise<void> {
  const file = path.join(folder, 'docker');
  await writeFile(file, `#!/bin/sh\nexit ${exitCode}\n`);
  await chmod(file, 0o755);
}

test('a machine without Docker is refused, as is one without buildx', async () => {
  const fault = 'compute fargate builds an image: start Docker with buildx on this machine, then retry.';
  expect(await faultOf(FARGATE)).toBe(fault);
  await installDocker(1);
  expect(await faultOf(FARGATE)).toBe(fault);
  await installDocker(0);
  expect((await remarks(FARGATE)).faults).toEqual([]);
});

test('other homes need no Docker', async () => {
  expect((await remarks(SETTINGS)).faults).toEqual([]);
});

test('the certificate of the load balancer must be issued, and of this account', async () => {
  await installDocker(0);
  const alone: Settings = { ...FARGATE, distribution: false, fargate: { certificateArn } };
  aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'PENDING_VALIDATION', DomainName: 'a' } });
  expect(await faultOf(alone)).toContain('fargate.certificateArn is PENDING_VALIDATION, not ISSUED.');
  aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'ISSUED', DomainName: 'any.example.com' } });
  expect((await remarks(alone)).faults).toEqual([]);
  const foreign = certificateArn.replace(ACCOUNT, '999999999999');
  expect(await faultOf({ ...alone, fargate: { certificateArn: foreign } })).toContain('is of account 999999999999');
});

test('what only functions reserve is not asked of the quota', async () => {
  await installDocker(0);
  const reserved: Settings = { ...FARGATE, reservedConcurrency: 100_000 };
  expect((await remarks(reserved)).faults).toEqual([]);
});
