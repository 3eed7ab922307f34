import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '..');
const SECRET = `planted-${'k9Zr2'.repeat(6)}`;
const TOKEN = `token-${'w4Tq8'.repeat(6)}`;

/** A fake `cdk` that records its arguments and exits as configured. */
let dir: string;
/** Fakes of AWS's STS and SSM. */
let aws: Server;
let url: string;
let answers: { sts: [status: number, body: Readonly<Record<string, string>>]; ssm: [status: number, body: object] };
const asked: { service: string; authorization: string; body: string }[] = [];

const IDENTITY = {
  Account: '123456789012',
  Arn: 'arn:aws:iam::123456789012:user/ops',
};
const BOOTSTRAPPED = { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '30' } };

function stsXml(status: number, members: object): string {
  const xml = Object.entries(members)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
  return status === 200
    ? `<GetCallerIdentityResponse><GetCallerIdentityResult>${xml}</GetCallerIdentityResult></GetCallerIdentityResponse>`
    : `<ErrorResponse><Error>${xml}</Error></ErrorResponse>`;
}

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-deploy-'));
  const cdk = path.join(dir, 'cdk');
  writeFileSync(cdk, `#!/bin/sh\nprintf '%s\\n' "$@" > ${dir}/called\nexit \${PLANTED_EXIT:-0}\n`);
  chmodSync(cdk, 0o755);
  aws = createServer(async (request, response) => {
    const body = await text(request);
    const service = request.headers['x-amz-target'] === undefined ? 'sts' : 'ssm';
    asked.push({ service, authorization: String(request.headers.authorization), body });
    const [status, answer] = answers[service];
    const shown = service === 'sts' ? stsXml(status, answer) : JSON.stringify(answer);
    response.writeHead(status).end(shown);
  }).listen(0, '127.0.0.1');
  await once(aws, 'listening');
  url = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
});
afterAll(() => {
  aws.close();
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  answers = { sts: [200, IDENTITY], ssm: [200, BOOTSTRAPPED] };
  asked.length = 0;
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
      AWS_ENDPOINT_URL_STS: url,
      AWS_ENDPOINT_URL_SSM: url,
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
    expect(called()).toEqual(['deploy', '--all', '--context', 'stage=Production', '--require-approval', 'never']);
    expect(code).toBe(0);
    expect(out).toContain('Production to account 123456789012, eu-central-1, as arn:aws:iam::123456789012:user/ops');
    expect(asked.map(({ service }) => service)).toEqual(['sts', 'ssm']);
    for (const { authorization } of asked) expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAPLANTED\//);
    expect(JSON.parse(asked[1]?.body ?? '')).toEqual({ Name: '/cdk-bootstrap/hnb659fds/version' });
  });

  test("exits with the CDK's status", async () => {
    expect((await deploy([], { PLANTED_EXIT: '7' })).code).toBe(7);
    expect(called()?.slice(0, 4)).toEqual(['deploy', '--all', '--context', 'stage=Development']);
  });

  test("continues if the deployer may not check the region's bootstrap", async () => {
    answers.ssm = [400, { __type: 'AccessDeniedException' }];
    expect((await deploy([])).code).toBe(0);
    expect(called()).toBeDefined();
  });
});

describe('reports what is missing, and does not call the CDK, if', () => {
  const refused = async (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) => {
    const { error, code } = await deploy(args, env);
    expect([code, called()]).toEqual([1, undefined]);
    return error.trim();
  };

  test('the region is not bootstrapped', async () => {
    answers.ssm = [400, { __type: 'ParameterNotFound', message: '' }];
    expect(await refused([])).toBe(
      'Account 123456789012 is not bootstrapped in eu-central-1. Run once: npx cdk bootstrap aws://123456789012/eu-central-1',
    );
  });

  test('there are no credentials', async () => {
    const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_SESSION_TOKEN: undefined };
    expect(await refused([], none)).toMatch(/^No AWS credentials were found: sign in/);
    expect(asked).toEqual([]);
  });

  test('the credentials have expired', async () => {
    answers.sts = [403, { Code: 'ExpiredToken', Message: 'The security token is expired' }];
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
