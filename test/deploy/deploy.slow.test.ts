import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeAws, startFakeAws } from '../support/fake-aws.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECRET = `planted-${'k9Zr2'.repeat(6)}`;
const TOKEN = `token-${'w4Tq8'.repeat(6)}`;

/** Contains a fake `cdk` that records its arguments and exits as configured. */
let dir: string;
let aws: FakeAws;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-deploy-'));
  const cdk = path.join(dir, 'cdk');
  writeFileSync(cdk, `#!/bin/sh\nprintf '%s\\n' "$@" > ${dir}/called\nexit \${PLANTED_EXIT:-0}\n`);
  chmodSync(cdk, 0o755);
  aws = await startFakeAws();
});
afterAll(() => {
  aws.stop();
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  aws.replies.clear();
  aws.calls.length = 0;
  rmSync(path.join(dir, 'called'), { force: true });
});

async function deploy(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const child = spawn(process.execPath, ['bin/deploy.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dir}:${process.env.PATH}`,
      HOME: dir,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIAPLANTED',
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_SESSION_TOKEN: TOKEN,
      AWS_ENDPOINT_URL: aws.url,
      ...env,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  for (const hidden of [SECRET, TOKEN]) expect(out + error).not.toContain(hidden);
  return { out, error, code };
}

const called = () => {
  try {
    return readFileSync(path.join(dir, 'called'), 'utf8').trim().split('\n');
  } catch {
    return undefined;
  }
};

describe('npm run deploy', () => {
  test('deploys all stacks of the stage with the given flags, and prints account, region and identity', async () => {
    const { out, code } = await deploy(['--stage', 'Production', '--require-approval', 'never']);
    const context = ['--context', 'stage=Production', '--context', 'operationsConcurrency=90'];
    expect(called()).toEqual(['deploy', '--all', ...context, '--require-approval', 'never']);
    expect(code).toBe(0);
    expect(out).toContain('Production to account 123456789012, eu-central-1, as arn:aws:iam::123456789012:user/ops');
    expect(out).toContain('To refuse other accounts, set "account": "123456789012" of Production in cdk.json.');
    for (const { authorization } of aws.calls)
      expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAPLANTED\//);
  });

  test("exits with the CDK's status", async () => {
    expect((await deploy([], { PLANTED_EXIT: '7' })).code).toBe(7);
    expect(called()?.slice(0, 4)).toEqual(['deploy', '--all', '--context', 'stage=Development']);
  });

  test('continues with warnings if the deployer may not read, or a service does not respond within 10 s', async () => {
    aws.replies.set('ssm:GetParameter', { error: 'AccessDeniedException' });
    aws.replies.set('lambda:GetAccountSettings', () => new Promise(() => {}));
    const { error, code } = await deploy([]);
    expect(code).toBe(0);
    expect(error.trim().split('\n')).toEqual([
      'Warning: Not checked: the bootstrapping of eu-central-1 (ssm:GetParameter: AccessDeniedException).',
      'Warning: Not checked: the Lambda quota of eu-central-1 (lambda:GetAccountSettings: no response within 10 s).',
    ]);
    expect(called()).toBeDefined();
  });
});

describe('reports what is missing, and does not call the CDK, if', () => {
  const refused = async (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) => {
    const { error, code } = await deploy(args, env);
    expect([code, called()]).toEqual([1, undefined]);
    return error.trim();
  };

  test('the account has faults: all are reported together', async () => {
    aws.replies.set('ssm:GetParameter', { error: 'ParameterNotFound' });
    aws.replies.set('cloudformation:DescribeStacks', {
      Stacks: {
        member: [
          { StackName: 'svc-development-data', StackStatus: 'DELETE_FAILED', CreationTime: '2026-11-21T09:00:00Z' },
        ],
      },
    });
    const error = (await refused([])).split('\n');
    expect(error.slice(0, 2)).toEqual([
      'Nothing was deployed:',
      '- Account 123456789012 is not bootstrapped in eu-central-1. Run once: npx cdk bootstrap aws://123456789012/eu-central-1',
    ]);
    expect(error[2]).toMatch(/^- The stack svc-development-data is half deleted/);
  });

  test('there are no credentials', async () => {
    const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_SESSION_TOKEN: undefined };
    expect(await refused([], none)).toMatch(/^No AWS credentials were found: sign in/);
    expect(aws.calls).toEqual([]);
  });

  test('the credentials have expired', async () => {
    aws.replies.set('sts:GetCallerIdentity', { error: 'ExpiredToken', status: 403, message: 'It is expired' });
    expect(await refused([])).toBe('AWS refuses the credentials (ExpiredToken): sign in again, then retry.');
  });

  test('AWS cannot be reached', async () => {
    expect(await refused([], { AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:9' })).toMatch(
      /^STS is unavailable in eu-central-1 \(.*127\.0\.0\.1:9/,
    );
  });

  test('no region is set', async () => {
    expect(await refused([], { AWS_REGION: undefined })).toMatch(/^No region is set: set "region" of the stage/);
  });

  test('the stage does not exist', async () => {
    expect(await refused(['--stage', 'Prod'])).toBe('-c stage=Prod: choose from Production, Staging, Development');
  });
});
