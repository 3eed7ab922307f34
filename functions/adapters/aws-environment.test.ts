import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { awsEnvironment } from './aws-environment.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIDENV', AWS_SECRET_ACCESS_KEY: 'of the environment' };
const NAMES = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE', 'AWS_SESSION_TOKEN', ...Object.keys(KEYS)];
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'svc-aws-'));
  const [credentials, config] = ['credentials', 'config'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(credentials, '[work]\naws_access_key_id = AKIDWORK\naws_secret_access_key = of the profile\n');
  writeFileSync(config, '[profile work]\nregion = ap-south-1\n');
  Object.assign(process.env, {
    AWS_SHARED_CREDENTIALS_FILE: credentials,
    AWS_CONFIG_FILE: config,
    AWS_EC2_METADATA_DISABLED: 'true',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const name of NAMES) delete process.env[name];
});

/** The SDK's ways look at the process's own environment. */
function given(env: Readonly<Record<string, string>>) {
  Object.assign(process.env, env);
  return awsEnvironment();
}

describe('credentials', () => {
  it('are those of the environment, with the session they are for', async () => {
    const { credentials } = given({ ...KEYS, AWS_SESSION_TOKEN: 'session' });
    expect(await credentials()).toEqual({
      accessKeyId: 'AKIDENV',
      secretAccessKey: 'of the environment',
      sessionToken: 'session',
    });
  });

  it('are those of a profile that is named, also where there are keys', async () => {
    // The SDK's, of what this test is about.
    jest.spyOn(console, 'warn').mockImplementation(() => {});
    const { credentials } = given({ ...KEYS, AWS_PROFILE: 'work' });
    expect(await credentials()).toMatchObject({ accessKeyId: 'AKIDWORK', secretAccessKey: 'of the profile' });
  });

  it('are told as missing where nothing gives any, and looked for again', async () => {
    const { credentials } = given({ AWS_ACCESS_KEY_ID: 'half of them' });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(credentials()).rejects.toMatchObject({ name: 'CredentialsProviderError' });
    }
  });
});

describe('the region', () => {
  it.each([
    ['that of the environment', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-1'],
    ['the default one', { AWS_DEFAULT_REGION: 'eu-west-2', AWS_PROFILE: 'work' }, 'eu-west-2'],
    ["a profile's", { AWS_PROFILE: 'work' }, 'ap-south-1'],
  ])('is %s', async (_, env, region) => {
    expect(await given(env).region()).toBe(region);
  });

  it('is told as missing where nothing names one', async () => {
    await expect(given({}).region()).rejects.toThrow('Region is missing');
  });
});
